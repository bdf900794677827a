//! Practice messages: the player's belief, computed from its own observations.

use std::collections::BTreeMap;

use foglight_play::{Belief, Marginals, Report};
use foglight_rules::{Observation, Role, Size, Square};
use serde::Serialize;

/// A move and its probability in a mixed strategy.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Share {
    #[serde(rename = "move")]
    played: String,
    p: f64,
}

/// Probability of each enemy piece on each square, `a1` first.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct HeatMap(BTreeMap<char, Vec<f64>>);

impl HeatMap {
    /// Builds the map for a board size: files times ranks numbers per piece.
    pub fn new(heat: &Marginals, size: Size) -> HeatMap {
        let row = |role: Role| -> Vec<f64> {
            let squares = Square::ALL.into_iter();
            squares
                .filter(|&square| size.mask().contains(square))
                .map(|square| (heat.get(role, square) * 1e4).round() / 1e4)
                .collect()
        };
        HeatMap(
            Role::ALL
                .iter()
                .map(|&role| (role.char(), row(role)))
                .collect(),
        )
    }
}

/// An agent's report as sent to clients.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Report"))]
pub(crate) struct EngineMove {
    value: Option<f64>,
    centipawns: Option<i32>,
    mix: Vec<Share>,
    nodes: u64,
    depth: u32,
    line: Vec<String>,
    figures: BTreeMap<&'static str, f64>,
}

impl From<&Report> for EngineMove {
    fn from(report: &Report) -> EngineMove {
        EngineMove {
            value: report.value,
            centipawns: report.centipawns,
            mix: shares(report),
            nodes: report.nodes,
            depth: report.depth,
            line: report.pv.iter().map(ToString::to_string).collect(),
            figures: report.metrics.iter().copied().collect(),
        }
    }
}

fn shares(report: &Report) -> Vec<Share> {
    let mix = report.policy.iter();
    mix.map(|(m, p)| Share {
        played: m.to_string(),
        p: *p,
    })
    .collect()
}

/// Hints for a player in practice after a ply.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PracticeEvent {
    ply: u32,
    /// Number of possible positions; `null` if they can no longer be followed.
    count: Option<usize>,
    exact: bool,
    heat: Option<HeatMap>,
    mix: Option<Vec<Share>>,
    value: Option<f64>,
}

impl PracticeEvent {
    /// The hint from a belief updated with this observation.
    pub fn new(observation: &Observation, belief: &dyn Belief, heat: bool) -> PracticeEvent {
        PracticeEvent {
            ply: observation.plies(),
            count: Some(belief.count()),
            exact: belief.is_exact(),
            heat: heat.then(|| HeatMap::new(&belief.marginals(), observation.view().size)),
            mix: None,
            value: None,
        }
    }

    /// The hint in games without hidden information.
    pub fn open(observation: &Observation) -> PracticeEvent {
        PracticeEvent {
            ply: observation.plies(),
            count: Some(1),
            exact: true,
            heat: None,
            mix: None,
            value: None,
        }
    }

    /// The hint if the adviser has no belief.
    pub fn lost(observation: &Observation) -> PracticeEvent {
        PracticeEvent {
            count: None,
            exact: false,
            ..PracticeEvent::open(observation)
        }
    }

    /// Adds the choice of an agent in the player's position.
    #[must_use]
    pub(crate) fn with_advice(mut self, report: &Report) -> PracticeEvent {
        (self.mix, self.value) = (Some(shares(report)), report.value);
        self
    }
}
