//! Collects an engine's `info` lines into a report.

use std::collections::BTreeMap;

use foglight_play::{Report, Session};
use foglight_rules::{Action, Move, Observation, State, notation::uci};

use crate::reply::{SearchInfo, UciScore};

/// Maximum number of stored policy lines: more than any position has moves.
const MAX_LINES: u32 = 512;

/// The latest value of each field.
#[derive(Default)]
pub(crate) struct InfoCollector {
    last: SearchInfo,
    mix: BTreeMap<u32, (String, f64)>,
}

impl InfoCollector {
    /// Adds an `info` line.
    pub fn add(&mut self, info: SearchInfo) {
        let number = info.multipv.unwrap_or(1);
        if let (Some(prob), Some(first), true) = (info.prob, info.pv.first(), number <= MAX_LINES) {
            self.mix.insert(number, (first.clone(), prob));
        }
        if number != 1 {
            return;
        }
        let last = &mut self.last;
        last.depth = info.depth.or(last.depth);
        last.score = info.score.or(last.score);
        last.value = info.value.or(last.value);
        last.nodes = info.nodes.or(last.nodes);
        // The policy lines contain one move each; the principal variation comes
        // with the search.
        if !info.pv.is_empty() && (info.prob.is_none() || last.pv.is_empty()) {
            last.pv = info.pv;
        }
    }

    /// The report. An illegal move ends its principal variation.
    pub fn report(self, observation: &Observation) -> Report {
        let legal = |text: &str| uci::find(text, observation.legal_moves()).ok();
        let mix = self.mix.into_values();
        Report {
            value: self.last.value,
            centipawns: self.last.score.map(UciScore::centipawns),
            plies_to_end: match self.last.score {
                Some(UciScore::Mate(moves)) if moves > 0 => Some(moves.saturating_mul(2) - 1),
                Some(UciScore::Mate(moves)) => Some(moves.saturating_mul(2)),
                _ => None,
            },
            policy: mix
                .filter_map(|(text, prob)| Some((legal(&text)?, prob)))
                .collect(),
            nodes: self.last.nodes.unwrap_or(0),
            depth: self.last.depth.unwrap_or(0),
            pv: line(&self.last.pv, observation),
            ..Report::default()
        }
    }
}

/// Parses a principal variation; in fog only its first move can be resolved.
fn line(texts: &[String], observation: &Observation) -> Vec<Move> {
    let Some(position) = observation.position() else {
        let first = texts.first().into_iter();
        return first
            .filter_map(|text| uci::find(text, observation.legal_moves()).ok())
            .collect();
    };
    let mut session = Session::resume(State::new(*observation.game(), *position), None);
    let mut line = Vec::new();
    for text in texts {
        let Ok(Action::Move(m)) = session.state().parse_action(text) else {
            break;
        };
        session.apply(Action::Move(m));
        line.push(m);
    }
    line
}
