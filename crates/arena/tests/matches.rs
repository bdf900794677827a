//! Matches repeat, records are complete, and no player is shown hidden
//! information.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use foglight_arena::{
    journal::{self, Journal},
    record::GameRecord,
    schedule::{Format, SchedulePlan, Shard},
    tournament::{MatchEntrant, MatchEvent, Tournament},
};
use foglight_engine::registry;
use foglight_play::{Agent, Budget, Providers};
use foglight_play::{
    DiceSource as _, GameConfig, InProcess, Limits, Player, SeededDice,
    contract::{CallLog, CheckedAgent},
    session,
    session::agent_seed,
};
use foglight_rules::{ByColor, Color, Game, Move, Observation, Record, Sight};

fn contestant(name: &str, spec: &str, game: Game) -> MatchEntrant {
    let parsed = spec.parse().expect("a spec");
    MatchEntrant {
        name: name.to_owned(),
        agent: spec.to_owned(),
        limits: Limits::default(),
        engine: None,
        make: Box::new(move || {
            let player = registry::build(&parsed, &game, &Providers::default());
            Ok(Box::new(InProcess(Box::new(player.expect("an agent")))))
        }),
        reusable: false,
    }
}

fn tournament(game: Game, rounds: u64, concurrency: usize) -> Tournament {
    Tournament {
        game,
        contestants: vec![
            contestant("A", "greedy", game),
            contestant("B", "random", game),
            contestant("C", "greedy:style=conservative", game),
        ],
        plan: SchedulePlan {
            contestants: 3,
            format: Format::RoundRobin,
            rounds,
            games: 2,
            repeat: true,
            starts: vec![game.start()],
            seed: 7,
        },
        shard: Shard::WHOLE,
        concurrency,
        max_moves: Some(200),
        sprt: None,
        recover: false,
        announce: true,
        time_scale: 1.0,
    }
}

/// Players that serve several games observe every action of each and are told
/// its end.
#[test]
fn matches_keep_the_contract_of_agents() {
    for game in [Game::fog(), Game::dice3()] {
        let log = CallLog::default();
        let mut tournament = tournament(game, 2, 2);
        for contestant in &mut tournament.contestants {
            let spec = contestant.agent.parse().expect("a spec");
            let log = log.clone();
            contestant.reusable = true;
            contestant.make = Box::new(move || {
                let agent = registry::build(&spec, &game, &Providers::default());
                let agent = CheckedAgent::new(agent.expect("an agent"), &log);
                Ok(Box::new(InProcess(Box::new(agent))))
            });
        }
        assert_eq!(lines(&tournament).len() * 2, log.games());
        assert_eq!(log.breaches(), Vec::<String>::new());
    }
}

fn lines(tournament: &Tournament) -> Vec<String> {
    let mut lines = Vec::new();
    let never = AtomicBool::new(false);
    let tally = tournament.run(None, Vec::new(), &never, |event| {
        if let MatchEvent::Finished { record, .. } = event {
            lines.push((record.number, record.to_json()));
        }
    });
    assert_eq!(tally.expect("a match").games(), tournament.plan.len());
    lines.sort();
    lines.into_iter().map(|(_, line)| line).collect()
}

#[test]
fn a_match_repeats_on_one_thread_or_many() {
    for game in Game::ALL {
        let one = lines(&tournament(game, 3, 1));
        assert_eq!(one, lines(&tournament(game, 3, 4)), "{game}");
        for line in one {
            let record = GameRecord::from_json(&line).expect("a record");
            assert_eq!(record.to_json(), line);
        }
    }
}

#[test]
fn pairs_share_their_dice() {
    let game = Game::dice1();
    let roll = |line: &String| -> Vec<String> {
        let record = GameRecord::from_json(line).expect("a record");
        let actions = record.record.actions.iter().map(ToString::to_string);
        actions.filter(|text| text.starts_with("roll")).collect()
    };
    let lines = lines(&tournament(game, 5, 2));
    for pair in lines.chunks(2) {
        // The first position is the same, so the first roll is; later rolls
        // differ in their possible values, but use the same random numbers.
        assert_eq!(roll(&pair[0])[0], roll(&pair[1])[0]);
    }
    let chances = game.chance_outcomes(&game.start());
    let draw = |seed| {
        (0..20)
            .map(|_| SeededDice::new(seed).roll(&chances))
            .collect::<Vec<_>>()
    };
    assert_eq!(draw(3), draw(3));
}

/// Agent that records every observation it receives.
struct Witness {
    inner: Box<dyn Agent>,
    shown: Arc<Mutex<Vec<Observation>>>,
}

impl Agent for Witness {
    fn start(&mut self, game: &Game, side: Color, seed: u64) {
        self.inner.start(game, side, seed);
    }
    fn see(&mut self, observation: &Observation) {
        self.shown.lock().expect("a lock").push(observation.clone());
        self.inner.see(observation);
    }
    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        let shown = self.shown.lock().expect("a lock");
        assert_eq!(
            shown.last(),
            Some(observation),
            "acts on what it was shown last"
        );
        drop(shown);
        self.inner.act(observation, budget)
    }
    fn end(&mut self, record: &Record) {
        self.inner.end(record);
    }
}

/// Every observation of each agent follows from the record, and in fog it never
/// contains the position.
#[test]
fn the_record_tells_what_was_shown() {
    let sighted = Game::fog().with_sight(Color::Black, Sight::Full);
    for game in Game::ALL.into_iter().chain([sighted]) {
        for seed in 0..10 {
            let shown = ByColor::new_with(|_| Arc::new(Mutex::new(Vec::new())));
            let mut seats = shown.as_ref().map(|shown: &Arc<Mutex<Vec<Observation>>>| {
                let spec = "greedy".parse().expect("a spec");
                let inner = registry::build(&spec, &game, &Providers::default()).expect("an agent");
                InProcess(Box::new(Witness {
                    inner: Box::new(inner),
                    shown: shown.clone(),
                }))
            });
            let config = GameConfig {
                max_moves: Some(100),
                ..GameConfig::new(game, game.start(), seed, 0)
            };
            let chairs = ByColor {
                white: &mut seats.white as &mut dyn Player,
                black: &mut seats.black as &mut dyn Player,
            };
            let played = session::play(&config, chairs, &|| false);
            let states = played.record.states().expect("a legal game");
            for side in Color::ALL {
                let shown = shown.get(side).lock().expect("a lock");
                assert_eq!(shown.len(), states.len());
                for (shown, state) in shown.iter().zip(&states) {
                    // The referee's own decisions (limits, claims) come after
                    // the last view.
                    if state.outcome().is_none() {
                        assert_eq!(*shown, state.observe(side), "{game}");
                    }
                    assert_eq!(shown.position().is_some(), game.has_full_view(side));
                }
            }
        }
    }
}

#[test]
fn agents_of_a_pair_have_their_own_chances() {
    let seeds = [
        (0, Color::White),
        (0, Color::Black),
        (1, Color::White),
        (1, Color::Black),
    ];
    let mut seeds = seeds.map(|(leg, side)| agent_seed(5, leg, side)).to_vec();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 4);
}

#[test]
fn a_journal_resumes_where_it_was_cut() {
    let game = Game::fog();
    let match_of = || tournament(game, 4, 2);
    let whole = lines(&match_of());
    let dir = std::env::temp_dir().join(format!("foglight-journal-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    for cut in [0, 1, 7, 13, whole.len()] {
        let path = dir.join(format!("{cut}.jsonl"));
        let mut text: String = whole[..cut]
            .iter()
            .map(|line| format!("{line}\n"))
            .collect();
        if let Some(next) = whole.get(cut) {
            text.push_str(&next[..next.len() / 2]); // half a line: the program was killed here
        }
        std::fs::write(&path, text).expect("written");
        assert!(
            Journal::create(&path).is_err(),
            "an existing journal is not overwritten"
        );
        let (journal, before) = Journal::resume(&path).expect("a journal");
        assert_eq!(before.len(), cut);
        let played = Mutex::new(0);
        let never = AtomicBool::new(false);
        let tally = match_of().run(Some(journal), before, &never, |event| {
            if let MatchEvent::Finished { .. } = event {
                *played.lock().expect("a lock") += 1;
            }
        });
        assert_eq!(tally.expect("a match").games(), whole.len() as u64);
        assert_eq!(
            *played.lock().expect("a lock"),
            whole.len() - cut,
            "nothing is played twice"
        );
        let mut after: Vec<GameRecord> = journal::read(&path).expect("a journal");
        after.sort_by_key(|record| record.number);
        let after: Vec<String> = after.iter().map(GameRecord::to_json).collect();
        assert_eq!(after, whole);
    }
    std::fs::remove_dir_all(&dir).expect("removed");
}

#[test]
fn a_journal_of_another_match_is_refused() {
    let game = Game::fog();
    let line = lines(&tournament(game, 1, 1)).remove(0);
    let record = GameRecord::from_json(&line).expect("a record");
    let mut other = tournament(game, 1, 1);
    other.plan.seed = 8;
    let never = AtomicBool::new(false);
    let refused = other.run(None, vec![record], &never, |_| {});
    assert!(refused.is_err_and(|e| e.to_string().contains("another seed")));
}

#[test]
fn stopping_keeps_what_is_finished() {
    let game = Game::fog();
    let big = tournament(game, 100_000, 2);
    let stop = AtomicBool::new(false);
    let mut finished = 0;
    let tally = big.run(None, Vec::new(), &stop, |event| {
        if let MatchEvent::Finished { .. } = event {
            finished += 1;
            if finished >= 50 {
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    let games = tally.expect("a match").games();
    assert!((50..big.plan.len() / 2).contains(&games), "{games}");
    assert_eq!(games, finished);
}
