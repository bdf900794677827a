//! Whole turns of three-dice chess: the end boards of every roll in one pass.
//!
//! A turn spends a multiset of dice. One traversal of all plies, each equal
//! board visited once, finds the boards reachable by spending each multiset; a
//! roll then allows the largest reachable multisets inside it.

use std::{
    collections::HashSet,
    hash::{BuildHasherDefault, Hasher},
    sync::OnceLock,
};

use foglight_rules::{Dice, Move, MoveKind, Role};

pub use super::partial_turn::PartialTurn;
use super::value::PieceSquareValues;

/// The dice spent after a move of a piece type, if three suffice.
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

/// Whether a multiset is part of another.
fn within(part: u16, whole: u16) -> bool {
    (0..6).all(|i| part >> (2 * i) & 3 <= whole >> (2 * i) & 3)
}

#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
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

type Seen = HashSet<u64, BuildHasherDefault<IdentityHasher>>;

/// Indices of multisets and their sizes.
type Inside = Vec<(u8, u32)>;

/// The multisets of up to three dice and the 56 rolls made of them.
struct Multisets {
    /// Index of each multiset by its bits.
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

/// Boards reachable by spending each multiset of dice.
pub struct Reach {
    best: [Option<PartialTurn>; SETS],
    takes: [bool; SETS],
    /// For a king captured with the second of two moves: the third dice that
    /// may be left unused, the first move not preventing their use.
    beside: [u8; SETS],
    pub boards: u64,
}

/// Whether two dice, `left`, can both still be used. Capturing the king ends a
/// turn, so it counts only as the last move.
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

/// Value of a roll to the side that has it.
#[derive(Clone, Copy, Debug)]
pub enum Worth {
    /// The roll captures the king.
    King,
    /// The best end board by the sum alone.
    Board(PartialTurn),
}

impl Reach {
    /// Traverses all turns of the side to roll, equal boards once.
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

    /// Each roll with its ways of 216 and its value.
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

    /// The third dice that allow a king capture from `mid` with `die` as the
    /// second of two moves.
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

    /// Whether a roll allows a king capture. A capture by the first ply is
    /// always allowed; plies before it must not waste dice.
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

    /// The probability that the roll captures the king.
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

/// One complete turn and its end board.
#[derive(Clone, Debug)]
pub struct TurnEnd {
    /// The turn's plies, in order.
    pub moves: Vec<Move>,
    /// The board at the end.
    pub mid: PartialTurn,
    /// Whether the enemy king is captured.
    pub king: bool,
}

/// The distinct end boards that dice allow, with one turn to each; only a turn
/// that captures the king if there is one. Empty if there is no legal move. Once
/// it is `late` no more turns of three plies are looked for if there are some.
pub fn ends(
    start: &PartialTurn,
    dice: Dice,
    values: &PieceSquareValues,
    late: &dyn Fn() -> bool,
) -> Vec<TurnEnd> {
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
            if !levels[3].is_empty() && late() {
                break;
            }
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
    longest(levels, kings)
}

/// What the rule of the most dice leaves of the turns found by their number of dice,
/// and of the captures of the king: each with its dice, and whether all may be used.
fn longest(
    [_, one, two, three]: [Vec<(TurnEnd, u16)>; 4],
    kings: Vec<(TurnEnd, u32, bool)>,
) -> Vec<TurnEnd> {
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
