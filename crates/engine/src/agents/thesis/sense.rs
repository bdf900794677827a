//! What the agent of the thesis makes of a board: material, averages, risk.

use foglight_rules::{
    Bitboard, Board, Color, Dice, Game, Move, Observation, Position, Role, RoleSet, Setup, Size,
    Square, attacks,
};

use super::Settings;
use crate::{
    belief::{Evidence, Hidden, Roster},
    eval::michniewski::{square_value, value},
};

const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
/// A hundredth: scores are in pawns.
const ALPHA: f64 = 0.01;

/// What is known at the root and stays while the agent thinks.
pub(super) struct Sense {
    pub(super) game: Game,
    pub(super) side: Color,
    /// The squares in view. Nothing in the search leaves or enters others.
    pub(super) seen: Bitboard,
    pub(super) root: Position,
    size: Size,
    dark: Bitboard,
    hidden: Vec<Hidden>,
    /// Value of all hidden enemy pieces, in hundredths.
    hidden_value: f64,
    late: bool,
    mobility: bool,
    unprotected: bool,
}

impl Sense {
    pub(super) fn new(observation: &Observation, roster: &Roster, settings: &Settings) -> Sense {
        let view = observation.view();
        let game = *observation.game();
        let evidence = Evidence::new(&game, view);
        let hidden = roster.hidden(evidence.shown(), &evidence);
        let dark = view.size.mask() & !view.seen;
        let men = view.board.occupied().count() + hidden.len();
        let late = settings.phase && men <= 14;
        let enemy = !view.side;
        let square_value = |man: &Hidden| {
            let squares = man.squares & dark;
            let values = squares
                .into_iter()
                .map(|square| square_value(view.size, enemy, man.role, square, late));
            average(values, settings.by_tables)
        };
        let values = hidden
            .iter()
            .map(|man| f64::from(value(man.role)) + square_value(man));
        Sense {
            game,
            side: view.side,
            seen: view.seen,
            root: stage(observation, dark),
            size: view.size,
            dark,
            hidden_value: values.sum(),
            hidden,
            late,
            mobility: settings.mobility,
            unprotected: settings.unprotected,
        }
    }

    /// The moves that stay inside what is in view.
    pub(super) fn moves(&self, position: &Position) -> Vec<Move> {
        let moves = position.king_capture_moves(RoleSet::ALL).into_iter();
        moves
            .filter(|m| self.seen.contains(m.from()) && self.seen.contains(m.to()))
            .collect()
    }

    /// Eq. 4.1 to 4.3 in pawns, for the side to move.
    pub(super) fn evaluate(&self, position: &Position) -> f64 {
        let board = position.board();
        let mut score = -self.hidden_value;
        for (square, piece) in board.masked(self.seen).iter() {
            let worth = value(piece.role)
                + square_value(self.size, piece.color, piece.role, square, self.late);
            score += self.sign(piece.color) * f64::from(worth);
        }
        score += self.extras(position);
        score * ALPHA * self.sign(position.turn())
    }

    fn sign(&self, side: Color) -> f64 {
        if side == self.side { 1.0 } else { -1.0 }
    }

    /// The remedies that count in the evaluation, in hundredths.
    fn extras(&self, position: &Position) -> f64 {
        let mut score = 0.0;
        if self.mobility {
            score += 2.0 * self.sign(position.turn()) * self.moves(position).len() as f64;
        }
        if self.unprotected {
            let board = position.board().masked(self.seen);
            for (square, piece) in board.iter().filter(|(_, p)| p.role != Role::King) {
                let guards = board.attackers(square, piece.color, board.occupied());
                if guards.is_empty() {
                    score -= 10.0 * self.sign(piece.color);
                }
            }
        }
        score
    }

    /// Eq. 4.4: what all own pieces may lose to cheaper hidden ones, in pawns.
    pub(super) fn risk(&self, position: &Position) -> f64 {
        let board = position.board().masked(self.seen);
        let own = board.masked(board.side(self.side));
        own.iter()
            .map(|(square, piece)| {
                ALPHA * f64::from(value(piece.role)) * self.piece_risk(&board, square, piece.role)
            })
            .sum()
    }

    /// Eq. 4.5: the chance that a cheaper hidden piece attacks this square. One
    /// factor for each hidden piece; the printed product has one too many.
    fn piece_risk(&self, board: &Board, square: Square, role: Role) -> f64 {
        let mut safe = 1.0;
        for cheaper in cheaper_than(role) {
            let same_colour = if LIGHT.contains(square) {
                LIGHT
            } else {
                !LIGHT
            };
            let squares = match cheaper {
                Role::Bishop => self.dark & same_colour,
                _ => self.dark,
            };
            let total = squares.count() as f64;
            let possible = (self.origins(board, square, *cheaper) & squares).count() as f64;
            let men = self.hidden.iter().filter(|man| {
                let reaches = *cheaper != Role::Bishop || (man.squares & same_colour).any();
                man.role == *cheaper && reaches
            });
            for j in 0..men.count() {
                let left = total - j as f64;
                if left > 0.0 {
                    safe *= ((left - possible) / left).max(0.0);
                }
            }
        }
        1.0 - safe
    }

    /// The squares from which an enemy piece of a kind attacks `square`.
    fn origins(&self, board: &Board, square: Square, role: Role) -> Bitboard {
        match role {
            Role::Pawn => attacks::pawn_attacks(self.side, square),
            _ => attacks::attacks(square, role.of(!self.side), board.occupied()),
        }
    }
}

/// Table 2 of the thesis.
fn cheaper_than(role: Role) -> &'static [Role] {
    const ORDER: [Role; 5] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];
    &ORDER[..role as usize - 1]
}

/// The mean, or the mean weighed by the values themselves, raised so that none
/// is below one.
fn average(values: impl Iterator<Item = i32>, weighed: bool) -> f64 {
    let values: Vec<f64> = values.map(f64::from).collect();
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let weight = |value: f64| if weighed { value - lowest + 1.0 } else { 1.0 };
    let total: f64 = values.iter().map(|value| weight(*value)).sum();
    if total == 0.0 {
        return 0.0;
    }
    values.iter().map(|v| v * weight(*v)).sum::<f64>() / total
}

/// The seen pieces as a position. A hidden king stands in the dark, where no
/// move of the search goes, so that the rules have their two kings.
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
        passed: view.passed,
        dice: Dice::NONE,
        halfmoves: 0,
        fullmoves: 1,
    };
    let without_passed = Setup {
        passed: Bitboard::EMPTY,
        ..parts
    };
    let game = observation.game();
    game.position(parts)
        .or_else(|_| game.position(without_passed))
        .expect("what is seen is a position")
}
