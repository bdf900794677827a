//! Results of a match so far, between every two contestants.

use std::collections::BTreeMap;

use foglight_engine::dice::luck::{Adjusted, Scored};
use foglight_rules::{ByColor, Color};

use crate::{
    luck,
    record::GameRecord,
    stats::{GameScore, Pentanomial, Sprt, SprtVerdict, Summary, Wdl},
};

#[derive(Clone, Copy, Debug)]
struct Done {
    players: ByColor<usize>,
    for_white: GameScore,
    /// White's luck in games with dice.
    luck: Option<f64>,
}

/// Results so far, between every two contestants.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    finished: BTreeMap<u64, Done>,
    games_a_pair: u64,
    /// Pairs seen by the sequential test, in the order of the schedule.
    tested: Pentanomial,
    verdict: Option<SprtVerdict>,
}

impl Done {
    fn outcome_for(&self, contestant: usize) -> Option<GameScore> {
        if self.players.white == contestant {
            Some(self.for_white)
        } else {
            (self.players.black == contestant).then(|| self.for_white.flipped())
        }
    }
}

impl Standing {
    pub(crate) fn new(games_a_pair: u32) -> Standing {
        Standing {
            games_a_pair: u64::from(games_a_pair),
            ..Standing::default()
        }
    }

    /// Counts a game between two contestants, with White's luck.
    pub(crate) fn add(
        &mut self,
        number: u64,
        players: ByColor<usize>,
        record: &GameRecord,
        luck: Option<f64>,
    ) {
        let Some(outcome) = record.record.outcome else {
            return;
        };
        let for_white = match outcome.winner {
            None => GameScore::Draw,
            Some(Color::White) => GameScore::Win,
            Some(Color::Black) => GameScore::Loss,
        };
        let done = Done {
            players,
            for_white,
            luck,
        };
        self.finished.insert(number, done);
    }

    /// Sorted numbers of the finished games.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        self.finished.keys().copied().collect()
    }

    pub fn games(&self) -> u64 {
        self.finished.len() as u64
    }

    /// Outcome of the sequential test, if it has ended.
    pub fn verdict(&self) -> Option<SprtVerdict> {
        self.verdict
    }

    fn outcome_for(&self, number: u64, contestant: usize) -> Option<GameScore> {
        self.finished.get(&number)?.outcome_for(contestant)
    }

    /// Wins, draws and losses of one contestant against another.
    pub fn between(&self, one: usize, other: usize) -> Wdl {
        let mut wdl = Wdl::default();
        for done in self.finished.values() {
            if let (Some(outcome), Some(_)) = (done.outcome_for(one), done.outcome_for(other)) {
                wdl.record(outcome);
            }
        }
        wdl
    }

    /// Wins, draws and losses of one contestant as White.
    pub fn as_white(&self, contestant: usize) -> Wdl {
        let mut wdl = Wdl::default();
        let games = self.finished.values();
        for done in games.filter(|done| done.players.white == contestant) {
            wdl.record(done.for_white);
        }
        wdl
    }

    /// White's wins, draws and losses over all contestants.
    pub fn white(&self) -> Wdl {
        let mut wdl = Wdl::default();
        for done in self.finished.values() {
            wdl.record(done.for_white);
        }
        wdl
    }

    /// White's raw and luck-adjusted score over all contestants.
    pub fn luck_of_white(&self) -> Option<Adjusted> {
        let games = self.finished.iter().filter_map(|(number, done)| {
            let (score, luck) = (done.for_white.points(), done.luck?);
            let pair = (number - 1) / self.games_a_pair.max(1);
            Some((pair, Scored { score, luck }))
        });
        luck::adjusted(games)
    }

    /// The raw and luck-adjusted score of one contestant against another;
    /// `None` without dice or with too few games.
    pub fn luck(&self, one: usize, other: usize) -> Option<Adjusted> {
        let games = self.finished.iter().filter_map(|(number, done)| {
            done.outcome_for(other)?;
            let score = done.outcome_for(one)?.points();
            let luck = match done.players.white == one {
                true => done.luck?,
                false => -done.luck?,
            };
            let pair = (number - 1) / self.games_a_pair.max(1);
            Some((pair, Scored { score, luck }))
        });
        luck::adjusted(games)
    }

    /// The scores of a finished pair, numbered from 0, for a contestant.
    fn pair_for(&self, pair: u64, contestant: usize) -> Option<(GameScore, GameScore)> {
        let first = self.outcome_for(2 * pair + 1, contestant)?;
        let second = self.outcome_for(2 * pair + 2, contestant)?;
        Some((first, second))
    }

    /// The finished pairs of one contestant against another.
    pub fn pairs(&self, one: usize, other: usize) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        let last = self.finished.keys().next_back().copied().unwrap_or(0);
        for pair in 0..last.div_ceil(2) {
            let met = self.outcome_for(2 * pair + 1, other).is_some();
            if let (Some((first, second)), true) = (self.pair_for(pair, one), met) {
                pairs.record(first, second);
            }
        }
        pairs
    }

    /// Summary of a match between two contestants: by pairs if games are
    /// paired.
    pub fn summary(&self, one: usize, other: usize, sprt: Option<&Sprt>) -> Summary {
        if self.games_a_pair == 2 {
            let pairs = match self.verdict {
                Some(_) => self.tested,
                None => self.pairs(one, other),
            };
            Summary::of_pairs(pairs, sprt)
        } else {
            Summary::of_games(self.between(one, other), sprt)
        }
    }

    /// Passes the complete pairs to the sequential test in the order of the
    /// schedule, so that it ends at the same pair on any number of threads.
    pub(crate) fn test(&mut self, sprt: &Sprt) {
        while let (None, Some((first, second))) =
            (self.verdict, self.pair_for(self.tested.pairs(), 0))
        {
            self.tested.record(first, second);
            let verdict = sprt.verdict(sprt.llr_of_pairs(self.tested));
            self.verdict = (verdict != SprtVerdict::Continue).then_some(verdict);
        }
    }
}
