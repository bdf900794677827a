//! The fast paths of dice chess compared with the rules, and the pruned search
//! with the reference search.

use std::sync::{Arc, atomic::AtomicBool};

use foglight_engine::dice::{
    DiceNetwork, PieceSquareValues,
    dice1_search::{think, without_dice},
    reference::{ReferenceExpectiminimax, for_white},
    rolls::{Rolled, king_risk, rollable},
    search::DiceSearch,
    table::DiceTable,
    value::DiceNode,
    win_probability,
};
use foglight_play::{Budget, Rng, seeded};
use foglight_rules::{Action, Game, Move, Position, Role, State, Turn};
use rand::{Rng as _, seq::IndexedRandom};

const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/PPP4p/8/8/8/8/p4ppp/4K3 w - - 97 80",
    "rqkn/pppp/4/PPPP/NKQR w - - 0 1",
    "k7/P7/K7/8/8/8/8/8 b - - 0 1",
];

fn to_depth(depth: u32, threads: usize) -> Budget {
    let mut budget = Budget::default();
    budget.depth = Some(depth);
    budget.threads = threads;
    budget
}

/// Positions of random games, before and after the roll.
fn positions(count: usize, seed: u64) -> Vec<(Position, Vec<Move>)> {
    let game = Game::dice1();
    let mut rng: Rng = seeded(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let fen = STARTS[found.len() % STARTS.len()];
        let mut state = State::new(game, game.parse_fen(fen).expect("a position"));
        let stop = rng.random_range(1..80);
        let mut last = None;
        while !matches!(state.turn(), Turn::Over(_)) && state.plies() < stop {
            if let Turn::Player(_) = state.turn() {
                last = Some((*state.position(), state.legal_moves()));
            }
            let action: Action = *state.legal_actions().choose(&mut rng).expect("an action");
            state.play_unchecked(action);
        }
        found.extend(last);
    }
    found
}

#[test]
fn rolls_and_moves_are_those_of_the_rules() {
    let game = Game::dice1();
    for (position, _) in positions(2000, 1) {
        let bare = without_dice(&position);
        let side = bare.turn();
        let passed = bare.ep_targets(side);
        let kinds = rollable(bare.board(), side, passed, bare.size());
        let chance = game.chance_outcomes(&bare);
        let rules: Vec<Role> = chance
            .iter()
            .filter_map(|(d, _)| d.roles().next())
            .collect();
        assert_eq!(kinds.iter().collect::<Vec<_>>(), rules, "{bare:?}");
        let rolled = Rolled::new(&bare);
        let mut taking = 0.0;
        for (dice, share) in chance {
            let role = dice.roles().next().expect("a die");
            let mut with = bare;
            game.roll_unchecked(&mut with, dice);
            let mut own: Vec<Move> = rolled.of(role).collect();
            let mut theirs = game.legal_moves(&with).to_vec();
            if theirs.iter().any(|m| with.captured(*m) == Some(Role::King)) {
                taking += share;
            }
            own.sort();
            theirs.sort();
            assert_eq!(own, theirs);
        }
        assert!((king_risk(&bare, side) - taking).abs() < 1e-12);
    }
}

#[test]
fn sums_are_kept_up_to_date() {
    let mut compared = 0;
    for (position, moves) in positions(500, 2) {
        let values = PieceSquareValues::of_size(position.size());
        let node = DiceNode::new(without_dice(&position), values);
        for m in moves {
            let next = node.after(m, values);
            assert_eq!(next.sum, values.sum(next.position.board()));
            let mut played = position;
            Game::dice1().play_unchecked(&mut played, m);
            if played.turn() != position.turn() {
                assert_eq!(next.position, played);
                let king = position.captured(m) == Some(Role::King);
                if let Some(value) = node.value_after(m, values).filter(|_| !king) {
                    assert_eq!(value, 1.0 - next.value(values));
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// Both searches return the same value for every move, at depths 1 to 3.
#[test]
fn pruning_and_tables_change_no_value() {
    let game = Game::dice1();
    let budget = Budget::default();
    let halt = AtomicBool::new(false);
    let table = DiceTable::new(4);
    let mut reached = 0;
    for (i, (position, moves)) in positions(500, 3).into_iter().enumerate() {
        let depth = if i % 10 == 0 { 3 } else { 1 + i as u32 % 2 };
        let values = PieceSquareValues::of_size(position.size());
        let mut search = DiceSearch::new(&game, values, &table, &budget, &halt);
        let node = DiceNode::new(without_dice(&position), values);
        let mut plain = ReferenceExpectiminimax {
            game,
            evaluate: &|at| win_probability(values, at),
            budget: &budget,
            nodes: 0,
        };
        let mut best = 0.0f64;
        for &m in &moves {
            let exact = plain.move_value(&position, m, depth).expect("no limit");
            let exact = for_white(position.turn(), exact);
            let pruned = search.move_value(&node, m, depth, 0.0).expect("no limit");
            let error = (exact - f64::from(pruned)).abs();
            assert!(
                error < 1e-6,
                "{m} at {depth}: {exact} {pruned} {position:?}"
            );
            best = best.max(exact);
        }
        let budget = to_depth(depth, 1);
        let thought = think(&game, &position, &moves, (values, &table), &budget);
        let deep_enough = thought.depth == depth || best == 1.0 || moves.len() == 1;
        assert!(deep_enough, "depth {} of {depth}", thought.depth);
        if thought.depth == depth {
            assert!((thought.value - best).abs() < 1e-6);
            reached += 1;
        }
    }
    assert!(reached > 250, "{reached}");
}

/// The same with a network evaluation, whose accumulator is updated incrementally.
#[test]
fn a_network_searches_as_the_rules_do() {
    let (game, budget) = (Game::dice1(), Budget::default());
    let halt = AtomicBool::new(false);
    let (table, network) = (DiceTable::new(4), DiceNetwork::default_network());
    let full = positions(200, 7);
    let full = full.into_iter().filter(|(p, _)| p.size().is_full());
    let mut met = 0;
    for (i, (position, moves)) in full.take(60).enumerate() {
        let depth = 1 + i as u32 % 2;
        let mut search = DiceSearch::new(&game, &network, &table, &budget, &halt);
        let node = DiceNode::new(without_dice(&position), &network);
        let mut plain = ReferenceExpectiminimax {
            game,
            evaluate: &|at| win_probability(&network, at),
            budget: &budget,
            nodes: 0,
        };
        for &m in &moves {
            let exact = plain.move_value(&position, m, depth).expect("no limit");
            let exact = for_white(position.turn(), exact);
            let pruned = search.move_value(&node, m, depth, 0.0).expect("no limit");
            assert!((exact - f64::from(pruned)).abs() < 1e-6, "{m} at {depth}");
            met += 1;
        }
    }
    assert!(met > 200, "{met}");
}

/// Star2 probes start at chance nodes of depth 3, which small boards can reach.
#[test]
fn probes_change_no_value() {
    let game = Game::dice1();
    let table = DiceTable::new(1);
    let budget = Budget::default();
    let small = positions(400, 6);
    let small = small.into_iter().filter(|(p, _)| !p.size().is_full());
    for (i, (position, moves)) in small.take(60).enumerate() {
        let depth = if i % 12 == 0 { 5 } else { 4 };
        let values = PieceSquareValues::of_size(position.size());
        let mut plain = ReferenceExpectiminimax {
            game,
            evaluate: &|at| win_probability(values, at),
            budget: &budget,
            nodes: 0,
        };
        let own = moves.iter().map(|&m| -> f64 {
            let value = plain.move_value(&position, m, depth).expect("no limit");
            for_white(position.turn(), value)
        });
        let best = own.fold(0.0, |a: f64, b| a.max(b));
        let thought = think(
            &game,
            &position,
            &moves,
            (values, &table),
            &to_depth(depth, 1),
        );
        if thought.depth == depth || best == 1.0 {
            let error = (thought.value - best).abs();
            assert!(error < 1e-6, "{best} {thought:?}");
        } else {
            assert_eq!(moves.len(), 1);
        }
    }
}

#[test]
fn a_budget_in_nodes_repeats() {
    for (position, moves) in positions(5, 4) {
        let run = || {
            let table = DiceTable::new(1);
            let values = PieceSquareValues::of_size(position.size());
            let thought = think(
                &Game::dice1(),
                &position,
                &moves,
                (values, &table),
                &Budget::nodes(20_000),
            );
            (thought.best, thought.value, thought.nodes)
        };
        assert_eq!(run(), run());
    }
}

#[test]
fn two_threads_agree_with_one() {
    for (position, moves) in positions(10, 5) {
        let value = |threads| {
            let budget = to_depth(3, threads);
            let tools = (
                PieceSquareValues::of_size(position.size()),
                &DiceTable::new(1),
            );
            think(&Game::dice1(), &position, &moves, tools, &budget).value
        };
        assert!((value(1) - value(2)).abs() < 1e-6);
    }
}

#[test]
fn a_stopped_search_tells_no_loss_that_it_did_not_find() {
    let game = Game::dice1();
    let table = DiceTable::new(1);
    for (position, moves) in positions(60, 31) {
        let values = PieceSquareValues::of_size(position.size());
        let takes = |m: &Move| position.captured(*m) == Some(Role::King);
        if moves.iter().any(takes) {
            continue;
        }
        let tools = (values, &table);
        let stopped = Budget::default().with_stop(Arc::new(AtomicBool::new(true)));
        let thought = think(&game, &position, &moves, tools, &stopped);
        let standing = DiceNode::new(without_dice(&position), values).value(values);
        assert_eq!(
            thought.value,
            f64::from(standing),
            "{}",
            game.fen(&position)
        );
        for nodes in [0, 1, 2, 3, 5, 8, 50, 300] {
            let budget = Budget::nodes(nodes);
            let thought = think(&game, &position, &moves, tools, &budget);
            let fen = game.fen(&position);
            assert!(moves.contains(&thought.best), "{fen} {nodes}");
            assert!(thought.value <= 1.0, "{fen} {nodes}");
            assert!(
                thought.value > 0.0 || all_lose(&position, &moves),
                "{fen} {nodes}"
            );
        }
    }
}

/// Whether after every move all rolls of the reply can capture the king.
fn all_lose(position: &Position, moves: &[Move]) -> bool {
    let game = Game::dice1();
    moves.iter().all(|&m| {
        let mut next = *position;
        game.play_unchecked(&mut next, m);
        king_risk(&next, next.turn()) >= 1.0
    })
}
