//! UBSA, the uniform belief state agent of Ermlick 2023: boards sampled anew at
//! each turn, with the hidden pieces placed uniformly on the hidden squares.

use foglight_rules::{Color, Game, Move, Observation, Position, Variant};

use super::pimc::{OPTIONS, PimcSearch, may_draw};
use crate::belief::{BeliefTracker, Evidence, sample_layers, sample_placement, tensor};
use foglight_play::{Agent, Budget, Entry, Report, Rng, seeded};

pub const ENTRY: Entry = Entry {
    name: "ubsa",
    about: "analyses boards sampled from the current view, hidden pieces placed uniformly (Ermlick 2023)",
    options: &OPTIONS,
    plays: |game| matches!(game.variant(), Variant::Fog(_)),
    build: |options, providers| {
        Ok(Box::new(Ubsa {
            chooser: PimcSearch::new("ubsa", options, providers)?,
            keeper: BeliefTracker::of_material(),
            rng: seeded(0),
        }))
    },
};

struct Ubsa {
    chooser: PimcSearch,
    /// Used for the enemy's remaining material only, not for its belief.
    keeper: BeliefTracker,
    rng: Rng,
}

impl Agent for Ubsa {
    fn start(&mut self, game: &Game, side: Color, seed: u64) {
        self.rng = seeded(seed);
        self.keeper.start(seed);
        self.chooser.start(game, side, seed);
    }

    fn see(&mut self, observation: &Observation) {
        self.keeper.see(observation);
    }

    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        self.keeper.see(observation);
        let evidence = Evidence::new(observation.game(), observation.view());
        let boards: Vec<Position> = match (observation.position(), self.keeper.material()) {
            (Some(position), _) => vec![*position],
            (None, None) => Vec::new(),
            (None, Some(roster)) => {
                let uniform = tensor::uniform(roster, &evidence);
                let mut place = || match self.chooser.independent {
                    true => Some(sample_layers(roster, &evidence, &uniform, &mut self.rng)),
                    false => sample_placement(roster, &evidence, None, &mut self.rng),
                };
                let worlds = (0..self.chooser.worlds).take_while(|done| may_draw(budget, *done));
                let worlds = worlds.filter_map(|_| place());
                worlds.map(|world| evidence.position(&world)).collect()
            }
        };
        let rng = &mut self.rng;
        self.chooser.choose(observation, &boards, budget, rng)
    }

    fn report(&self) -> Option<Report> {
        Some(self.chooser.report().clone())
    }
}
