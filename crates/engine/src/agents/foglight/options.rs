//! The options of `foglight`: an ablation each, presets and levels.

use foglight_solver::{GadgetPrior, SolverSettings};

use foglight_play::{OptionInfo, Options, Providers, SpecError, Values};

use super::{
    choice::Purify,
    leaves::{LeafEvaluator, LeafModel},
    levels::LEVELS,
};
use crate::search::Evaluation;

/// What can be set.
pub(crate) const OPTIONS: [OptionInfo; 25] = [
    OptionInfo::new(
        "preset",
        Values::Choice(&["default", "paper"]),
        "default",
        "paper: 256 worlds drawn alike, Stockfish at the leaves, frozen as a yardstick",
    ).choices(&["default"]),
    OptionInfo::new(
        "level",
        Values::Whole(1, 10),
        "",
        "strength for people, from 1 to 10, by worlds, nodes, memory and noise",
    ).up_to(10),
    OptionInfo::new(
        "worlds",
        Values::Whole(1, 100_000),
        "",
        "positions at the root: all that fit, or so many of them; 16 to 256 by the budget if not set",
    ).up_to(256),
    OptionInfo::new(
        "max-support",
        Values::Whole(1, 1000),
        "3",
        "the most moves that are mixed",
    ).up_to(1000),
    OptionInfo::new(
        "purify",
        Values::Choice(&["on", "off", "raw"]),
        "on",
        "off: mixes all stable moves, safe or not; raw: the strategy as it was solved",
    ).open(),
    OptionInfo::new(
        "kluss",
        Values::Switch,
        "on",
        "off: own nodes that we know not to be in keep their strategies",
    ).open(),
    OptionInfo::new(
        "reuse-tree",
        Values::Switch,
        "on",
        "off: every move starts with an empty tree",
    ).open(),
    OptionInfo::new(
        "prior",
        Values::Choice(&["reach", "uniform"]),
        "reach",
        "how likely the opponent's knowledge at the root is taken to be",
    ).open(),
    OptionInfo::new(
        "expand",
        Values::Choice(&["one-sided", "two-sided"]),
        "one-sided",
        "who explores in a walk of the expander",
    ).open(),
    OptionInfo::new(
        "bonus",
        Values::Choice(&["deviation", "variance"]),
        "deviation",
        "what the bonus for exploring grows with",
    ).open(),
    OptionInfo::new(
        "c",
        Values::Number(0.0, 100.0),
        "1",
        "the constant of that bonus",
    ).open(),
    OptionInfo::new(
        "eval",
        Values::Text,
        "fog",
        "who judges the leaves: classic, simple, network (knows boards), fog (knows fog games too), stockfish, or a file of weights",
    ),
    OptionInfo::new(
        "scale",
        Values::Number(50.0, 5000.0),
        "500",
        "centipawns that make ten to one at the leaves",
    ).open(),
    OptionInfo::new(
        "assume-king-capture",
        Values::Switch,
        "on",
        "doubt worlds in which the opponent left our king standing",
    ).open(),
    OptionInfo::new(
        "max-positions",
        Values::Whole(1, 100_000_000),
        "",
        "positions that the belief keeps, a uniform subset beyond; 50,000 to 400,000 by the budget if not set",
    ).up_to(200_000),
    OptionInfo::new(
        "noise",
        Values::Number(0.0, 1.0),
        "0",
        "spread of errors at the leaves, for weaker play",
    ).open(),
    OptionInfo::new(
        "regret-discount",
        Values::Number(0.0, 1.0),
        "1",
        "share of the old regrets that is carried over",
    ).open(),
    OptionInfo::new(
        "expand-fraction",
        Values::Number(0.1, 1.0),
        "0.85",
        "share of the budget after which the tree grows no more",
    ).open(),
    OptionInfo::new(
        "max-reused",
        Values::Whole(1, 1000),
        "1",
        "positions carried over at most, in multiples of worlds",
    ).up_to(4),
    OptionInfo::new(
        "resample-interval",
        Values::Whole(1, 1000),
        "4",
        "at least one in so many positions at the root is newly drawn",
    ).up_to(1000),
    OptionInfo::new(
        "reused-floor",
        Values::Switch,
        "on",
        "what is carried over is promised no less than a new position",
    ).open(),
    OptionInfo::new(
        "min-weight",
        Values::Number(0.0, 1.0),
        "0",
        "share of its prior by which every position at the root counts, gadgets or not",
    ).open(),
    OptionInfo::new(
        "strategy",
        Values::Choice(&["last", "mean"]),
        "mean",
        "what is played: the last strategy, or the mean of the second half",
    ).open(),
    OptionInfo::new(
        "ponder",
        Values::Switch,
        "off",
        "think on the opponent's time",
    ),
    OptionInfo::new(
        "plies",
        Values::Whole(0, 1000),
        "0",
        "the game is drawn after so many single moves, for comparison with exact solutions; 0: never",
    ),
];

#[derive(Clone)]
pub(crate) struct FoglightSettings {
    /// Positions at the root.
    pub worlds: usize,
    /// Were they set, not fitted to the budget?
    worlds_set: bool,
    /// How a strategy becomes a move.
    pub purify: Purify,
    /// Own nodes elsewhere keep their strategies.
    pub freeze: bool,
    /// The tree is reused from move to move.
    pub(crate) reuse_tree: bool,
    /// Prior of the root infosets.
    pub prior: GadgetPrior,
    /// How the tree is explored.
    pub solver: SolverSettings,
    /// Doubt worlds in which our king was left standing.
    pub(crate) assume_king_capture: bool,
    /// Positions that the belief keeps. Once the truth is cut away the rest of
    /// the game is played on a false belief, so as many as can be followed in
    /// a fraction of the time.
    pub max_positions: usize,
    max_positions_set: bool,
    /// Share of the old regrets that is taken along.
    pub(crate) regret_discount: f32,
    /// Share of the budget after which the tree grows no more.
    pub(crate) expand_fraction: f64,
    /// Positions reused at most, in multiples of worlds.
    pub(crate) max_reused: usize,
    /// One in so many positions is new.
    pub(crate) resample_interval: usize,
    /// Alternate values of reused infosets are no less than those of new ones.
    pub(crate) reused_floor: bool,
    /// Share of its prior by which every root infoset counts.
    pub(crate) min_weight: f64,
    /// The mean strategy is played and not the last.
    pub mean: bool,
    /// Think on the opponent's time.
    pub ponder: bool,
    /// The game is drawn after so many single moves.
    pub horizon: Option<u32>,
    /// Nodes a move, by the level.
    pub nodes: Option<u64>,
}

impl FoglightSettings {
    /// Reads the options, and who judges the leaves.
    pub fn read(
        options: &Options,
        providers: &Providers,
    ) -> Result<(FoglightSettings, LeafEvaluator), SpecError> {
        let paper = options.text("preset") == "paper";
        let level = options
            .whole("level")
            .map(|level| &LEVELS[level as usize - 1]);
        let text = |name: &str, paper_value: &'static str| -> String {
            match options.given(name) {
                None if paper => paper_value.to_owned(),
                _ => options.text(name).to_owned(),
            }
        };
        let by_level = |name: &str| level.filter(|_| options.given(name).is_none());
        let worlds: Option<usize> = match by_level("worlds") {
            Some(level) => Some(level.worlds),
            None => text("worlds", "256").parse().ok(),
        };
        let cap: Option<usize> = match by_level("max-positions") {
            Some(level) => Some(level.max_positions),
            None => text("max-positions", "400000").parse().ok(),
        };
        let leaves = LeafEvaluator {
            model: leaf_model(&text("eval", "stockfish"), providers)?,
            scale: options.number("scale"),
            noise: by_level("noise").map_or(options.number("noise"), |level| level.noise),
            seed: 0,
        };
        let settings = FoglightSettings {
            worlds: worlds.unwrap_or(MIN_WORLDS),
            worlds_set: worlds.is_some(),
            purify: match options.text("purify") {
                "off" => Purify::Off,
                "raw" => Purify::Raw,
                _ => Purify::On(options.whole("max-support").unwrap_or(3) as usize),
            },
            freeze: !options.on("kluss"),
            reuse_tree: options.on("reuse-tree"),
            prior: match options.text("prior") {
                "uniform" => GadgetPrior::Uniform,
                _ => GadgetPrior::Reach,
            },
            solver: SolverSettings {
                explore: options.number("c") as f32,
                variance: text("bonus", "variance") == "variance",
                two_sided: options.text("expand") == "two-sided",
            },
            assume_king_capture: text("assume-king-capture", "off") == "on",
            max_positions: cap.unwrap_or(MIN_POSITIONS),
            max_positions_set: cap.is_some(),
            regret_discount: options.number("regret-discount") as f32,
            expand_fraction: options.number("expand-fraction"),
            max_reused: text("max-reused", "1000").parse().unwrap_or(1),
            resample_interval: text("resample-interval", "1000").parse().unwrap_or(4),
            reused_floor: text("reused-floor", "off") == "on",
            min_weight: options.number("min-weight"),
            mean: text("strategy", "last") == "mean",
            ponder: options.on("ponder"),
            horizon: options
                .whole("plies")
                .filter(|plies| *plies > 0)
                .map(|plies| plies as u32),
            nodes: level.map(|level| level.nodes),
        };
        Ok((settings, leaves))
    }
}

/// Fewest and most worlds that a budget is given.
const MIN_WORLDS: usize = 16;
const MAX_WORLDS: usize = 256;
/// Expansions that a world should get.
const EXPANSIONS_PER_WORLD: f64 = 25.0;
/// Fewest and most positions that the belief keeps by a budget.
const MIN_POSITIONS: usize = 50_000;
const MAX_POSITIONS: usize = 400_000;
/// Positions that are kept for each node of the budget: following them took a
/// mean of 2 to 8 ms beside searches of 62 ms.
const POSITIONS_PER_NODE: f64 = 2.0;

impl FoglightSettings {
    /// Fits what was not set to a budget of so many nodes, where we have so
    /// many moves: the worlds to what can be expanded, the belief to what can
    /// be followed meanwhile.
    pub fn fit(&mut self, nodes: f64, moves: usize) {
        if !self.worlds_set {
            let expansions = nodes / moves.max(1) as f64;
            self.worlds =
                ((expansions / EXPANSIONS_PER_WORLD) as usize).clamp(MIN_WORLDS, MAX_WORLDS);
        }
        if !self.max_positions_set {
            self.max_positions =
                ((nodes * POSITIONS_PER_NODE) as usize).clamp(MIN_POSITIONS, MAX_POSITIONS);
        }
    }
}

fn leaf_model(name: &str, providers: &Providers) -> Result<LeafModel, SpecError> {
    let missing = |reason: &str| SpecError::Missing {
        agent: "foglight".to_owned(),
        reason: reason.to_owned(),
    };
    match name {
        "simple" => Ok(LeafModel::Simple),
        "stockfish" => {
            let start = providers.stockfish.as_ref();
            let start = start.ok_or_else(|| missing("eval=stockfish needs Stockfish"))?;
            let judge = start().map_err(|reason| missing(&reason))?;
            Ok(LeafModel::Outside(judge, Evaluation::default()))
        }
        word => Evaluation::from_option("foglight", word, providers).map(LeafModel::Inside),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foglight_play::Spec;

    fn kept(spec: &str, nodes: f64) -> usize {
        let spec: Spec = spec.parse().expect("a spec");
        let options = Options::check(&spec, &OPTIONS).expect("options");
        let (mut settings, _) =
            FoglightSettings::read(&options, &Providers::default()).expect("settings");
        settings.fit(nodes, 30);
        settings.max_positions
    }

    /// The belief is as large as the budget can follow, unless it was set.
    #[test]
    fn the_belief_fits_the_budget() {
        assert_eq!(kept("foglight", 2_000.0), MIN_POSITIONS);
        assert_eq!(kept("foglight", 100_000.0), 200_000);
        assert_eq!(kept("foglight", 1e7), MAX_POSITIONS);
        assert_eq!(kept("foglight:max-positions=123", 100_000.0), 123);
        assert_eq!(kept("foglight:level=1", 100_000.0), LEVELS[0].max_positions);
        assert_eq!(
            kept("foglight:preset=paper,eval=simple", 1e4),
            MAX_POSITIONS
        );
    }
}
