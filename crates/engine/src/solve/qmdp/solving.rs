//! Solving in short steps, so that a player can do it within its time.

use foglight_rules::{Color, Game, Position};

use super::{
    Moves, Next, Placements, Qmdp, QmdpSettings, Replies, SolveError, appeal, index_of, reward,
};

/// Placements handled in a step.
const STEP: usize = 1000;

/// A solution in progress.
pub struct QmdpSolver {
    game: Game,
    side: Color,
    settings: QmdpSettings,
    placements: Placements,
    moves: Moves,
    replies: Replies,
    /// The player's value of each placement, and its value after a reply.
    best: Vec<f32>,
    after: Vec<f32>,
    rounds: usize,
    /// The placement that this round reaches next.
    at: usize,
}

impl QmdpSolver {
    /// Begins to solve for `side` every placement of the pieces of `position`.
    pub fn new(
        game: &Game,
        position: &Position,
        side: Color,
        settings: QmdpSettings,
    ) -> Result<QmdpSolver, SolveError> {
        if game.fog_rules().is_none() {
            return Err(SolveError::Game(game.to_string()));
        }
        let placements = Placements::new(position)?;
        let count = placements.count();
        Ok(QmdpSolver {
            game: *game,
            side,
            settings,
            placements,
            moves: Moves {
                offsets: vec![0],
                list: Vec::new(),
            },
            replies: Replies {
                offsets: vec![0],
                list: Vec::new(),
                ends: Vec::new(),
            },
            best: vec![0.0; count],
            after: vec![0.0; count],
            rounds: 0,
            at: 0,
        })
    }

    /// The game, board and side that it solves.
    pub fn solves(&self) -> (&Game, foglight_rules::Size, Color) {
        (&self.game, self.placements.size(), self.side)
    }

    /// Does a small part of the work. Returns the rounds done, or `None` when
    /// all of them are.
    pub fn step(&mut self) -> Option<usize> {
        let count = self.placements.count();
        let (listed, answered) = (self.moves.offsets.len() - 1, self.replies.ends.len());
        if listed < count {
            (listed..(listed + STEP).min(count)).for_each(|state| self.add_moves(state));
        } else if answered < count {
            (answered..(answered + STEP).min(count)).for_each(|state| self.add_replies(state));
        } else if self.rounds < self.settings.iterations {
            self.iterate();
        } else {
            return None;
        }
        Some(self.rounds)
    }

    /// Part of a round: first the values after replies, then the best moves.
    fn iterate(&mut self) {
        let count = self.placements.count();
        let part = |at: usize| at..(at + 16 * STEP).min(count);
        if self.at < count {
            let part = part(self.at);
            self.replies
                .expect(&self.best, part.clone(), &mut self.after);
            self.at = part.end;
            return;
        }
        let part = part(self.at - count);
        self.moves
            .improve(&self.after, part.clone(), &self.settings, &mut self.best);
        self.at = count + part.end;
        if part.end == count {
            (self.at, self.rounds) = (0, self.rounds + 1);
        }
    }

    /// The solution, once [`QmdpSolver::step`] has no more to do.
    pub fn finish(mut self) -> Qmdp {
        let all = 0..self.placements.count();
        self.replies.expect(&self.best, all, &mut self.after);
        let values = self.moves.list.iter().map(|(m, next)| {
            let value = next.value(&self.after, &self.settings);
            (*m, value)
        });
        Qmdp {
            side: self.side,
            settings: self.settings,
            values: values.collect(),
            offsets: self.moves.offsets,
            placements: self.placements,
        }
    }

    fn add_moves(&mut self, state: usize) {
        let (game, side) = (&self.game, self.side);
        if let Some(position) = self.placements.position(game, state, side) {
            for m in game.legal_moves(&position) {
                let mut next = position;
                game.play_unchecked(&mut next, m);
                let next = match reward(game, &next, side, &self.settings) {
                    Some(reward) => Next::Over(reward),
                    None => Next::Reply(index_of(&self.placements, &next)),
                };
                self.moves.list.push((m.raw(), next));
            }
        }
        self.moves.offsets.push(self.moves.list.len() as u32);
    }

    fn add_replies(&mut self, state: usize) {
        let (game, side) = (&self.game, self.side);
        let mut end = 0.0;
        if let Some(position) = self.placements.position(game, state, !side) {
            let replies = game.legal_moves(&position);
            let played = replies.iter().map(|m| {
                let mut next = position;
                game.play_unchecked(&mut next, *m);
                (appeal(&next, !side) + self.settings.floor, next)
            });
            let row: Vec<(f64, Position)> = played.collect();
            let total: f64 = row.iter().map(|(weight, _)| weight).sum();
            for (weight, next) in &row {
                let share = weight / total;
                match reward(game, next, side, &self.settings) {
                    Some(reward) => end += share * reward,
                    None => {
                        let next = index_of(&self.placements, next);
                        self.replies.list.push((share as f32, next));
                    }
                }
            }
        }
        self.replies.ends.push(end as f32);
        self.replies.offsets.push(self.replies.list.len() as u32);
    }
}
