//! `mcts` of Chakrian et al., and their hybrid with a model of moves.

use foglight_rules::{Color, Game, Move, Observation};

use super::super::dice::limited;
use crate::dice::{
    EvalTerm, EvalTerms,
    mcts::{Bias, MAX_NODES, MctsSettings, MctsTree, NODE_BYTES},
    move_model::MoveModel,
};
use foglight_play::{Agent, Budget, Entry, OptionInfo, Options, Report, Rng, Values, seeded};

const fn weight(name: &'static str, default: &'static str, about: &'static str) -> OptionInfo {
    OptionInfo::new(name, Values::Number(0.0, 100.0), default, about).open()
}

pub const ENTRY: Entry = Entry {
    name: "mcts",
    about: "UCT with evaluation and progressive bias (Chakrian et al.); bias=logistic is their hybrid",
    options: &[
        OptionInfo::new(
            "preset",
            Values::Choice(&["best", "paper"]),
            "best",
            "paper: playouts by the selection policy to the end of the game and no forced king captures; \
             options that are set override the preset",
        ).open(),
        weight("c", "3.8775", "exploration coefficient"),
        weight("win", "0.4", "score of a won playout"),
        OptionInfo::new(
            "bias",
            Values::Choice(&["off", "eval", "logistic", "selfplay", "network"]),
            "eval",
            "H in the progressive bias H/(n+1): off, the evaluation, logistic regression on games or on self-play of `dice`, or a network",
        ).open(),
        OptionInfo::new(
            "eval",
            Values::Switch,
            "on",
            "off: playouts continue to the end of the game",
        ).open(),
        OptionInfo::new(
            "plies",
            Values::Whole(0, 300),
            "0",
            "moves in a playout before the evaluation",
        ).up_to(100),
        OptionInfo::new(
            "playout",
            Values::Choice(&["random", "policy"]),
            "random",
            "moves of a playout: any, or the best by evaluation and H, as for moves of the tree that were never visited",
        ).open(),
        OptionInfo::new(
            "king-captures",
            Values::Choice(&["forced", "ordinary"]),
            "forced",
            "forced: the only child of a node and the only move of a playout; ordinary: like other moves",
        ).open(),
        weight("c1", "1", "weight of material"),
        weight("c2", "0.01", "weight of mobility"),
        weight("c3", "0.05", "weight of king safety"),
        weight("c4", "0.05", "weight of centre control"),
        weight("c5", "0.02", "weight of king tropism"),
        weight("c6", "0.2", "weight of trapped pieces"),
        weight("c7", "0.1", "weight of capturable pieces"),
        weight("c8", "0.8", "weight of the suicide rate"),
    ],
    plays: Game::has_dice,
    build: |options, providers| {
        let most = providers.tree.map(|bytes| bytes / NODE_BYTES);
        Ok(Box::new(Mcts {
            settings: MctsSettings {
                max_nodes: most.unwrap_or(usize::MAX).min(MAX_NODES),
                ..settings(options)
            },
            rng: seeded(0),
            report: None,
        }))
    },
};

fn settings(options: &Options) -> MctsSettings {
    let weights = std::array::from_fn(|i| options.number(&format!("c{}", i + 1)));
    let parts = EvalTerms { weights };
    debug_assert_eq!(EvalTerm::ALL.len(), weights.len());
    let on = options.on("eval");
    let paper = options.text("preset") == "paper";
    let given = |name, preset| match options.given(name) {
        None if paper => preset,
        _ => options.text(name),
    };
    MctsSettings {
        exploration: options.number("c"),
        win_score: options.number("win"),
        bias: match options.text("bias") {
            "logistic" => Bias::Model(MoveModel::logistic()),
            "selfplay" => Bias::Model(MoveModel::selfplay()),
            "network" => Bias::Model(MoveModel::network()),
            "eval" if on => Bias::Eval,
            _ => Bias::Off,
        },
        parts: on.then_some(parts),
        max_nodes: MAX_NODES,
        plies: given("plies", TO_THE_END).parse().unwrap_or(0),
        guided: given("playout", "policy") == "policy",
        forced_kings: given("king-captures", "ordinary") == "forced",
    }
}

/// Moves that end nearly every playout with the game.
const TO_THE_END: &str = "300";

struct Mcts {
    settings: MctsSettings,
    rng: Rng,
    report: Option<Report>,
}

impl Agent for Mcts {
    fn start(&mut self, _: &Game, _: Color, seed: u64) {
        self.rng = seeded(seed);
    }

    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        let position = observation.position().expect("dice chess hides nothing");
        let mut budget = budget.clone();
        budget.depth = None; // this search has no depth limit
        let budget = limited(&budget);
        let mut tree = MctsTree::new(
            *observation.game(),
            *position,
            &self.settings,
            &mut self.rng,
        );
        let nodes = tree.search(&budget);
        let children = tree.children();
        let total: f64 = children.iter().map(|child| f64::from(child.visits)).sum();
        let best = children.first();
        self.report = Some(Report {
            value: best.map(|child| 2.0 * child.value - 1.0),
            policy: children
                .iter()
                .map(|child| (child.m, f64::from(child.visits) / total.max(1.0)))
                .collect(),
            nodes,
            pv: best.map(|child| child.m).into_iter().collect(),
            ..Report::default()
        });
        best.map_or(observation.legal_moves()[0], |child| child.m)
    }

    fn report(&self) -> Option<Report> {
        self.report.clone()
    }
}
