//! The trainers drive agents by their contract.

use foglight_engine::registry;
use foglight_play::{
    ConfiguredAgent, Providers,
    contract::{CallLog, CheckedAgent},
};
use foglight_rules::Game;
use foglight_train::{
    belief::games::BeliefGames,
    network::datagen::{DataGen, Labels},
};

fn pair(log: &CallLog) -> [CheckedAgent<ConfiguredAgent>; 2] {
    let spec = "greedy".parse().expect("a spec");
    [0, 1].map(|_| {
        let agent = registry::build(&spec, &Game::fog(), &Providers::default());
        CheckedAgent::new(agent.expect("an agent"), log)
    })
}

#[test]
fn trainers_keep_the_order_of_calls() {
    let log = CallLog::default();
    let [mut white, mut black] = pair(&log);
    for number in 0..3 {
        let harvest = DataGen {
            plies: 12,
            ..DataGen::default()
        };
        let players = [&mut white as _, &mut black as _];
        harvest.game(&Game::fog(), players, number, &Labels::Search(1));
        let players = [&mut white as _, &mut black as _];
        BeliefGames::default().game(&Game::fog(), players, number);
    }
    assert_eq!(log.breaches(), Vec::<String>::new());
    assert_eq!(log.games(), 12);
}
