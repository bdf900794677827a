//! Regression tests for the known pitfalls of such engines (docs/strength.md has
//! the list), and for the ablation options.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use foglight_engine::{
    agents::foglight::{FogSubgame, LeafEvaluator, LeafModel},
    registry,
    search::Evaluation,
};
use foglight_play::{
    Agent, Analyser, Analysis, AnalysisLimit, Budget, ConfiguredAgent, Providers, Report, Spec,
};
use foglight_rules::{Action, Color, Game, Move, PackedPosition, Position, State};
use foglight_solver::{ExtensiveGame, Successor};

fn build(spec: &str, providers: &Providers) -> ConfiguredAgent {
    let spec: Spec = spec.parse().expect("a spec");
    registry::build(&spec, &Game::fog(), providers).expect("an agent")
}

fn figure(report: &Report, name: &str) -> f64 {
    let found = report.metrics.iter().find(|(known, _)| *known == name);
    found.map_or(f64::NAN, |(_, value)| *value)
}

/// Reports of White's searches in a game against `greedy`.
fn reports(spec: &str, plies: u32, seed: u64, providers: &Providers) -> Vec<Report> {
    let game = Game::fog();
    let mut players = [build(spec, providers), build("greedy", providers)];
    for (player, side) in players.iter_mut().zip([Color::White, Color::Black]) {
        player.start(&game, side, seed);
    }
    let mut state = State::start(game);
    let mut reports = Vec::new();
    while state.outcome().is_none() && state.plies() < plies {
        for (player, side) in players.iter_mut().zip([Color::White, Color::Black]) {
            player.see(&state.observe(side));
        }
        let side = state.position().turn();
        let player = &mut players[usize::from(side.is_black())];
        let m = player.act(&state.observe(side), &Budget::default());
        if side.is_white() {
            reports.extend(player.report());
        }
        state.play(Action::Move(m)).expect("a legal move");
    }
    reports
}

/// Follows a game without search. Checks at every ply that the belief contains the
/// true position and that every world gives the side the same view.
fn followed(moves: &str, side: Color) {
    let game = Game::fog();
    let mut state = State::start(game);
    let mut player = build("foglight:max-positions=1000000", &Providers::default());
    player.start(&game, side, 1);
    player.see(&state.observe(side));
    for text in moves.split(' ') {
        let action = state.parse_action(text).expect("a legal move");
        state.play(action).expect("a legal move");
        let seen = state.observe(side);
        player.see(&seen);
        let belief = player.belief().expect("a belief");
        assert!(belief.is_exact(), "{text}");
        assert!(belief.contains(state.position()), "lost at {text}");
        for world in belief.positions().take(200) {
            let there = State::new(game, world);
            assert_eq!(there.observe(side).view(), seen.view(), "at {text}");
        }
    }
}

/// Pitfall 3. Black castles while the bishop on a3 attacks f8, and captures en
/// passant although that opens the file to its own king. Neither is legal in plain
/// chess; a belief by those rules loses the true position for the rest of the game.
#[test]
fn castling_through_attack_and_en_passant_into_attack_stay_in_the_belief() {
    let castles = "b2b3 e7e6 c1a3 g7g6 h2h3 f8g7 h3h4 g8f6 h4h5 e8g8 h5g6 h7g6";
    let passant = "e2e4 d7d5 e4d5 e7e5 d1e2 e5e4 d2d4 e4d3 e2d3 d8e7";
    for side in Color::ALL {
        followed(castles, side);
        followed(passant, side);
    }
}

/// Pitfall 6, in play: moves are mixed only if the opponent gains nowhere by
/// choosing Follow, and then at most three.
#[test]
fn what_is_played_is_mixed_only_where_it_is_safe() {
    let none = Providers::default();
    let games = (0..6).flat_map(|seed| reports("foglight:nodes=15000", 7, seed, &none));
    let (mut pure, mut mixed) = (0, 0);
    for report in games.filter(|report| report.depth > 0) {
        match figure(&report, "follow_prior") > 0.0 {
            true => {
                pure += 1;
                assert_eq!(report.policy.len(), 1, "{:?}", report.policy);
            }
            false => {
                mixed += u32::from(report.policy.len() > 1);
                assert!(report.policy.len() <= 3, "{:?}", report.policy);
            }
        }
    }
    assert!(pure > 0 && mixed > 0, "{pure} {mixed}");
}

fn fog() -> FogSubgame {
    FogSubgame {
        game: Game::fog(),
        us: Color::White,
        leaves: LeafEvaluator {
            model: LeafModel::Inside(Evaluation::default()),
            scale: 500.0,
            noise: 0.0,
            seed: 0,
        },
        horizon: None,
        plies: 0,
        thirds: Default::default(),
    }
}

/// The children of a position at this depth.
fn children(position: &Position, depth: u32) -> Vec<Successor<PackedPosition>> {
    let mut children = Vec::new();
    fog().expand(&PackedPosition::new(position), depth, &mut children);
    children
}

/// Pitfall 9. For both sides a nearer win has a higher value, and every win a higher
/// value than any estimate.
#[test]
fn nearer_wins_are_worth_more_and_all_more_than_estimates() {
    let game = Game::fog();
    // White's rook attacks the king, and Black's queen can capture White's king.
    let position = game
        .parse_fen("3k4/8/8/8/8/8/3R4/q2K4 b - - 0 1")
        .expect("a position");
    let ends = |depth| -> Vec<f32> {
        let children = children(&position, depth);
        let ended = children.iter().filter(|child| child.terminal);
        ended.map(|child| child.value).collect()
    };
    let (soon, late) = (ends(0), ends(6));
    assert!(soon.len() > 5 && soon.len() == late.len());
    for (soon, late) in soon.iter().zip(&late) {
        assert_eq!(soon.signum(), late.signum());
        assert!(
            soon.abs() > late.abs() && late.abs() > 0.96,
            "{soon} {late}"
        );
    }
    let won = game
        .parse_fen("4k3/8/8/8/8/8/PPPQQQPP/RNBQKBNR w - - 0 1")
        .expect("a position");
    let estimates = children(&won, 0)
        .into_iter()
        .filter(|child| !child.terminal);
    for child in estimates {
        assert!(child.value.abs() <= 0.95, "{}", child.value);
    }
}

/// Section 12: an option exists for every ablation of the paper, and each changes
/// the search.
#[test]
fn every_ablation_changes_the_play() {
    let none = Providers::default();
    let thoughts = |option: &str| -> Vec<(Option<f64>, String)> {
        let spec = format!("foglight:nodes=15000{option}");
        let told = (0..4).flat_map(|seed| reports(&spec, 7, seed, &none));
        told.map(|report| (report.value, format!("{:?}", report.policy)))
            .collect()
    };
    let whole = thoughts("");
    assert_eq!(whole, thoughts(""), "the same seed thinks the same");
    for option in [
        "purify=off",
        "purify=raw",
        "kluss=off",
        "prior=uniform",
        "expand=two-sided",
        "eval=simple",
        "worlds=60",
        "support=1",
        "carry=off",
        "strategy=last",
        "max-resolve=1",
        "root-weights=0",
        "root-choice=on",
    ] {
        assert_ne!(whole, thoughts(&format!(",{option}")), "{option}");
    }
}

/// An analyser that counts its calls and prefers the first move.
struct Counting(AtomicUsize);

impl Analyser for Counting {
    fn analyse(
        &self,
        _: &Game,
        positions: &[Position],
        effort: AnalysisLimit,
    ) -> Vec<Option<Analysis>> {
        self.0.fetch_add(positions.len(), Ordering::Relaxed);
        assert_eq!(effort.depth, Some(1));
        let opinion = |position: &Position| {
            let moves = position.legal_moves();
            let named = moves.iter().enumerate();
            Some(Analysis {
                moves: named.map(|(i, m)| (*m, -(i as i32))).collect(),
                nodes: 0,
            })
        };
        positions.iter().map(opinion).collect()
    }
}

/// `preset=paper` calls the external analyser once per expansion and uses up to 256
/// worlds.
#[test]
fn the_papers_preset_asks_the_outside_judge() {
    let judge = Arc::new(Counting(AtomicUsize::new(0)));
    let lent = judge.clone();
    let providers = Providers {
        stockfish: Some(Arc::new(move || Ok(lent.clone() as Arc<dyn Analyser>))),
        ..Providers::default()
    };
    let told = reports("foglight:preset=paper,nodes=3000", 12, 7, &providers);
    let asked = judge.0.load(Ordering::Relaxed);
    let searched = told.iter().filter(|report| report.depth > 0);
    let (expansions, worlds) = searched.fold((0.0, 0f64), |(sum, most), report| {
        let worlds = figure(report, "worlds").max(most);
        (sum + figure(report, "expansions"), worlds)
    });
    assert!(
        asked as f64 >= 0.5 * expansions && asked > 100,
        "{asked} of {expansions}"
    );
    assert!(worlds > 30.0 && worlds <= 256.0 + 1.0, "{worlds}");
    let spec: Spec = "foglight:preset=paper".parse().expect("a spec");
    let without = registry::build(&spec, &Game::fog(), &Providers::default());
    let message = without.err().expect("no Stockfish").to_string();
    assert!(message.contains("needs Stockfish"), "{message}");
}

/// The 50 moves end inside the tree: with the last of them every quiet move draws,
/// and a capture goes on.
#[test]
fn the_tree_ends_with_the_fifty_moves() {
    let game = Game::fog();
    let position = game
        .parse_fen("8/8/8/8/7k/8/p7/QK6 w - - 99 80")
        .expect("a position");
    let children = children(&position, 0);
    let capture = "a1a2";
    let mut quiet = 0;
    for child in &children {
        let m = Move::from_raw(child.action).to_string();
        if m == capture || m == "b1a2" {
            assert!(!(child.terminal && child.value == 0.0), "{m}");
        } else {
            assert!(child.terminal && child.value == 0.0, "{m} {}", child.value);
            quiet += 1;
        }
    }
    assert_eq!(quiet, 10);
}
