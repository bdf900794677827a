//! Evaluation terms that the thesis proposes and does not have (sections 7.1, 7.2
//! and 8.1), each an option.

use foglight_rules::{Bitboard, Board, Color, Position, Role, Square, attacks};

use super::{pawns::weakness, sense::Sense};

/// Centipawns of a rook or queen on a file without own pawns; as many again if no
/// visible enemy pawn stands there either.
const OPEN_FILE: f64 = 10.0;
/// Centipawns of each empty square on the diagonals of a bishop or queen.
const DIAGONAL_SQUARE: f64 = 3.0;
/// Centipawns of attacking every square on which the enemy king may stand.
const LIKELY_KING: f64 = 60.0;

impl Sense {
    /// Evaluation terms of the extensions, in centipawns.
    pub(super) fn extras(&self, position: &Position) -> f64 {
        let mut score = 0.0;
        if self.settings.mobility {
            score += 2.0 * self.sign(position.turn()) * self.moves(position).len() as f64;
        }
        if self.settings.unprotected {
            score += self.unprotected(position.board());
        }
        if self.settings.pawns {
            score += self.pawn_structure(position.board());
        }
        if self.settings.king {
            score += self.king_safety(position.board());
        }
        if self.settings.lines {
            score += self.open_lines(position.board());
        }
        if self.settings.king_place {
            score += self.attack_on_likely_king(position.board());
        }
        score
    }

    /// Penalty for visible pieces that no visible piece protects.
    fn unprotected(&self, board: &Board) -> f64 {
        let board = board.masked(self.seen);
        let pieces = board.iter().filter(|(_, piece)| piece.role != Role::King);
        let alone = pieces.filter(|(square, piece)| {
            let guards = board.attackers(*square, piece.color, board.occupied());
            guards.is_empty()
        });
        alone.map(|(_, piece)| -10.0 * self.sign(piece.color)).sum()
    }

    fn pawn_structure(&self, board: &Board) -> f64 {
        let pawns = |side| board.pieces(side, Role::Pawn) & self.seen;
        let (own, enemy) = (pawns(self.side), pawns(!self.side));
        let own_weakness = weakness(self.side, own, Bitboard::EMPTY, enemy);
        f64::from(weakness(!self.side, enemy, self.pawns, own) - own_weakness)
    }

    /// Pawn shields of visible kings, minus the hidden squares on open lines to our
    /// own king.
    fn king_safety(&self, board: &Board) -> f64 {
        let shield = |side: Color| {
            let king = board.pieces(side, Role::King) & self.seen;
            let ahead = side.fold_wb(8, -8);
            let near = king.into_iter().fold(king, |set, square| {
                set | attacks::king_attacks(square).shift(ahead)
            });
            10 * (near & board.pieces(side, Role::Pawn)).count().min(3) as i32
        };
        let lines = |square| attacks::queen_attacks(square, board.occupied()) & self.dark;
        let kings = board.pieces(self.side, Role::King).into_iter();
        let exposed: i32 = kings.map(|square| 4 * lines(square).count() as i32).sum();
        f64::from(shield(self.side) - shield(!self.side) - exposed)
    }

    /// Open files and diagonals of our pieces, minus those of visible enemy pieces.
    fn open_lines(&self, board: &Board) -> f64 {
        let board = board.masked(self.seen);
        let of = |side: Color| -> f64 {
            let own = board.pieces(side, Role::Pawn);
            let enemy = board.pieces(!side, Role::Pawn);
            let file = |square: Square| Bitboard::from_file(square.file());
            let heavy = board.pieces(side, Role::Rook) | board.pieces(side, Role::Queen);
            let half_open = heavy.into_iter().filter(|s| (own & file(*s)).is_empty());
            let files = half_open.map(|s| match (enemy & file(s)).is_empty() {
                true => 2.0 * OPEN_FILE,
                false => OPEN_FILE,
            });
            let light = board.pieces(side, Role::Bishop) | board.pieces(side, Role::Queen);
            let diagonals = light.into_iter().map(|square| {
                let squares = attacks::bishop_attacks(square, board.occupied());
                DIAGONAL_SQUARE * (squares & !board.occupied()).count() as f64
            });
            files.sum::<f64>() + diagonals.sum::<f64>()
        };
        of(self.side) - of(!self.side)
    }

    /// How much of the hidden enemy king's likely places our pieces attack.
    fn attack_on_likely_king(&self, board: &Board) -> f64 {
        let enemy = !self.side;
        let board = board.masked(self.seen);
        let own = board.side(self.side);
        let attacked = own.into_iter().fold(Bitboard::EMPTY, |set, square| {
            let piece = board.piece_at(square).expect("a piece of ours");
            set | attacks::attacks(square, piece, board.occupied())
        });
        let pawns = board.pieces(enemy, Role::Pawn) | self.pawns;
        let (mut hit, mut all) = (0.0, 0.0);
        for square in self.dark {
            let likely = shelter(enemy, square, pawns);
            all += likely;
            if attacked.contains(square) {
                hit += likely;
            }
        }
        if all > 0.0 {
            LIKELY_KING * hit / all
        } else {
            0.0
        }
    }
}

/// How likely a king hides on a square: the more, the more pawns may stand on the
/// three squares before it, and on the two back ranks only.
fn shelter(side: Color, square: Square, pawns: Bitboard) -> f64 {
    let height = side.fold_wb(square.rank() as u32, 7 - square.rank() as u32);
    if height > 1 {
        return 0.0;
    }
    let ahead = Bitboard::from_rank(square.rank()).shift(side.fold_wb(8, -8));
    let front = attacks::king_attacks(square) & ahead;
    f64::from(1 << (front & pawns).count().min(3))
}
