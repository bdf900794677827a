//! The agent `foglight` through its public interface: legal and deterministic play
//! from observations alone, and the known pitfalls of such engines.

#[path = "common/hang_guard.rs"]
mod hang_guard;

use std::time::Duration;

use foglight_engine::registry;
use foglight_play::{Agent, Budget, Clock, ConfiguredAgent, Providers, Report, Spec};
use foglight_rules::{Action, Color, FogRules, Game, Role, Sight, State, View};
use hang_guard::{CLOCK, ends_by_itself};

fn build(spec: &str, game: &Game) -> ConfiguredAgent {
    let spec: Spec = spec.parse().expect("a spec");
    registry::build(&spec, game, &Providers::default()).expect("an agent")
}

/// Plays a game between two agents. `each` receives every state with the agent that
/// has just chosen a move in it.
fn play(
    mut state: State,
    specs: [&str; 2],
    most: u32,
    seed: u64,
    mut each: impl FnMut(&State, &ConfiguredAgent),
) -> State {
    let game = *state.game();
    let mut players = specs.map(|spec| build(spec, &game));
    players[0].start(&game, Color::White, seed);
    players[1].start(&game, Color::Black, seed + 1);
    while state.outcome().is_none() && state.plies() < most {
        players[0].see(&state.observe(Color::White));
        players[1].see(&state.observe(Color::Black));
        let side = state.position().turn();
        let player = &mut players[usize::from(side.is_black())];
        let m = player.act(&state.observe(side), &Budget::default());
        each(&state, player);
        state.play(Action::Move(m)).expect("a legal move");
    }
    state
}

fn figure(report: &Report, name: &str) -> f64 {
    let found = report.metrics.iter().find(|(known, _)| *known == name);
    found.map_or(f64::NAN, |(_, value)| *value)
}

#[test]
fn it_plays_by_every_rule_set_and_on_small_boards() {
    for rules in FogRules::ALL {
        let game = Game::fog_with(rules);
        play(
            State::start(game),
            ["foglight:nodes=400", "greedy"],
            30,
            1,
            |_, _| {},
        );
        for fen in ["r1kr/pppp/PPPP/R1KR w - - 0 1", "k3/4/4/1QK1 w - - 0 1"] {
            let start = game.parse_fen(fen).expect("a position");
            let state = State::new(game, start);
            play(state, ["foglight:nodes=300", "random"], 30, 2, |_, _| {});
        }
    }
}

#[test]
fn every_option_plays() {
    for options in [
        "purify=off",
        "purify=raw",
        "kluss=off",
        "prior=uniform",
        "expand=two-sided",
        "eval=simple",
        "worlds=8",
        "support=1",
        "carry=off",
        "bonus=variance",
        "sober=off",
        "floor=off",
        "level=1",
        "threads=2",
        "ponder=on",
        "plies=12",
        "cap=50",
    ] {
        let spec = format!("foglight:nodes=300,{options}");
        play(
            State::start(Game::fog()),
            ["greedy", &spec],
            12,
            3,
            |_, _| {},
        );
    }
}

#[test]
fn a_node_budget_repeats_exactly() {
    let games: Vec<(String, Vec<u64>)> = (0..2)
        .map(|_| {
            let mut nodes = Vec::new();
            let specs = ["foglight:nodes=1500", "foglight:nodes=700"];
            let end = play(State::start(Game::fog()), specs, 24, 5, |_, player| {
                nodes.extend(player.report().map(|report| report.nodes));
            });
            (end.game().fen(end.position()), nodes)
        })
        .collect();
    assert_eq!(games[0], games[1]);
}

/// Section 12 and pitfall 3: the belief contains the true position at every ply, and
/// every world gives the mover the same moves and the same view.
#[test]
fn the_truth_is_in_its_belief() {
    let mut exact = 0;
    for seed in 0..6 {
        let specs = [
            "foglight:nodes=200,max-positions=200000",
            "foglight:nodes=200,max-positions=200000",
        ];
        play(
            State::start(Game::fog()),
            specs,
            60,
            seed,
            |state, player| {
                let belief = player.belief().expect("a belief");
                if !belief.is_exact() {
                    return;
                }
                exact += 1;
                assert!(belief.contains(state.position()), "ply {}", state.plies());
                let game = state.game();
                let moves = game.legal_moves(state.position());
                let side = state.position().turn();
                let view = View::new(game, state.position(), side);
                for world in belief.positions().take(50) {
                    assert_eq!(game.legal_moves(&world).as_slice(), moves.as_slice());
                    assert_eq!(View::new(game, &world, side), view);
                }
            },
        );
    }
    assert!(exact > 100, "only {exact} beliefs were exact");
}

/// Pitfall 8: a belief no larger than `worlds` is used whole. Pitfall 7: the number
/// of worlds is limited by the budget.
#[test]
fn the_worlds_fit_the_belief_and_the_budget() {
    let mut fitted = 0;
    play(
        State::start(Game::fog()),
        ["foglight:nodes=6000,assume-king-capture=off", "greedy"],
        24,
        7,
        |_, player| {
            let Some(report) = player.report().filter(|report| report.depth > 0) else {
                return;
            };
            let (belief, worlds) = (figure(&report, "belief"), figure(&report, "worlds"));
            if belief <= 16.0 {
                fitted += 1;
                assert_eq!(belief, worlds);
            }
            assert!(worlds <= 16.0 + 16.0 / 4.0 + 16.0, "{worlds}");
            let expansions = figure(&report, "expansions");
            assert!(
                expansions >= 6.0 * worlds.min(16.0),
                "{expansions} {worlds}"
            );
        },
    );
    assert!(fitted > 0);
}

/// Pitfall 9: the agent converts won games and promotes pawns.
#[test]
fn won_endgames_are_won() {
    let game = Game::fog().with_sight(Color::White, Sight::Full);
    for (fen, most) in [
        ("8/8/8/4k3/8/8/8/QK6 w - - 0 1", 80),
        ("8/P5k1/8/8/8/8/8/1K6 w - - 0 1", 90),
    ] {
        let state = State::new(game, game.parse_fen(fen).expect("a position"));
        let end = play(state, ["foglight:nodes=4000", "random"], most, 1, |_, _| {});
        let winner = end.outcome().and_then(|outcome| outcome.winner);
        assert_eq!(
            winner,
            Some(Color::White),
            "{fen}: {}",
            game.fen(end.position())
        );
    }
}

/// The same in fog, against an opponent that evades.
#[test]
fn won_endgames_are_won_in_fog() {
    let game = Game::fog();
    for fen in [
        "8/2k5/8/8/8/6R1/5K2/4R3 w - - 0 1",
        "8/8/8/4R3/5R2/1k3K2/8/8 w - - 0 1",
        "8/8/3k4/8/8/8/1Q6/K7 w - - 0 1",
    ] {
        let state = State::new(game, game.parse_fen(fen).expect("a position"));
        let players = ["foglight:nodes=4000", "foglight:nodes=4000"];
        let end = play(state, players, 150, 1, |_, _| {});
        let winner = end.outcome().and_then(|outcome| outcome.winner);
        let fen = game.fen(end.position());
        assert_eq!(winner, Some(Color::White), "{fen} after {}", end.plies());
    }
}

#[test]
fn it_takes_a_king_that_it_sees_and_a_piece_that_hangs() {
    let game = Game::fog();
    for (fen, best) in [
        ("3k4/8/8/q2R4/8/8/8/4K3 w - - 0 1", "d5d8"),
        ("6k1/8/8/q6R/8/8/8/4K3 w - - 0 1", "h5a5"),
    ] {
        let state = State::new(game, game.parse_fen(fen).expect("a position"));
        let mut player = build("foglight:nodes=3000", &game);
        player.start(&game, Color::White, 1);
        let seen = state.observe(Color::White);
        player.see(&seen);
        assert_eq!(player.act(&seen, &Budget::default()).to_string(), best);
    }
}

/// Pitfall 4: alternate values are on the scale of solved values, so the start
/// position is neither won nor lost; and the report is complete.
#[test]
fn it_tells_what_it_thinks() {
    let mut state = State::start(Game::fog());
    let mut player = build("foglight:nodes=3000", state.game());
    player.start(state.game(), Color::White, 0);
    player.see(&state.observe(Color::White));
    for text in ["d2d4", "d7d5", "g1f3", "g8f6"] {
        let action = state.parse_action(text).expect("legal");
        state.play_unchecked(action);
        player.see(&state.observe(Color::White));
    }
    player.act(&state.observe(Color::White), &Budget::default());
    let report = player.report().expect("a report");
    let value = report.value.expect("a value");
    assert!(value.abs() < 0.4, "{value}");
    let total: f64 = report.policy.iter().map(|(_, share)| share).sum();
    assert!(
        (total - 1.0).abs() < 1e-6 && report.policy.len() <= 3,
        "{:?}",
        report.policy
    );
    assert_eq!(report.pv.first(), report.policy.first().map(|(m, _)| m));
    assert!(report.likely.iter().any(|(role, _, _)| *role == Role::King));
    for name in [
        "belief",
        "worlds",
        "tree",
        "infosets",
        "expansions",
        "reused",
        "follow_prior",
    ] {
        assert!(figure(&report, name) >= 0.0, "{name}");
    }
    assert!(figure(&report, "reused") == 0.0);
    let gains = ["new_gain_10", "new_gain_50", "new_gain_90"].map(|name| figure(&report, name));
    assert!(gains.is_sorted(), "{gains:?}");
    assert!((0.0..=1.0).contains(&figure(&report, "follow_prior")));
    assert!(figure(&report, "margin").abs() <= 2.0);
}

/// Pitfall 12: a clock alone ends the search. A unit test of the agent covers the
/// share of the clock that the search gets.
#[test]
fn a_clock_is_kept() {
    let game = Game::fog();
    let state = State::start(game);
    let mut player = build("foglight", &game);
    player.start(&game, Color::White, 1);
    let mut budget = Budget::default().timed(CLOCK);
    budget.clock = Some(Clock {
        left: Duration::from_millis(900),
        increment: Duration::ZERO,
    });
    let seen = state.observe(Color::White);
    let played = ends_by_itself(budget, |budget| player.act(&seen, budget));
    assert!(seen.legal_moves().contains(&played));
    assert!(figure(&player.report().expect("a report"), "expansions") > 0.0);
}

#[test]
fn the_tree_is_carried_over() {
    let mut carried = 0;
    let specs = ["foglight:nodes=3000", "foglight:nodes=500,reuse-tree=off"];
    play(State::start(Game::fog()), specs, 12, 2, |state, player| {
        let Some(report) = player.report().filter(|report| report.depth > 0) else {
            return;
        };
        match state.position().turn() {
            Color::White => carried += u32::from(figure(&report, "reused") > 0.0),
            Color::Black => assert_eq!(figure(&report, "reused"), 0.0),
        }
    });
    assert!(carried > 2, "{carried}");
}

/// Pitfall 11: belief and tree follow the played move, even if the agent chose
/// another.
#[test]
fn the_belief_follows_what_was_played() {
    let game = Game::fog();
    let mut state = State::start(game);
    let mut player = build("foglight:nodes=3000", &game);
    player.start(&game, Color::White, 4);
    let mut carried = 0.0;
    for round in 0..4 {
        player.see(&state.observe(Color::White));
        let seen = state.observe(Color::White);
        let chosen = player.act(&seen, &Budget::default());
        carried += figure(&player.report().expect("a report"), "reused");
        let other = seen.legal_moves().iter().rev().find(|m| **m != chosen);
        let other = *other.expect("another move");
        state.play(Action::Move(other)).expect("a legal move");
        player.see(&state.observe(Color::White));
        let reply = state.legal_moves()[round % 3];
        state.play(Action::Move(reply)).expect("a legal move");
        assert!(state.outcome().is_none(), "round {round}");
        player.see(&state.observe(Color::White));
        let belief = player.belief().expect("a belief");
        assert!(
            belief.is_exact() && belief.contains(state.position()),
            "round {round}"
        );
    }
    assert!(carried > 0.0, "the tree was lost");
}

/// Plans that look at nothing and put a piece where it takes the king unless Black
/// happens to guard against it. Each is one hidden world among many.
#[test]
fn blind_plans_do_not_take_its_king() {
    let plans = [
        "c2c4 d1a4 a4e8",
        "c2c3 e2e4 d1a4 a4e8",
        "e2e4 c2c3 d1a4 a4e8",
    ];
    let mut player = build("foglight:nodes=5000", &Game::fog());
    let mut taken = Vec::new();
    for plan in plans {
        taken.extend((0..10).filter(|seed| takes_king(plan, &mut player, *seed)));
    }
    assert!(taken.len() <= 1, "{taken:?}");
}

/// Plays White's plan against Black; whether the king falls on the way.
fn takes_king(plan: &str, black: &mut ConfiguredAgent, seed: u64) -> bool {
    let mut state = State::start(Game::fog());
    black.start(state.game(), Color::Black, seed);
    black.see(&state.observe(Color::Black));
    for text in plan.split(' ') {
        let seen = state.observe(Color::White);
        let mut moves = seen.legal_moves().iter();
        if moves.any(|m| seen.captures(*m) == Some(Role::King)) {
            return true;
        }
        let Ok(action) = state.parse_action(text) else {
            return false;
        };
        if state.play(action).is_err() || state.outcome().is_some() {
            return false;
        }
        black.see(&state.observe(Color::Black));
        let reply = black.act(&state.observe(Color::Black), &Budget::default());
        state.play(Action::Move(reply)).expect("a legal move");
        black.see(&state.observe(Color::Black));
    }
    false
}

/// As Black it plans before it answers: its first subgame has White's moves as
/// root infosets of a tree, not only worlds in which White knows everything.
#[test]
fn its_first_move_as_black_reuses_a_tree() {
    let reused = |spec: &str| {
        let mut state = State::start(Game::fog());
        let mut player = build(spec, &Game::fog());
        player.start(state.game(), Color::Black, 1);
        player.see(&state.observe(Color::Black));
        let first = state.parse_action("e2e4").expect("legal");
        state.play_unchecked(first);
        player.see(&state.observe(Color::Black));
        player.act(&state.observe(Color::Black), &Budget::default());
        figure(&player.report().expect("a report"), "reused")
    };
    assert!(reused("foglight:nodes=3000") > 20.0);
    assert_eq!(reused("foglight:nodes=3000,opening-share=0"), 0.0);
}

/// The first search as Black comes before the subgame that sets the draws by
/// repetition: those of the last game must be gone.
#[test]
fn a_game_leaves_nothing_to_the_next() {
    let game = Game::fog();
    let start = "8/8/8/4K3/8/8/8/qk6 w - - 0 1";
    let policy = |agent: &mut ConfiguredAgent, moves: &str| {
        let mut state = State::new(game, game.parse_fen(start).expect("a position"));
        agent.start(&game, Color::Black, 1);
        agent.see(&state.observe(Color::Black));
        for text in moves.split(' ') {
            let action = state.parse_action(text).expect("a legal move");
            state.play_unchecked(action);
            agent.see(&state.observe(Color::Black));
        }
        agent.act(&state.observe(Color::Black), &Budget::nodes(2000));
        agent.report().expect("a search").policy
    };
    let mut agent = build("foglight", &game);
    let fresh = policy(&mut agent, "e5e4");
    policy(&mut agent, "e5e4 a1a2 e4e5 a2a1 e5e4");
    assert_eq!(policy(&mut agent, "e5e4"), fresh);
}
