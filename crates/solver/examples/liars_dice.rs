//! A custom game, grown within a node budget: liar's dice with one four-sided die
//! each. A bid claims that at least a number of both dice show a face; the
//! opponent bids higher, or calls the last bid a lie.
//! `cargo run -p foglight-solver --example liars_dice`.

use foglight_solver::{
    ExtensiveGame, RootState, Side, SolveLimits, Solver, SolverSettings, StrategyProfile,
    Successor, exploitability, extend_infostate_key, run,
};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

const FACES: u16 = 4;
/// One die of each face, then two of each.
const BIDS: u16 = 2 * FACES;
/// The action that calls the last bid a lie.
const LIAR: u16 = BIDS;

/// Both dice, the last bid and the side to act.
#[derive(Clone, Debug)]
struct Table {
    dice: [u16; 2],
    bid: Option<u16>,
    actor: Side,
}

impl Table {
    fn bid_holds(&self, bid: u16) -> bool {
        let showing = self.dice.iter().filter(|die| **die == bid % FACES);
        showing.count() > usize::from(bid / FACES)
    }

    /// Our payoff when the actor calls the last bid a lie.
    fn called(&self, bid: u16) -> f32 {
        let actor_wins = !self.bid_holds(bid);
        self.actor.sign() as f32 * if actor_wins { 1.0 } else { -1.0 }
    }
}

#[derive(Clone)]
struct LiarsDice;

impl ExtensiveGame for LiarsDice {
    type State = Table;

    fn expand(&mut self, table: &Table, _: u32, successors: &mut Vec<Successor<Table>>) {
        let other = Side::BOTH[1 - table.actor.index()];
        let next = |action, bid| Successor {
            state: Table {
                bid,
                actor: other,
                ..table.clone()
            },
            action,
            actor: other,
            // Both sides hear the bids; the dice are known from the start.
            observations: [u64::from(action) + 1; 2],
            value: 0.0,
            terminal: false,
        };
        for action in table.bid.map_or(0, |bid| bid + 1)..BIDS {
            successors.push(next(action, Some(action)));
        }
        if let Some(bid) = table.bid {
            successors.push(Successor {
                value: table.called(bid),
                terminal: true,
                ..next(LIAR, Some(bid))
            });
        }
    }
}

fn rolls() -> impl Iterator<Item = RootState<Table>> {
    let dice = (0..FACES).flat_map(|ours| (0..FACES).map(move |theirs| [ours, theirs]));
    dice.map(|dice| RootState {
        state: Table {
            dice,
            bid: None,
            actor: Side::Us,
        },
        actor: Side::Us,
        observations: dice.map(u64::from),
        prob: 1.0 / f64::from(FACES * FACES),
    })
}

fn main() {
    let settings = SolverSettings {
        explore: 5.0,
        ..SolverSettings::default()
    };
    for nodes in [1_000, 10_000, 100_000] {
        let mut solver = Solver::whole_game(rolls(), settings);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let limits = SolveLimits::nodes(nodes);
        run(
            &mut solver,
            &mut LiarsDice,
            &mut rng,
            &limits,
            || 0.0,
            |_, _| {},
        );
        println!(
            "budget {nodes:>6}: {:>5} nodes, {:>5} rounds, value {:+.4}, exploitability in the tree {:.4}",
            solver.tree.len(),
            solver.iterations(),
            solver.gadget().value(),
            exploitability(&solver, &StrategyProfile::current(&solver)),
        );
        if nodes == 100_000 {
            tell_opening(&solver);
        }
    }
}

fn tell_opening(solver: &Solver<Table>) {
    for die in 0..FACES {
        let key = extend_infostate_key(0, None, u64::from(die));
        let infoset = solver.tree.infoset_of(Side::Us, key);
        let infoset = infoset.expect("the roots are expanded");
        print!("with a {}:", die + 1);
        for (bid, prob) in (0..BIDS).zip(solver.tree.infosets.strategy(infoset)) {
            if *prob > 0.005 {
                print!("  {} x {} {prob:.2}", bid / FACES + 1, bid % FACES + 1);
            }
        }
        println!();
    }
}
