//! UBSA, the uniform belief state agent of Ermlick (seed 001): boards made up
//! anew each turn, the men left spread evenly over the dark squares.

use foglight_rules::{Color, Game, Move, Observation, Position, Variant};

use super::pimc::{OPTIONS, PimcSearch};
use crate::belief::{BeliefTracker, Evidence, sample_placement};
use foglight_play::{Agent, Budget, Entry, Report, Rng, seeded};

pub const ENTRY: Entry = Entry {
    name: "ubsa",
    about: "judges boards made up from the present view, hidden pieces spread evenly (seed 001)",
    options: &OPTIONS,
    plays: |game| matches!(game.variant(), Variant::Fog(_)),
    build: |options, providers| {
        Ok(Box::new(Ubsa {
            chooser: PimcSearch::new("ubsa", options, providers)?,
            keeper: BeliefTracker::of_men(),
            rng: seeded(0),
        }))
    },
};

struct Ubsa {
    chooser: PimcSearch,
    /// Only the enemy's men are asked of it, never the belief.
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
        let boards: Vec<Position> = match (observation.position(), self.keeper.roster()) {
            (Some(position), _) => vec![*position],
            (None, None) => Vec::new(),
            (None, Some(roster)) => (0..self.chooser.worlds)
                .filter_map(|_| sample_placement(roster, &evidence, None, &mut self.rng))
                .map(|world| evidence.position(&world))
                .collect(),
        };
        let rng = &mut self.rng;
        self.chooser.choose(observation, &boards, budget, rng)
    }

    fn report(&self) -> Option<Report> {
        Some(self.chooser.report().clone())
    }
}
