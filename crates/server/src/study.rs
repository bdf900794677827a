//! Work that takes seconds: reviews of finished games and analyses of
//! positions. All of it runs in the pool for analysis.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use foglight_engine::belief::BeliefTracker;
use foglight_engine::review::{self, ReviewSettings};
use foglight_play::{Budget, Marginals, Player as _, Report};
use foglight_rules::{Color, Game, Move, Observation, Position, Record};

use crate::{
    domain::Network,
    store::Store,
    wire::{ReviewDto, ReviewProgress, side_name},
    workers::{self, AgentFactory, PROCESSOR, Share, Work, WorkerPool, pause},
};

#[derive(Default)]
struct Counter {
    done: AtomicUsize,
    of: AtomicUsize,
}

/// Running reviews, by game and side.
pub struct Reviews {
    store: Store,
    pool: WorkerPool,
    working: Working,
}

type Working = Arc<Mutex<HashMap<(String, Color), Arc<Counter>>>>;

impl Reviews {
    /// Computes reviews in `pool` and caches them in `store`.
    pub fn new(store: Store, pool: WorkerPool) -> Reviews {
        Reviews {
            store,
            pool,
            working: Working::default(),
        }
    }

    /// The progress of a review; the first call starts it.
    pub fn ask(&self, game: &str, side: Color, record: Record, network: Network) -> ReviewProgress {
        let share = Share::of_request(network);
        let key = (game.to_owned(), side);
        let counter = Arc::new(Counter::default());
        {
            let mut working = self.working.lock().expect("no panic holds it");
            if let Some(counter) = working.get(&key) {
                return ReviewProgress {
                    done: counter.done.load(Ordering::Relaxed),
                    of: counter.of.load(Ordering::Relaxed),
                    queue: self.pool.place(&share),
                };
            }
            working.insert(key.clone(), Arc::clone(&counter));
        }
        counter.of.store(record.actions.len(), Ordering::Relaxed);
        let of = record.actions.len();
        let (store, pool, working) = (
            self.store.clone(),
            self.pool.clone(),
            Arc::clone(&self.working),
        );
        tokio::spawn(async move {
            let done = pool.run(&share, Work::Request, move |_| {
                let mut hear = |done, of| {
                    counter.done.store(done, Ordering::Relaxed);
                    counter.of.store(of, Ordering::Relaxed);
                    pause();
                };
                review::review(&record, side, &ReviewSettings::default(), &mut hear).ok()
            });
            if let Ok(Some(review)) = done.await
                && let Ok(text) = serde_json::to_string(&ReviewDto::from(review))
            {
                // A review that cannot be stored is computed again on the next
                // request.
                let _ = store.keep_review(&key.0, side_name(side), &text).await;
            }
            let mut working = working.lock().expect("no panic holds it");
            working.remove(&key);
        });
        ReviewProgress {
            done: 0,
            of,
            queue: None,
        }
    }
}

/// An agent's analysis of one view.
pub(crate) struct PositionAnalysis {
    pub m: Move,
    pub report: Report,
    /// Size of the belief, whether it is exact, and its marginals.
    pub belief: Option<(usize, bool, Marginals)>,
}

/// Seed of analyses.
const SEED: u64 = 1;
/// Thinking time for an analysis, unless the spec sets a limit.
const THOUGHT: Duration = Duration::from_millis(1000);

/// Analyses a view with an agent, without the history of the game. Blocking:
/// for the pool.
pub fn ask(
    spec: &str,
    game: &Game,
    start: &Position,
    observation: &Observation,
    agents: &AgentFactory,
    stop: &Arc<AtomicBool>,
) -> Result<PositionAnalysis, String> {
    let mut agent = agents.build(spec, game).map_err(|e| e.to_string())?;
    let failed = |_| format!("agent '{spec}' failed on this position");
    let observation = &observation.clone().without_start();
    let side = observation.side();
    agent.start(game, start, side, SEED).map_err(failed)?;
    agent.see(observation).map_err(failed)?;
    let mut budget = match workers::is_bounded(spec) {
        true => Budget::default().timed(PROCESSOR),
        false => Budget::time(THOUGHT, PROCESSOR),
    };
    budget.longest = Some(workers::MAX_MOVE_TIME);
    let budget = budget.with_stop(Arc::clone(stop));
    let answer = agent.act(observation, &budget, None).map_err(failed)?;
    let belief = (!game.has_full_view(side)).then(|| {
        let mut keeper = BeliefTracker::new(20_000, 1);
        keeper.start(SEED);
        keeper.see(observation);
        let belief = keeper.belief();
        belief.map(|belief| (belief.count(), belief.is_exact(), belief.marginals()))
    });
    Ok(PositionAnalysis {
        m: answer.m,
        report: answer.report.unwrap_or_default(),
        belief: belief.flatten(),
    })
}
