//! Kuhn poker (Kuhn 1950): three cards, one chip each, one bet. The first
//! player loses 1/18 of a chip a game.

use foglight_solver::{ExtensiveGame, RootState, Side, Successor};

/// Cards of both players and their actions: 0 pass, 1 bet.
#[derive(Clone, Debug)]
pub struct Deal {
    cards: [u8; 2],
    done: Vec<u16>,
}

#[derive(Clone, Copy, Default, Debug)]
pub struct Kuhn;

pub fn starts() -> Vec<RootState<Deal>> {
    let mut starts = Vec::new();
    for ours in 0..3u8 {
        for theirs in (0..3).filter(|&card| card != ours) {
            let deal = Deal {
                cards: [ours, theirs],
                done: Vec::new(),
            };
            starts.push(RootState {
                state: deal,
                actor: Side::Us,
                observations: [ours, theirs].map(u64::from),
                prob: 1.0 / 6.0,
            });
        }
    }
    starts
}

impl Deal {
    /// Our payoff, once the game is over.
    fn payoff(&self) -> Option<f32> {
        let won = if self.cards[0] > self.cards[1] {
            1.0
        } else {
            -1.0
        };
        match self.done[..] {
            [0, 0] => Some(won),
            [1, 1] | [0, 1, 1] => Some(2.0 * won),
            [1, 0] => Some(1.0),
            [0, 1, 0] => Some(-1.0),
            _ => None,
        }
    }
}

impl ExtensiveGame for Kuhn {
    type State = Deal;

    fn expand(&mut self, state: &Deal, _: u32, successors: &mut Vec<Successor<Deal>>) {
        for action in 0..2 {
            let mut next = state.clone();
            next.done.push(action);
            let payoff = next.payoff();
            successors.push(Successor {
                actor: if next.done.len().is_multiple_of(2) {
                    Side::Us
                } else {
                    Side::Them
                },
                state: next,
                action,
                observations: [u64::from(action) + 1; 2],
                value: payoff.unwrap_or(0.0),
                terminal: payoff.is_some(),
            });
        }
    }
}
