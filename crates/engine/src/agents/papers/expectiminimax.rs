//! `expectiminimax` of Chakrian et al.: fixed depth, no pruning.

use foglight_rules::{Move, Observation, Position, Variant};

use crate::dice::{
    EvalTerms,
    reference::{ReferenceExpectiminimax, for_white},
    value::{self, win_probability},
};
use foglight_play::{Agent, Budget, Entry, OptionInfo, Report, Values};

pub const ENTRY: Entry = Entry {
    name: "expectiminimax",
    about: "expectiminimax to a fixed depth, without pruning, with the eight-term evaluation (Chakrian et al.)",
    options: &[
        OptionInfo::new("depth", Values::Whole(1, 6), "2", "search depth in plies").up_to(4),
        OptionInfo::new(
            "eval",
            Values::Choice(&["parts", "win"]),
            "parts",
            "parts: the paper's eight terms; win: the win probability used by `dice`",
        )
        .open(),
    ],
    plays: |game| matches!(game.variant(), Variant::Dice1),
    build: |options, _| {
        Ok(Box::new(Expectiminimax {
            depth: options.whole("depth").expect("depth has a default") as u32,
            parts: options.text("eval") == "parts",
            report: None,
        }))
    },
};

struct Expectiminimax {
    depth: u32,
    parts: bool,
    report: Option<Report>,
}

impl Agent for Expectiminimax {
    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        let position = observation.position().expect("dice chess hides nothing");
        let side = observation.side();
        let parts = EvalTerms::default();
        let by_parts = |at: &Position| parts.win_probability(at, at.turn());
        let values = value::PieceSquareValues::of_size(position.size());
        let by_values = |at: &Position| win_probability(values, at);
        let evaluate: &dyn Fn(&Position) -> f64 = if self.parts { &by_parts } else { &by_values };
        let mut plain = ReferenceExpectiminimax {
            game: *observation.game(),
            evaluate,
            budget,
            nodes: 0,
        };
        let mut best: (Move, Option<f64>, u32) = (observation.legal_moves()[0], None, 0);
        let depth = budget
            .depth
            .map_or(self.depth, |limit| limit.min(self.depth))
            .max(1);
        for depth in 1..=depth {
            let values: Result<Vec<f64>, _> = observation
                .legal_moves()
                .iter()
                .map(|&m| plain.move_value(position, m, depth))
                .collect();
            let Ok(values) = values else { break };
            let own = values.into_iter().map(|value| for_white(side, value));
            let choice = observation.legal_moves().iter().copied().zip(own);
            let top = choice.reduce(|a, b| if b.1 > a.1 { b } else { a });
            if let Some((m, value)) = top {
                best = (m, Some(value), depth);
            }
        }
        self.report = Some(Report {
            value: best.1.map(|value| 2.0 * value - 1.0),
            nodes: plain.nodes,
            depth: best.2,
            pv: vec![best.0],
            policy: vec![(best.0, 1.0)],
            ..Report::default()
        });
        best.0
    }

    fn report(&self) -> Option<Report> {
        self.report.clone()
    }
}
