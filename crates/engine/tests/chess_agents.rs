//! The agents for fully visible boards: `ensemble` of Dukek et al. (c. 2021) and
//! `classic`.

use foglight_engine::{
    eval::{
        Classic,
        ensemble::{Ensemble, EvalContext, EvaluatorKind, Phase},
        evaluate,
    },
    registry,
    search::{PlainSearch, SearchMethod, Searcher},
};
use foglight_play::{Agent, Budget, Providers, Spec};
use foglight_rules::{Action, Color, Game, Position, State};

fn chess(fen: &str) -> Position {
    Game::chess().parse_fen(fen).expect(fen)
}

fn agent(text: &str) -> Box<dyn Agent> {
    let spec: Spec = text.parse().expect(text);
    let built = registry::build(&spec, &Game::chess(), &Providers::default());
    Box::new(built.expect(text))
}

/// The move that an agent chooses in a position.
fn choice(text: &str, fen: &str) -> String {
    let state = State::new(Game::chess(), chess(fen));
    let side = state.position().turn();
    let mut player = agent(text);
    player.start(&Game::chess(), side, 1);
    player.see(&state.observe(side));
    let m = player.act(&state.observe(side), &Budget::default());
    m.to_string()
}

/// Plays a game from a position and returns its last state.
fn play(fen: &str, white: &str, black: &str, most: u32) -> State {
    let mut state = State::new(Game::chess(), chess(fen));
    let mut players = [(Color::White, agent(white)), (Color::Black, agent(black))];
    for (side, player) in &mut players {
        player.start(&Game::chess(), *side, 1);
        player.see(&state.observe(*side));
    }
    while state.outcome().is_none() && state.plies() < most {
        let side = state.position().turn();
        let player = &mut players[usize::from(side.is_black())].1;
        let m = player.act(&state.observe(side), &Budget::default());
        state.play(Action::Move(m)).expect("a legal move");
        for (side, player) in &mut players {
            player.see(&state.observe(*side));
        }
    }
    state
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Section 3.2: the agent mates, makes good moves and parries the enemy's mate.
#[test]
fn the_ensemble_mates_and_parries_mate() {
    let seed = "ensemble:preset=paper,book=off";
    let back_rank = "6k1/5ppp/8/8/8/8/q4PPP/R5K1 w - - 0 1";
    assert_eq!(choice(seed, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"), "a1a8");
    assert_eq!(choice(seed, back_rank), "a1a2", "a queen hangs");
    // Black threatens a back-rank mate, which White's move must prevent.
    let fen = "r5k1/5ppp/8/8/8/8/3R1PPP/6K1 w - - 0 1";
    let state = State::new(Game::chess(), chess(fen));
    let action = state.parse_action(&choice(seed, fen)).expect("legal");
    let mut after = state.clone();
    after.play(action).expect("legal");
    for reply in after.legal_actions() {
        let mut mated = after.clone();
        mated.play(reply).expect("legal");
        assert!(mated.outcome().is_none(), "{action} allows {reply}");
    }
}

/// Algorithm 9 plays the root move with the highest score, and a depth of n means
/// n moves of each side.
#[test]
fn the_root_takes_the_best_of_two_plies_a_turn() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    for (depth, plies) in [(1, 2), (2, 4)] {
        let text = format!("ensemble:weights=pointwise,depth={depth}");
        let chosen = choice(&text, fen);
        let judge = Ensemble::only(EvaluatorKind::Pointwise);
        let budget = Budget::default();
        let mut tree = PlainSearch::new(&Game::chess(), &[], &judge, &budget);
        let ranked = tree.rank(SearchMethod::AlphaBeta, &chess(fen), plies);
        let ranked = ranked.expect("no limit");
        let best = ranked.iter().map(|(_, value)| *value).fold(0.0, f64::max);
        let value = ranked.iter().find(|(m, _)| m.to_string() == chosen);
        assert_eq!(value.expect("a move").1, best, "{chosen} at depth {depth}");
    }
    // The pawn is protected: a search of two plies sees the recapture.
    let guarded = "4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1";
    assert_ne!(choice("ensemble:weights=pointwise", guarded), "d2d5");
}

#[test]
fn phases_have_weights_of_their_own() {
    let mut rows = [[0.0, 1.0, 0.0, 0.0, 0.0, 0.0]; 3];
    rows[2] = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let ensemble = Ensemble { weights: rows };
    let ending = chess("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_eq!(Phase::of(&ending), Phase::End);
    assert_eq!(Phase::of(&chess(START)), Phase::Opening);
    let (game, none) = (Game::chess(), []);
    for (position, kind) in [
        (&ending, EvaluatorKind::Positional),
        (&chess(START), EvaluatorKind::Pointwise),
    ] {
        let value = ensemble.value(&mut EvalContext::new(&game, position, &none));
        let alone = Ensemble::only(kind).value(&mut EvalContext::new(&game, position, &none));
        assert_eq!(value, alone);
    }
}

#[test]
fn the_ensemble_beats_chance() {
    let state = play(START, "ensemble:preset=paper", "random", 300);
    let end = state.outcome().expect("the game ends");
    assert_eq!(end.winner, Some(Color::White), "{end:?}");
}

/// King and rook, and king and pawn, against king are won without tablebases.
#[test]
fn classic_wins_the_basic_endings() {
    for (fen, most) in [
        ("8/8/8/3k4/8/8/8/R3K3 w - - 0 1", 80),
        ("8/8/3k4/8/3K4/3P4/8/8 w - - 0 1", 120),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", 80),
    ] {
        let state = play(fen, "classic:nodes=12000", "classic:nodes=4000", most);
        let winner = state.outcome().and_then(|end| end.winner);
        assert_eq!(
            winner,
            Some(Color::White),
            "{fen} after {} plies",
            state.plies()
        );
    }
}

/// With one minor piece left zugzwang is possible: null-move pruning must not hide
/// the mate.
#[test]
fn a_mate_by_zugzwang_is_found() {
    let position = chess("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let mut searcher = Searcher::new(2);
    let budget = Budget::nodes(100_000);
    let found = searcher.search(
        &Game::chess(),
        &position,
        &[],
        &mut Classic::default(),
        &budget,
    );
    assert_eq!(found.best().map(|m| m.to_string()).as_deref(), Some("a1a6"));
}

/// Berliner reports 1.5 to 3.0 for CAPS-II; here the branching factor is
/// nodes^(1/depth).
#[test]
fn the_tree_branches_little() {
    let mut searcher = Searcher::new(8);
    let mut leaf = Classic::default();
    for fen in [
        START,
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ] {
        searcher.clear();
        let budget = Budget::nodes(200_000);
        let found = searcher.search(&Game::chess(), &chess(fen), &[], &mut leaf, &budget);
        let factor = (found.nodes as f64).powf(1.0 / f64::from(found.depth));
        assert!(factor < 3.0, "{factor} in {fen}");
    }
}

/// Merlin's dynamic score (section 3.3) includes passed pawns and king attacks
/// besides material.
#[test]
fn passed_pawns_and_attacks_on_the_king_count() {
    let mut leaf = Classic::default();
    let far = evaluate(&mut leaf, &chess("4k3/8/1P6/8/8/p7/8/4K3 w - - 0 1"));
    let near = evaluate(&mut leaf, &chess("4k3/8/8/8/8/pP6/8/4K3 w - - 0 1"));
    assert!(far > near + 40, "{far} {near}");
    let safe = "r4rk1/ppp2ppp/8/8/8/8/PPPQBPPP/R4RK1 w - - 0 1";
    let bare = "r4rk1/ppp5/8/8/8/7Q/PPP1BPPP/R4RK1 w - - 0 1";
    let pawns = 3 * 100; // the bare king lacks three pawns
    let [safe, bare] = [safe, bare].map(|fen| evaluate(&mut leaf, &chess(fen)));
    assert!(bare > safe + pawns, "{bare} {safe}");
}

#[test]
fn a_depth_that_was_not_finished_is_not_told() {
    let ensemble = Ensemble::EQUAL;
    for plan in [
        SearchMethod::Minimax,
        SearchMethod::AlphaBeta,
        SearchMethod::Horizon,
    ] {
        // The start position has 420 successors within two plies.
        for (nodes, finished) in [(40, false), (1_000, true)] {
            let budget = Budget::nodes(nodes);
            let mut tree = PlainSearch::new(&Game::chess(), &[], &ensemble, &budget);
            let ranked = tree.rank(plan, &chess(START), 2);
            assert_eq!(ranked.is_some(), finished, "{plan:?}, {nodes} nodes");
        }
    }
    let state = State::new(Game::chess(), chess(START));
    let seen = state.observe(Color::White);
    let mut player = agent("ensemble:depth=2");
    player.start(&Game::chess(), Color::White, 1);
    player.see(&seen);
    player.act(&seen, &Budget::nodes(1_000));
    let report = player.report().expect("a depth was finished");
    assert_eq!(report.depth, 2, "of four");
    player.act(&seen, &Budget::nodes(1));
    assert!(player.report().is_none(), "the report of an earlier move");
}
