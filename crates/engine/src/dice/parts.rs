//! The evaluation of the Maastricht paper (section II.A): eight weighted parts,
//! `c1 b1 + ... + c8 b8`. The paper names them and gives the piece values; how
//! each is measured, and the weights, are ours.

use foglight_rules::{Bitboard, Color, Position, Role, Square, attacks};

use super::rolls::{Kinds, king_risk, pawn_attacks, rollable};

/// The parts, in the paper's order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// b1: piece values (table I).
    Material,
    /// b2: squares that pieces can move to.
    Mobility,
    /// b3: the king's place, friends beside it, enemies near it.
    KingSafety,
    /// b4: the four centre squares and the twelve around them.
    Centre,
    /// b5: pieces near the enemy king, queens and knights above all.
    Tropism,
    /// b6: attacked pieces that have nowhere safe to go.
    Trapped,
    /// b7: what can be taken.
    Eatable,
    /// b8: the chance of being taken on the square.
    Suicide,
}

impl Part {
    /// All eight.
    pub const ALL: [Part; 8] = [
        Part::Material,
        Part::Mobility,
        Part::KingSafety,
        Part::Centre,
        Part::Tropism,
        Part::Trapped,
        Part::Eatable,
        Part::Suicide,
    ];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Material => "material",
            Part::Mobility => "mobility",
            Part::KingSafety => "king safety",
            Part::Centre => "centre control",
            Part::Tropism => "king tropism",
            Part::Trapped => "trapped pieces",
            Part::Eatable => "eatable",
            Part::Suicide => "suicide rate",
        }
    }
}

/// The king's value in table I is "M, sufficiently massive".
pub const KING: f64 = 1000.0;

/// Table I, in pawns.
pub const fn piece_value(role: Role) -> f64 {
    match role {
        Role::Pawn => 1.0,
        Role::Knight | Role::Bishop => 3.0,
        Role::Rook => 5.0,
        Role::Queen => 9.0,
        Role::King => KING,
    }
}

/// What the loss of a piece counts in the parts about threats. A king that may
/// be taken is worth a queen or so there, not "M": the game goes on if it is not.
const fn stake(role: Role) -> f64 {
    match role {
        Role::King => 10.0,
        role => piece_value(role),
    }
}

/// The eight-part evaluation: a weight for each part, 0 to leave it out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parts {
    /// c1 to c8.
    pub weights: [f64; 8],
}

impl Default for Parts {
    fn default() -> Parts {
        Parts {
            weights: [1.0, 0.01, 0.05, 0.05, 0.02, 0.2, 0.1, 0.8],
        }
    }
}

/// Log-odds of winning for a pawn more.
const PER_PAWN: f64 = 0.25;

/// The most that the positional parts, b2 to b6, may count together: "the sum
/// of the positions does not exceed that of a pawn".
const POSITIONAL: f64 = 1.0;

const CENTRE: u64 = 0x0000_0018_1800_0000;
const RING: u64 = 0x0000_3c24_243c_0000;

impl Parts {
    /// The value of each part for `side`: its own score minus the enemy's.
    pub fn scores(&self, position: &Position, side: Color) -> [f64; 8] {
        let survey = Survey::new(position);
        Part::ALL.map(|part| survey.score(part, side) - survey.score(part, !side))
    }

    /// The weighted sum for `side`, in pawns.
    pub fn evaluate(&self, position: &Position, side: Color) -> f64 {
        let survey = Survey::new(position);
        let part = |i: usize| {
            if self.weights[i] == 0.0 {
                return 0.0;
            }
            let part = Part::ALL[i];
            self.weights[i] * (survey.score(part, side) - survey.score(part, !side))
        };
        let positional: f64 = (1..6).map(part).sum();
        part(0) + positional.clamp(-POSITIONAL, POSITIONAL) + part(6) + part(7)
    }

    /// The evaluation as a win probability: 0 without the own king, and the
    /// chance that the roll takes a king reckoned exactly.
    pub fn win_probability(&self, position: &Position, side: Color) -> f64 {
        let board = position.board();
        match (board.king(side), board.king(!side)) {
            (None, _) => 0.0,
            (_, None) => 1.0,
            _ => {
                let quiet = 1.0 / (1.0 + (-PER_PAWN * self.evaluate(position, side)).exp());
                let risk = self.king_risk(position);
                let now = if position.turn() == side { 1.0 } else { 0.0 };
                risk * now + (1.0 - risk) * quiet
            }
        }
    }

    /// The exact chance that the roll takes the king: the part of the suicide
    /// rate that no number of pawns can stand for. None once dice are thrown,
    /// or with that part switched off.
    fn king_risk(&self, position: &Position) -> f64 {
        if position.dice().is_none() && self.weights[7] > 0.0 {
            king_risk(position, position.turn())
        } else {
            0.0
        }
    }
}

/// A piece and the squares that it attacks.
struct Standing {
    square: Square,
    role: Role,
    side: Color,
    attacks: Bitboard,
}

/// What is needed of a position, worked out once.
struct Survey<'a> {
    position: &'a Position,
    pieces: Vec<Standing>,
    /// Squares attacked by each side's pieces, by kind.
    attacked: [[Bitboard; 6]; 2],
    rollable: [Kinds; 2],
}

const fn index(side: Color) -> usize {
    match side {
        Color::White => 0,
        Color::Black => 1,
    }
}

impl Survey<'_> {
    fn new(position: &Position) -> Survey<'_> {
        let board = position.board();
        let mut attacked = [[Bitboard::EMPTY; 6]; 2];
        let mut pieces = Vec::with_capacity(32);
        for (square, piece) in board.iter() {
            let reach = attacks::attacks(square, piece, board.occupied()) & position.size().mask();
            attacked[index(piece.color)][piece.role as usize - 1] |= reach;
            pieces.push(Standing {
                square,
                role: piece.role,
                side: piece.color,
                attacks: reach,
            });
        }
        let can = |side| {
            let passed = position.takeable_passed(side);
            rollable(board, side, passed, position.size())
        };
        Survey {
            position,
            pieces,
            attacked,
            rollable: [can(Color::White), can(Color::Black)],
        }
    }

    fn of(&self, side: Color) -> impl Iterator<Item = &Standing> {
        self.pieces.iter().filter(move |piece| piece.side == side)
    }

    fn score(&self, part: Part, side: Color) -> f64 {
        match part {
            Part::Material => self.of(side).map(|piece| piece_value(piece.role)).sum(),
            Part::Mobility => self.mobility(side),
            Part::KingSafety => self.king_safety(side),
            Part::Centre => self.centre(side),
            Part::Tropism => self.tropism(side),
            Part::Trapped => -self.trapped(side),
            Part::Eatable => -self.eatable(side),
            Part::Suicide => -self.suicide(side),
        }
    }

    fn all_attacked(&self, side: Color) -> Bitboard {
        let sets = self.attacked[index(side)];
        sets.into_iter().fold(Bitboard::EMPTY, |all, set| all | set)
    }

    /// Squares that the pieces can move to, castling and en passant aside.
    fn mobility(&self, side: Color) -> f64 {
        let board = self.position.board();
        let own = board.side(side);
        let pieces = self.of(side).filter(|piece| piece.role != Role::Pawn);
        let pieces: usize = pieces.map(|piece| (piece.attacks & !own).count()).sum();
        let pawns = board.pieces(side, Role::Pawn).0;
        let takes: usize = self
            .of(side)
            .filter(|piece| piece.role == Role::Pawn)
            .map(|piece| (piece.attacks & board.side(!side)).count())
            .sum();
        let ahead = |set: u64| if side.is_white() { set << 8 } else { set >> 8 };
        let empty = !board.occupied().0 & self.position.size().mask().0;
        let single = ahead(pawns) & empty;
        let third = if side.is_white() {
            0xff << 16
        } else {
            0xff << 40
        };
        let full = self.position.size().is_full();
        let double = if full {
            ahead(single & third) & empty
        } else {
            0
        };
        (pieces + takes) as f64 + f64::from(single.count_ones() + double.count_ones())
    }

    /// +2 for a king on its first two ranks; +1 for each friend beside it; -1
    /// for each enemy within two squares and -2 for each that attacks it.
    fn king_safety(&self, side: Color) -> f64 {
        let Some(king) = self.position.board().king(side) else {
            return 0.0;
        };
        let board = self.position.board();
        let ranks = self.position.size().ranks() as i32;
        let rank = king.rank() as i32;
        let home = if side.is_white() {
            rank
        } else {
            ranks - 1 - rank
        };
        let place = if home < 2 { 2 } else { 0 };
        let friends = (attacks::king_attacks(king) & board.side(side)).count() as i32;
        let near = self
            .of(!side)
            .filter(|p| king.distance(p.square) <= 2)
            .count() as i32;
        let attackers = board.attackers(king, !side, board.occupied()).count() as i32;
        f64::from(place + friends - near - 2 * attackers)
    }

    /// Centre squares held or attacked, and a quarter for those around them.
    fn centre(&self, side: Color) -> f64 {
        let held = self.position.board().side(side) | self.all_attacked(side);
        let centre = (held.0 & CENTRE).count_ones();
        let ring = (held.0 & RING).count_ones();
        f64::from(centre) + 0.25 * f64::from(ring)
    }

    fn tropism(&self, side: Color) -> f64 {
        let Some(king) = self.position.board().king(!side) else {
            return 0.0;
        };
        let near = |piece: &Standing| {
            let weight = match piece.role {
                Role::Queen => 3.0,
                Role::Knight => 2.0,
                Role::Bishop | Role::Rook => 1.0,
                Role::Pawn | Role::King => 0.0,
            };
            weight * f64::from(8 - king.distance(piece.square) as i32)
        };
        self.of(side).map(near).sum()
    }

    /// How many pieces of `side` are attacked and have no square to go to that
    /// is not.
    fn trapped(&self, side: Color) -> f64 {
        let danger = self.all_attacked(!side);
        let own = self.position.board().side(side);
        let trapped = self.of(side).filter(|piece| {
            !matches!(piece.role, Role::Pawn | Role::King)
                && danger.contains(piece.square)
                && (piece.attacks & !own & !danger).is_empty()
        });
        trapped.count() as f64
    }

    /// What of `side` the enemy attacks, in pawns.
    fn eatable(&self, side: Color) -> f64 {
        let danger = self.all_attacked(!side);
        let eatable = self.of(side).filter(|piece| danger.contains(piece.square));
        eatable.map(|piece| stake(piece.role)).sum()
    }

    /// What of `side` the enemy's next roll takes on average if it takes what
    /// it can of each piece, in pawns.
    fn suicide(&self, side: Color) -> f64 {
        let can = self.rollable[index(!side)];
        if can.is_empty() {
            return 0.0;
        }
        let rate = |piece: &Standing| stake(piece.role) * self.takers(piece, side);
        self.of(side).map(rate).sum::<f64>() / f64::from(can.count())
    }

    /// How many of the enemy's rolls take a piece.
    fn takers(&self, piece: &Standing, side: Color) -> f64 {
        let sets = &self.attacked[index(!side)];
        let mut kinds = 0u8;
        for role in Role::ALL {
            if sets[role as usize - 1].contains(piece.square) {
                kinds |= Kinds::bit(role);
            }
        }
        let last = self.position.size().last_rank(!side).0;
        let pawns = self.position.board().pieces(!side, Role::Pawn).0;
        if kinds & 1 != 0 && pawn_attacks(pawns, !side) & last & (1 << piece.square as u32) != 0 {
            kinds |= 0x1f;
        }
        f64::from(kinds.count_ones())
    }
}
