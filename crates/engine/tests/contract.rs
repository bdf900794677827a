//! Every agent of the registry fulfils the agent contract in every game that it
//! plays.

use foglight_engine::registry::AGENTS;
use foglight_play::{
    Agent, Entry, Options, Providers, Spec,
    contract::{Trial, check},
};
use foglight_rules::Game;

/// Start position for agents that cannot play from the usual one.
const SMALL: &str = "3k/4/4/KQ2 w - - 0 1";

fn make(entry: &Entry, game: &Game) -> Box<dyn Agent> {
    let spec: Spec = entry.name.parse().expect("a spec");
    let options = Options::check(&spec, entry.options).expect("no options");
    let agent = entry.configure(&options, game, &Providers::default());
    Box::new(agent.expect("an agent"))
}

fn trial(entry: &Entry, game: Game) -> Trial {
    let start = match entry.name {
        "qmdp" => game.parse_fen(SMALL).expect("a position"),
        _ => game.start(),
    };
    Trial {
        game,
        start,
        nodes: 40,
        plies: 16,
    }
}

#[test]
fn every_agent_keeps_the_contract() {
    let mut checked = 0;
    for entry in AGENTS {
        for game in Game::ALL.into_iter().filter(|game| (entry.plays)(game)) {
            let trial = trial(entry, game);
            if let Err(breach) = check(&mut || make(entry, &game), &trial) {
                panic!("{} in {game}: {breach}", entry.name);
            }
            checked += 1;
        }
    }
    assert!(checked >= AGENTS.len());
}
