//! The search of `foglight` compared with exact solutions, and its infosets with
//! the players' actual knowledge.

use std::collections::HashMap;

use foglight_engine::{
    agents::foglight::{FogSubgame, LeafEvaluator, LeafModel, observation_key},
    search::Evaluation,
    solve::{FogSettings, solve_fog},
};
use foglight_play::seeded;
use foglight_rules::{Action, Color, Game, PackedPosition, Position, State};
use foglight_solver::{
    ExtensiveGame, GadgetPrior, GameTree, RootGadget, RootInfoset, RootNode, Side, SolveLimits,
    Solver, SolverSettings, StrategyProfile, Successor, exploitability, extend_infostate_key, run,
};

fn leaves() -> LeafEvaluator {
    LeafEvaluator {
        model: LeafModel::Inside(Evaluation::default()),
        scale: 500.0,
        noise: 0.0,
        seed: 0,
    }
}

fn fog(us: Color, horizon: Option<u32>) -> FogSubgame {
    FogSubgame {
        game: Game::fog(),
        us,
        leaves: leaves(),
        horizon,
        plies: 0,
        thirds: Default::default(),
    }
}

/// A subgame with one known root position, in which we are to move.
fn known(position: &Position, settings: SolverSettings) -> Solver<PackedPosition> {
    let mut tree = GameTree::default();
    let node = tree.push_root(PackedPosition::new(position), Side::Us, [1, 2], 0.0);
    let infoset = RootInfoset::new(vec![RootNode { node, prob: 1.0 }], 0.0, 1.0);
    let gadget = RootGadget::subgame(vec![infoset], GadgetPrior::Reach);
    Solver::new(tree, gadget, settings)
}

#[test]
fn the_value_of_tiny_boards_is_that_of_the_exact_solution() {
    let game = Game::fog();
    for (fen, plies) in [
        ("k3/r3/3R/3K w - - 0 1", 4),
        ("kr2/p3/3P/2RK w - - 0 1", 4),
        ("1k2/p2p/P2P/2K1 w - - 0 1", 6),
        ("k1n1/4/4/1N1K w - - 0 1", 5),
        ("kq2/4/4/2QK w - - 0 1", 3),
    ] {
        let position = game.parse_fen(fen).expect("a position");
        let settings = FogSettings {
            plies,
            ..FogSettings::default()
        };
        let exact = solve_fog(&game, &position, settings, |_, _| {}).expect("solved");
        assert!(exact.error <= 0.005, "{fen}: {exact:?}");
        let mut solver = known(&position, SolverSettings::default());
        let limits = SolveLimits {
            grow: 0.5,
            max_nodes: 200_000,
            ..SolveLimits::nodes(400_000)
        };
        let mut domain = fog(position.turn(), Some(plies));
        let mut rounds = 0;
        run(
            &mut solver,
            &mut domain,
            &mut seeded(1),
            &limits,
            || 0.0,
            |_, _| rounds += 1,
        );
        let value = solver.gadget().value();
        println!(
            "{fen} {plies}: exact {:.4} +- {:.4}, {} nodes; grown {value:.4}, {} nodes, {rounds} rounds, gap {:.4}",
            exact.value,
            exact.error,
            exact.nodes,
            solver.tree.len(),
            exploitability(&solver, &StrategyProfile::current(&solver)),
        );
        assert!(
            (value - exact.value).abs() < 0.02,
            "{fen}: {value} {exact:?}"
        );
    }
}

/// Pitfalls 1 and 2: the key of an infoset is the action-observation history of its
/// side, so the nodes of one infoset have the same moves, and indistinguishable
/// games have the same key.
#[test]
fn infosets_are_what_players_know() {
    let game = Game::fog();
    let mut solver = known(&game.start(), SolverSettings::default());
    let mut domain = fog(Color::White, None);
    let limits = SolveLimits {
        grow: 0.9,
        max_nodes: 100_000,
        ..SolveLimits::nodes(60_000)
    };
    run(
        &mut solver,
        &mut domain,
        &mut seeded(3),
        &limits,
        || 0.0,
        |_, _| {},
    );
    let tree = &solver.tree;
    let mut moves: HashMap<u32, Vec<u16>> = HashMap::new();
    let mut shared = 0;
    for at in 0..tree.len() as u32 {
        let Some(infoset) = tree.infoset(at) else {
            continue;
        };
        let actions: Vec<u16> = tree.children(at).map(|child| tree.action(child)).collect();
        let generated: Vec<u16> = game
            .legal_moves(&tree.state(at).unpack())
            .iter()
            .map(|m| m.raw())
            .collect();
        assert_eq!(actions, generated, "the moves are the pseudo-legal ones");
        if let Some(known) = moves.insert(infoset, actions.clone()) {
            shared += 1;
            assert_eq!(known, actions, "one infoset, one list of moves");
        }
    }
    let each = tree.bytes() / tree.len();
    assert!(
        each < 300,
        "a million nodes under 300 MB: {each} bytes each"
    );
    assert!(
        shared > 50,
        "infosets hold several worlds, not one each: {shared}"
    );
}

#[test]
fn keys_in_the_tree_are_those_of_the_game() {
    let game = Game::fog();
    for us in Color::ALL {
        let mut domain = fog(us, None);
        let mut state = State::start(game);
        let mut children: Vec<Successor<PackedPosition>> = Vec::new();
        let mut keys = [7u64, 7];
        let mut told = [7u64, 7];
        for text in "e2e4 d7d5 e4d5 g8f6 f1b5 c7c6 d5c6 d8b6 c6b7 c8b7".split(' ') {
            let before = PackedPosition::new(state.position());
            children.clear();
            domain.expand(&before, 0, &mut children);
            let action = state.parse_action(text).expect("legal");
            let Action::Move(m) = action else {
                panic!("a move")
            };
            let actor = domain.side(state.position().turn());
            state.play_unchecked(action);
            let child = children.iter().find(|child| child.action == m.raw());
            let child = child.expect("every legal move is a child");
            for side in Side::BOTH {
                let i = side.index();
                let own = (side == actor).then_some(m.raw());
                keys[i] = extend_infostate_key(keys[i], own, child.observations[i]);
                let colour = if side == Side::Us { us } else { !us };
                let observation = state.observe(colour);
                let mine = observation.news().own_move.map(|m| m.raw());
                let seen = observation_key(observation.view());
                told[i] = extend_infostate_key(told[i], mine, seen);
            }
            assert_eq!(keys, told, "after {text}");
        }
    }
}
