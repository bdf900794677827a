//! UBSA and PBSA (Ermlick 2023): aggregation of the analyses of sampled boards.

use foglight_engine::registry;
use foglight_play::{Agent, Budget, ConfiguredAgent, Providers, Report, Spec};
use foglight_rules::{Color, Game, Sight, State};

fn build(spec: &str, game: &Game) -> ConfiguredAgent {
    let spec: Spec = spec.parse().expect("a spec");
    registry::build(&spec, game, &Providers::default()).expect("an agent")
}

/// White's move by an agent, with its report.
fn choice(spec: &str, game: Game, fen: &str, seed: u64) -> (String, Report) {
    let state = State::new(game, game.parse_fen(fen).expect("a position"));
    let mut player = build(spec, &game);
    player.start(&game, Color::White, seed);
    let seen = state.observe(Color::White);
    player.see(&seen);
    let m = player.act(&seen, &Budget::nodes(200_000));
    (m.to_string(), player.report().expect("a report"))
}

/// The queen can capture a pawn that another pawn protects.
const POISONED: &str = "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1";

fn sighted() -> Game {
    Game::fog().with_sight(Color::White, Sight::Full)
}

#[test]
fn consensus_plays_what_all_boards_agree_on() {
    // With a full view there is one board, so the vote is unanimous.
    let (m, report) = choice("ubsa:aggregate=consensus", sighted(), POISONED, 1);
    assert_ne!(m, "d1d5");
    assert!(report.nodes > 0);
}

#[test]
fn consensus_is_greedy_where_boards_differ() {
    // In fog the boards place the protecting pawn differently and disagree, so the
    // agent plays the greedy move.
    for seed in 0..3 {
        let spec = "ubsa:aggregate=consensus,worlds=20,nodes-per-board=300";
        let (m, _) = choice(spec, Game::fog(), POISONED, seed);
        assert_eq!(m, "d1d5");
    }
}

/// Two pawns can be taken. Every board has the same best moves, so with a full
/// view the votes are one for each of the best few.
#[test]
fn plurality_counts_the_best_moves_and_the_capture() {
    let spec = "ubsa:aggregate=plurality,top=1";
    // The only vote beside the capture is for the best move: either may win.
    let drawn: Vec<String> = (0..12)
        .map(|seed| choice(spec, sighted(), POISONED, seed).0)
        .collect();
    assert!(drawn.iter().any(|m| m == "d1d5"), "{drawn:?}");
    assert!(drawn.iter().any(|m| m != "d1d5"), "{drawn:?}");
    // In fog a free queen is the best move on every board.
    let free = "4k3/8/8/3q4/8/8/8/3QK3 w - - 0 1";
    let spec = "ubsa:aggregate=plurality,worlds=5,nodes-per-board=300";
    for seed in 0..6 {
        assert_eq!(choice(spec, Game::fog(), free, seed).0, "d1d5");
    }
}

#[test]
fn single_is_greedy_where_it_can_take_else_the_move_of_one_board() {
    let (m, report) = choice("ubsa:aggregate=single", sighted(), POISONED, 1);
    assert_eq!((m.as_str(), report.nodes), ("d1d5", 0));
    // Without captures one board is analysed, and its mate is found.
    let mate = "7k/8/8/8/8/8/6R1/R3K3 w - - 0 1";
    let (_, report) = choice(
        "ubsa:aggregate=single,nodes-per-board=2000",
        sighted(),
        mate,
        1,
    );
    assert!((1..4000).contains(&report.nodes), "{}", report.nodes);
}

#[test]
fn mean_judges_the_best_moves_of_each_board_on_all() {
    let (m, report) = choice(
        "ubsa:aggregate=mean,top=3,worlds=8",
        Game::fog(),
        POISONED,
        1,
    );
    assert_ne!(m, "d1d5", "the guard is on most boards");
    let figure = |name: &str| report.metrics.iter().find(|f| f.0 == name).map(|f| f.1);
    assert_eq!(figure("boards"), Some(8.0));
    assert_eq!(figure("rounds"), Some(8.0));
}

#[test]
fn samples_are_as_many_as_were_asked_for() {
    for samples in [3, 12] {
        let spec = format!("ubsa:worlds={samples},nodes-per-board=100");
        let (_, report) = choice(&spec, Game::fog(), POISONED, 1);
        let boards = report.metrics.iter().find(|f| f.0 == "boards");
        assert_eq!(boards.map(|f| f.1), Some(f64::from(samples)));
    }
}

#[test]
fn seed_presets_are_what_the_sources_have() {
    let game = Game::fog();
    for spec in [
        "greedy:preset=paper",
        "ubsa:preset=paper",
        "pbsa:preset=paper",
        "thesis:preset=paper",
        "thesis:preset=best",
        "qmdp:preset=paper,pieces=KQk",
    ] {
        build(spec, &game);
    }
    // The tensor of PBSA counts no positions.
    let (_, report) = choice("pbsa:preset=paper,nodes-per-board=50", game, POISONED, 1);
    assert!(report.metrics.iter().all(|figure| figure.0 != "belief"));
    // Five boards at depth 3 cost less than the default's 32 with 1000 nodes.
    let (_, report) = choice("ubsa:preset=paper", game, POISONED, 1);
    assert!((1..8_000).contains(&report.nodes), "{}", report.nodes);
    let (_, report) = choice("pbsa:nodes-per-board=50", game, POISONED, 1);
    assert!(report.metrics.iter().any(|figure| figure.0 == "belief"));
}

#[test]
fn without_stockfish_its_judgement_is_refused_by_name() {
    let spec: Spec = "ubsa:analyser=stockfish".parse().expect("a spec");
    let error = registry::build(&spec, &Game::fog(), &Providers::default())
        .err()
        .expect("no Stockfish here");
    assert!(
        error.to_string().contains("expected analyser=search"),
        "{error}"
    );
}
