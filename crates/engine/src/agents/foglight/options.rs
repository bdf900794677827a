//! The options of `foglight`: ablations, presets and strength levels.

use foglight_solver::{GadgetPrior, SolverSettings};

use foglight_play::{OptionInfo, Options, Providers, SpecError, Values};

use super::{
    choice::Purify,
    leaves::{LeafEvaluator, LeafModel},
    levels::LEVELS,
    worlds::RootBias,
};
use crate::{belief::Keeping, search::Evaluation};

/// The options shown by `foglight agents`.
pub(crate) const OPTIONS: [OptionInfo; 31] = [
    OptionInfo::new(
        "preset",
        Values::Choice(&["default", "paper"]),
        "default",
        "paper: as Obscuro, 256 uniformly drawn worlds and Stockfish at the leaves; frozen as a baseline",
    ).choices(&["default"]),
    OptionInfo::new(
        "level",
        Values::Whole(1, 10),
        "",
        "strength level for human opponents, 1 to 10; sets worlds, nodes, max-positions and noise",
    ).up_to(10),
    OptionInfo::new(
        "worlds",
        Values::Whole(1, 100_000),
        "",
        "maximum number of positions at the root; 16 to 256 by the budget if not set",
    ).up_to(256),
    OptionInfo::new(
        "max-support",
        Values::Whole(1, 1000),
        "3",
        "maximum number of moves in the mixed strategy that is played",
    ).up_to(1000),
    OptionInfo::new(
        "purify",
        Values::Choice(&["on", "off", "raw"]),
        "on",
        "off: mixes all stable moves, safe or not; raw: plays the solved strategy unchanged",
    ).open(),
    OptionInfo::new(
        "kluss",
        Values::Switch,
        "on",
        "off: freezes our strategy in nodes that we know not to have reached",
    ).open(),
    OptionInfo::new(
        "reuse-tree",
        Values::Switch,
        "on",
        "off: every search starts with an empty tree",
    ).open(),
    OptionInfo::new(
        "prior",
        Values::Choice(&["reach", "uniform"]),
        "reach",
        "prior over the opponent's infosets at the root: by reach probability, or uniform",
    ).open(),
    OptionInfo::new(
        "expand",
        Values::Choice(&["one-sided", "two-sided"]),
        "one-sided",
        "sides that explore in a descent: one (one-sided GT-CFR), or both",
    ).open(),
    OptionInfo::new(
        "bonus",
        Values::Choice(&["deviation", "variance"]),
        "deviation",
        "exploration bonus grows with the standard deviation or the variance of the values",
    ).open(),
    OptionInfo::new(
        "c",
        Values::Number(0.0, 100.0),
        "1",
        "exploration constant",
    ).open(),
    OptionInfo::new(
        "eval",
        Values::Text,
        "fog",
        "leaf evaluation: classic, simple, network (trained on visible boards), fog (trained on fog games too), stockfish, or a file of weights",
    ),
    OptionInfo::new(
        "scale",
        Values::Number(50.0, 5000.0),
        "500",
        "centipawns at which leaf values assume winning odds of ten to one",
    ).open(),
    OptionInfo::new(
        "assume-king-capture",
        Values::Switch,
        "on",
        "treats positions in which the opponent could have captured our king as implausible",
    ).open(),
    OptionInfo::new(
        "max-positions",
        Values::Whole(1, 100_000_000),
        "",
        "maximum size of the belief, beyond it a subset; 50,000 to 400,000 by the budget if not set",
    ).up_to(50_000),
    OptionInfo::new(
        "keep",
        Values::Choice(&["even", "weighted", "backlog"]),
        "backlog",
        "positions kept beyond max-positions: a uniform subset, a sample by a model of the opponent's moves, or so with a backlog of dropped ones",
    ).open(),
    OptionInfo::new(
        "noise",
        Values::Number(0.0, 1.0),
        "0",
        "standard deviation of random errors in leaf values, for weaker play",
    ).open(),
    OptionInfo::new(
        "regret-discount",
        Values::Number(0.0, 1.0),
        "1",
        "factor on the regrets of a reused tree",
    ).open(),
    OptionInfo::new(
        "expand-fraction",
        Values::Number(0.1, 1.0),
        "0.85",
        "fraction of the budget during which the tree is expanded",
    ).open(),
    OptionInfo::new(
        "max-reused",
        Values::Whole(1, 1000),
        "1",
        "maximum number of reused root positions, in multiples of worlds",
    ).up_to(4),
    OptionInfo::new(
        "resample-interval",
        Values::Whole(1, 1000),
        "4",
        "draws at least one new root position per this many",
    ).up_to(1000),
    OptionInfo::new(
        "reused-floor",
        Values::Switch,
        "on",
        "alternate values of reused infosets are at least those of new positions",
    ).open(),
    OptionInfo::new(
        "min-weight",
        Values::Number(0.0, 1.0),
        "0",
        "minimum weight of a root position as a fraction of its prior, whatever the gadget chooses",
    ).open(),
    OptionInfo::new(
        "max-resolve",
        Values::Number(0.0, 1.0),
        "0.9",
        "largest share of Resolve in the root gadget, the rest is Maxmargin's; 1: Resolve alone while the opponent gains anywhere, as in the paper",
    ).open(),
    OptionInfo::new(
        "king-attacks",
        Values::Number(0.0, 1.0),
        "0.25",
        "least share of positions with our king attacked among the newly drawn, if the belief has as many",
    ).open(),
    OptionInfo::new(
        "root-weights",
        Values::Number(0.0, 1.0),
        "0.7",
        "share of the odds of positions at the root that is their weight in the belief (keep=weighted or backlog); the rest is even",
    ).open(),
    OptionInfo::new(
        "opening-share",
        Values::Number(0.0, 0.9),
        "0.5",
        "share of our first move's budget spent on the position before it, if the opponent begins",
    ).open(),
    OptionInfo::new(
        "root-choice",
        Values::Switch,
        "off",
        "reach and gifts of reused infosets contain the opponent's choice in the last root gadget, as in the paper",
    ).open(),
    OptionInfo::new(
        "strategy",
        Values::Choice(&["last", "mean"]),
        "mean",
        "plays the strategy of the last iteration, or the mean over the second half",
    ).open(),
    OptionInfo::new(
        "ponder",
        Values::Switch,
        "off",
        "searches during the opponent's turn",
    ),
    OptionInfo::new(
        "plies",
        Values::Whole(0, 1000),
        "0",
        "the game is a draw after this many plies, for comparison with exact solutions; 0: no limit",
    ),
];

#[derive(Clone)]
pub(crate) struct FoglightSettings {
    /// Maximum number of positions at the root.
    pub worlds: usize,
    /// Whether an option set `worlds`; otherwise it is fitted to the budget.
    worlds_set: bool,
    /// How the solved strategy is purified.
    pub purify: Purify,
    /// Freezes our strategy in nodes that we know not to have reached.
    pub freeze: bool,
    /// Whether the tree is reused by the next search.
    pub(crate) reuse_tree: bool,
    /// Prior over the root infosets.
    pub prior: GadgetPrior,
    /// Exploration settings of the expander.
    pub solver: SolverSettings,
    /// Marks worlds as implausible in which our king could have been captured.
    pub(crate) assume_king_capture: bool,
    /// Maximum size of the belief. Once the true position is dropped the rest of
    /// the game is played on a false belief, so the limit is as high as can be
    /// updated in a fraction of the time.
    pub max_positions: usize,
    max_positions_set: bool,
    /// How a full belief keeps positions, and whether it follows dropped ones
    /// again.
    pub(crate) keeping: Keeping,
    pub(crate) backlog: bool,
    /// Factor on the regrets of a reused tree.
    pub(crate) regret_discount: f32,
    /// Fraction of the budget during which the tree is expanded.
    pub(crate) expand_fraction: f64,
    /// Maximum number of reused root positions, in multiples of `worlds`.
    pub(crate) max_reused: usize,
    /// At least one root position in this many is newly drawn.
    pub(crate) resample_interval: usize,
    /// Raises alternate values of reused infosets to at least those of new ones.
    pub(crate) reused_floor: bool,
    /// Minimum weight of a root infoset, as a fraction of its prior.
    pub(crate) min_weight: f64,
    /// Largest share of Resolve in the root gadget.
    pub(crate) max_resolve: f64,
    /// Which positions are drawn more often.
    pub(crate) bias: RootBias,
    /// Share of the first budget for the position in which the opponent begins.
    pub(crate) opening_share: f64,
    /// Whether reach and gifts contain the opponent's choice at the root.
    pub(crate) root_choice: bool,
    /// Plays the mean strategy instead of that of the last iteration.
    pub mean: bool,
    /// Searches during the opponent's turn.
    pub ponder: bool,
    /// Ply at which the game is a draw.
    pub horizon: Option<u32>,
    /// Nodes per move, set by the level.
    pub nodes: Option<u64>,
}

impl FoglightSettings {
    /// Reads the options into settings and a leaf evaluator.
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
            purify: purify(options),
            freeze: !options.on("kluss"),
            reuse_tree: options.on("reuse-tree"),
            prior: prior(options),
            solver: exploration(options, text("bonus", "variance") == "variance"),
            assume_king_capture: text("assume-king-capture", "off") == "on",
            max_positions: cap.unwrap_or(MIN_POSITIONS),
            max_positions_set: cap.is_some(),
            keeping: keeping(&text("keep", "even")),
            backlog: text("keep", "even") == "backlog",
            regret_discount: options.number("regret-discount") as f32,
            expand_fraction: options.number("expand-fraction"),
            max_reused: text("max-reused", "1000").parse().unwrap_or(1),
            resample_interval: text("resample-interval", "1000").parse().unwrap_or(4),
            reused_floor: text("reused-floor", "off") == "on",
            min_weight: options.number("min-weight"),
            max_resolve: text("max-resolve", "1").parse().unwrap_or(1.0),
            bias: bias(&text),
            opening_share: options.number("opening-share"),
            root_choice: text("root-choice", "on") == "on",
            mean: text("strategy", "last") == "mean",
            ponder: options.on("ponder"),
            horizon: horizon(options),
            nodes: level.map(|level| level.nodes),
        };
        Ok((settings, leaves))
    }
}

/// Bounds on the number of worlds fitted to a budget.
const MIN_WORLDS: usize = 16;
const MAX_WORLDS: usize = 256;
/// Target number of expansions per world.
const EXPANSIONS_PER_WORLD: f64 = 25.0;
/// Bounds on the size of the belief fitted to a budget.
const MIN_POSITIONS: usize = 50_000;
const MAX_POSITIONS: usize = 400_000;
/// Positions of the belief per node of the budget. Updating them took a mean of
/// 2 to 8 ms beside searches of 62 ms.
const POSITIONS_PER_NODE: f64 = 2.0;

impl FoglightSettings {
    /// Fits the unset sizes to a budget of `nodes` with `moves` legal moves: the
    /// worlds to the possible expansions, the belief to the affordable updates.
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

fn keeping(word: &str) -> Keeping {
    match word {
        "even" => Keeping::Even,
        _ => Keeping::weighted(),
    }
}

fn bias(text: &impl Fn(&str, &'static str) -> String) -> RootBias {
    RootBias {
        attacked: text("king-attacks", "0").parse().unwrap_or(0.0),
        weights: text("root-weights", "0").parse().unwrap_or(0.0),
    }
}

fn purify(options: &Options) -> Purify {
    match options.text("purify") {
        "off" => Purify::Off,
        "raw" => Purify::Raw,
        _ => Purify::On(options.whole("max-support").unwrap_or(3) as usize),
    }
}

fn exploration(options: &Options, variance: bool) -> SolverSettings {
    SolverSettings {
        explore: options.number("c") as f32,
        variance,
        two_sided: options.text("expand") == "two-sided",
    }
}

fn horizon(options: &Options) -> Option<u32> {
    let plies = options.whole("plies").filter(|plies| *plies > 0)?;
    Some(plies as u32)
}

fn prior(options: &Options) -> GadgetPrior {
    match options.text("prior") {
        "uniform" => GadgetPrior::Uniform,
        _ => GadgetPrior::Reach,
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
            let analyser = start().map_err(|reason| missing(&reason))?;
            Ok(LeafModel::Outside(analyser, Evaluation::default()))
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

    /// The size of the belief follows the budget, unless an option sets it.
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
