//! The fog agents play whole games under every rule set, never move illegally, are
//! deterministic under a node budget, and find obvious captures.

use foglight_engine::registry;
use foglight_play::{Agent, Budget, ConfiguredAgent, Providers, Spec};
use foglight_rules::{Action, Color, FogRules, Game, Sight, State};

fn build(spec: &str, game: &Game) -> ConfiguredAgent {
    let spec: Spec = spec.parse().expect("a spec");
    registry::build(&spec, game, &Providers::default()).expect("an agent")
}

/// Plays a game and checks every move by the rules.
fn play(game: Game, fen: Option<&str>, white: &str, black: &str, seed: u64, nodes: u64) -> State {
    let start = fen.map_or(game.start(), |fen| game.parse_fen(fen).expect("a position"));
    let mut state = State::new(game, start);
    let mut players = [build(white, &game), build(black, &game)];
    players[0].start(&game, Color::White, seed);
    players[1].start(&game, Color::Black, seed + 1);
    while state.outcome().is_none() && state.plies() < 120 {
        for (player, side) in players.iter_mut().zip(Color::ALL_WHITE_FIRST) {
            player.see(&state.observe(side));
        }
        let side = state.position().turn();
        let player = &mut players[usize::from(side.is_black())];
        let m = player.act(&state.observe(side), &Budget::nodes(nodes));
        state.play(Action::Move(m)).unwrap_or_else(|error| {
            panic!("{white} v {black}, {}: {error}", game.fen(state.position()))
        });
    }
    state
}

/// Order of the players in this test: White first.
trait WhiteFirst {
    const ALL_WHITE_FIRST: [Color; 2];
}

impl WhiteFirst for Color {
    const ALL_WHITE_FIRST: [Color; 2] = [Color::White, Color::Black];
}

const SPECS: [&str; 16] = [
    "ubsa:worlds=4,nodes-per-board=50",
    "ubsa:preset=paper,nodes-per-board=50",
    "pbsa:worlds=4,nodes-per-board=50,max-positions=500",
    "pbsa:preset=paper,nodes-per-board=50,simulate=20",
    "pbsa:belief=tensor,backtrack=on,worlds=4,nodes-per-board=50,simulate=20",
    "pbsa:belief=network,worlds=4,nodes-per-board=50",
    "pbsa:belief=weighted,worlds=4,nodes-per-board=50,max-positions=500",
    "pomcp:belief=network,max-positions=500",
    "thesis",
    "pomcp:max-positions=500",
    "pomcp:leaf=rollout,max-positions=500",
    "despot:scenarios=4,nodes-per-leaf=20,max-positions=500",
    "metaposition",
    "thesis:risk=on,ordering=on,select=best",
    "thesis:weights=lead,generator=bitboard,pass=always,hidden=tables,phase=on",
    "thesis:risk=on,carry=on,depth=3,mobility=on,unprotected=on",
];

#[test]
fn they_play_whole_games_by_every_rule_set() {
    for (i, spec) in SPECS.iter().enumerate() {
        for (j, rules) in FogRules::ALL.into_iter().enumerate() {
            let seed = (10 * i + j) as u64;
            let (white, black) = if (i + j) % 2 == 0 {
                (*spec, "greedy")
            } else {
                ("greedy", *spec)
            };
            play(Game::fog_with(rules), None, white, black, seed, 2000);
        }
    }
}

#[test]
fn they_play_small_boards_and_unknown_starts() {
    let fens = ["r1kr/pppp/PPPP/R1KR w - - 0 1", "k3/4/4/1QK1 w - - 0 1"];
    for spec in SPECS {
        for fen in fens {
            play(Game::fog(), Some(fen), spec, "random", 3, 1000);
        }
    }
}

#[test]
fn they_use_full_sight_where_they_have_it() {
    let game = Game::fog().with_sight(Color::White, Sight::Full);
    let fen = Some("7k/8/8/8/8/8/6R1/R3K3 w - - 0 1");
    for spec in ["ubsa", "pbsa"] {
        let end = play(game, fen, spec, "random", 1, 20_000);
        let winner = end.outcome().and_then(|outcome| outcome.winner);
        assert_eq!(winner, Some(Color::White), "{spec}");
    }
}

#[test]
fn a_node_budget_repeats_exactly() {
    for spec in [
        "ubsa:worlds=4,nodes-per-board=100",
        "pbsa:worlds=4,nodes-per-board=100,max-positions=2000",
        "pbsa:belief=network,worlds=4,nodes-per-board=100",
        "pbsa:belief=weighted,worlds=4,nodes-per-board=100,max-positions=2000",
        "pomcp:belief=network,max-positions=1000",
        "thesis:risk=on",
        "pomcp:max-positions=1000",
        "despot:scenarios=4,nodes-per-leaf=20,max-positions=1000",
        "metaposition",
    ] {
        let fens: Vec<String> = (0..2)
            .map(|_| {
                let end = play(Game::fog(), None, spec, "greedy", 9, 3000);
                end.game().fen(end.position())
            })
            .collect();
        assert_eq!(fens[0], fens[1], "{spec}");
    }
}

#[test]
fn they_take_a_king_that_they_see() {
    let game = Game::fog();
    let state = State::new(
        game,
        game.parse_fen("3k4/8/8/q2R4/8/8/8/4K3 w - - 0 1")
            .expect("a position"),
    );
    for spec in SPECS {
        let mut player = build(spec, &game);
        player.start(&game, Color::White, 1);
        let seen = state.observe(Color::White);
        player.see(&seen);
        let m = player.act(&seen, &Budget::nodes(5000));
        // `thesis` draws among all moves that raised alpha; only `select=best` is
        // certain.
        if !spec.starts_with("thesis") || spec.contains("select=best") {
            assert_eq!(m.to_string(), "d5d8", "{spec}");
        }
    }
}

#[test]
fn they_tell_numbers_however_little_they_may_spend() {
    let game = Game::fog();
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ] {
        let state = State::new(game, game.parse_fen(fen).expect("a position"));
        let seen = state.observe(Color::White);
        for spec in SPECS {
            for nodes in [1, 40, 1_000] {
                let mut player = build(spec, &game);
                player.start(&game, Color::White, 1);
                player.see(&seen);
                player.act(&seen, &Budget::nodes(nodes));
                let report = player.report().unwrap_or_default();
                let value = report.value.unwrap_or_default();
                let told = format!("{spec}, {nodes} nodes: {report:?}");
                assert!((-1.0..=1.0).contains(&value), "{told}");
                // The game is undecided, but a single rollout may end in a win.
                assert!(report.plies_to_end.is_none(), "{told}");
                assert!(value.abs() < 1.0 || spec.contains("rollout"), "{told}");
                assert!(report.centipawns.unwrap_or(0).abs() < 10_000, "{told}");
                let total: f64 = report.policy.iter().map(|(_, share)| share).sum();
                assert!(
                    report.policy.is_empty() || (total - 1.0).abs() < 1e-6,
                    "{told}"
                );
            }
        }
    }
}
