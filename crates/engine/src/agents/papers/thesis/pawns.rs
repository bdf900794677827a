//! Inference of the enemy's pawns (Mellemseter 2017, section 7.2). Pawns never
//! move backwards, so an empty start square excludes squares for its pawn, and a
//! pawn changes its file only by capturing.

use foglight_rules::{Bitboard, Color, Observation, Role, Square, attacks};

use crate::belief::{EnemyMaterial, Evidence};

/// The squares on which the enemy's pawns may stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct PawnTrack {
    possible: Bitboard,
    plies: u32,
}

impl PawnTrack {
    /// Starts at the first observation, with the start squares of the enemy's
    /// pawns, or all hidden squares if the game is already under way.
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

    /// Possible squares of enemy pawns, including visible pawns.
    pub(super) fn possible(&self) -> Bitboard {
        self.possible
    }

    /// Updates the squares with the observation after a ply.
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

    /// Adds the squares one and two steps ahead, after an enemy move that captured
    /// nothing of ours.
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

    /// After an enemy capture that a pawn may have made, en passant too, nothing
    /// is known of the files any more: all hidden squares are possible, as the
    /// thesis proposes.
    fn take(&mut self, side: Color, square: Square, role: Role) {
        let mut arrivals = Bitboard::from_square(square);
        if role == Role::Pawn {
            arrivals |= arrivals.shift(side.fold_wb(-8, 8));
        }
        let origins = arrivals.into_iter().fold(Bitboard::EMPTY, |set, to| {
            set | attacks::pawn_attacks(side, to)
        });
        if (origins & self.possible).any() {
            self.possible = Bitboard::FULL;
        }
    }

    fn look(&mut self, evidence: &Evidence) {
        let size = evidence.size();
        let edges = size.last_rank(Color::White) | size.last_rank(Color::Black);
        let hidden = self.possible & evidence.hidden_squares() & !edges;
        self.possible = hidden | evidence.shown().pieces(Role::Pawn);
    }
}

/// Centipawns that a side loses by doubled, isolated and backward pawns. Pawns
/// that are only possible (`perhaps`) count as support.
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
