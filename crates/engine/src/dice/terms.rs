//! The evaluation of Chakrian et al. (section II.A): eight weighted terms, `c1
//! b1 + ... + c8 b8`. The paper names them and gives the piece values; the
//! measure of each and the weights are ours.

use foglight_rules::{Bitboard, Color, Position, Role, RoleSet, Square, attacks};

use super::rolls::{pawn_attacks, rollable};

/// The terms, in the paper's order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvalTerm {
    /// b1: piece values (table I).
    Material,
    /// b2: squares to which pieces can move.
    Mobility,
    /// b3: the king's square, own pieces beside it, enemy pieces near it.
    KingSafety,
    /// b4: the four centre squares and the twelve around them.
    Centre,
    /// b5: pieces near the enemy king, weighted most for queens and knights.
    Tropism,
    /// b6: attacked pieces without a safe square to move to.
    Trapped,
    /// b7: pieces that can be captured.
    Eatable,
    /// b8: probability of being captured on the square.
    Suicide,
}

impl EvalTerm {
    pub const ALL: [EvalTerm; 8] = [
        EvalTerm::Material,
        EvalTerm::Mobility,
        EvalTerm::KingSafety,
        EvalTerm::Centre,
        EvalTerm::Tropism,
        EvalTerm::Trapped,
        EvalTerm::Eatable,
        EvalTerm::Suicide,
    ];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            EvalTerm::Material => "material",
            EvalTerm::Mobility => "mobility",
            EvalTerm::KingSafety => "king safety",
            EvalTerm::Centre => "centre control",
            EvalTerm::Tropism => "king tropism",
            EvalTerm::Trapped => "trapped pieces",
            EvalTerm::Eatable => "eatable",
            EvalTerm::Suicide => "suicide rate",
        }
    }
}

/// The king's value in table I is "M, sufficiently massive".
pub(crate) const KING: f64 = 1000.0;

/// Piece values of table I, in pawns.
pub const fn piece_value(role: Role) -> f64 {
    match role {
        Role::Pawn => 1.0,
        Role::Knight | Role::Bishop => 3.0,
        Role::Rook => 5.0,
        Role::Queen => 9.0,
        Role::King => KING,
    }
}

/// Loss of a piece in the terms about threats. A king that may be captured
/// counts about a queen there, not "M": the game goes on if it is not.
const fn stake(role: Role) -> f64 {
    match role {
        Role::King => 10.0,
        role => piece_value(role),
    }
}

/// The eight-term evaluation: a weight for each term, 0 to leave it out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvalTerms {
    pub weights: [f64; 8],
}

impl Default for EvalTerms {
    fn default() -> EvalTerms {
        EvalTerms {
            weights: [1.0, 0.01, 0.05, 0.05, 0.02, 0.2, 0.1, 0.8],
        }
    }
}

/// Log-odds of winning for an extra pawn.
pub(super) const PER_PAWN: f64 = 0.25;

/// Bound of the positional terms, b2 to b6, together: "the sum of the positions
/// does not exceed that of a pawn".
const POSITIONAL: f64 = 1.0;

const CENTRE: u64 = 0x0000_0018_1800_0000;
const RING: u64 = 0x0000_3c24_243c_0000;

impl EvalTerms {
    /// The value of each term for `side`: its own score minus the enemy's.
    pub fn scores(&self, position: &Position, side: Color) -> [f64; 8] {
        Survey::new(position).scores(side)
    }

    /// The weighted sum for `side`, in pawns.
    pub fn evaluate(&self, position: &Position, side: Color) -> f64 {
        self.weigh(&self.scores(position, side))
    }

    fn weigh(&self, scores: &[f64; 8]) -> f64 {
        let part = |i: usize| self.weights[i] * scores[i];
        let positional: f64 = (1..6).map(part).sum();
        part(0) + positional.clamp(-POSITIONAL, POSITIONAL) + part(6) + part(7)
    }

    /// The evaluation as a win probability: 0 without the own king, and the
    /// chance that the roll captures a king computed exactly.
    pub fn win_probability(&self, position: &Position, side: Color) -> f64 {
        let board = position.board();
        match (board.king(side), board.king(!side)) {
            (None, _) => 0.0,
            (_, None) => 1.0,
            _ => {
                let survey = Survey::new(position);
                let pawns = self.weigh(&survey.scores(side));
                let quiet = 1.0 / (1.0 + (-PER_PAWN * pawns).exp());
                let risk = self.king_risk(&survey);
                let now = if position.turn() == side { 1.0 } else { 0.0 };
                risk * now + (1.0 - risk) * quiet
            }
        }
    }

    /// The exact probability that the roll captures the king: the part of the
    /// suicide rate that no number of pawns can express. Zero once dice are
    /// rolled, or with that term switched off.
    fn king_risk(&self, survey: &Survey<'_>) -> f64 {
        if survey.position.dice().is_none() && self.weights[7] > 0.0 {
            survey.king_risk(survey.position.turn())
        } else {
            0.0
        }
    }
}

/// Data of one side, computed once and stored on the stack: this is the inner
/// loop of `mcts` and `expectiminimax`.
#[derive(Clone, Copy, Default)]
struct Side {
    /// Squares that each piece type attacks.
    attacked: [u64; 6],
    all: u64,
    /// Squares to which pieces except pawns can move.
    moves: u32,
    /// Pieces that attack the enemy king.
    on_king: i32,
    /// Nearness of pieces to the enemy king.
    tropism: i32,
    /// Piece types that the die can show.
    rollable: RoleSet,
}

struct Survey<'a> {
    position: &'a Position,
    sides: [Side; 2],
}

const fn index(side: Color) -> usize {
    match side {
        Color::White => 0,
        Color::Black => 1,
    }
}

/// Weight of a piece near the enemy king.
const fn near_weight(role: Role) -> i32 {
    match role {
        Role::Queen => 3,
        Role::Knight => 2,
        Role::Bishop | Role::Rook => 1,
        Role::Pawn | Role::King => 0,
    }
}

/// The squares within two king steps.
const fn within_two(square: Square) -> u64 {
    let (file, rank) = (square as i32 & 7, square as i32 >> 3);
    let (mut set, mut at) = (0, 0);
    while at < 64 {
        let (across, up) = ((at & 7) - file, (at >> 3) - rank);
        if across.abs() <= 2 && up.abs() <= 2 {
            set |= 1 << at;
        }
        at += 1;
    }
    set
}

const WITHIN_TWO: [u64; 64] = {
    let mut table = [0; 64];
    let mut at = 0;
    while at < 64 {
        table[at] = within_two(Square::new(at as u32));
        at += 1;
    }
    table
};

impl Side {
    fn new(position: &Position, side: Color) -> Side {
        let board = position.board();
        let (occupied, mask) = (board.occupied(), position.size().mask());
        let own = board.side(side);
        let king = board.king(!side);
        let mut found = Side::default();
        let pawns = board.pieces(side, Role::Pawn).0;
        found.attacked[0] = pawn_attacks(pawns, side) & mask.0;
        if let Some(king) = king {
            let takers = attacks::pawn_attacks(!side, king).0 & pawns;
            found.on_king += takers.count_ones() as i32;
        }
        for role in &Role::ALL[1..] {
            let weight = near_weight(*role);
            for square in board.pieces(side, *role) {
                let piece = role.of(side);
                let reach = attacks::attacks(square, piece, occupied) & mask;
                found.attacked[*role as usize - 1] |= reach.0;
                found.moves += (reach & !own).0.count_ones();
                if let Some(king) = king {
                    found.on_king += i32::from(reach.contains(king));
                    found.tropism += weight * (8 - king.distance(square) as i32);
                }
            }
        }
        found.all = found.attacked.iter().fold(0, |all, set| all | set);
        let passed = position.ep_targets(side);
        found.rollable = rollable(board, side, passed, position.size());
        found
    }
}

impl Survey<'_> {
    fn new(position: &Position) -> Survey<'_> {
        Survey {
            position,
            sides: [Color::White, Color::Black].map(|side| Side::new(position, side)),
        }
    }

    fn of(&self, side: Color) -> &Side {
        &self.sides[index(side)]
    }

    /// Each term for `side` less the same for the enemy.
    fn scores(&self, side: Color) -> [f64; 8] {
        let (own, enemy) = (self.parts(side), self.parts(!side));
        std::array::from_fn(|i| own[i] - enemy[i])
    }

    /// The terms of one side, in the order of [`EvalTerm::ALL`].
    fn parts(&self, side: Color) -> [f64; 8] {
        let threats = self.threats(side);
        [
            self.material(side),
            self.mobility(side),
            self.king_safety(side),
            self.centre(side),
            f64::from(self.of(side).tropism),
            -threats.trapped,
            -threats.eatable,
            -threats.suicide,
        ]
    }

    fn material(&self, side: Color) -> f64 {
        self.position.board().material(side, piece_value)
    }

    /// Squares to which the pieces can move, without castling and en passant.
    fn mobility(&self, side: Color) -> f64 {
        let board = self.position.board();
        let pawns = board.pieces(side, Role::Pawn).0;
        let enemy = board.side(!side).0;
        // One wing at a time, so that a piece attacked by two pawns counts
        // twice.
        let (files_a, files_h) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080);
        let takes = [files_a, files_h]
            .map(|edge: u64| (pawn_wing(pawns & !edge, side, edge == files_a) & enemy).count_ones())
            .iter()
            .sum::<u32>();
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
        f64::from(self.of(side).moves + takes + single.count_ones() + double.count_ones())
    }

    /// +2 for a king on its first two ranks; +1 for each own piece beside it;
    /// -1 for each enemy piece within two squares and -2 for each that attacks
    /// it.
    fn king_safety(&self, side: Color) -> f64 {
        let board = self.position.board();
        let Some(king) = board.king(side) else {
            return 0.0;
        };
        let ranks = self.position.size().ranks() as i32;
        let rank = king.rank() as i32;
        let home = if side.is_white() {
            rank
        } else {
            ranks - 1 - rank
        };
        let place = if home < 2 { 2 } else { 0 };
        let friends = (attacks::king_attacks(king) & board.side(side)).count() as i32;
        let near = (WITHIN_TWO[king as usize] & board.side(!side).0).count_ones() as i32;
        f64::from(place + friends - near - 2 * self.of(!side).on_king)
    }

    /// Centre squares occupied or attacked, and a quarter for those around
    /// them.
    fn centre(&self, side: Color) -> f64 {
        let held = self.position.board().side(side).0 | self.of(side).all;
        f64::from((held & CENTRE).count_ones()) + 0.25 * f64::from((held & RING).count_ones())
    }

    /// Terms b6 to b8, over the pieces that the enemy attacks.
    fn threats(&self, side: Color) -> Threats {
        let board = self.position.board();
        let (own, danger) = (board.side(side), self.of(!side).all);
        let mut threats = Threats::default();
        for role in Role::ALL {
            for square in Bitboard(board.pieces(side, role).0 & danger) {
                threats.eatable += stake(role);
                threats.suicide += stake(role) * f64::from(self.takers(square, side));
                let piece = role.of(side);
                let trapped = !matches!(role, Role::Pawn | Role::King) && {
                    let reach = attacks::attacks(square, piece, board.occupied());
                    let reach = reach & self.position.size().mask() & !own;
                    reach.0 & !danger == 0
                };
                threats.trapped += f64::from(u8::from(trapped));
            }
        }
        match self.of(!side).rollable.count() {
            0 => threats.suicide = 0.0,
            can => threats.suicide /= f64::from(can),
        }
        threats
    }

    /// Number of the enemy's rolls that capture the piece on a square of
    /// `side`. A pawn that captures on the last rank promotes: every roll but
    /// the king's allows it.
    fn takers(&self, square: Square, side: Color) -> u32 {
        let sets = &self.of(!side).attacked;
        let bit = 1 << square as u32;
        let attack = |kind: usize| u32::from(sets[kind] & bit != 0);
        if sets[0] & bit & self.position.size().last_rank(!side).0 != 0 {
            return 5 + attack(5);
        }
        (0..6).map(attack).sum()
    }

    /// The probability that a roll of `side` allows it to capture the enemy
    /// king.
    fn king_risk(&self, side: Color) -> f64 {
        let can = self.of(side).rollable;
        match self.position.board().king(!side) {
            Some(king) if !can.is_empty() => {
                f64::from(self.takers(king, !side)) / f64::from(can.count())
            }
            _ => 0.0,
        }
    }
}

/// The enemy's threats against one side.
#[derive(Default)]
struct Threats {
    /// Attacked pieces without an unattacked square to move to.
    trapped: f64,
    /// Value of the attacked pieces, in pawns.
    eatable: f64,
    /// Expected loss to the next roll if it captures each piece that it can, in
    /// pawns.
    suicide: f64,
}

/// The squares that pawns attack on one wing, towards the a-file or from it.
const fn pawn_wing(pawns: u64, side: Color, left: bool) -> u64 {
    match (side, left) {
        (Color::White, true) => pawns << 7,
        (Color::White, false) => pawns << 9,
        (Color::Black, true) => pawns >> 9,
        (Color::Black, false) => pawns >> 7,
    }
}
