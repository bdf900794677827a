//! Published effects whose sign is certain, in short seeded matches: the tests
//! that `data/papers/claims.tsv` names as guards.

use foglight_engine::registry;
use foglight_play::{
    Agent, GameConfig, Providers, Session, Spec, rng::derive, session::play_agents,
};
use foglight_rules::{ByColor, Color, FogRules, Game};

/// Results of a match for its first agent, and for White.
#[derive(Default, Debug)]
struct Results {
    games: u32,
    won: u32,
    lost: u32,
    white: u32,
    black: u32,
}

/// Plays pairs of games with colours swapped; a game of over 200 moves is drawn.
fn play(game: Game, one: &str, other: &str, pairs: u64, seed: u64) -> Results {
    let build = |text: &str| {
        let spec: Spec = text.parse().expect("a spec");
        registry::build(&spec, &game, &Providers::default()).expect("an agent")
    };
    let (mut one, mut other) = (build(one), build(other));
    let mut results = Results::default();
    for number in 0..2 * pairs {
        let swapped = number % 2 == 1;
        let session = Session::new(game, game.start(), Some(200));
        let seed = derive(seed, number / 2);
        let config = GameConfig::new(game, game.start(), seed, (number % 2) as u32);
        let (white, black): (&mut dyn Agent, &mut dyn Agent) = match swapped {
            false => (&mut one, &mut other),
            true => (&mut other, &mut one),
        };
        let played = play_agents(session, &config, ByColor { white, black }, &|_| false);
        results.games += 1;
        let winner = played.outcome.and_then(|outcome| outcome.winner);
        let first = if swapped { Color::Black } else { Color::White };
        results.won += u32::from(winner == Some(first));
        results.lost += u32::from(winner == Some(!first));
        results.white += u32::from(winner == Some(Color::White));
        results.black += u32::from(winner == Some(Color::Black));
    }
    results
}

fn thesis(one: &str, other: &str, pairs: u64) -> Results {
    thesis_under(Game::fog_with(FogRules::Thesis), one, other, pairs)
}

fn thesis_under(game: Game, one: &str, other: &str, pairs: u64) -> Results {
    let spec = |options: &str| format!("thesis:{options}");
    play(game, &spec(one), &spec(other), pairs, 1)
}

/// Mellemseter 2017, set 5: risk assessment costs games (published 36 %).
#[test]
fn risk_makes_the_agent_worse() {
    let set = thesis("risk=on", "risk=off", 40);
    assert!(set.won + 10 < set.lost, "{set:?}");
}

/// Mellemseter 2017, sets 6 to 9: move ordering wins games (77 to 83 %).
#[test]
fn ordering_makes_the_agent_better() {
    for (one, other) in [
        ("ordering=on", "ordering=off"),
        ("ordering=on", "risk=on"),
        ("ordering=on,risk=on", "ordering=off"),
        ("ordering=on,risk=on", "risk=on"),
    ] {
        let set = thesis(one, other, 10);
        assert!(set.won >= 15, "{one} v {other}: {set:?}");
    }
}

/// Mellemseter 2017, sets 1 to 4: White leads without ordering, Black with it,
/// with risk assessment too.
#[test]
fn colours_lead_as_in_the_thesis() {
    for risk in ["off", "on"] {
        let plain = thesis(&format!("risk={risk}"), &format!("risk={risk}"), 40);
        assert!(plain.white > plain.black + 8, "{plain:?}");
    }
    let ordered = thesis("ordering=on", "ordering=on", 60);
    assert!(ordered.black > ordered.white + 8, "{ordered:?}");
    let both = thesis("risk=on,ordering=on", "risk=on,ordering=on", 150);
    assert!(both.black > both.white + 8, "{both:?}");
}

/// Mellemseter 2017, set 10: with ordering too, risk assessment costs games
/// (published 43.4 %).
#[test]
fn risk_makes_an_ordered_agent_worse() {
    let set = thesis("risk=on,ordering=on", "ordering=on", 150);
    assert!(set.won + 15 < set.lost, "{set:?}");
}

/// Mellemseter 2017, sets 11 and 12: half and a tenth of the severity are better
/// than all of it (42.8 %, under 41).
#[test]
fn less_severity_is_better() {
    let half = thesis("risk=on", "risk=on,severity=0.5", 200);
    assert!(half.won + 10 < half.lost, "{half:?}");
    let tenth = thesis("risk=on", "risk=on,severity=0.1", 60);
    assert!(tenth.won + 6 < tenth.lost, "{tenth:?}");
}

/// Mellemseter 2017, set 13: depth 4 is worse than depth 2 (43.7 %).
#[test]
fn a_deeper_search_of_visible_moves_is_worse() {
    let game = Game::fog_with(FogRules::Thesis).with_halfmove_limit(Some(16));
    let set = thesis_under(game, "ordering=on,depth=4", "ordering=on", 100);
    assert!(set.won + 10 < set.lost, "{set:?}");
}

fn ermlick(one: &str, other: &str, pairs: u64) -> Results {
    play(Game::fog_with(FogRules::OpenSpiel), one, other, pairs, 1)
}

/// Ermlick 2023: UBSA and PBSA beat greedy, and PBSA beats UBSA (70, 93, 77 %).
#[test]
fn sampled_boards_beat_greed_and_memory_beats_none() {
    let greedy = "greedy:ties=last";
    let uniform = ermlick("ubsa:preset=paper", greedy, 12);
    assert!(uniform.won > uniform.lost, "{uniform:?}");
    let progressive = ermlick("pbsa:preset=paper", greedy, 12);
    assert!(progressive.won > progressive.lost + 4, "{progressive:?}");
    let both = ermlick("pbsa:preset=paper", "ubsa:preset=paper", 20);
    assert!(both.won > both.lost, "{both:?}");
}

/// Chakrian et al., figure 6: MCTS beats the goal-based agent (96 %), with the
/// evaluation in place of the playout.
#[test]
fn tree_search_beats_the_goal_based_agent() {
    let set = play(Game::dice1(), "mcts:nodes=100", "goal", 10, 1);
    assert!(set.won > 2 * set.lost, "{set:?}");
}

/// Chakrian et al., section IV: without evaluation, more playouts win more.
#[test]
fn playouts_without_evaluation_help() {
    let by = |nodes: u32| {
        let one = format!("mcts:preset=paper,eval=off,bias=off,nodes={nodes}");
        play(Game::dice1(), &one, "goal", 12, 1)
    };
    let (few, many) = (by(5), by(100));
    assert!(many.won > few.won, "{few:?} {many:?}");
}
