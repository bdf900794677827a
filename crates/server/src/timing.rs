//! Timing test: an agent's answers must not tell by their time what is hidden.
//!
//! In each pair of games a person has seen the same, but the true positions
//! differ, and so does the agent's work. The two answers are told apart by the
//! processor time that they took; if the times at which they arrive can be told
//! apart too, by the signed-rank test of Wilcoxon (1945), the time leaks.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use foglight_arena::stats::normal;
use foglight_engine::registry;
use foglight_play::{Agent, Budget, Providers, Report, seeded};
use foglight_rules::{Color, Game, Move, Observation, Record};
use serde_json::Value;
use tokio::time::Instant;

use crate::{
    domain::{ActionText, Seat},
    game::{Games, GamesConfig, Handle},
    noninterference::{Twins, twins},
    source::{RandomSource, WallClock},
    store::{Store, StoredAction},
    workers::{AgentFactory, MemoryBudget, PROCESSOR, WorkerPool},
};

/// Plies of the games before the answer that is measured.
const PLIES: usize = 16;

/// Times of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Answered {
    /// Processor time of the search.
    pub work: Duration,
    /// From the acknowledgement of the person's move to the agent's.
    pub arrived: Duration,
}

/// An agent that notes the processor time of its last move.
struct Timed {
    agent: Box<dyn Agent>,
    work: Arc<AtomicU64>,
}

impl Agent for Timed {
    fn start(&mut self, game: &Game, side: Color, seed: u64) {
        self.agent.start(game, side, seed);
    }

    fn see(&mut self, observation: &Observation) {
        self.agent.see(observation);
    }

    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        let timer = PROCESSOR.start();
        let m = self.agent.act(observation, budget);
        let spent = timer.elapsed().as_micros() as u64;
        self.work.store(spent, Ordering::Relaxed);
        m
    }

    fn report(&self) -> Option<Report> {
        self.agent.report()
    }

    fn end(&mut self, record: &Record) {
        self.agent.end(record);
    }
}

/// Plays pairs of games against the agent of a spec. Of each pair the answer
/// that took less work comes first.
pub async fn measure(
    spec: &str,
    pairs: usize,
    seed: u64,
    mut done: impl FnMut(usize),
) -> Result<Vec<[Answered; 2]>, String> {
    let work = Arc::new(AtomicU64::new(0));
    let noted = Arc::clone(&work);
    let agents = AgentFactory::of(Providers::default(), move |spec, game, providers| {
        let agent = Box::new(registry::build(spec, game, providers)?);
        let work = Arc::clone(&noted);
        Ok(Box::new(Timed { agent, work }))
    });
    let games = Games::new(GamesConfig {
        store: Store::in_memory().map_err(|e| e.to_string())?,
        time: WallClock::default(),
        chance: Arc::new(RandomSource::seeded(seed)),
        agents,
        pool: WorkerPool::new(1),
        memory: MemoryBudget::default(),
        first_version: 0,
        finished: Box::new(|_| {}),
    });
    let mut rng = seeded(seed);
    let mut measured = Vec::new();
    while measured.len() < pairs {
        let Some(twins) = twins(Game::fog(), Color::White, PLIES, &mut rng) else {
            continue;
        };
        if twins.actions.len() < PLIES {
            continue;
        }
        let order = [0, 1].map(|i| (i + measured.len()) % 2);
        let mut both = Vec::new();
        for which in order {
            both.extend(answer(&games, spec, &twins, which, &work).await?);
        }
        if let [one, other] = both[..] {
            let fewer_first = one.work <= other.work;
            measured.push(if fewer_first {
                [one, other]
            } else {
                [other, one]
            });
            done(measured.len());
        }
    }
    Ok(measured)
}

/// Continues one of the twins by a move of the person. `None` if that ends the
/// game.
async fn answer(
    games: &Arc<Games>,
    spec: &str,
    twins: &Twins,
    which: usize,
    work: &AtomicU64,
) -> Result<Option<Answered>, String> {
    let handle = restored(games, spec, twins, which).await?;
    let text = |e: crate::game::Refusal| e.to_string();
    let mut attached = handle
        .attach(Some(Color::White), None)
        .await
        .map_err(text)?;
    let seen = handle.observation(Color::White).await.map_err(text)?;
    let seen = serde_json::to_value(&seen).map_err(|e| e.to_string())?;
    let moves = seen["moves"].as_array().ok_or("no moves")?;
    // The first move exists in both games.
    let Some(played) = moves.first().and_then(Value::as_str) else {
        return Ok(None);
    };
    // The agent has followed the game before it is asked.
    tokio::time::sleep(Duration::from_millis(100)).await;
    handle
        .play(Color::White, PLIES as u32, played, "t")
        .await
        .map_err(text)?;
    let asked = Instant::now();
    let answered = format!("\"ply\":{},\"turn\":\"white\"", PLIES + 2);
    loop {
        let frame = attached.frames.recv().await.ok_or("the game ended")?;
        if frame.text().contains("\"t\":\"end\"") {
            return Ok(None);
        }
        if frame.text().contains(&answered) {
            let work = Duration::from_micros(work.load(Ordering::Relaxed));
            let arrived = asked.elapsed();
            let _ = handle.resign(Color::White).await; // frees its memory, if it is not over
            return Ok(Some(Answered { work, arrived }));
        }
    }
}

/// A game from storage in which the actions of a twin have been played.
async fn restored(
    games: &Arc<Games>,
    spec: &str,
    twins: &Twins,
    which: usize,
) -> Result<Handle, String> {
    let mut terms = games.terms(&twins.game, "startpos".to_owned());
    terms.white = Seat::Person {
        player: "observer".to_owned(),
        name: "Observer".to_owned(),
        rating: None,
    };
    terms.black = Seat::Agent {
        name: spec.to_owned(),
        spec: spec.to_owned(),
        rating: None,
    };
    let trouble = |e: crate::store::StoreError| e.to_string();
    games.store.add_game(&terms, None).await.map_err(trouble)?;
    for (number, pair) in twins.actions.iter().enumerate() {
        let action = StoredAction {
            action: ActionText::new(pair[which]),
            token: String::new(),
            at: games.time.now(),
            left: None,
        };
        let stored = games.store.add_action(&terms, number, action, None).await;
        stored.map_err(trouble)?;
    }
    let found = games.get(&terms.id).await.map_err(|e| e.to_string())?;
    found.ok_or_else(|| "the game was stored".to_owned())
}

/// The two-sided p-value of the signed-rank test that differences are centred
/// at zero, by the normal approximation.
pub fn signed_rank(differences: &[f64]) -> f64 {
    let mut ranked: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    ranked.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let n = ranked.len() as f64;
    if n < 1.0 {
        return 1.0;
    }
    let ranks = (1..).zip(&ranked).filter(|(_, d)| **d > 0.0);
    let positive: f64 = ranks.map(|(rank, _)| f64::from(rank)).sum();
    let mean = n * (n + 1.0) / 4.0;
    let deviation = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
    let z = (positive - mean).abs() / deviation;
    2.0 * normal::cdf(-z)
}

/// The p-value that more work arrives at another time, with `planted` added to
/// every answer with more work.
pub fn separation(measured: &[[Answered; 2]], planted: Duration) -> f64 {
    let later = |pair: &[Answered; 2]| {
        (pair[1].arrived + planted).as_secs_f64() - pair[0].arrived.as_secs_f64()
    };
    signed_rank(&measured.iter().map(later).collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_knows_known_samples() {
        // All of ten differences positive: the exact p is 0.002.
        let positive: Vec<f64> = (1..=10).map(f64::from).collect();
        let p = signed_rank(&positive);
        assert!((0.002..0.008).contains(&p), "{p}");
        let even: Vec<f64> = (1..=10)
            .map(|i| f64::from(i) * [1.0, -1.0][i as usize % 2])
            .collect();
        assert!(signed_rank(&even) > 0.5);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn answers_arrive_when_they_should_whatever_is_hidden() {
        // On a busy machine noise may hide even a planted difference: then the
        // games are played again.
        for seed in 1..=3 {
            let measured = measure("foglight:level=1", 60, seed, |_| {}).await;
            let measured = measured.expect("the games are played");
            if separation(&measured, Duration::from_millis(30)) < 0.001 {
                let found = separation(&measured, Duration::ZERO);
                assert!(found >= 0.001, "{found}: {measured:?}");
                return;
            }
        }
        panic!("a planted difference of 30 ms is not found");
    }
}
