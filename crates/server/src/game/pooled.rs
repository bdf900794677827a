//! A player that runs in a worker pool: its requests run in order, one at a
//! time, and callers need not wait for them.

use foglight_play::{Answer, Budget, Fault, InProcess, Player as _};
use foglight_rules::{Color, Game, Observation, Position, Record};
use tokio::sync::{mpsc, oneshot};

use crate::workers::{AgentError, Reservation, Share, Work, WorkerPool, pause};

type Job = Box<dyn FnOnce(&mut Guarded) + Send>;

/// A player and its failure, if any. A failed player gets no more requests.
pub(super) struct Guarded {
    player: InProcess,
    fault: Option<Fault>,
}

impl Guarded {
    fn see(&mut self, observation: &Observation) {
        if self.fault.is_none() {
            self.fault = self.player.see(observation).err();
        }
    }

    pub fn act(&mut self, observation: &Observation, budget: &Budget) -> Result<Answer, Fault> {
        match self.fault.clone() {
            Some(fault) => Err(fault),
            None => self.player.act(observation, budget, None),
        }
    }

    /// The player, unless it has failed.
    pub fn player(&self) -> Option<&InProcess> {
        self.fault.is_none().then_some(&self.player)
    }
}

/// A handle on the player. Calls follow the order of [`foglight_play::Agent`];
/// dropping the handle drops the player.
pub(super) struct PooledPlayer {
    jobs: mpsc::UnboundedSender<Job>,
}

/// The pool of a player, its share of it, and its memory.
pub(super) struct Means {
    pub pool: WorkerPool,
    pub share: Share,
    pub memory: Reservation,
}

impl PooledPlayer {
    /// Builds a player in the pool and starts a game for it, from a start that
    /// both sides know.
    pub fn start(
        build: impl FnOnce() -> Result<InProcess, AgentError> + Send + 'static,
        means: Means,
        (game, start): (&Game, &Position),
        side: Color,
        seed: u64,
    ) -> PooledPlayer {
        let (jobs, queue) = mpsc::unbounded_channel();
        let (game, start) = (*game, *start);
        tokio::spawn(async move {
            let begun = means.pool.run(&means.share, Work::Game, move |_| {
                let mut player = build()?;
                let fault = player.start(&game, &start, side, seed).err();
                Ok::<_, AgentError>(Guarded { player, fault })
            });
            if let Ok(Ok(player)) = begun.await {
                work(player, means, queue).await;
            }
        });
        PooledPlayer { jobs }
    }

    /// Runs `work` on the player after all earlier requests. A failed player
    /// sends no answer.
    pub fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Guarded) -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |player| {
            let _ = answer.send(work(player)); // the caller may have gone
        });
        let _ = self.jobs.send(job); // the player has failed and sends no answer
        answered
    }

    pub fn see(&self, observation: &Observation) {
        let observation = observation.clone();
        drop(self.ask(move |player| player.see(&observation)));
    }

    /// Tells the player that the game is over.
    pub fn end(&self, record: Record) {
        drop(self.ask(move |player| {
            if player.fault.is_none() {
                player.player.end(&record);
            }
        }));
    }
}

/// Runs requests until every handle is dropped. All waiting requests form one
/// job of the pool. A failed job fails the player.
async fn work(mut player: Guarded, means: Means, mut queue: mpsc::UnboundedReceiver<Job>) {
    let (pool, share) = (&means.pool, &means.share);
    while let Some(first) = queue.recv().await {
        let mut jobs = vec![first];
        while let Ok(next) = queue.try_recv() {
            jobs.push(next);
        }
        let done = pool.run(share, Work::Game, move |_| {
            for job in jobs {
                job(&mut player);
                pause();
            }
            player
        });
        match done.await {
            Ok(back) => player = back,
            Err(_) => return,
        }
    }
    // In the pool, since dropping may join the player's own threads.
    let _ = pool.run(share, Work::Game, move |_| drop(player)).await;
    drop(means.memory);
}
