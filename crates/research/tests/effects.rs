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
    let spec = |options: &str| format!("thesis:{options}");
    play(
        Game::fog_with(FogRules::Thesis),
        &spec(one),
        &spec(other),
        pairs,
        1,
    )
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

/// Mellemseter 2017, sets 1 to 3: White leads without ordering, Black with it.
#[test]
fn colours_lead_as_in_the_thesis() {
    let plain = thesis("risk=off", "risk=off", 40);
    assert!(plain.white > plain.black + 8, "{plain:?}");
    let ordered = thesis("ordering=on", "ordering=on", 60);
    assert!(ordered.black > ordered.white + 8, "{ordered:?}");
}

/// Mellemseter 2017, set 12: a tenth of the severity is better than all of it.
#[test]
fn less_severity_is_better() {
    let set = thesis("risk=on", "risk=on,severity=0.1", 60);
    assert!(set.won + 6 < set.lost, "{set:?}");
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
