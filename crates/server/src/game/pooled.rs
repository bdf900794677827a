//! A player that works in a pool: what it is asked is done in order, one thing
//! at a time, and nobody waits for it who does not want to.

use foglight_play::{Answer, Budget, Fault, InProcess, Player as _};
use foglight_rules::{Color, Game, Observation, Position, Record};
use tokio::sync::{mpsc, oneshot};

use crate::workers::WorkerPool;

type Job = Box<dyn FnOnce(&mut Guarded) + Send>;

/// A player and how it failed, if it has: then it is asked nothing more.
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

/// A handle on the player. The order of calls is that of
/// [`foglight_play::Agent`]; without a handle the player is gone.
pub(super) struct PooledPlayer {
    jobs: mpsc::UnboundedSender<Job>,
}

impl PooledPlayer {
    /// A game begins for the player, from a start that both sides know.
    pub fn start(
        mut player: InProcess,
        pool: WorkerPool,
        (game, start): (&Game, &Position),
        side: Color,
        seed: u64,
    ) -> PooledPlayer {
        let (jobs, queue) = mpsc::unbounded_channel();
        let (game, start) = (*game, *start);
        tokio::spawn(async move {
            let begun = pool.run(move || {
                let fault = player.start(&game, &start, side, seed).err();
                Guarded { player, fault }
            });
            if let Ok(player) = begun.await {
                work(player, &pool, queue).await;
            }
        });
        PooledPlayer { jobs }
    }

    /// Has something done with the player after all that was asked before.
    /// Nothing comes back from a player that was lost.
    pub fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Guarded) -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |player| {
            let _ = answer.send(work(player)); // nobody waits any more
        });
        let _ = self.jobs.send(job); // lost: the answer will not come
        answered
    }

    pub fn see(&self, observation: &Observation) {
        let observation = observation.clone();
        drop(self.ask(move |player| player.see(&observation)));
    }

    /// The game is over.
    pub fn end(&self, record: Record) {
        drop(self.ask(move |player| {
            if player.fault.is_none() {
                player.player.end(&record);
            }
        }));
    }
}

/// Does what is asked until nobody can ask any more. All that waits is one job
/// of the pool. A pool that is full, or a job that failed, loses the player.
async fn work(mut player: Guarded, pool: &WorkerPool, mut queue: mpsc::UnboundedReceiver<Job>) {
    while let Some(first) = queue.recv().await {
        let mut jobs = vec![first];
        while let Ok(next) = queue.try_recv() {
            jobs.push(next);
        }
        let done = pool.run(move || {
            jobs.into_iter().for_each(|job| job(&mut player));
            player
        });
        match done.await {
            Ok(back) => player = back,
            Err(_) => return,
        }
    }
    // It may have threads of its own to wait for.
    let _ = pool.run(move || drop(player)).await;
}
