//! The enemy's remaining material, as far as captures and observations
//! determine it.

use foglight_rules::{Announcement, Bitboard, Color, Role, Square};

use super::{evidence::Evidence, world::World};

const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

/// The enemy's pieces: those at the start, those captured since, and the number
/// of its captures, which bounds how often its pawns may have changed files.
#[derive(Clone, Debug)]
pub struct EnemyMaterial {
    enemy: Color,
    /// Pieces at the start and captured, by piece type.
    began: [u8; 6],
    taken: [u8; 6],
    /// Bishops at the start and captured, on dark and on light squares.
    bishops: [u8; 2],
    bishops_taken: [u8; 2],
    /// Squares of its pawns at the start.
    pawns: Bitboard,
    losses: u32,
}

/// A hidden piece to be placed: its type and the squares on which it may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HiddenPiece {
    pub role: Role,
    /// Possible squares, before the view is considered.
    pub squares: Bitboard,
}

impl EnemyMaterial {
    /// The material at the start of a game in which the enemy has this half.
    pub fn new(start: &World, enemy: Color) -> EnemyMaterial {
        let bishops = start.pieces(Role::Bishop);
        EnemyMaterial {
            enemy,
            began: Role::ALL.map(|role| start.pieces(role).count() as u8),
            taken: [0; 6],
            bishops: [
                (bishops & !LIGHT).count() as u8,
                (bishops & LIGHT).count() as u8,
            ],
            bishops_taken: [0; 2],
            pawns: start.pieces(Role::Pawn),
            losses: 0,
        }
    }

    /// Squares of the enemy's pawns at the start.
    pub(crate) fn pawn_starts(&self) -> Bitboard {
        self.pawns
    }

    /// Records what the observer is told that it captured or lost.
    pub fn update(&mut self, announced: &Announcement) {
        if let Some((square, role)) = announced.captured {
            self.taken[role as usize - 1] += 1;
            if role == Role::Bishop {
                self.bishops_taken[usize::from(LIGHT.contains(square))] += 1;
            }
        }
        self.losses += u32::from(announced.lost.is_some());
    }

    /// The pieces that are not shown. Pieces shown or captured beyond the
    /// number at the start are promoted pawns and reduce the pawns left.
    pub fn hidden(&self, shown: &World, evidence: &Evidence) -> Vec<HiddenPiece> {
        let size = evidence.size();
        let mut promoted = 0;
        let mut hidden = Vec::new();
        for role in [Role::King, Role::Queen, Role::Rook, Role::Knight] {
            let left = self.left(role, shown.pieces(role).count());
            promoted += (-left).max(0);
            push(&mut hidden, role, size.mask(), left);
        }
        for colour in 0..2 {
            let squares = if colour == 1 { LIGHT } else { !LIGHT };
            let seen = (shown.pieces(Role::Bishop) & squares).count() as i32;
            let gone = i32::from(self.bishops_taken[colour]);
            let left = i32::from(self.bishops[colour]) - gone - seen;
            promoted += (-left).max(0);
            push(&mut hidden, Role::Bishop, size.mask() & squares, left);
        }
        let edges = size.last_rank(Color::White) | size.last_rank(Color::Black);
        let pawns = self.left(Role::Pawn, shown.pieces(Role::Pawn).count()) - promoted;
        push(&mut hidden, Role::Pawn, size.mask() & !edges, pawns);
        hidden
    }

    fn left(&self, role: Role, seen: usize) -> i32 {
        let at = role as usize - 1;
        i32::from(self.began[at]) - i32::from(self.taken[at]) - seen as i32
    }

    /// Whether pawns can stand like this: each comes from a start file of its
    /// own, has moved no further sideways than forward, and each sideways step
    /// captured a piece of the observer. Pawns that are gone leave their files
    /// to others.
    pub fn pawns_fit(&self, pawns: Bitboard) -> bool {
        if self.pawns.count() > 8 || self.on_their_files(pawns) {
            return true;
        }
        let starts: Vec<Square> = self.pawns.into_iter().collect();
        // Fewest sideways steps of the pawns so far, by the set of starts used.
        let mut least: Vec<(u8, u32)> = vec![(0, 0)];
        for pawn in pawns {
            let mut next: Vec<(u8, u32)> = Vec::with_capacity(3 * least.len());
            for (i, start) in starts.iter().enumerate() {
                let Some(cost) = self.steps_aside(*start, pawn) else {
                    continue;
                };
                for &(used, steps) in least.iter().filter(|(used, _)| used & 1 << i == 0) {
                    let (with, steps) = (used | 1 << i, steps + cost);
                    match next.iter_mut().find(|(used, _)| *used == with) {
                        Some((_, known)) => *known = steps.min(*known),
                        None if steps <= self.losses => next.push((with, steps)),
                        None => {}
                    }
                }
            }
            least = next;
        }
        !least.is_empty()
    }

    /// Whether every pawn stands alone on a file on which one began, and ahead
    /// of it. This is the usual case and skips the matching.
    fn on_their_files(&self, pawns: Bitboard) -> bool {
        let mut used = 0u8;
        pawns.into_iter().all(|pawn| {
            let file = 1 << pawn.file() as u32;
            let free = used & file == 0;
            used |= file;
            let mut starts = self.pawns.into_iter();
            free && starts.any(|start| self.steps_aside(start, pawn) == Some(0))
        })
    }

    fn steps_aside(&self, start: Square, now: Square) -> Option<u32> {
        let ahead = match self.enemy {
            Color::White => now.rank() as i32 - start.rank() as i32,
            Color::Black => start.rank() as i32 - now.rank() as i32,
        };
        let aside = (now.file() as i32 - start.file() as i32).abs();
        (ahead >= aside).then_some(aside as u32)
    }
}

fn push(hidden: &mut Vec<HiddenPiece>, role: Role, squares: Bitboard, count: i32) {
    for _ in 0..count {
        hidden.push(HiddenPiece { role, squares });
    }
}
