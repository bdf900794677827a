//! Rock, paper, scissors, where a win with scissors counts double: the
//! equilibrium is 2/5 rock, 2/5 paper, 1/5 scissors for both.

use foglight_solver::{ExtensiveGame, RootState, Side, Successor};

/// The choice of the side that chose first.
pub type Chosen = Option<u16>;

#[derive(Clone, Copy, Default, Debug)]
pub struct Rps;

pub fn starts() -> Vec<RootState<Chosen>> {
    vec![RootState {
        state: None,
        actor: Side::Us,
        observations: [0, 0],
        prob: 1.0,
    }]
}

/// Our payoff for our choice against theirs: rock 0, paper 1, scissors 2.
fn payoff(ours: u16, theirs: u16) -> f32 {
    let stake = if ours == 2 || theirs == 2 { 2.0 } else { 1.0 };
    match (3 + ours - theirs) % 3 {
        0 => 0.0,
        1 => stake,
        _ => -stake,
    }
}

impl ExtensiveGame for Rps {
    type State = Chosen;

    fn expand(&mut self, state: &Chosen, _: u32, successors: &mut Vec<Successor<Chosen>>) {
        for action in 0..3 {
            successors.push(Successor {
                state: Some(action),
                action,
                actor: Side::Them,
                observations: [0, 0],
                value: state.map_or(0.0, |ours| payoff(ours, action)),
                terminal: state.is_some(),
            });
        }
    }
}
