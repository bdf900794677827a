//! Whole turns of three-dice chess: the end boards of every roll in one pass.
//!
//! A turn spends a multiset of dice. One walk over all single moves, equal
//! boards met once, finds what can be reached by spending each multiset; a roll
//! then allows the multisets inside it that are as large as possible.

use std::{
    collections::HashSet,
    hash::{BuildHasherDefault, Hasher},
    sync::OnceLock,
};

use foglight_rules::{
    Bitboard, Board, Castling, CastlingRights, Color, Dice, Move, MoveKind, PROMOTIONS, Position,
    Role, Size, Square, attacks, piece_attacks,
};

use super::{rolls::pawn_attacks, value::PieceSquareValues};

/// A board in the middle of a side's turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartialTurn {
    pub board: Board,
    pub side: Color,
    /// Passed squares of both sides.
    pub ep_squares: Bitboard,
    /// Castling rights of both sides.
    pub castling: CastlingRights,
    /// [`Values::sum`] of the board.
    pub sum: i32,
    size: Size,
}

const fn passed_rank(side: Color) -> u64 {
    match side {
        Color::White => 0xff << 40,
        Color::Black => 0xff << 16,
    }
}

/// Rights that survive a move from or to a square.
fn kept(square: Square) -> u8 {
    match square {
        Square::E1 => !3,
        Square::H1 => !1,
        Square::A1 => !2,
        Square::E8 => !12,
        Square::H8 => !4,
        Square::A8 => !8,
        _ => !0,
    }
}

fn rook_squares(to: Square) -> (Square, Square) {
    Castling::ending_on(to).expect("a castling").rook
}

impl PartialTurn {
    /// The start of a turn, or the rest of one.
    pub fn new(position: &Position, values: &PieceSquareValues) -> PartialTurn {
        PartialTurn {
            board: *position.board(),
            side: position.turn(),
            ep_squares: position.ep_squares(),
            castling: position.castling(),
            sum: values.sum(position.board()),
            size: position.size(),
        }
    }

    /// The other side's turn begins.
    pub fn ended(mut self) -> PartialTurn {
        self.ep_squares &= Bitboard(!passed_rank(self.side));
        self.side = !self.side;
        self
    }

    /// A number for the board, its rights and passed squares: equal boards have
    /// equal ones.
    fn key(&self) -> u64 {
        let mut key = u64::from(self.castling.bits()) ^ self.ep_squares.0.rotate_left(17);
        let sets = Role::ALL.map(|role| self.board.role(role).0);
        for set in sets.into_iter().chain([self.board.side(Color::White).0]) {
            key = (key.rotate_left(23) ^ set).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            key ^= key >> 29;
        }
        key
    }

    /// What a move takes, and how it changes the sum.
    #[inline]
    fn gain(&self, role: Role, m: Move, values: &PieceSquareValues) -> (Option<Role>, i32) {
        let us = self.side;
        let becomes = m.promotion().unwrap_or(role);
        let mut gain = values.piece(us, becomes, m.to()) - values.piece(us, role, m.from());
        let taken = match m.kind() {
            MoveKind::EnPassant => {
                gain -= values.piece(!us, Role::Pawn, m.capture_square());
                Some(Role::Pawn)
            }
            MoveKind::Castle => {
                let rook = rook_squares(m.to());
                gain += values.piece(us, Role::Rook, rook.1) - values.piece(us, Role::Rook, rook.0);
                None
            }
            _ => {
                let taken = self.board.role_at(m.to());
                if let Some(victim) = taken {
                    gain -= values.piece(!us, victim, m.to());
                }
                taken
            }
        };
        (taken, gain)
    }

    /// The board after a single move, the turn still running.
    fn after(&self, role: Role, m: Move, gain: i32) -> PartialTurn {
        let us = self.side;
        let mut next = *self;
        next.sum += gain;
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::EnPassant => next.board.toggle(m.capture_square(), !us, Role::Pawn),
            MoveKind::Castle => {
                let rook = rook_squares(to);
                next.board.toggle(rook.0, us, Role::Rook);
                next.board.toggle(rook.1, us, Role::Rook);
            }
            _ => {
                if let Some(victim) = self.board.role_at(to) {
                    next.board.toggle(to, !us, victim);
                }
            }
        }
        next.board.toggle(from, us, role);
        next.board.toggle(to, us, m.promotion().unwrap_or(role));
        next.castling = CastlingRights::from_bits(self.castling.bits() & kept(from) & kept(to));
        let white = next.board.pieces(Color::White, Role::Pawn).0 >> 8;
        let black = next.board.pieces(Color::Black, Role::Pawn).0 << 8;
        let victims = white & passed_rank(Color::Black) | black & passed_rank(Color::White);
        next.ep_squares &= Bitboard(victims);
        if m.kind() == MoveKind::DoubleStep {
            next.ep_squares |= Bitboard::from_square(to.xor(Square::A2));
        }
        next
    }

    /// Calls `found` with every king-capture move of the kinds allowed.
    #[inline]
    fn each_move(&self, allowed: u8, found: &mut impl FnMut(Role, Move)) {
        let own = self.board.side(self.side);
        let occupied = self.board.occupied();
        let free = self.size.mask() & !own;
        let can = |role: Role| allowed & 1 << (role as u8 - 1) != 0;
        if can(Role::Pawn) {
            self.pawn_moves(found);
        }
        for role in [
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
            Role::King,
        ] {
            if !can(role) {
                continue;
            }
            for from in own & self.board.role(role) {
                for to in piece_attacks(role, from, occupied) & free {
                    found(role, Move::new(from, to, MoveKind::Normal));
                }
            }
        }
        if can(Role::King) && can(Role::Rook) && !self.castling.is_empty() {
            for castling in Castling::of(self.side) {
                let blocked = (occupied & castling.between).any();
                if self.castling.has(castling) && !blocked {
                    let (from, to) = castling.king;
                    found(Role::King, Move::new(from, to, MoveKind::Castle));
                }
            }
        }
    }

    fn pawn_moves(&self, found: &mut impl FnMut(Role, Move)) {
        let us = self.side;
        let pawns = self.board.pieces(us, Role::Pawn);
        let empty = self.size.mask() & !self.board.occupied();
        let enemy = self.board.side(!us);
        let ahead = if us.is_white() { 8 } else { -8 };
        let last = self.size.last_rank(us);
        let third = Bitboard(passed_rank(!us));
        let step = |from: Square, to: Square, found: &mut dyn FnMut(Role, Move)| {
            if last.contains(to) {
                for role in PROMOTIONS {
                    found(Role::Pawn, Move::new(from, to, MoveKind::Promotion(role)));
                }
            } else {
                found(Role::Pawn, Move::new(from, to, MoveKind::Normal));
            }
        };
        let single = pawns.shift(ahead) & empty;
        let behind = |to: Square, n: i32| Square::new((to as i32 - n * ahead) as u32);
        for to in single {
            step(behind(to, 1), to, found);
        }
        if self.size.is_full() {
            for to in (single & third).shift(ahead) & empty {
                found(
                    Role::Pawn,
                    Move::new(behind(to, 2), to, MoveKind::DoubleStep),
                );
            }
        }
        let passed = self.ep_squares & Bitboard(passed_rank(us)) & empty;
        if Bitboard(pawn_attacks(pawns.0, us)) & (enemy | passed) == Bitboard::EMPTY {
            return;
        }
        for from in pawns {
            let reach = attacks::pawn_attacks(us, from);
            for to in reach & enemy {
                step(from, to, found);
            }
            for to in reach & passed {
                found(Role::Pawn, Move::new(from, to, MoveKind::EnPassant));
            }
        }
    }
}

/// What the dice spent so far and a move of a kind make, if three suffice.
#[inline]
fn spend(used: u16, role: Role, m: Move) -> Option<(u16, u32)> {
    let one = |role: Role| 1u16 << (2 * (role as u16 - 1));
    let dice = if m.kind() == MoveKind::Castle {
        one(Role::King) + one(Role::Rook)
    } else {
        one(role)
    };
    let total = total_of(used) + total_of(dice);
    (total <= 3).then_some((used + dice, total))
}

#[inline]
fn total_of(used: u16) -> u32 {
    (used & 0x555).count_ones() + 2 * (used & 0xaaa).count_ones()
}

/// Is a multiset part of another?
fn within(part: u16, whole: u16) -> bool {
    (0..6).all(|i| part >> (2 * i) & 3 <= whole >> (2 * i) & 3)
}

#[derive(Default)]
struct SingleMoves(u64);

impl Hasher for SingleMoves {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
    fn write_u64(&mut self, n: u64) {
        self.0 ^= n;
    }
}

type Seen = HashSet<u64, BuildHasherDefault<SingleMoves>>;

/// Places of multisets and their sizes.
type Inside = Vec<(u8, u32)>;

/// The multisets of up to three dice and the 56 rolls made of them.
struct Multisets {
    /// Place of each multiset by its bits.
    place: Vec<u8>,
    bits: Vec<u16>,
    /// For each roll: its ways, and the multisets inside it from the largest.
    rolls: Vec<(Dice, u32, Inside)>,
}

fn multisets() -> &'static Multisets {
    static SETS: OnceLock<Multisets> = OnceLock::new();
    SETS.get_or_init(|| {
        let sets: Vec<u16> = (0..=3)
            .flat_map(Dice::rolls)
            .map(|(dice, _)| dice.bits())
            .collect();
        let mut place = vec![u8::MAX; 1 << 12];
        for (i, &bits) in sets.iter().enumerate() {
            place[usize::from(bits)] = i as u8;
        }
        let rolls: Vec<_> = Dice::rolls(3)
            .into_iter()
            .map(|(dice, ways)| {
                let inside = sets.iter().enumerate().rev();
                let inside = inside.filter(|(_, part)| within(**part, dice.bits()));
                let inside = inside.map(|(i, &part)| (i as u8, total_of(part)));
                (dice, ways, inside.collect())
            })
            .collect();
        Multisets {
            place,
            rolls,
            bits: sets,
        }
    })
}

/// The number of multisets of up to three dice.
const SETS: usize = 84;

/// What spending each multiset of dice can reach.
pub struct Reach {
    best: [Option<PartialTurn>; SETS],
    takes: [bool; SETS],
    /// For a king taken with the second of two moves: the third dice that may
    /// lie beside them, the first move not keeping that die from being used.
    beside: [u8; SETS],
    pub boards: u64,
}

/// Can two dice, `left`, both still be used? Taking the king ends a turn, so it
/// counts only as the last move.
fn can_use_both(mid: &PartialTurn, left: u16, values: &PieceSquareValues) -> bool {
    let kinds = (0..6).filter(|i| left >> (2 * i) & 3 > 0);
    let kinds = kinds.fold(0u8, |set, i| set | 1 << i);
    let mut both = false;
    mid.each_move(kinds, &mut |role, m| {
        if both {
            return;
        }
        let Some((spent, total)) = spend(0, role, m).filter(|(spent, _)| within(*spent, left))
        else {
            return;
        };
        let (taken, gain) = mid.gain(role, m, values);
        if total == 2 {
            both = true;
        } else if taken != Some(Role::King) {
            let rest = (left - spent).trailing_zeros() / 2;
            let next = mid.after(role, m, gain);
            next.each_move(1 << rest, &mut |_, _| both = true);
        }
    });
    both
}

/// What a roll is worth to the side that has it.
#[derive(Clone, Copy, Debug)]
pub enum Worth {
    /// It takes the king.
    King,
    /// The best end board by the sum alone.
    Board(PartialTurn),
}

impl Reach {
    /// Walks all turns of the side to roll, equal boards once.
    pub fn new(start: &PartialTurn, values: &PieceSquareValues) -> Reach {
        let sets = multisets();
        let sign = if start.side.is_white() { 1 } else { -1 };
        let mut reach = Reach {
            best: [None; SETS],
            takes: [false; SETS],
            beside: [0; SETS],
            boards: 0,
        };
        reach.best[0] = Some(*start);
        let mut levels: [Vec<(PartialTurn, u16)>; 3] = [vec![(*start, 0)], Vec::new(), Vec::new()];
        let mut seen = Seen::default();
        let mut tops = [i32::MIN; SETS];
        for level in 0..3 {
            let nodes = std::mem::take(&mut levels[level]);
            for (mid, used) in nodes {
                mid.each_move(0x3f, &mut |role, m| {
                    let Some((now, total)) = spend(used, role, m) else {
                        return;
                    };
                    reach.boards += 1;
                    let place = usize::from(sets.place[usize::from(now)]);
                    let (taken, gain) = mid.gain(role, m, values);
                    if taken == Some(Role::King) {
                        reach.takes[place] = true;
                        if total == 2 {
                            reach.look_beside(place, &mid, now - used, values);
                        }
                        return;
                    }
                    let own = sign * (mid.sum + gain);
                    let better = own > tops[place];
                    if total == 3 && !better {
                        return;
                    }
                    let next = mid.after(role, m, gain);
                    if better {
                        tops[place] = own;
                        reach.best[place] = Some(next);
                    }
                    if total < 3 && seen.insert(next.key() ^ u64::from(now).rotate_left(40)) {
                        levels[total as usize].push((next, now));
                    }
                });
            }
        }
        reach
    }

    /// Each roll with its ways of 216 and what it is worth.
    pub fn rolls(&self) -> impl Iterator<Item = (Dice, u32, Worth)> + '_ {
        multisets().rolls.iter().map(|(dice, ways, inside)| {
            let king = self.takes_king(*dice, inside);
            let worth = if king {
                Worth::King
            } else {
                Worth::Board(self.largest(inside))
            };
            (*dice, *ways, worth)
        })
    }

    /// The king was taken from `mid` with `die` as the second of two moves:
    /// which third dice allow that?
    fn look_beside(
        &mut self,
        place: usize,
        mid: &PartialTurn,
        die: u16,
        values: &PieceSquareValues,
    ) {
        for kind in 0..6 {
            let known = self.beside[place] >> kind & 1 != 0;
            if !known && can_use_both(mid, die + (1 << (2 * kind)), values) {
                self.beside[place] |= 1 << kind;
            }
        }
    }

    /// Does a roll let the king be taken? A single move that takes it is always
    /// allowed; moves before it must not waste dice.
    fn takes_king(&self, dice: Dice, inside: &[(u8, u32)]) -> bool {
        let whole = usize::from(inside[0].0);
        let all = self.takes[whole] || self.best[whole].is_some();
        inside.iter().any(|&(set, total)| {
            let set = usize::from(set);
            let third = || {
                let rest = dice.bits() - multisets().bits[set];
                self.beside[set] >> (rest.trailing_zeros() / 2) & 1 != 0
            };
            self.takes[set] && (total != 2 || !all || third())
        })
    }

    /// The best board among the largest multisets that can be spent.
    fn largest(&self, inside: &[(u8, u32)]) -> PartialTurn {
        let mut best: Option<(u32, PartialTurn)> = None;
        for &(set, total) in inside {
            let Some(mid) = self.best[usize::from(set)] else {
                continue;
            };
            let sign = if mid.side.is_white() { 1 } else { -1 };
            match &best {
                Some((most, _)) if *most > total => break,
                Some((_, known)) if sign * known.sum >= sign * mid.sum => {}
                _ => best = Some((total, mid)),
            }
        }
        best.expect("spending nothing is always possible").1
    }

    /// The chance that the roll takes the king.
    pub fn king_risk(&self) -> f64 {
        let taking = self
            .rolls()
            .filter(|(_, _, worth)| matches!(worth, Worth::King));
        taking.map(|(_, ways, _)| f64::from(ways)).sum::<f64>() / 216.0
    }

    /// The win probability of the side to roll, over all rolls.
    pub fn expectation(&self, values: &PieceSquareValues) -> f64 {
        let worth = |worth: Worth| match worth {
            Worth::King => 1.0,
            Worth::Board(mid) => 1.0 - f64::from(values.quiet(mid.sum, !mid.side)),
        };
        let sum = self.rolls().map(|(_, ways, w)| f64::from(ways) * worth(w));
        sum.sum::<f64>() / 216.0
    }
}

/// A way to end a turn.
#[derive(Clone, Debug)]
pub struct TurnEnd {
    /// The single moves, in order.
    pub moves: Vec<Move>,
    /// The board at the end.
    pub mid: PartialTurn,
    /// Is the enemy king taken?
    pub king: bool,
}

/// The different end boards that dice allow, with one way to each; a turn that
/// takes the king alone if there is one. Empty if nothing can be moved.
pub fn ends(start: &PartialTurn, dice: Dice, values: &PieceSquareValues) -> Vec<TurnEnd> {
    let root = TurnEnd {
        moves: Vec::new(),
        mid: *start,
        king: false,
    };
    let mut levels: [Vec<(TurnEnd, u16)>; 4] = Default::default();
    levels[0].push((root, 0));
    let mut seen = Seen::default();
    let kinds = dice
        .roles()
        .fold(0, |set, role| set | 1 << (role as u8 - 1));
    let mut kings: Vec<(TurnEnd, u32, bool)> = Vec::new();
    for level in 0..3 {
        for (end, used) in levels[level].clone() {
            end.mid.each_move(kinds, &mut |role, m| {
                let spent = spend(used, role, m).filter(|(now, _)| within(*now, dice.bits()));
                let Some((now, total)) = spent else { return };
                let (taken, gain) = end.mid.gain(role, m, values);
                let mid = end.mid.after(role, m, gain);
                let mut moves = end.moves.clone();
                moves.push(m);
                let takes = taken == Some(Role::King);
                let next = TurnEnd {
                    moves,
                    mid,
                    king: takes,
                };
                if takes {
                    let three = total != 2 || dice.total() < 3 || {
                        let left = dice.bits() - used;
                        can_use_both(&end.mid, left, values)
                    };
                    kings.push((next, total, three));
                } else if seen.insert(mid.key() ^ u64::from(now).rotate_left(40)) {
                    levels[total as usize].push((next, now));
                }
            });
        }
    }
    let [_, one, two, three] = levels;
    let most = kings.iter().map(|(_, total, _)| *total).max().unwrap_or(0);
    let full = most == 3 || !three.is_empty();
    let legal = kings
        .into_iter()
        .find(|(_, total, free)| *total != 2 || !full || *free);
    if let Some((end, _, _)) = legal {
        return vec![end];
    }
    let longest = [three, two, one]
        .into_iter()
        .find(|level| !level.is_empty());
    let mut boards = Seen::default();
    let different = longest.into_iter().flatten().map(|(end, _)| end);
    different
        .filter(|end| boards.insert(end.mid.key()))
        .collect()
}
