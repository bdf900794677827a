//! Work that takes seconds: reviews of finished games and analyses of
//! positions. All of it runs in the pool for analysis.

use std::{
    collections::HashMap,
    panic::resume_unwind,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use foglight_engine::belief::BeliefTracker;
use foglight_engine::review::{self, ReviewSettings};
use foglight_play::{Budget, Marginals, Player as _, Report};
use foglight_rules::{Color, Game, Move, Observation, Position, Record};
use tokio::time::sleep;

use crate::{
    domain::Network,
    store::Store,
    wire::{ReviewDto, ReviewProgress, side_name},
    workers::{
        self, AgentFactory, JobError, MemoryBudget, MemoryFull, PROCESSOR, Share, Work, WorkerPool,
        pause,
    },
};

/// A review that is being computed.
struct Running {
    done: AtomicUsize,
    of: AtomicUsize,
    /// When somebody last asked for it.
    asked: Mutex<Instant>,
    failed: OnceLock<JobError>,
}

impl Running {
    fn new(of: usize) -> Running {
        Running {
            done: AtomicUsize::new(0),
            of: AtomicUsize::new(of),
            asked: Mutex::new(Instant::now()),
            failed: OnceLock::new(),
        }
    }
}

/// Time after which a review that nobody asks for any more is given up.
const FORGOTTEN: Duration = Duration::from_secs(60);
/// KiB that a review needs: its belief and the tables of two searches.
const MEMORY: u64 = 80 << 10;

/// Running reviews, by game and side.
pub struct Reviews {
    store: Store,
    pool: WorkerPool,
    memory: MemoryBudget,
    working: Working,
}

type Working = Arc<Mutex<HashMap<(String, Color), Arc<Running>>>>;

impl Reviews {
    /// Computes reviews in `pool` and caches them in `store`.
    pub fn new(store: Store, pool: WorkerPool, memory: MemoryBudget) -> Reviews {
        Reviews {
            store,
            pool,
            memory,
            working: Working::default(),
        }
    }

    /// The progress of a review, if one runs. One that was refused a processor
    /// fails once.
    pub(crate) fn progress(
        &self,
        game: &str,
        side: Color,
        network: Network,
    ) -> Result<Option<ReviewProgress>, JobError> {
        let key = (game.to_owned(), side);
        let mut working = self.working.lock().expect("no panic holds it");
        let Some(running) = working.get(&key) else {
            return Ok(None);
        };
        if let Some(error) = running.failed.get().copied() {
            working.remove(&key);
            return Err(error);
        }
        *running.asked.lock().expect("no panic holds it") = Instant::now();
        Ok(Some(ReviewProgress {
            done: running.done.load(Ordering::Relaxed),
            of: running.of.load(Ordering::Relaxed),
            queue: self.pool.place(&Share::of_request(network)),
        }))
    }

    /// Starts a review.
    pub(crate) fn begin(
        &self,
        game: &str,
        side: Color,
        record: Record,
        network: Network,
    ) -> Result<ReviewProgress, MemoryFull> {
        let share = Share::of_request(network);
        let of = record.actions.len();
        let begun = ReviewProgress {
            done: 0,
            of,
            queue: None,
        };
        let key = (game.to_owned(), side);
        let mut working = self.working.lock().expect("no panic holds it");
        if working.contains_key(&key) {
            return Ok(begun); // two have asked at once
        }
        let memory = self.memory.reserve(&share.payer, MEMORY)?;
        let running = Arc::new(Running::new(of));
        working.insert(key.clone(), Arc::clone(&running));
        drop(working);
        let (store, pool, working) = (
            self.store.clone(),
            self.pool.clone(),
            Arc::clone(&self.working),
        );
        tokio::spawn(async move {
            let told = Arc::clone(&running);
            let done = pool.run(&share, Work::Request, move |_| {
                let _memory = memory;
                compute(&record, side, &told)
            });
            match done.await {
                Err(error) if error != JobError::Panicked => {
                    let _ = running.failed.set(error); // told to who asks next
                    sleep(FORGOTTEN).await;
                }
                Ok(Some(text)) => {
                    // A review that cannot be stored is computed again on the next
                    // request.
                    let _ = store.keep_review(&key.0, side_name(side), &text).await;
                }
                _ => {}
            }
            let mut working = working.lock().expect("no panic holds it");
            if working
                .get(&key)
                .is_some_and(|known| Arc::ptr_eq(known, &running))
            {
                working.remove(&key);
            }
        });
        Ok(begun)
    }
}

/// A review as JSON. Unwinds if nobody asks for it any more.
fn compute(record: &Record, side: Color, running: &Running) -> Option<String> {
    let mut hear = |done, of| {
        running.done.store(done, Ordering::Relaxed);
        running.of.store(of, Ordering::Relaxed);
        pause();
        let asked = *running.asked.lock().expect("no panic holds it");
        if asked.elapsed() > FORGOTTEN {
            // No panic, so nothing is printed; the pool catches it.
            resume_unwind(Box::new("nobody asks for this review any more"));
        }
    };
    let review = review::review(record, side, &ReviewSettings::default(), &mut hear).ok()?;
    serde_json::to_string(&ReviewDto::from(review)).ok()
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
