//! The games: rules as a value, each game's peculiarities in a file.

mod chess;
mod dice1;
mod dice3;
mod fog;

use std::fmt;

use shakmaty::{Bitboard, ByColor, Color, Role};

use crate::{
    castling::Castling,
    dice::Dice,
    fog_rules::FogRules,
    moves::{Move, MoveList},
    outcome::{Outcome, Termination},
    packed::MAX_HALFMOVES,
    position::{EnPassantRule, Position, Setup},
    sight,
    size::Size,
};

/// Which game is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// Plain chess.
    Chess,
    /// Fog-of-war chess by one of its rule sets.
    Fog(FogRules),
    /// Dice chess with one die.
    Dice1,
    /// Dice chess with three dice and up to three moves a turn.
    Dice3,
}

/// How much of the board a side sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Sight {
    /// What the rules of the game show.
    #[default]
    Normal,
    /// Everything: a declared handicap or sparring partner.
    Full,
}

/// The rules of a game as a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Game {
    variant: Variant,
    sight: ByColor<Sight>,
    halfmove_limit: Option<u16>,
}

/// Single moves without capture or pawn move after which a game is drawn.
pub const HALFMOVE_LIMIT: u16 = 100;

/// Why some parts do not make a position of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// A piece beside the board.
    #[error("a piece stands on {0}; expected every piece on the {1} board")]
    OffBoard(shakmaty::Square, Size),
    /// More pieces than any game can have.
    #[error("{0:?} has more than 16 pieces; at most 16 are expected")]
    TooManyPieces(Color),
    /// A king too many or too few.
    #[error("{side:?} has {found} kings; {expected}")]
    Kings {
        /// Whose kings.
        side: Color,
        /// How many there are.
        found: usize,
        /// What the game wants.
        expected: &'static str,
    },
    /// A pawn where it cannot be.
    #[error("a pawn stands on the first or last rank; pawns are expected between them")]
    PawnOnEdge,
    /// Castling without king or rook in place.
    #[error("castling right '{0}' needs its king and rook on their first squares of an 8x8 board")]
    Castling(char),
    /// A passed square without the pawn that passed it.
    #[error(
        "en-passant square {0}: expected a square that an enemy pawn has just passed by a double step"
    )]
    EnPassant(shakmaty::Square),
    /// Dice in a game without, or too many.
    #[error("dice '{found}': {expected}")]
    Dice {
        /// The dice given.
        found: Dice,
        /// What the game wants.
        expected: &'static str,
    },
    /// In plain chess the king just left in check.
    #[error(
        "{0:?}'s king can be taken; in chess the side that is not to move must not be in check"
    )]
    OpponentInCheck(Color),
    /// A clock out of range.
    #[error("half-move clock {0}: expected at most 1023")]
    Halfmoves(u16),
}

impl Game {
    const fn of(variant: Variant) -> Game {
        Game {
            variant,
            sight: ByColor {
                black: Sight::Normal,
                white: Sight::Normal,
            },
            halfmove_limit: Some(HALFMOVE_LIMIT),
        }
    }

    /// Plain chess.
    pub const fn chess() -> Game {
        Game::of(Variant::Chess)
    }

    /// Fog-of-war chess by the default rules.
    pub const fn fog() -> Game {
        Game::fog_with(FogRules::Chesscom)
    }

    /// Fog-of-war chess by a rule set.
    pub const fn fog_with(rules: FogRules) -> Game {
        Game::of(Variant::Fog(rules))
    }

    /// Dice chess with one die.
    pub const fn dice1() -> Game {
        Game::of(Variant::Dice1)
    }

    /// Dice chess with three dice.
    pub const fn dice3() -> Game {
        Game::of(Variant::Dice3)
    }

    /// Every game and rule set, with normal sight.
    pub const ALL: [Game; FogRules::ALL.len() + 3] = {
        let fogs = FogRules::ALL.len();
        let mut all = [Game::chess(); FogRules::ALL.len() + 3];
        let mut i = 0;
        while i < fogs {
            all[1 + i] = Game::fog_with(FogRules::ALL[i]);
            i += 1;
        }
        all[fogs + 1] = Game::dice1();
        all[fogs + 2] = Game::dice3();
        all
    };

    /// The game and, in fog, rule set with these names.
    pub fn from_name(name: &str, rules: Option<&str>) -> Option<Game> {
        Game::ALL
            .into_iter()
            .find(|game| game.name() == name && (rules.is_none() || game.rules_name() == rules))
    }

    /// The same game with other sight for a side. Only fog hides anything.
    #[must_use]
    pub fn with_sight(mut self, side: Color, sight: Sight) -> Game {
        *self.sight.get_mut(side) = sight;
        self
    }

    /// The same game with another limit of quiet single moves, or none.
    #[must_use]
    pub const fn with_halfmove_limit(mut self, plies: Option<u16>) -> Game {
        self.halfmove_limit = plies;
        self
    }

    /// Which game it is.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Single moves without capture or pawn move after which the game is drawn.
    pub const fn halfmove_limit(&self) -> Option<u16> {
        self.halfmove_limit
    }

    /// The rule set, in fog.
    pub const fn fog_rules(&self) -> Option<FogRules> {
        match self.variant {
            Variant::Fog(rules) => Some(rules),
            _ => None,
        }
    }

    /// The game's name: `chess`, `fog`, `dice1` or `dice3`.
    pub const fn name(&self) -> &'static str {
        match self.variant {
            Variant::Chess => "chess",
            Variant::Fog(_) => "fog",
            Variant::Dice1 => "dice1",
            Variant::Dice3 => "dice3",
        }
    }

    /// The rule set's name, in fog.
    pub fn rules_name(&self) -> Option<&'static str> {
        self.fog_rules().map(FogRules::name)
    }

    /// The sight of a side.
    pub fn sight(&self, side: Color) -> Sight {
        *self.sight.get(side)
    }

    /// Does `side` see every square?
    #[inline]
    pub fn has_full_view(&self, side: Color) -> bool {
        !matches!(self.variant, Variant::Fog(_)) || self.sight(side) == Sight::Full
    }

    /// Is the king taken, not mated?
    pub const fn is_king_capture(&self) -> bool {
        !matches!(self.variant, Variant::Chess)
    }

    /// Do dice decide what may move?
    pub const fn has_dice(&self) -> bool {
        matches!(self.variant, Variant::Dice1 | Variant::Dice3)
    }

    /// The start of the game.
    pub fn start(&self) -> Position {
        Position::from_setup(Setup::start())
    }

    /// The squares that `side` sees.
    #[inline]
    pub fn visible_squares(&self, position: &Position, side: Color) -> Bitboard {
        match self.variant {
            Variant::Fog(rules) if self.sight(side) == Sight::Normal => {
                sight::visible_squares(position, side, rules)
            }
            _ => position.size().mask(),
        }
    }

    /// The legal moves of the side to move; none before a roll. Draws by
    /// counting or repetition are the state's to know.
    #[inline]
    pub fn legal_moves(&self, position: &Position) -> MoveList {
        match self.variant {
            Variant::Chess => position.legal_moves(),
            Variant::Fog(_) => position.king_capture_moves(crate::movegen::RoleSet::ALL),
            Variant::Dice1 => dice1::moves(position, position.dice()),
            Variant::Dice3 => dice3::moves(position),
        }
    }

    /// The rolls that can come now with their probabilities; none unless dice
    /// are to be thrown.
    pub fn chance_outcomes(&self, position: &Position) -> Vec<(Dice, f64)> {
        match self.variant {
            Variant::Dice1 => dice1::chance_outcomes(position),
            Variant::Dice3 => dice3::chance_outcomes(position),
            _ => Vec::new(),
        }
    }

    /// Plays a move that is known to be legal; gives what it took.
    #[inline]
    pub fn play_unchecked(&self, position: &mut Position, m: Move) -> Option<Role> {
        match self.variant {
            Variant::Chess => chess::play(position, m),
            Variant::Fog(rules) => fog::play(position, m, rules),
            Variant::Dice1 => dice1::play(position, m),
            Variant::Dice3 => dice3::play(position, m),
        }
    }

    /// Puts rolled dice on the table. A roll that nobody can use passes.
    pub fn roll_unchecked(&self, position: &mut Position, dice: Dice) {
        position.set_dice(dice);
        if self.variant == Variant::Dice3 {
            dice3::apply_forced_pass(position);
        }
    }

    /// Passes the turn of a side that no roll could let move.
    pub(crate) fn apply_forced_pass(&self, position: &mut Position) {
        match self.variant {
            Variant::Dice1 => dice1::apply_forced_pass(position),
            Variant::Dice3 if !position.dice().is_none() => dice3::apply_forced_pass(position),
            _ => {}
        }
    }

    /// How the game has ended, as far as the position alone tells.
    pub fn outcome(&self, position: &Position) -> Option<Outcome> {
        match self.variant {
            Variant::Chess => chess::outcome(position),
            Variant::Fog(rules) => fog::outcome(position, rules),
            Variant::Dice1 => king_taken(position).or_else(|| dice1::outcome(position)),
            Variant::Dice3 => king_taken(position),
        }
    }

    const fn passing(&self) -> EnPassantRule {
        match self.variant {
            Variant::Fog(rules) => rules.passing(),
            Variant::Dice3 => EnPassantRule::WholeTurn,
            Variant::Chess | Variant::Dice1 => EnPassantRule::NextMove,
        }
    }

    /// The one door from parts to a position: checks them by the rules of this
    /// game, and keeps a passed square only if it can be used.
    pub fn position(&self, setup: Setup) -> Result<Position, PositionError> {
        self.check_pieces(&setup)?;
        check_castling(&setup)?;
        self.check_passed(&setup)?;
        if setup.halfmoves > MAX_HALFMOVES {
            return Err(PositionError::Halfmoves(setup.halfmoves));
        }
        let mut position = Position::from_setup(setup);
        self.check_dice(&position)?;
        match self.passing() {
            EnPassantRule::None => position.set_ep_squares(Bitboard::EMPTY),
            EnPassantRule::NextMove if position.ep_capturers(setup.turn).is_empty() => {
                position.set_ep_squares(Bitboard::EMPTY);
            }
            _ => {}
        }
        if self.variant == Variant::Chess {
            position.clear_illegal_ep();
            if position.can_take_king() {
                return Err(PositionError::OpponentInCheck(!setup.turn));
            }
        }
        Ok(position)
    }

    fn check_pieces(&self, setup: &Setup) -> Result<(), PositionError> {
        let board = &setup.board;
        if let Some(square) = (board.occupied() & !setup.size.mask()).first() {
            return Err(PositionError::OffBoard(square, setup.size));
        }
        for side in Color::ALL {
            if board.side(side).count() > 16 {
                return Err(PositionError::TooManyPieces(side));
            }
            let found = board.pieces(side, Role::King).count();
            let other = board.pieces(!side, Role::King).count();
            let expected = match self.variant {
                Variant::Chess if found != 1 => "exactly one is expected",
                _ if found > 1 => "at most one is expected",
                _ if found == 0 && other == 0 => "at least one side is expected to have its king",
                _ => continue,
            };
            return Err(PositionError::Kings {
                side,
                found,
                expected,
            });
        }
        let edges = setup.size.last_rank(Color::White) | setup.size.last_rank(Color::Black);
        if (board.role(Role::Pawn) & edges).any() {
            return Err(PositionError::PawnOnEdge);
        }
        Ok(())
    }

    fn check_passed(&self, setup: &Setup) -> Result<(), PositionError> {
        let position = Position::from_setup(*setup);
        let several = self.passing() == EnPassantRule::WholeTurn;
        let mut valid = position.ep_squares_with_pawn();
        if !several {
            valid &= position.ep_targets(setup.turn);
        }
        let valid = valid.into_iter().filter(|&square| {
            // The square that the pawn started from lies beyond the passed one.
            let origin = if square.rank() == shakmaty::Rank::Third {
                -8
            } else {
                8
            };
            several
                || !square
                    .offset(origin)
                    .is_some_and(|s| setup.board.occupied().contains(s))
        });
        let valid: Bitboard = valid.collect();
        let wrong = setup.ep_squares
            & !(if setup.size.is_full() {
                valid
            } else {
                Bitboard::EMPTY
            });
        let surplus = if several {
            Bitboard::EMPTY
        } else {
            setup.ep_squares.without_first()
        };
        match (wrong | surplus).first() {
            Some(square) => Err(PositionError::EnPassant(square)),
            None => Ok(()),
        }
    }

    fn check_dice(&self, position: &Position) -> Result<(), PositionError> {
        let found = position.dice();
        let expected = match self.variant {
            _ if found.is_none() => return Ok(()),
            Variant::Dice1 if found.total() > 1 => "one die is expected",
            Variant::Dice1 if dice1::moves(position, found).is_empty() && position.both_kings() => {
                "a kind of piece that can move is expected"
            }
            Variant::Dice1 | Variant::Dice3 => return Ok(()),
            _ => "none are expected in a game without dice",
        };
        Err(PositionError::Dice { found, expected })
    }
}

fn check_castling(setup: &Setup) -> Result<(), PositionError> {
    for castling in Castling::ALL.iter().filter(|c| setup.castling.has(c)) {
        let king = setup.board.pieces(castling.side, Role::King);
        let rook = setup.board.pieces(castling.side, Role::Rook);
        let placed = king.contains(castling.king.0) && rook.contains(castling.rook.0);
        if !placed || !setup.size.is_full() {
            return Err(PositionError::Castling(castling.letter));
        }
    }
    Ok(())
}

/// The winner, once a king is gone.
fn king_taken(position: &Position) -> Option<Outcome> {
    let board = position.board();
    let loser = Color::ALL
        .into_iter()
        .find(|&side| board.king(side).is_none())?;
    Some(Outcome::win(!loser, Termination::KingCaptured))
}

/// `fog (chesscom)`, `chess`.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self.rules_name() {
            Some(rules) => write!(f, " ({rules})"),
            None => Ok(()),
        }
    }
}
