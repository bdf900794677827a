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

/// The ends of what visitors may set a whole number to, with one thread: the
/// most, and the least.
fn ends(option: &OptionInfo) -> Option<[String; 2]> {
    match (option.name, option.visitors()?) {
        ("threads" | "ms" | "seed", _) => None,
        (name, Values::Whole(least, most)) => {
            Some([most, least].map(|value| format!("{name}={value}")))
        }
        _ => None,
    }
}

/// Specs of an agent: all whole numbers at their bounds, and with that every
/// word of every option, and every number at its least, in turn.
fn worst(entry: &Entry) -> Vec<String> {
    let options = || entry.options.iter().chain(&COMMON);
    // A level is a set of the other numbers, which it must not replace.
    let numbers = options().filter(|option| option.name != "level");
    let large: Vec<String> = numbers
        .filter_map(|option| Some(ends(option)?[0].clone()))
        .collect();
    let spec = |extra: &str| {
        let key = |text: &str| text.split('=').next().unwrap_or_default().to_owned();
        let others = large.iter().filter(|text| key(text) != key(extra));
        let time = format!("ms={}", ALLOWED.as_millis());
        let all: Vec<&str> = others.map(String::as_str).chain([&*time, extra]).collect();
        let text = all.join(",");
        format!("{}:{}", entry.name, text.trim_end_matches(','))
    };
    let mut specs = vec![spec("")];
    for option in options() {
        let words: Vec<String> = match option.visitors() {
            Some(Values::Choice(words)) => words.iter().map(|word| (*word).to_owned()).collect(),
            Some(Values::Switch) => vec!["on".to_owned(), "off".to_owned()],
            _ => Vec::new(),
        };
        let others = words.iter().filter(|word| *word != option.default);
        specs.extend(others.map(|word| spec(&format!("{}={word}", option.name))));
        specs.extend(ends(option).map(|[_, least]| spec(&least)));
        if option.name == "level" {
            specs.extend(ends(option).map(|[most, _]| format!("{}:{most},ms=100", entry.name)));
        }
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

/// A bare endgame, where much is possible of little; and queens, of the agent or
/// against it, with as many
/// moves as a position has.
const BARE: &str = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
const QUEENS: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
const ENEMIES: &str = "K1nn1kb1/PP1q4/q4q2/2q4q/4q3/1q4q1/3q4/r6r w - - 0 1";

/// Starts of a game, and the plies after which the agent moves.
fn starts(game: Game) -> Vec<(State, usize)> {
    let from = |fen: &str| {
        let position = game.parse_fen(fen);
        State::new(game, position.expect("a position"))
    };
    let mut starts = vec![
        (State::start(game), 16),
        (State::start(game), 60),
        (from(BARE), 16),
        (from(QUEENS), 0),
    ];
    // By the rules of chess that is stalemate.
    if game.name() != "chess" {
        starts.push((from(ENEMIES), 0));
    }
    starts
}

#[test]
fn whatever_visitors_set_a_move_ends_in_time() {
    let games = [Game::chess(), Game::fog(), Game::dice1(), Game::dice3()];
    let mut late = Vec::new();
    for entry in AGENTS {
        for game in games.iter().filter(|game| (entry.plays)(game)) {
            let specs = || worst(entry).into_iter();
            for ((start, plies), spec) in starts(*game)
                .iter()
                .flat_map(|start| specs().map(move |spec| (start, spec)))
            {
                let (moving, seeing) = slowest_move(&spec, start, *plies);
                if moving > MOST || seeing > MOST {
                    eprintln!("{game}: {spec}: {moving:.0?}, {seeing:.0?} to see");
                    late.push(format!("{game}: {spec}: {moving:.0?}, {seeing:.0?} to see"));
                }
            }
        }
    }
    assert!(late.is_empty(), "{}", late.join("\n"));
}
