//! The server calls its agents in the order that [`Agent`] documents.

mod failing;
mod hints;

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use foglight_engine::registry;
use foglight_play::{Agent, Budget, Providers, Report};
use foglight_rules::{Action, Color, Game, Move, Observation, Outcome, Record, Termination};
use tokio::time::{sleep, timeout};

use super::{Games, GamesConfig, Handle, Refusal};
use crate::{
    domain::{ClockTerms, GameSettings, ResultText, Seat, text::count},
    source::{RandomSource, WallClock},
    store::Store,
    workers::{AgentFactory, MemoryBudget, Payer, WorkerPool},
};

/// Timeout, generous for a busy machine.
const AGES: Duration = Duration::from_secs(120);

/// A recorded call of an agent.
#[derive(Clone, PartialEq, Debug)]
enum Call {
    Start(Color),
    See(Box<Observation>),
    Act(u32),
    End(Record),
}

/// The calls of both sides, labelled by side.
type Calls = Arc<Mutex<Vec<(Color, Call)>>>;

/// Plays the first legal move and records its calls.
struct Recorder {
    side: Color,
    calls: Calls,
}

impl Recorder {
    fn note(&self, call: Call) {
        let mut calls = self.calls.lock().expect("no panic holds it");
        calls.push((self.side, call));
    }
}

impl Agent for Recorder {
    fn start(&mut self, _: &Game, side: Color, _: u64) {
        self.side = side;
        self.note(Call::Start(side));
    }

    fn see(&mut self, observation: &Observation) {
        self.note(Call::See(Box::new(observation.clone())));
    }

    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
        self.note(Call::Act(observation.plies()));
        observation.legal_moves()[0]
    }

    fn end(&mut self, record: &Record) {
        self.note(Call::End(record.clone()));
    }
}

/// A registry whose agents are recorders, their calls, and the number of agents
/// built.
fn recorded(time: WallClock) -> (Arc<Games>, Calls, Arc<AtomicUsize>) {
    let (calls, built) = (Calls::default(), Arc::new(AtomicUsize::new(0)));
    let (noted, counted) = (Arc::clone(&calls), Arc::clone(&built));
    let agents = AgentFactory::of(Providers::default(), move |_, _, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        let (side, calls) = (Color::White, Arc::clone(&noted));
        Ok(Box::new(Recorder { side, calls }))
    });
    (games(agents, time), calls, built)
}

fn games(agents: AgentFactory, time: WallClock) -> Arc<Games> {
    Games::new(GamesConfig {
        store: Store::in_memory().expect("a store"),
        time,
        chance: Arc::new(RandomSource::seeded(7)),
        agents,
        pool: WorkerPool::new(2),
        memory: MemoryBudget::default(),
        first_version: 0,
        finished: Box::new(|_| {}),
    })
}

fn agent(spec: &str) -> Seat {
    Seat::Agent {
        name: spec.to_owned(),
        spec: spec.to_owned(),
        rating: None,
    }
}

fn person() -> Seat {
    Seat::Person {
        player: "somebody".to_owned(),
        name: "Somebody".to_owned(),
        rating: None,
    }
}

fn terms(games: &Games, game: Game, white: Seat, black: Seat) -> GameSettings {
    let mut terms = games.terms(&game, "startpos".to_owned());
    (terms.white, terms.black) = (white, black);
    terms
}

/// Waits until a condition holds.
async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let held = timeout(AGES, async {
        while !holds().await {
            sleep(Duration::from_millis(5)).await;
        }
    });
    held.await
        .unwrap_or_else(|_| panic!("waited for {what} in vain"));
}

async fn until_ply(handle: &Handle, ply: u32) {
    let there = async || handle.info().await.expect("the game").0.ply >= ply;
    until("a ply", there).await;
}

async fn until_called(calls: &Calls, what: &str, call: impl Fn(&Call) -> bool) {
    let called = async || {
        let calls = calls.lock().expect("no panic holds it");
        calls.iter().any(|(_, known)| call(known))
    };
    until(what, called).await;
}

/// The documented calls of a side that an agent plays.
fn expected(record: &Record, side: Color) -> Vec<Call> {
    let mut calls = vec![Call::Start(side)];
    let mut replay = record.replay();
    loop {
        let state = replay.state();
        calls.push(Call::See(Box::new(state.observe(side))));
        let acts = state.position().turn() == side;
        let plies = state.plies();
        match replay.step() {
            Some(Ok(Action::Move(_))) if acts => calls.push(Call::Act(plies)),
            Some(Ok(_)) => {}
            Some(Err(error)) => panic!("{error}"),
            None => break,
        }
    }
    calls.push(Call::End(record.clone()));
    calls
}

fn of(calls: &Calls, side: Color) -> Vec<Call> {
    let calls = calls.lock().expect("no panic holds it");
    let own = calls.iter().filter(|(of, _)| *of == side);
    own.map(|(_, call)| call.clone()).collect()
}

fn ended(call: &Call) -> bool {
    matches!(call, Call::End(_))
}

#[tokio::test]
async fn agents_are_called_as_the_contract_says() {
    for game in [Game::fog(), Game::chess(), Game::dice1()] {
        let (games, calls, built) = recorded(WallClock::default());
        let terms = terms(&games, game, agent("random"), agent("random"));
        let handle = games.create(terms, Payer::Server).await.expect("a game");
        let both = async || {
            Color::ALL
                .iter()
                .all(|&side| of(&calls, side).iter().any(ended))
        };
        until("both ends", both).await;
        let Some(Call::End(record)) = of(&calls, Color::White).pop() else {
            panic!("expected the end to be the last call");
        };
        let (info, _) = handle.info().await.expect("the game");
        assert_eq!(record.outcome.map(ResultText::from), info.result);
        for side in Color::ALL {
            assert_eq!(of(&calls, side), expected(&record, side), "{game}");
        }
        assert_eq!(built.load(Ordering::Relaxed), 2, "one for each player");
    }
}

#[tokio::test]
async fn an_agent_sees_when_it_happens_and_hears_of_a_resignation() {
    let (games, calls, _) = recorded(WallClock::default());
    let terms = terms(&games, Game::fog(), person(), agent("random"));
    let handle = games.create(terms, Payer::Server).await.expect("a game");
    handle
        .play(Color::White, 0, "e2e4", "1")
        .await
        .expect("a move");
    until_ply(&handle, 2).await;
    // The agent observes its own move long before its next turn.
    let own = |call: &Call| matches!(call, Call::See(seen) if seen.plies() == 2);
    until_called(&calls, "its own move", own).await;
    handle.resign(Color::White).await.expect("to give up");
    until_called(&calls, "the end", ended).await;
    let calls = of(&calls, Color::Black);
    let Some(Call::End(record)) = calls.last() else {
        panic!("expected the end, not {:?}", calls.last());
    };
    assert_eq!(
        record.outcome,
        Some(Outcome::win(Color::Black, Termination::Resign))
    );
    let plies = calls.iter().filter_map(|call| match call {
        Call::See(seen) => Some(seen.plies()),
        _ => None,
    });
    assert_eq!(plies.collect::<Vec<_>>(), [0, 1, 2]);
}

#[tokio::test]
async fn an_agent_hears_of_a_fallen_flag() {
    let now = Arc::new(AtomicU64::new(1_000));
    let (games, calls, _) = recorded(WallClock::Fixed(Arc::clone(&now)));
    let mut terms = terms(&games, Game::chess(), person(), agent("random"));
    let (base, increment) = (1_000, 0);
    terms.clock = Some(ClockTerms { base, increment });
    let handle = games.create(terms, Payer::Server).await.expect("a game");
    handle
        .play(Color::White, 0, "e2e4", "1")
        .await
        .expect("a move");
    until_ply(&handle, 2).await;
    now.fetch_add(2_000, Ordering::Relaxed);
    let late = handle.play(Color::White, 2, "d2d4", "2").await;
    assert!(
        matches!(late, Err(Refusal::Flag | Refusal::Over)),
        "{late:?}"
    );
    until_called(&calls, "the end", ended).await;
    let Some(Call::End(record)) = of(&calls, Color::Black).pop() else {
        panic!("expected the end to be the last call");
    };
    assert_eq!(
        record.outcome,
        Some(Outcome::win(Color::Black, Termination::Timeout))
    );
}

/// After a restart the agent of a stored game gets `start` and then every
/// observation.
#[tokio::test]
async fn a_game_out_of_storage_is_shown_from_its_start() {
    let (games, calls, _) = recorded(WallClock::default());
    let terms = terms(&games, Game::fog(), person(), agent("random"));
    let id = terms.id.clone();
    let handle = games.create(terms, Payer::Server).await.expect("a game");
    handle
        .play(Color::White, 0, "e2e4", "1")
        .await
        .expect("a move");
    until_ply(&handle, 2).await;
    drop(handle);
    games.close();
    let seen = |call: &Call| matches!(call, Call::See(seen) if seen.plies() == 2);
    until_called(&calls, "its own move", seen).await;
    calls.lock().expect("no panic holds it").clear();
    let handle = games.get(&id).await.expect("storage").expect("the game");
    handle
        .play(Color::White, 2, "d2d4", "2")
        .await
        .expect("a move");
    until_called(&calls, "a question", |call| *call == Call::Act(3)).await;
    let calls = of(&calls, Color::Black);
    assert_eq!(calls[0], Call::Start(Color::Black));
    let plies = calls.iter().filter_map(|call| match call {
        Call::See(seen) => Some(seen.plies()),
        _ => None,
    });
    assert_eq!(plies.take(4).collect::<Vec<_>>(), [0, 1, 2, 3]);
}

/// An agent that records its reports.
struct Told {
    agent: Box<dyn Agent>,
    reports: Arc<Mutex<Vec<Report>>>,
}

impl Agent for Told {
    fn start(&mut self, game: &Game, side: Color, seed: u64) {
        self.agent.start(game, side, seed);
    }

    fn see(&mut self, observation: &Observation) {
        self.agent.see(observation);
    }

    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        let m = self.agent.act(observation, budget);
        let mut reports = self.reports.lock().expect("no panic holds it");
        reports.extend(self.agent.report());
        m
    }

    fn end(&mut self, record: &Record) {
        self.agent.end(record);
    }
}

/// Nodes of the tree that the agent's second move starts with, after the
/// opponent took time to think.
async fn carried(trusted: bool, thought: Duration) -> f64 {
    let reports: Arc<Mutex<Vec<Report>>> = Arc::default();
    let told = Arc::clone(&reports);
    let agents = AgentFactory::of(Providers::default(), move |spec, game, providers| {
        let agent = Box::new(registry::build(spec, game, providers)?);
        let reports = Arc::clone(&told);
        Ok(Box::new(Told { agent, reports }))
    });
    let games = games(agents, WallClock::default());
    let spec = "foglight:nodes=300,ponder=on,seed=1";
    let mut terms = terms(&games, Game::fog(), person(), agent(spec));
    terms.trusted = trusted;
    let handle = games.create(terms, Payer::Server).await.expect("a game");
    handle
        .play(Color::White, 0, "e2e4", "1")
        .await
        .expect("a move");
    until_ply(&handle, 2).await;
    sleep(thought).await;
    handle
        .play(Color::White, 2, "a2a3", "2")
        .await
        .expect("a move");
    until_ply(&handle, 4).await;
    let reports = reports.lock().expect("no panic holds it");
    assert_eq!(reports.len(), 2);
    let figures = &reports[1].metrics;
    let figure = figures.iter().find(|(name, _)| *name == "reused");
    figure.expect("a figure").1
}

/// An operator's agent may think on the opponent's time, which enlarges its
/// tree; in a visitor's game the option is dropped.
#[tokio::test]
async fn pondering_has_an_effect_in_games_of_who_runs_the_server() {
    let not = carried(false, Duration::from_secs(2)).await;
    // On a busy machine a thread of low priority may not run for seconds.
    for seconds in [2, 10, 50] {
        if carried(true, Duration::from_secs(seconds)).await > not {
            return;
        }
    }
    panic!("pondering for 50 seconds added no node to {not}");
}

/// A move is parsed once if a person sent it, and formatted once for all
/// recipients; an agent's move is never looked up as text.
#[tokio::test]
async fn a_move_is_text_once() {
    for game in [Game::chess(), Game::fog()] {
        let (games, calls, _) = recorded(WallClock::default());
        let terms = terms(&games, game, person(), agent("random"));
        let id = terms.id.clone();
        let handle = games.create(terms, Payer::Server).await.expect("a game");
        let mut viewers = Vec::new();
        for viewer in [Some(Color::White), Some(Color::Black), None] {
            viewers.push(handle.attach(viewer, None).await.expect("a socket"));
        }
        let before = (count::READ.get(), count::WRITTEN.get());
        handle
            .play(Color::White, 0, "e2e4", "1")
            .await
            .expect("a move");
        until_ply(&handle, 2).await;
        let read = count::READ.get() - before.0;
        let written = count::WRITTEN.get() - before.1;
        assert_eq!((read, written), (1, 2), "{game}: the person's; one of each");
        let own = |call: &Call| matches!(call, Call::See(seen) if seen.plies() == 2);
        until_called(&calls, "its own move", own).await;
        let stored = games
            .store
            .load_game(&id)
            .await
            .expect("storage")
            .expect("the game");
        let Some(Call::See(seen)) = of(&calls, Color::Black).pop() else {
            panic!("expected the agent to see its move last");
        };
        let answer = seen.news().own_move.expect("its own move").to_string();
        let texts = stored.actions.iter().map(|row| row.action.as_str());
        assert_eq!(texts.collect::<Vec<_>>(), ["e2e4", &answer]);
        for viewer in &mut viewers {
            let told = std::iter::from_fn(|| viewer.frames.try_recv().ok()).count();
            assert!(told >= 2, "{game}: viewers were told");
        }
    }
}

/// As above, for a move that ends the game.
#[tokio::test]
async fn a_last_move_is_text_once() {
    let (games, _, _) = recorded(WallClock::default());
    let mut terms = terms(&games, Game::chess(), person(), agent("random"));
    terms.start = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1".to_owned();
    let handle = games.create(terms, Payer::Server).await.expect("a game");
    let before = count::WRITTEN.get();
    handle
        .play(Color::White, 0, "a1a8", "1")
        .await
        .expect("mate");
    let over = async || handle.info().await.expect("the game").0.result.is_some();
    until("the end", over).await;
    assert_eq!(count::WRITTEN.get() - before, 1);
}
