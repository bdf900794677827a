//! PBSA, the progressive belief state agent of Ermlick 2023: a belief updated from
//! turn to turn. In the paper the belief is a tensor. Alternatives are the exact
//! set of positions (the default), a belief network, which the paper proposes
//! first as future work, and the exact set weighted by that network.

use foglight_rules::{Color, Game, Move, Observation, Position, Variant};

use super::pimc::{OPTIONS, PimcSearch, may_draw};
use crate::belief::{
    BeliefNetworkTracker, BeliefTracker, Evidence, World, known_start, marginals, sample_layers,
    sample_placement,
    tensor::{self, TensorUpdate},
};
use foglight_play::{
    Agent, Budget, Entry, Marginals, OptionInfo, Options, Report, Rng, Values, seeded,
};

const PBSA_OPTIONS: [OptionInfo; 15] = [
    OPTIONS[0],
    OPTIONS[1],
    OPTIONS[2],
    OPTIONS[3],
    OPTIONS[4],
    OPTIONS[5],
    OPTIONS[6],
    OPTIONS[7],
    OPTIONS[8],
    OptionInfo::new(
        "belief",
        Values::Choice(&["exact", "tensor", "network", "weighted"]),
        "exact",
        "exact: every consistent position; tensor: the paper's probabilities by piece type and square; \
         network: those of a network; weighted: every consistent position, weighted by the network",
    )
    .open(),
    OptionInfo::new(
        "max-positions",
        Values::Whole(1, 100_000_000),
        "20000",
        "maximum size of belief=exact and belief=weighted, beyond it a uniform subset",
    )
    .up_to(50_000),
    OptionInfo::new(
        "simulate",
        Values::Whole(1, 100_000),
        "400",
        "number of boards on which belief=tensor simulates the enemy's move",
    )
    .up_to(1000),
    OptionInfo::new(
        "capture-prob",
        Values::Number(0.0, 1.0),
        "0.1",
        "probability that a simulated enemy move is greedy",
    )
    .open(),
    OptionInfo::new(
        "temperature",
        Values::Number(0.001, 1000.0),
        "1",
        "temperature of the softmax over each layer of the tensor",
    )
    .open(),
    OptionInfo::new(
        "backtrack",
        Values::Switch,
        "off",
        "infers the origin square of a visible enemy move",
    )
    .open(),
];

pub const ENTRY: Entry = Entry {
    name: "pbsa",
    about: "analyses boards sampled from a belief that is updated from turn to turn (Ermlick 2023)",
    options: &PBSA_OPTIONS,
    plays: |game| matches!(game.variant(), Variant::Fog(_)),
    build: |options, providers| {
        let chooser = PimcSearch::new("pbsa", options, providers)?;
        Ok(Box::new(Pbsa::new(chooser, options)))
    },
};

struct Pbsa {
    chooser: PimcSearch,
    keeper: BeliefTracker,
    belief: Belief,
    rng: Rng,
}

/// Distribution from which boards are sampled.
enum Belief {
    /// Positions of the belief set, drawn uniformly.
    Exact,
    /// Positions of the belief set, drawn by the network's weights.
    Weighted(Box<BeliefNetworkTracker>),
    /// Probabilities by piece type and square.
    Tensor(Box<Tensor>),
}

/// The paper's belief tensor, or the network's output in its place.
struct Tensor {
    how: How,
    now: Option<(Evidence, Marginals, u32)>,
}

/// How the tensor is computed.
enum How {
    Progress(TensorUpdate),
    Network(Box<BeliefNetworkTracker>),
}

impl Pbsa {
    fn new(chooser: PimcSearch, options: &Options) -> Pbsa {
        let seed = options.text("preset") == "paper" && options.given("belief").is_none();
        let progress = || TensorUpdate {
            boards: options.whole("simulate").unwrap_or(100) as usize,
            greedy: options.number("capture-prob"),
            temperature: options.number("temperature"),
            backtrack: options.on("backtrack"),
        };
        let tensor = |how| Belief::Tensor(Box::new(Tensor { how, now: None }));
        let belief = match options.text("belief") {
            _ if seed => tensor(How::Progress(progress())),
            "tensor" => tensor(How::Progress(progress())),
            "network" => tensor(How::Network(Box::default())),
            "weighted" => Belief::Weighted(Box::default()),
            _ => Belief::Exact,
        };
        let cap = options.whole("max-positions").unwrap_or(20_000) as usize;
        let threads = options.whole("threads").unwrap_or(1) as usize;
        Pbsa {
            chooser,
            keeper: match belief {
                Belief::Tensor(_) => BeliefTracker::of_material(),
                Belief::Exact | Belief::Weighted(_) => BeliefTracker::new(cap, threads),
            },
            belief,
            rng: seeded(0),
        }
    }

    /// Updates the tensor or the network with an observation.
    fn carry(&mut self, observation: &Observation) {
        let (tensor, roster) = match (&mut self.belief, self.keeper.material()) {
            (Belief::Tensor(tensor), Some(roster)) => (tensor, roster),
            (Belief::Weighted(seer), _) => return seer.see(observation),
            _ => return,
        };
        let after = Evidence::new(observation.game(), observation.view());
        let plies = observation.plies();
        let heat = match (&mut tensor.how, &tensor.now) {
            (_, Some((_, _, known))) if *known == plies => return,
            (How::Network(seer), _) => {
                seer.see(observation);
                seer.weights(roster, &after)
            }
            (How::Progress(_), None) => match known_start(observation) {
                Some(start) => marginals([&World::of(&start, !observation.side())]),
                None => tensor::uniform(roster, &after),
            },
            (How::Progress(how), Some((before, heat, _)))
                if observation.news().own_move.is_none() =>
            {
                tensor::progress(heat, roster, before, &after, how, &mut self.rng)
            }
            (How::Progress(how), Some((_, heat, _))) => {
                tensor::overwritten(heat, roster, &after, how)
            }
        };
        tensor.now = Some((after, heat, plies));
    }

    fn boards(&mut self, observation: &Observation, budget: &Budget) -> Vec<Position> {
        if let Some(position) = observation.position() {
            return vec![*position];
        }
        let count = self.chooser.worlds;
        match (&self.belief, self.keeper.material()) {
            (Belief::Weighted(seer), Some(roster)) => {
                self.keeper
                    .sample_weighed(seer, roster, count, &mut self.rng)
            }
            (Belief::Tensor(tensor), Some(roster)) => {
                let Some((evidence, heat, _)) = &tensor.now else {
                    return Vec::new();
                };
                let mut place = || match self.chooser.independent {
                    true => Some(sample_layers(roster, evidence, heat, &mut self.rng)),
                    false => sample_placement(roster, evidence, Some(heat), &mut self.rng),
                };
                let worlds = (0..count).take_while(|done| may_draw(budget, *done));
                let worlds = worlds.filter_map(|_| place());
                worlds.map(|world| evidence.position(&world)).collect()
            }
            _ => self.keeper.sample(count, &mut self.rng),
        }
    }
}

impl Agent for Pbsa {
    fn start(&mut self, game: &Game, side: Color, seed: u64) {
        self.rng = seeded(seed);
        self.keeper.start(seed);
        self.chooser.start(game, side, seed);
        match &mut self.belief {
            Belief::Exact => {}
            Belief::Weighted(seer) => seer.start(),
            Belief::Tensor(tensor) => {
                tensor.now = None;
                if let How::Network(seer) = &mut tensor.how {
                    seer.start();
                }
            }
        }
    }

    fn see(&mut self, observation: &Observation) {
        self.keeper.see(observation);
        if observation.outcome().is_none() {
            self.carry(observation);
        }
    }

    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        self.see(observation);
        let boards = self.boards(observation, budget);
        let rng = &mut self.rng;
        self.chooser.choose(observation, &boards, budget, rng)
    }

    fn report(&self) -> Option<Report> {
        let mut report = self.chooser.report().clone();
        let kept = !matches!(self.belief, Belief::Tensor(_));
        if let Some(belief) = self.keeper.belief().filter(|_| kept) {
            report.metrics.push(("belief", belief.count() as f64));
            let exact = f64::from(u8::from(belief.is_exact()));
            report.metrics.push(("exact", exact));
            report
                .metrics
                .push(("belief_resets", f64::from(self.keeper.resets())));
        }
        Some(report)
    }
}
