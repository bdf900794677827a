//! Evaluation of the thesis agent: visible material, averages for hidden pieces,
//! and risk.

use foglight_rules::{
    Bitboard, Board, Color, Dice, Game, Move, Observation, Piece, Position, Role, RoleSet, Setup,
    Size, Square, attacks,
};

use super::{ThesisSettings, pawns::PawnTrack};
use crate::{
    belief::{EnemyMaterial, Evidence},
    eval::michniewski::{square_value, value},
};

const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
/// The thesis's alpha, which converts centipawns to pawns.
const ALPHA: f64 = 0.01;

/// Knowledge at the root, fixed during the search.
pub(super) struct Sense {
    pub(super) game: Game,
    pub(super) side: Color,
    /// Visible squares. No move of the search leaves or enters another square.
    pub(super) seen: Bitboard,
    pub(super) root: Position,
    pub(super) dark: Bitboard,
    /// Number of hidden pieces of each type; `bishops` splits bishops by the colour
    /// of their squares.
    men: [u32; 6],
    bishops: [u32; 2],
    /// Total value of the hidden enemy pieces, in centipawns.
    hidden_value: f64,
    /// Value of each piece type on each square, for White and for Black.
    worth: [[[i32; 64]; 6]; 2],
    /// Hidden squares on which enemy pawns may stand.
    pub(super) pawns: Bitboard,
    /// Unnormalised probability of a hidden piece of each type on each square.
    weights: Option<Box<[[f64; 64]; 6]>>,
    pub(super) settings: ThesisSettings,
}

impl Sense {
    pub(super) fn new(
        observation: &Observation,
        roster: &EnemyMaterial,
        track: Option<&PawnTrack>,
        settings: &ThesisSettings,
    ) -> Sense {
        let view = observation.view();
        let game = *observation.game();
        let evidence = Evidence::new(&game, view);
        let hidden = roster.hidden(evidence.shown(), &evidence);
        let dark = view.size.mask() & !view.visible;
        let late = settings.phase && view.board.occupied().count() + hidden.len() <= 14;
        let worth = worth(view.size, late);
        let pawns = track.map_or(dark, |track| track.possible() & dark);
        let table = &worth[usize::from(view.side.is_white())];
        let hidden_value = hidden.iter().map(|man| {
            let squares = match man.role {
                Role::Pawn => man.squares & pawns,
                _ => man.squares & dark,
            };
            let table = &table[man.role as usize - 1];
            let values = squares.into_iter().map(|square| table[square as usize]);
            average(values, value(man.role), settings.by_tables)
        });
        let count = |role: Role| hidden.iter().filter(|man| man.role == role).count() as u32;
        let coloured = |colour: Bitboard| {
            let bishops = hidden.iter().filter(|man| man.role == Role::Bishop);
            bishops.filter(|man| (man.squares & colour).any()).count() as u32
        };
        Sense {
            game,
            side: view.side,
            seen: view.visible,
            root: stage(observation, dark),
            dark,
            men: Role::ALL.map(count),
            bishops: [coloured(!LIGHT), coloured(LIGHT)],
            hidden_value: hidden_value.sum(),
            weights: settings.by_tables.then(|| Box::new(weights(table))),
            worth,
            pawns,
            settings: *settings,
        }
    }

    /// Number of hidden pieces of a type.
    #[cfg(test)]
    pub(super) fn hidden_men(&self, role: Role) -> u32 {
        self.men[role as usize - 1]
    }

    /// The moves whose origin and target squares are visible.
    pub(super) fn moves(&self, position: &Position) -> Vec<Move> {
        let moves = position.king_capture_moves(RoleSet::ALL).into_iter();
        moves
            .filter(|m| self.seen.contains(m.from()) && self.seen.contains(m.to()))
            .collect()
    }

    /// The evaluation of eq. 4.1 to 4.3 in pawns, for the side to move.
    pub(super) fn evaluate(&self, position: &Position) -> f64 {
        let board = position.board();
        let sum = |side: Color| -> i32 {
            let tables = &self.worth[usize::from(side.is_black())];
            let roles = Role::ALL.into_iter().zip(tables);
            roles
                .flat_map(|(role, table)| {
                    let squares = (board.pieces(side, role) & self.seen).into_iter();
                    squares.map(|square| table[square as usize])
                })
                .sum()
        };
        let material = f64::from(sum(self.side) - sum(!self.side));
        let score = material - self.hidden_value + self.extras(position);
        score * ALPHA * self.sign(position.turn())
    }

    pub(super) fn sign(&self, side: Color) -> f64 {
        if side == self.side { 1.0 } else { -1.0 }
    }

    /// Eq. 4.4: expected loss of own pieces to less valuable hidden pieces, in
    /// pawns.
    pub(super) fn risk(&self, position: &Position) -> f64 {
        self.risks(position).iter().sum()
    }

    /// The highest of these losses.
    pub(super) fn highest_risk(&self, position: &Position) -> f64 {
        self.risks(position).into_iter().fold(0.0, f64::max)
    }

    fn risks(&self, position: &Position) -> Vec<f64> {
        let board = position.board().masked(self.seen);
        let own = board.masked(board.side(self.side));
        let risk = |(square, piece): (Square, Piece)| {
            let worth = match piece.role {
                Role::King => self.settings.king_risk,
                role => ALPHA * f64::from(value(role)),
            };
            worth * self.piece_risk(&board, square, piece.role)
        };
        own.iter().map(risk).collect()
    }

    /// Eq. 4.5: the probability that a less valuable hidden piece attacks this
    /// square. One factor per hidden piece; the printed product has one too many.
    fn piece_risk(&self, board: &Board, square: Square, role: Role) -> f64 {
        let light = LIGHT.contains(square);
        let mut safe = 1.0;
        for &cheaper in cheaper_than(role) {
            let (squares, men) = match cheaper {
                Role::Bishop => {
                    let colour = if light { LIGHT } else { !LIGHT };
                    (self.dark & colour, self.bishops[usize::from(light)])
                }
                Role::Pawn => (self.pawns, self.men[0]),
                _ => (self.dark, self.men[cheaper as usize - 1]),
            };
            if men > 0 {
                let possible = self.origins(board, square, cheaper) & squares;
                safe *= self.chance_of_none(cheaper, possible, squares, men);
            }
        }
        1.0 - safe
    }

    /// The probability that none of `men` pieces, all on squares of `total`, stands
    /// on `possible`.
    fn chance_of_none(&self, role: Role, possible: Bitboard, total: Bitboard, men: u32) -> f64 {
        if let Some(weights) = &self.weights {
            let table = &weights[role as usize - 1];
            let sum = |set: Bitboard| -> f64 { set.into_iter().map(|s| table[s as usize]).sum() };
            let share = sum(possible) / sum(total).max(f64::MIN_POSITIVE);
            return (1.0 - share).max(0.0).powi(men as i32);
        }
        let (possible, total) = (possible.count() as f64, total.count() as f64);
        let left = (0..men).map(|j| total - f64::from(j));
        let left = left.filter(|left| *left > 0.0);
        left.map(|left| ((left - possible) / left).max(0.0))
            .product()
    }

    /// The squares from which an enemy piece of this type attacks `square`.
    fn origins(&self, board: &Board, square: Square, role: Role) -> Bitboard {
        match role {
            Role::Pawn => attacks::pawn_attacks(self.side, square),
            _ => attacks::attacks(square, role.of(!self.side), board.occupied()),
        }
    }
}

/// The less valuable piece types, as in table 2 of the thesis.
pub(super) fn cheaper_than(role: Role) -> &'static [Role] {
    const ORDER: [Role; 5] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];
    &ORDER[..role as usize - 1]
}

/// Base plus square values of all piece types on all squares, White's first.
/// Black's tables are turned both ways, as in the thesis; it shows in the queen's.
fn worth(size: Size, late: bool) -> [[[i32; 64]; 6]; 2] {
    [Color::White, Color::Black].map(|side| {
        Role::ALL.map(|role| {
            let mut table = [0; 64];
            for square in size.mask() {
                let seen_by = match side {
                    Color::White => square,
                    Color::Black => size
                        .square(
                            size.files() - 1 - square.file() as usize,
                            square.rank() as usize,
                        )
                        .expect("a file of this size"),
                };
                table[square as usize] =
                    value(role) + square_value(size, side, role, seen_by, late);
            }
            table
        })
    })
}

/// Piece-square tables as unnormalised probabilities: each value's lead over the
/// lowest, plus one.
fn weights(tables: &[[i32; 64]; 6]) -> [[f64; 64]; 6] {
    tables.map(|table| {
        let lowest = table.iter().filter(|value| **value > 0).min().copied();
        table.map(|value| f64::from(value - lowest.unwrap_or(0)).max(0.0) + 1.0)
    })
}

/// The mean of the values. With `weighed` each value is weighted by its lead over
/// the lowest, plus one. Returns `base` if there are no values.
fn average(values: impl Iterator<Item = i32>, base: i32, weighed: bool) -> f64 {
    let values: Vec<f64> = values.map(f64::from).collect();
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let weight = |value: f64| if weighed { value - lowest + 1.0 } else { 1.0 };
    let total: f64 = values.iter().map(|value| weight(*value)).sum();
    if total == 0.0 {
        return f64::from(base);
    }
    values.iter().map(|v| v * weight(*v)).sum::<f64>() / total
}

/// The visible pieces as a position. A hidden enemy king is put on a hidden
/// square, which the search never enters, because the rules require two kings.
fn stage(observation: &Observation, dark: Bitboard) -> Position {
    let view = observation.view();
    let mut board = view.board;
    let enemy = !view.side;
    if board.king(enemy).is_none()
        && let Some(square) = match enemy {
            Color::White => dark.first(),
            Color::Black => dark.last(),
        }
    {
        board.set(square, Role::King.of(enemy));
    }
    let parts = Setup {
        size: view.size,
        board,
        turn: view.side,
        castling: view.castling,
        ep_squares: view.ep_squares,
        dice: Dice::NONE,
        halfmoves: 0,
        fullmoves: 1,
    };
    let without_passed = Setup {
        ep_squares: Bitboard::EMPTY,
        ..parts
    };
    let game = observation.game();
    game.position(parts)
        .or_else(|_| game.position(without_passed))
        .expect("what is seen is a position")
}
