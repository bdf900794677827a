//! Quality of beliefs: the log loss of the true state.

use std::sync::Arc;

use foglight_rules::{Action, Color, Game, Replay, Role, State};

use foglight_engine::belief::{AnyBelief, BeliefKind, BeliefNetwork, Evidence, World};
use foglight_play::Marginals;

/// The share of every probability that is spread evenly, so that a single
/// surprise has a bounded loss: a capped belief may exclude the true state.
const SPREAD: f64 = 0.001;

/// Log loss of a belief, in nats.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LogLoss {
    /// For the content of each hidden square, empty included.
    pub squares: MeanLogLoss,
    /// For the type and square of each hidden piece.
    pub men: MeanLogLoss,
    /// For the square of the hidden king.
    pub king: MeanLogLoss,
}

/// A sum and its number of terms.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MeanLogLoss {
    pub sum: f64,
    pub count: u64,
}

impl MeanLogLoss {
    fn add(&mut self, chance: f64) {
        self.sum -= chance.ln();
        self.count += 1;
    }

    /// The mean, or zero without terms.
    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    fn plus(&mut self, other: MeanLogLoss) {
        self.sum += other.sum;
        self.count += other.count;
    }
}

impl LogLoss {
    pub fn plus(&mut self, other: &LogLoss) {
        self.squares.plus(other.squares);
        self.men.plus(other.men);
        self.king.plus(other.king);
    }

    /// Adds the loss of one view.
    pub fn add(&mut self, heat: &Marginals, evidence: &Evidence, truth: &World) {
        let kings: f64 = (evidence.hidden_squares().into_iter())
            .map(|square| heat.get(Role::King, square))
            .sum();
        let dark = evidence.hidden_squares().count() as f64;
        for square in evidence.hidden_squares() {
            let role = truth.role_at(square);
            let chance = chance(heat, square, role);
            self.squares.add(chance);
            if role.is_some() {
                self.men.add(chance);
            }
            if role == Some(Role::King) {
                let share = heat.get(Role::King, square) / kings.max(1e-9);
                self.king.add((1.0 - SPREAD) * share + SPREAD / dark);
            }
        }
    }
}

/// The smoothed probability of empty or a piece type on a square.
fn chance(heat: &Marginals, square: foglight_rules::Square, role: Option<Role>) -> f64 {
    let nothing = (1.0 - heat.any(square)).max(0.0);
    let total = nothing + heat.any(square);
    let given = role.map_or(nothing, |role| heat.get(role, square));
    (1.0 - SPREAD) * given / total + SPREAD / 7.0
}

/// The beliefs that are compared, in the order of the results.
pub const KINDS: [BeliefKind; 5] = [
    BeliefKind::Uniform,
    BeliefKind::Tensor,
    BeliefKind::Exact,
    BeliefKind::Network,
    BeliefKind::Weighted,
];

/// Settings of a comparison of beliefs.
pub struct BeliefComparison {
    pub network: Arc<BeliefNetwork>,
    /// Power of the weights that the network gives to positions.
    pub power: f64,
    /// Maximum positions of enumerating beliefs.
    pub cap: usize,
}

impl BeliefComparison {
    /// The log loss of each of [`KINDS`] in a game, over the views of both
    /// sides before their moves.
    pub fn game(&self, game: &Game, actions: &[Action], seed: u64) -> [LogLoss; KINDS.len()] {
        let mut replay = Replay::new(State::start(*game), actions);
        let mut watches = [Color::White, Color::Black].map(|side| {
            KINDS.map(|kind| {
                AnyBelief::new(kind, game, side, &game.start(), self.cap, seed)
                    .with_network(self.network.clone(), self.power)
            })
        });
        let mut bills = [LogLoss::default(); KINDS.len()];
        while replay.peek().is_some() {
            let state = replay.state();
            let turn = state.position().turn();
            let evidence = Evidence::new(game, state.observe(turn).view());
            let truth = World::of(state.position(), !turn);
            let own = &watches[usize::from(turn.is_black())];
            for (bill, watch) in bills.iter_mut().zip(own) {
                bill.add(&watch.marginals(), &evidence, &truth);
            }
            if !matches!(replay.step(), Some(Ok(_))) {
                break;
            }
            let state = replay.state();
            for (watches, side) in watches.iter_mut().zip([Color::White, Color::Black]) {
                let observation = state.observe(side);
                watches.iter_mut().for_each(|watch| watch.see(&observation));
            }
        }
        bills
    }
}
