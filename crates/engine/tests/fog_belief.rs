//! The exact belief: it always contains the true position, the observer cannot
//! distinguish its members, and it equals brute force over all histories.

use std::{collections::HashSet, io::Read, path::Path};

use foglight_engine::{
    agents::greedy::{Greedy, Style},
    belief::{BeliefReplay, BeliefSet, BeliefTracker, World},
};
use foglight_play::{Agent, Budget, seeded};
use foglight_rules::{
    Action, Color, FogRules, Game, Move, Observation, PackedPosition, Position, State,
};
use rand::seq::IndexedRandom;

/// Size of a belief at which these tests stop following a game.
const MOST: usize = 20_000;
/// Number of members of a belief that are checked individually.
const LOOKED_AT: usize = 200;

#[derive(serde::Deserialize)]
struct OracleGame {
    start: String,
    plies: Vec<OraclePly>,
}

#[derive(serde::Deserialize)]
struct OraclePly {
    #[serde(rename = "move")]
    played: String,
}

fn oracle_games(file: &str) -> Vec<OracleGame> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../data/oracles")
        .join(file);
    let bytes = std::fs::read(path).expect("the data folder");
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes.as_slice())
        .read_to_string(&mut text)
        .expect("gzip");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("an oracle game"))
        .collect()
}

/// Follows a game from one side until its belief is too large. Returns the number
/// of plies.
fn follow(mut state: State, moves: impl IntoIterator<Item = Move>, side: Color) -> usize {
    let mut trace = BeliefReplay::new(&state, side, None, 0);
    let mut plies = 0;
    for m in moves {
        state.play(Action::Move(m)).expect("a legal move");
        let fen = state.game().fen(state.position());
        trace
            .follow(&state)
            .unwrap_or_else(|error| panic!("{fen} {side:?}: {error}"));
        let row = trace.row(&state);
        assert!(row.exact && row.truth, "{fen} {side:?}: {row:?}");
        assert!(trace.is_honest(&state, LOOKED_AT), "{fen} {side:?}");
        plies += 1;
        if row.count > MOST {
            break;
        }
    }
    plies
}

fn follow_oracle(file: &str, rules: FogRules, step: usize) -> usize {
    let game = Game::fog_with(rules);
    let mut plies = 0;
    for oracle in oracle_games(file).iter().step_by(step) {
        let start = State::new(game, game.parse_fen(&oracle.start).expect("a position"));
        let mut state = start.clone();
        let moves = oracle.plies.iter().map(|ply| {
            let action = state.parse_action(&ply.played).expect("a legal move");
            state.play_unchecked(action);
            match action {
                Action::Move(m) => m,
                Action::Roll(_) => unreachable!("no dice in fog"),
            }
        });
        let moves: Vec<Move> = moves.collect();
        for side in Color::ALL {
            plies += follow(start.clone(), moves.clone(), side);
        }
    }
    plies
}

#[test]
fn the_truth_is_never_lost_on_open_spiels_4x4_games() {
    assert!(follow_oracle("open_spiel_4x4.jsonl.gz", FogRules::OpenSpiel, 3) > 500);
}

#[test]
fn the_truth_is_never_lost_on_open_spiels_games() {
    assert!(follow_oracle("open_spiel_8x8.jsonl.gz", FogRules::OpenSpiel, 10) > 150);
}

#[test]
fn the_truth_is_never_lost_on_fairy_stockfishs_games() {
    assert!(follow_oracle("pyffish_8x8.jsonl.gz", FogRules::PyChess, 10) > 100);
}

fn greedy_game(game: Game, seed: u64) -> Vec<Move> {
    let mut state = State::start(game);
    let mut players = Color::ALL.map(|_| Greedy::new(Style::Plain));
    for (i, player) in players.iter_mut().enumerate() {
        player.start(&game, Color::White, seed * 2 + i as u64);
    }
    let mut moves = Vec::new();
    while state.outcome().is_none() {
        let side = state.position().turn();
        let player = &mut players[usize::from(side.is_black())];
        let m = player.act(&state.observe(side), &Budget::default());
        state.play_unchecked(Action::Move(m));
        moves.push(m);
    }
    moves
}

#[test]
fn the_truth_is_never_lost_in_greedy_games() {
    for rules in FogRules::ALL {
        let game = Game::fog_with(rules);
        for seed in 0..4 {
            for side in Color::ALL {
                assert!(follow(State::start(game), greedy_game(game, seed), side) > 5);
            }
        }
    }
}

/// Whether two observations are equal for the observer.
fn same(a: &Observation, b: &Observation) -> bool {
    a.view() == b.view() && a.news() == b.news() && a.turn() == b.turn()
}

/// The final positions of all histories that `side` cannot distinguish from the
/// true one. Plays every legal move and compares every observation in full.
fn brute_force(states: &[State], side: Color) -> HashSet<PackedPosition> {
    fn walk(state: &State, seen: &[Observation], side: Color, found: &mut HashSet<PackedPosition>) {
        let Some((next, rest)) = seen.split_first() else {
            found.insert(bare(state.position()));
            return;
        };
        for action in state.legal_actions() {
            let mut child = state.clone();
            child.play_unchecked(action);
            if same(&child.observe(side), next) {
                walk(&child, rest, side, found);
            }
        }
    }
    let seen: Vec<Observation> = states.iter().map(|state| state.observe(side)).collect();
    let mut found = HashSet::new();
    walk(&states[0], &seen[1..], side, &mut found);
    found
}

fn bare(position: &Position) -> PackedPosition {
    PackedPosition::new(&position.without_counters())
}

fn compare_with_brute_force(start: State, plies: usize, seed: u64) {
    let mut rng = seeded(seed);
    let mut states = vec![start];
    for _ in 0..plies {
        let mut state = states.last().expect("a state").clone();
        let Some(action) = state.legal_actions().choose(&mut rng).copied() else {
            break;
        };
        state.play_unchecked(action);
        states.push(state);
    }
    for side in Color::ALL {
        let mut belief = BeliefSet::new(states[0].game(), side, states[0].position());
        for state in &states[1..] {
            belief.update(&state.observe(side)).expect("a belief");
        }
        let exact: HashSet<PackedPosition> = belief.positions().map(|p| bare(&p)).collect();
        assert_eq!(exact.len(), belief.count(), "no position twice");
        assert_eq!(exact, brute_force(&states, side), "seed {seed} {side:?}");
    }
}

#[test]
fn it_is_what_all_histories_of_four_plies_give() {
    for rules in FogRules::ALL {
        for seed in 0..6 {
            compare_with_brute_force(State::start(Game::fog_with(rules)), 4, seed);
        }
    }
}

#[test]
fn it_is_what_all_histories_of_six_plies_give() {
    for (seed, rules) in FogRules::ALL.into_iter().enumerate() {
        compare_with_brute_force(State::start(Game::fog_with(rules)), 6, 100 + seed as u64);
    }
}

/// Promotions, castling, en passant and sides without moves: four plies from each
/// start, six on small boards.
#[test]
fn it_is_what_all_histories_give_in_crowded_endings() {
    let starts = [
        ("r3k2r/1p4P1/8/2pP4/3p4/8/1P4p1/R3K2R w KQkq - 0 1", 4),
        ("r3k2r/8/8/3pP3/3Pp3/8/2P2P2/R3K2R b KQkq - 0 1", 4),
        ("4k3/PPP5/8/8/8/8/5ppp/4K3 w - - 0 1", 4),
        ("r1kr/pppp/PPPP/R1KR w - - 0 1", 6),
        ("k3/p3/P2P/3K b - - 0 1", 6),
        ("kb2/4/4/2QK w - - 0 1", 6),
    ];
    for rules in FogRules::ALL {
        let game = Game::fog_with(rules);
        for (fen, plies) in starts {
            let position = game.parse_fen(fen).expect("a position");
            for seed in 0..4 {
                compare_with_brute_force(State::new(game, position), plies, seed);
            }
        }
    }
}

#[test]
fn threads_change_nothing_and_a_cap_keeps_a_subset_and_says_so() {
    let game = Game::fog();
    let mut state = State::start(game);
    let mut all = BeliefSet::new(&game, Color::White, state.position());
    let mut threaded = all.clone().with_threads(2);
    let mut capped = all.clone().with_cap(500, 7);
    for m in greedy_game(game, 3) {
        state.play(Action::Move(m)).expect("a legal move");
        let seen = state.observe(Color::White);
        all.update(&seen).expect("a belief");
        threaded.update(&seen).expect("a belief");
        if capped.update(&seen).is_err() {
            assert!(!capped.is_exact(), "only a cut belief may lose the thread");
        }
        assert_eq!(all.worlds(), threaded.worlds());
        assert!(capped.count() <= 500);
        if all.count() > 500 {
            assert!(!capped.is_exact());
            break;
        }
        let sorted = |belief: &BeliefSet| {
            let mut worlds = belief.worlds().to_vec();
            worlds.sort();
            worlds
        };
        assert_eq!(sorted(&all), sorted(&capped));
    }
    let whole: HashSet<_> = all.worlds().iter().collect();
    assert_eq!(capped.count(), 500);
    assert!(capped.worlds().iter().all(|world| whole.contains(world)));
}

/// The plausible worlds equal a second belief that is updated from the plausible
/// worlds alone.
#[test]
fn doubt_goes_with_what_comes_of_doubted_worlds_alone() {
    let game = Game::fog();
    let odd = |world: &World| world.iter().map(|(square, _)| square as u32).sum::<u32>() % 5 == 0;
    let mut doubted = 0;
    for seed in 1..6 {
        let mut state = State::start(game);
        let mut all = BeliefSet::new(&game, Color::White, state.position());
        let mut plain = all.clone();
        let mut apart = all.clone();
        for m in greedy_game(game, seed) {
            state.play(Action::Move(m)).expect("a legal move");
            let seen = state.observe(Color::White);
            all.update(&seen).expect("a belief");
            plain.update(&seen).expect("a belief");
            if apart.update(&seen).is_err() {
                let again = all.worlds().to_vec();
                apart = BeliefSet::from_worlds(*all.evidence(), again, all.plies());
            }
            let kept: Vec<World> = apart.worlds().iter().filter(|w| !odd(w)).copied().collect();
            if seen.news().own_move.is_some() && !kept.is_empty() {
                all.mark_implausible(|_, world| odd(world));
                apart = BeliefSet::from_worlds(*all.evidence(), kept, all.plies());
            }
            let sorted = |worlds: &[World]| {
                let mut worlds = worlds.to_vec();
                worlds.sort();
                worlds
            };
            assert_eq!(sorted(all.plausible()), sorted(apart.worlds()));
            assert_eq!(sorted(all.worlds()), sorted(plain.worlds()));
            doubted += all.count() - all.plausible().len();
            if all.count() > MOST {
                break;
            }
        }
    }
    assert!(doubted > 1000, "{doubted}");
}

#[test]
fn observations_out_of_order_are_refused() {
    let game = Game::fog();
    let mut state = State::start(game);
    let mut belief = BeliefSet::new(&game, Color::White, state.position());
    for text in ["e2e4", "e7e5"] {
        let action = state.parse_action(text).expect("a legal move");
        state.play(action).expect("a legal move");
    }
    let error = belief
        .update(&state.observe(Color::White))
        .expect_err("a ply is missing");
    assert!(error.to_string().contains("expected ply 1"), "{error}");
}

/// Both sides know the start position of a game, so that the belief is exact from
/// any start. Without the start position the belief is a guess.
#[test]
fn from_an_agreed_start_the_belief_is_exact() {
    let game = Game::fog();
    let start = game.parse_fen("8/2k5/8/8/8/6R1/5K2/4R3 w - - 0 1");
    let mut state = State::new(game, start.expect("a position"));
    let mut told = BeliefTracker::new(MOST, 1);
    let mut guessing = BeliefTracker::new(MOST, 1);
    told.see(&state.observe(Color::White));
    guessing.see(&state.observe(Color::White).without_start());
    for text in ["f2g1", "c7c8", "g3g2", "c8b8"] {
        let action = state.parse_action(text).expect("legal");
        state.play_unchecked(action);
        told.see(&state.observe(Color::White));
        guessing.see(&state.observe(Color::White));
        let belief = told.belief().expect("a belief");
        assert!(belief.is_exact() && belief.contains(state.position()));
    }
    let count = |keeper: &BeliefTracker| keeper.belief().expect("a belief").count();
    assert!((2..40).contains(&count(&told)), "{}", count(&told));
    assert!(!guessing.belief().expect("a belief").is_exact());
    assert!(count(&guessing) > count(&told), "{}", count(&guessing));
}
