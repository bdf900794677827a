//! What all requests share.

use std::{path::PathBuf, sync::Arc, time::Duration};

use foglight_engine::Providers;

use crate::{
    game::{GameError, Games, table::Table},
    http::Limiter,
    source::{Chance, Time},
    store::Store,
    study::Reviews,
    think::Pool,
    user_test,
};

/// How a server is set up.
#[derive(Clone, Default)]
pub struct Config {
    /// Where games are kept; nowhere but in memory if `None`.
    pub data: Option<PathBuf>,
    /// What agents get from outside.
    pub providers: Providers,
    /// Threads that think about moves; the machine's number if 0.
    pub threads: usize,
    /// Ids, dice and agents from a seed: for tests only, since then they can
    /// be guessed.
    pub seed: Option<u64>,
    /// The clock.
    pub time: Time,
    /// HTTP requests a minute from one address; 600 if 0.
    pub requests: u32,
}

/// What all requests share.
pub struct App {
    pub(crate) store: Store,
    pub(crate) time: Time,
    pub(crate) chance: Chance,
    pub(crate) games: Games,
    pub(crate) moves: Pool,
    pub(crate) study: Pool,
    pub(crate) providers: Providers,
    pub(crate) limiter: Limiter,
    pub(crate) reviews: Reviews,
    pub(crate) started: u64,
    pub(crate) data: Option<PathBuf>,
    boots: u64,
}

/// How often the server notes that it is alive.
const HEARTBEAT: Duration = Duration::from_millis(400);

impl App {
    /// Opens the data and wakes the games in them.
    pub async fn open(config: Config) -> Result<Arc<App>, GameError> {
        let store = match &config.data {
            Some(folder) => Store::open(folder)?,
            None => Store::in_memory()?,
        };
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let threads = if config.threads == 0 { cores } else { config.threads };
        let requests = if config.requests == 0 { 600 } else { config.requests };
        let boots = store.boot().await?;
        let app = Arc::new(App {
            store,
            started: config.time.now(),
            time: config.time,
            chance: config.seed.map_or(Chance::System, Chance::seeded),
            games: Games::default(),
            moves: Pool::new("moves", threads, 4096),
            study: Pool::new("study", 1, 64),
            providers: config.providers,
            limiter: Limiter::new(requests),
            reviews: Reviews::default(),
            data: config.data,
            boots,
        });
        app.games.wake(&app).await?;
        crate::tournament::wake(&app).await?;
        tokio::spawn(heartbeat(Arc::downgrade(&app)));
        Ok(app)
    }

    /// Where the versions of this life of the server start.
    pub(crate) fn first_version(&self) -> u64 {
        self.boots * 1_000_000
    }

    /// A game is over: what is to be done beside it.
    pub(crate) fn finished(self: &Arc<App>, table: &Table) {
        if table.terms.participant.is_some() {
            user_test::save(self, table);
        }
    }

    /// Lets go of everything that runs. What was acknowledged is stored.
    pub fn close(&self) {
        self.games.close();
    }
}

/// Notes the time while the server lives, so that after a crash clocks go on
/// from where they stood.
async fn heartbeat(app: std::sync::Weak<App>) {
    loop {
        let Some(app) = app.upgrade() else { return };
        // A full disk is told to players when they move.
        let _ = app.store.heartbeat(app.time.now()).await;
        drop(app);
        tokio::time::sleep(HEARTBEAT).await;
    }
}
