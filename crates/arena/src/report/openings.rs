//! How agents open and what they told of their thinking: the fingerprint of a
//! player, by which two programs can be compared without a match.

use std::collections::BTreeMap;

use foglight_rules::{Action, ByColor, Color, notation::san};

use crate::record::GameRecord;

/// So many openings are shown.
const SHOWN: usize = 5;

/// A mean that grows.
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

    /// The mean; 0 of nothing.
    pub fn value(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }
}

/// First moves of a group of games, and what each agent told.
#[derive(Clone, Default, Debug)]
pub struct OpeningStats {
    first: ByColor<BTreeMap<String, u64>>,
    told: Vec<BTreeMap<String, MetricMean>>,
}

impl OpeningStats {
    /// Counts a game of these agents; `movers` made its single moves.
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

    /// A side's commonest first moves with their shares.
    pub fn openings(&self, side: Color) -> Vec<(&str, f64)> {
        let counts = self.first.get(side);
        let all = counts.values().sum::<u64>().max(1) as f64;
        let mut sorted: Vec<(&str, u64)> = counts.iter().map(|(m, n)| (m.as_str(), *n)).collect();
        sorted.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let shares = sorted.into_iter().take(SHOWN);
        shares.map(|(m, n)| (m, n as f64 / all)).collect()
    }

    /// The means of an agent's figures over its moves.
    pub fn told(&self, agent: usize) -> Option<&BTreeMap<String, MetricMean>> {
        self.told.get(agent).filter(|means| !means.is_empty())
    }

    /// The names of all figures that anybody told.
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

/// The first move of each side, as people write it.
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
