//! Every agent looks at its deadline: whatever options a visitor of a server may
//! set, a move of 100 ms takes no more than 300 ms of processor time.

use std::time::Duration;

use foglight_engine::registry::{self, AGENTS};
use foglight_play::{
    Agent, Budget, Entry, OptionInfo, Providers, TimeSource, Values, rng::derive, seeded,
    spec::COMMON,
};
use foglight_rules::{Action, Color, Game, State, Turn};
use rand::seq::IndexedRandom;
use rustix::time::{ClockId, clock_gettime};

const ALLOWED: Duration = Duration::from_millis(100);
const MOST: Duration = Duration::from_millis(300);

/// The processor time of this thread, so that a busy machine changes nothing.
const PROCESSOR: TimeSource = TimeSource(|| {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
});

/// The most that visitors may set a whole number to, with one thread.
fn most(option: &OptionInfo) -> Option<String> {
    match (option.name, option.visitors()?) {
        ("threads" | "level" | "ms" | "seed", _) => None,
        (name, Values::Whole(_, most)) => Some(format!("{name}={most}")),
        _ => None,
    }
}

/// Specs of an agent: whole numbers at their bounds, and each word in turn.
fn worst(entry: &Entry) -> Vec<String> {
    let options = || entry.options.iter().chain(&COMMON);
    let mut large: Vec<String> = options().filter_map(most).collect();
    large.push(format!("ms={}", ALLOWED.as_millis()));
    let spec = |extra: &str| {
        let all = large.iter().map(String::as_str).chain([extra]);
        let all: Vec<&str> = all.filter(|text| !text.is_empty()).collect();
        format!("{}:{}", entry.name, all.join(","))
    };
    let mut specs = vec![spec("")];
    for option in options() {
        let words: &[&str] = match option.visitors() {
            Some(Values::Choice(words)) => words,
            Some(Values::Switch) => &["on", "off"],
            _ => continue,
        };
        let others = words.iter().filter(|word| **word != option.default);
        specs.extend(others.map(|word| spec(&format!("{}={word}", option.name))));
    }
    specs
}

/// Lets an agent follow a random game, and move for a side near its end.
fn slowest_move(spec: &str, state: &State, plies: usize) -> (Duration, Duration) {
    let game = *state.game();
    let (mut state, side) = (state.clone(), Color::White);
    let mut rng = seeded(derive(7, plies as u64));
    let parsed = spec.parse().expect("a spec");
    let mut agent = registry::build(&parsed, &game, &Providers::default()).expect("an agent");
    agent.start(&game, side, 1);
    let mut seeing = Duration::ZERO;
    loop {
        let began = PROCESSOR.start();
        agent.see(&state.observe(side));
        seeing = seeing.max(began.elapsed());
        let due = state.turn() == Turn::Player(side) && state.plies() as usize >= plies;
        if due || state.outcome().is_some() {
            break;
        }
        let action: Action = *state.legal_actions().choose(&mut rng).expect("an action");
        let next = {
            let mut next = state.clone();
            next.play(action).expect("it is legal");
            next
        };
        if next.outcome().is_none() {
            state = next;
        }
    }
    let began = PROCESSOR.start();
    let budget = Budget::default().timed(PROCESSOR);
    let m = agent.act(&state.observe(side), &budget);
    assert!(state.observe(side).legal_moves().contains(&m), "{spec}");
    (began.elapsed(), seeing)
}

/// Starts of a game: the usual one, and in fog a bare endgame.
fn starts(game: Game) -> Vec<State> {
    let mut starts = vec![State::start(game)];
    if game.fog_rules().is_some() {
        let bare = game.parse_fen("4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
        starts.push(State::new(game, bare.expect("a position")));
    }
    starts
}

#[test]
fn whatever_visitors_set_a_move_ends_in_time() {
    let games = [Game::chess(), Game::fog(), Game::dice1(), Game::dice3()];
    let mut late = Vec::new();
    for entry in AGENTS {
        for game in games.iter().filter(|game| (entry.plays)(game)) {
            for (start, spec) in starts(*game)
                .iter()
                .flat_map(|start| worst(entry).into_iter().map(move |spec| (start, spec)))
            {
                let (moving, seeing) = slowest_move(&spec, start, 16);
                if moving > MOST || seeing > MOST {
                    eprintln!("{game}: {spec}: {moving:.0?}, {seeing:.0?} to see");
                    late.push(format!("{game}: {spec}: {moving:.0?}, {seeing:.0?} to see"));
                }
            }
        }
    }
    assert!(late.is_empty(), "{}", late.join("\n"));
}
