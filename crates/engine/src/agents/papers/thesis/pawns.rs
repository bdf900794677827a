//! What can be inferred of the enemy's pawns (seed 000, section 7.2): they never
//! go back, so whoever saw a start square empty knows where its pawn cannot be;
//! and a pawn changes its file only where it took something.

use foglight_rules::{Bitboard, Color, Observation, Role, Square, attacks};

use crate::belief::{EnemyMaterial, Evidence};

/// The squares on which the enemy's pawns may stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct PawnTrack {
    possible: Bitboard,
    plies: u32,
}

impl PawnTrack {
    /// At the first observation: where its pawns began, or anywhere unseen if
    /// the game began elsewhere.
    pub(super) fn new(observation: &Observation, roster: &EnemyMaterial) -> PawnTrack {
        let starts = match observation.plies() {
            0 => roster.pawn_starts(),
            _ => Bitboard::FULL,
        };
        let mut track = PawnTrack {
            possible: starts,
            plies: observation.plies(),
        };
        track.look(&Evidence::new(observation.game(), observation.view()));
        track
    }

    /// Where they may be, those that are shown included.
    pub(super) fn possible(&self) -> Bitboard {
        self.possible
    }

    /// Learns what is seen after a single move.
    pub(super) fn see(&mut self, observation: &Observation) {
        if observation.plies() == self.plies {
            return;
        }
        self.plies = observation.plies();
        let evidence = Evidence::new(observation.game(), observation.view());
        let news = observation.news();
        if news.own_move.is_none() {
            match news.lost {
                None => self.advance(&evidence),
                Some((square, role)) => self.take(evidence.side(), square, role),
            }
        }
        self.look(&evidence);
    }

    /// The enemy moved and took nothing: a pawn may have gone one step or two.
    fn advance(&mut self, evidence: &Evidence) {
        let enemy = !evidence.side();
        let ahead = enemy.fold_wb(8, -8);
        let free = evidence.size().mask() & !evidence.own().occupied();
        let once = self.possible.shift(ahead) & free;
        let third = Bitboard::from_rank(enemy.relative_rank(Square::A3.rank()));
        let twice = match evidence.size().is_full() {
            true => (once & third).shift(ahead) & free,
            false => Bitboard::EMPTY,
        };
        self.possible |= once | twice;
    }

    /// The enemy took something here, perhaps with a pawn, perhaps in passing.
    fn take(&mut self, side: Color, square: Square, role: Role) {
        let mut arrivals = Bitboard::from_square(square);
        if role == Role::Pawn {
            arrivals |= arrivals.shift(side.fold_wb(-8, 8));
        }
        for to in arrivals {
            if (attacks::pawn_attacks(side, to) & self.possible).any() {
                self.possible |= Bitboard::from_square(to);
            }
        }
    }

    fn look(&mut self, evidence: &Evidence) {
        let size = evidence.size();
        let edges = size.last_rank(Color::White) | size.last_rank(Color::Black);
        let hidden = self.possible & evidence.hidden_squares() & !edges;
        self.possible = hidden | evidence.shown().pieces(Role::Pawn);
    }
}

/// Hundredths that a side loses by doubled, isolated and backward pawns. Pawns
/// that may stand on a file support its neighbours.
pub(super) fn weakness(side: Color, pawns: Bitboard, perhaps: Bitboard, enemy: Bitboard) -> i32 {
    const A: u64 = 0x0101_0101_0101_0101;
    let column = |file: u32| Bitboard(A << file);
    let beside = |file: u32| {
        let west = if file > 0 { A << (file - 1) } else { 0 };
        let east = if file < 7 { A << (file + 1) } else { 0 };
        Bitboard(west | east)
    };
    let mut sum = 0;
    for file in 0..8 {
        let own = (pawns & column(file)).count() as i32;
        if own > 0 {
            let alone = ((pawns | perhaps) & beside(file)).is_empty();
            sum += 10 * (own - 1) + if alone { 12 * own } else { 0 };
        }
    }
    for pawn in pawns {
        let helpers = (pawns | perhaps) & beside(pawn.file() as u32);
        let behind = |other: &Square| match side {
            Color::White => other.rank() <= pawn.rank(),
            Color::Black => other.rank() >= pawn.rank(),
        };
        let stop = pawn.offset(side.fold_wb(8, -8));
        let watched = stop.is_some_and(|stop| (attacks::pawn_attacks(side, stop) & enemy).any());
        if watched && helpers.any() && !helpers.into_iter().any(|other| behind(&other)) {
            sum += 8;
        }
    }
    sum
}
