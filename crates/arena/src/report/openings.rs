//! First moves and metrics of agents: a fingerprint by which two programs can
//! be compared without a match.

use std::collections::BTreeMap;

use foglight_rules::{Action, ByColor, Color, notation::san};

use crate::record::GameRecord;

/// Number of openings shown.
const SHOWN: usize = 5;

/// Running mean of one metric.
#[derive(Clone, Copy, Default, Debug)]
pub struct MetricMean {
    sum: f64,
    count: u64,
}

impl MetricMean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    /// The mean; 0 without values.
    pub fn value(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }
}

/// First moves of a group of games, and the metrics of each agent.
#[derive(Clone, Default, Debug)]
pub struct OpeningStats {
    first: ByColor<BTreeMap<String, u64>>,
    told: Vec<BTreeMap<String, MetricMean>>,
}

impl OpeningStats {
    /// Counts a game of these agents; `movers` holds the mover of each ply.
    pub fn add(&mut self, record: &GameRecord, players: ByColor<usize>, movers: &[Color]) {
        for (side, opening) in first_moves(record) {
            *self.first.get_mut(side).entry(opening).or_default() += 1;
        }
        for row in &record.telemetry {
            let Some(&side) = movers.get(row.ply as usize) else {
                continue;
            };
            let agent = *players.get(side);
            if self.told.len() <= agent {
                self.told.resize(agent + 1, BTreeMap::new());
            }
            let depth = ("depth", f64::from(row.depth));
            let figures = row.metrics.iter().map(|(name, &v)| (name.as_str(), v));
            for (name, value) in figures.chain([depth]).filter(|told| told.1.is_finite()) {
                let means = &mut self.told[agent];
                means.entry(name.to_owned()).or_default().add(value);
            }
        }
    }

    /// A side's most frequent first moves with their shares.
    pub fn openings(&self, side: Color) -> Vec<(&str, f64)> {
        let counts = self.first.get(side);
        let all = counts.values().sum::<u64>().max(1) as f64;
        let mut sorted: Vec<(&str, u64)> = counts.iter().map(|(m, n)| (m.as_str(), *n)).collect();
        sorted.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let shares = sorted.into_iter().take(SHOWN);
        shares.map(|(m, n)| (m, n as f64 / all)).collect()
    }

    /// Means of an agent's metrics over its moves.
    pub fn told(&self, agent: usize) -> Option<&BTreeMap<String, MetricMean>> {
        self.told.get(agent).filter(|means| !means.is_empty())
    }

    /// Names of all metrics that any agent reported.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        names.extend(
            self.told
                .iter()
                .flat_map(BTreeMap::keys)
                .map(String::as_str),
        );
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// The first move of each side in SAN.
fn first_moves(record: &GameRecord) -> Vec<(Color, String)> {
    let game = record.record.game;
    let mut replay = record.record.replay();
    let mut found: Vec<(Color, String)> = Vec::new();
    while let Some(action) = replay.peek() {
        let position = replay.state().position();
        let side = position.turn();
        if let Action::Move(m) = action
            && found.iter().all(|(known, _)| *known != side)
        {
            found.push((side, san::write(&game, position, m)));
        }
        if found.len() == 2 || !matches!(replay.step(), Some(Ok(_))) {
            break;
        }
    }
    found
}
