//! Leduc poker (Southey et al. 2005): six cards of three ranks, two rounds of
//! at most two raises, of 2 and then of 4 chips, one card turned up between
//! them. The first player loses 0.0856 of a chip a game.

use foglight_solver::{ExtensiveGame, RootState, Side, Successor};

/// A deal and the betting so far.
#[derive(Clone, Debug)]
pub struct Hand {
    /// Ranks of our card, the opponent's and the public one.
    cards: [u8; 3],
    paid: [i32; 2],
    second: bool,
    raises: u8,
    /// Number of actions in this round.
    done: u8,
    turn: usize,
}

const FOLD: u16 = 0;
/// Call, or check if there is nothing to call.
pub const CALL: u16 = 1;
pub const RAISE: u16 = 2;

#[derive(Clone, Copy, Default, Debug)]
pub struct Leduc;

/// All deals by ranks, with their probabilities.
pub fn starts() -> Vec<RootState<Hand>> {
    let mut starts = Vec::new();
    for ours in 0..3u8 {
        for theirs in 0..3u8 {
            for open in 0..3u8 {
                let mut left = [2.0f64; 3];
                let mut ways = 1.0;
                for rank in [ours, theirs, open] {
                    ways *= left[rank as usize];
                    left[rank as usize] -= 1.0;
                }
                if ways > 0.0 {
                    let hand = Hand {
                        cards: [ours, theirs, open],
                        paid: [1, 1],
                        second: false,
                        raises: 0,
                        done: 0,
                        turn: 0,
                    };
                    starts.push(RootState {
                        state: hand,
                        actor: Side::Us,
                        observations: [ours, theirs].map(u64::from),
                        prob: ways / 120.0,
                    });
                }
            }
        }
    }
    starts
}

impl Hand {
    fn showdown(&self) -> f32 {
        let [ours, theirs, open] = self.cards;
        let rank = |card: u8| if card == open { 10 } else { card };
        match rank(ours).cmp(&rank(theirs)) {
            std::cmp::Ordering::Greater => self.paid[1] as f32,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Less => -self.paid[0] as f32,
        }
    }

    /// The hand after an action, and our payoff if that ends it.
    fn after(&self, action: u16) -> (Hand, Option<f32>) {
        let mut next = self.clone();
        let (me, other) = (self.turn, 1 - self.turn);
        next.done += 1;
        next.turn = other;
        match action {
            FOLD => {
                let lost = self.paid[me] as f32;
                return (next, Some(if me == 0 { -lost } else { lost }));
            }
            CALL => next.paid[me] = self.paid[other],
            _ => {
                next.paid[me] = self.paid[other] + if self.second { 4 } else { 2 };
                next.raises += 1;
                return (next, None);
            }
        }
        let closed = self.done > 0;
        if closed && self.second {
            let won = next.showdown();
            return (next, Some(won));
        }
        if closed {
            (next.second, next.raises, next.done, next.turn) = (true, 0, 0, 0);
        }
        (next, None)
    }
}

impl ExtensiveGame for Leduc {
    type State = Hand;

    fn expand(&mut self, state: &Hand, _: u32, successors: &mut Vec<Successor<Hand>>) {
        let facing = state.paid[0] != state.paid[1];
        for action in [FOLD, CALL, RAISE] {
            if (action == FOLD && !facing) || (action == RAISE && state.raises == 2) {
                continue;
            }
            let (next, payoff) = state.after(action);
            let turned = if next.second && !state.second {
                u64::from(next.cards[2]) + 1
            } else {
                0
            };
            successors.push(Successor {
                actor: Side::BOTH[next.turn],
                action,
                observations: [u64::from(action) + 10 * turned; 2],
                value: payoff.unwrap_or(0.0),
                terminal: payoff.is_some(),
                state: next,
            });
        }
    }
}
