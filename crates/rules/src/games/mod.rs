//! The games as values; the peculiarities of each game have their own file.

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

/// The game, without sight and limits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// Plain chess by the rules of FIDE.
    Chess,
    /// Fog-of-war chess with one of its rule sets.
    Fog(FogRules),
    /// Dice chess with one die.
    Dice1,
    /// Dice chess with three dice and up to three plies a turn.
    Dice3,
}

/// The part of the board that a side sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Sight {
    /// The squares that the rules of the game show.
    #[default]
    Normal,
    /// Every square: odds, or a sparring partner.
    Full,
}

/// The rules of a game: variant, rule set, sight and half-move limit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Game {
    variant: Variant,
    sight: ByColor<Sight>,
    halfmove_limit: Option<u16>,
}

/// Default number of plies without capture or pawn move after which a game is
/// drawn.
pub const HALFMOVE_LIMIT: u16 = 100;

/// Error of a setup that is not a valid position of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// A piece outside the board.
    #[error("a piece stands on {0}; expected every piece on the {1} board")]
    OffBoard(shakmaty::Square, Size),
    /// More than 16 pieces of one side.
    #[error("{0:?} has more than 16 pieces; at most 16 are expected")]
    TooManyPieces(Color),
    /// The wrong number of kings.
    #[error("{side:?} has {found} kings; {expected}")]
    Kings {
        /// Side with the wrong number.
        side: Color,
        /// Number of its kings.
        found: usize,
        /// The numbers that the game allows.
        expected: &'static str,
    },
    /// A pawn on the first or last rank.
    #[error("a pawn stands on the first or last rank; pawns are expected between them")]
    PawnOnEdge,
    /// A castling right without its king or rook on its starting square.
    #[error("castling right '{0}' needs its king and rook on their first squares of an 8x8 board")]
    Castling(char),
    /// An en passant square without a pawn that could have made the double step.
    #[error(
        "en-passant square {0}: expected a square that an enemy pawn has just passed by a double step"
    )]
    EnPassant(shakmaty::Square),
    /// Dice in a game without dice, or too many.
    #[error("dice '{found}': {expected}")]
    Dice {
        /// The dice that were given.
        found: Dice,
        /// The dice that the game allows.
        expected: &'static str,
    },
    /// In plain chess, the side that has just moved is in check.
    #[error(
        "{0:?}'s king can be taken; in chess the side that is not to move must not be in check"
    )]
    OpponentInCheck(Color),
    /// A half-move clock out of range.
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

    /// Plain chess by the rules of FIDE.
    pub const fn chess() -> Game {
        Game::of(Variant::Chess)
    }

    /// Fog-of-war chess with the default rule set.
    pub const fn fog() -> Game {
        Game::fog_with(FogRules::Chesscom)
    }

    /// Fog-of-war chess with the given rule set.
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

    /// Finds a game and, in fog, a rule set by name.
    pub fn from_name(name: &str, rules: Option<&str>) -> Option<Game> {
        Game::ALL
            .into_iter()
            .find(|game| game.name() == name && (rules.is_none() || game.rules_name() == rules))
    }

    /// The same game with another sight for a side; only fog hides anything.
    #[must_use]
    pub fn with_sight(mut self, side: Color, sight: Sight) -> Game {
        *self.sight.get_mut(side) = sight;
        self
    }

    /// The same game with another half-move limit, or none.
    #[must_use]
    pub const fn with_halfmove_limit(mut self, plies: Option<u16>) -> Game {
        self.halfmove_limit = plies;
        self
    }

    /// The game without sight and limits.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Number of plies without capture or pawn move after which the game is
    /// drawn.
    pub const fn halfmove_limit(&self) -> Option<u16> {
        self.halfmove_limit
    }

    /// The rule set, if the game is fog.
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

    /// The rule set's name, if the game is fog.
    pub fn rules_name(&self) -> Option<&'static str> {
        self.fog_rules().map(FogRules::name)
    }

    /// The sight of a side.
    pub fn sight(&self, side: Color) -> Sight {
        *self.sight.get(side)
    }

    /// Whether `side` sees every square.
    #[inline]
    pub fn has_full_view(&self, side: Color) -> bool {
        !matches!(self.variant, Variant::Fog(_)) || self.sight(side) == Sight::Full
    }

    /// Whether the king is captured rather than mated.
    pub const fn is_king_capture(&self) -> bool {
        !matches!(self.variant, Variant::Chess)
    }

    /// Whether dice decide which pieces may move.
    pub const fn has_dice(&self) -> bool {
        matches!(self.variant, Variant::Dice1 | Variant::Dice3)
    }

    /// The starting position of the game.
    pub fn start(&self) -> Position {
        Position::from_setup(Setup::start())
    }

    /// The squares visible to `side`.
    #[inline]
    pub fn visible_squares(&self, position: &Position, side: Color) -> Bitboard {
        match self.variant {
            Variant::Fog(rules) if self.sight(side) == Sight::Normal => {
                sight::visible_squares(position, side, rules)
            }
            _ => position.size().mask(),
        }
    }

    /// The legal moves of the side to move; empty before a roll. Draws by
    /// repetition or the half-move limit are left to [`crate::State`].
    #[inline]
    pub fn legal_moves(&self, position: &Position) -> MoveList {
        match self.variant {
            Variant::Chess => position.legal_moves(),
            Variant::Fog(_) => position.king_capture_moves(crate::movegen::RoleSet::ALL),
            Variant::Dice1 => dice1::moves(position, position.dice()),
            Variant::Dice3 => dice3::moves(position),
        }
    }

    /// The possible rolls with their probabilities; empty unless dice are due.
    pub fn chance_outcomes(&self, position: &Position) -> Vec<(Dice, f64)> {
        match self.variant {
            Variant::Dice1 => dice1::chance_outcomes(position),
            Variant::Dice3 => dice3::chance_outcomes(position),
            _ => Vec::new(),
        }
    }

    /// Plays a move that the caller knows to be legal; returns the captured role.
    #[inline]
    pub fn play_unchecked(&self, position: &mut Position, m: Move) -> Option<Role> {
        match self.variant {
            Variant::Chess => chess::play(position, m),
            Variant::Fog(rules) => fog::play(position, m, rules),
            Variant::Dice1 => dice1::play(position, m),
            Variant::Dice3 => dice3::play(position, m),
        }
    }

    /// Sets the rolled dice. A roll without a usable die passes the turn.
    pub fn roll_unchecked(&self, position: &mut Position, dice: Dice) {
        position.set_dice(dice);
        if self.variant == Variant::Dice3 {
            dice3::apply_forced_pass(position);
        }
    }

    /// Passes the turn of a side that cannot move with any roll.
    pub(crate) fn apply_forced_pass(&self, position: &mut Position) {
        match self.variant {
            Variant::Dice1 => dice1::apply_forced_pass(position),
            Variant::Dice3 if !position.dice().is_none() => dice3::apply_forced_pass(position),
            _ => {}
        }
    }

    /// The outcome, as far as the position alone determines it.
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

    /// The only checked constructor of a position: validates a setup by the rules
    /// of this game, and keeps an en passant square only if it can be used.
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
            if position.can_capture_king() {
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
            // The pawn's starting square lies beyond the en passant square.
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

/// The win of the side that has captured the enemy king.
fn king_taken(position: &Position) -> Option<Outcome> {
    let board = position.board();
    let loser = Color::ALL
        .into_iter()
        .find(|&side| board.king(side).is_none())?;
    Some(Outcome::win(!loser, Termination::KingCaptured))
}

/// Text form: `fog (chesscom)`, `chess`.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self.rules_name() {
            Some(rules) => write!(f, " ({rules})"),
            None => Ok(()),
        }
    }
}
