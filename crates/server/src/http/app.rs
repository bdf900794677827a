//! State shared by all requests.

use std::{
    net::IpAddr,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use foglight_play::Providers;

use super::{
    ApiResult,
    access::{Access, PublicOrigin},
    limits::Limiters,
    traffic::Traffic,
};
use crate::{
    domain::Network,
    game::{GameError, Games, GamesConfig},
    source::{RandomSource, WallClock},
    store::{self, Store, StoreError},
    study::Reviews,
    tournament, user_study,
    workers::{AgentFactory, MemoryBudget, Share, Work, WorkerPool},
};

/// Configuration of a server.
#[derive(Clone, Default)]
pub struct Config {
    /// Folder for stored games; in memory only if `None`.
    pub data: Option<PathBuf>,
    /// Resources that agents get from outside.
    pub providers: Providers,
    /// Worker threads for agents' moves; one per core if 0.
    pub threads: usize,
    /// Seed for ids, dice and agents: for tests only, since it makes them
    /// predictable.
    pub seed: Option<u64>,
    pub time: WallClock,
    /// HTTP requests per minute from one address; 600 if 0.
    pub requests: u32,
    /// Files that this process may open, which bounds the connections; found out
    /// if `None`.
    pub files: Option<usize>,
    /// Addresses under which browsers reach the server, besides IP addresses and
    /// `localhost`.
    pub origins: Vec<PublicOrigin>,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub proxies: Vec<IpAddr>,
    /// Timeout for a client's request head, body or hello; ten seconds if
    /// `None`.
    pub patience: Option<Duration>,
}

/// Default timeout for clients; see [`Config`].
const PATIENCE: Duration = Duration::from_secs(10);

/// State shared by all requests.
pub(crate) struct App {
    pub(crate) store: Store,
    pub(crate) time: WallClock,
    pub(crate) chance: Arc<RandomSource>,
    pub(crate) games: Arc<Games>,
    pub(crate) pool: WorkerPool,
    pub(crate) memory: MemoryBudget,
    pub(crate) agents: AgentFactory,
    pub(crate) limits: Limiters,
    pub(crate) traffic: Arc<Traffic>,
    pub(crate) access: Access,
    pub(crate) reviews: Reviews,
    pub(crate) patience: Duration,
    /// The operator's secret.
    pub(crate) operator: String,
}

/// Interval at which the server stores that it is alive.
const HEARTBEAT: Duration = Duration::from_millis(400);

impl App {
    /// Opens the data and resumes the running games in them.
    pub async fn open(config: Config) -> Result<Arc<App>, GameError> {
        let store = match &config.data {
            Some(folder) => Store::open(folder)?,
            None => Store::in_memory()?,
        };
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let threads = if config.threads == 0 {
            cores
        } else {
            config.threads
        };
        let requests = if config.requests == 0 {
            600
        } else {
            config.requests
        };
        let boots = store.boot().await?;
        let time = config.time.not_before(store.last_alive().await?);
        let chance = Arc::new(
            config
                .seed
                .map_or(RandomSource::System, RandomSource::seeded),
        );
        let agents = AgentFactory::new(config.providers);
        let (pool, memory) = (WorkerPool::new(threads), MemoryBudget::default());
        let operator = operator_of(config.data.as_deref())?;
        let games = Games::new(GamesConfig {
            store: store.clone(),
            time: time.clone(),
            chance: Arc::clone(&chance),
            agents: agents.clone(),
            pool: pool.clone(),
            memory: memory.clone(),
            first_version: boots * 1_000_000,
            finished: user_study::saver(config.data, Arc::clone(&chance)),
        });
        let app = Arc::new(App {
            time,
            chance,
            games,
            agents,
            limits: Limiters::new(requests),
            traffic: Arc::default(),
            access: Access {
                origins: config.origins,
                proxies: config.proxies,
            },
            reviews: Reviews::new(store.clone(), pool.clone(), memory.clone()),
            pool,
            memory,
            store,
            patience: config.patience.unwrap_or(PATIENCE),
            operator,
        });
        app.games.wake().await?;
        tournament::wake(&app.games).await?;
        tokio::spawn(heartbeat(Arc::downgrade(&app)));
        Ok(app)
    }

    /// Does the work of a request in the pool, at the cost of its network. It
    /// needs at most so many KiB.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        network: Network,
        kibibytes: u64,
        job: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
    ) -> ApiResult<T> {
        let share = Share::of_request(network);
        let memory = self.memory.reserve(&share.payer, kibibytes)?;
        let work = move |stop: &_| {
            let _memory = memory;
            job(stop)
        };
        Ok(self.pool.run(&share, Work::Request, work).await?)
    }

    /// Stops everything that runs. Everything acknowledged is stored.
    pub fn close(&self) {
        self.games.close();
    }
}

/// The operator's secret: that of the data folder, or one that nobody learns. It
/// never comes from the seed of a test, which can be guessed.
fn operator_of(data: Option<&Path>) -> Result<String, StoreError> {
    let fresh = RandomSource::System.text(32);
    match data {
        Some(folder) => store::operator_secret(folder, &fresh),
        None => Ok(fresh),
    }
}

/// Stores the time while a clock runs, so that after a crash the clocks resume
/// where they stood. An idle server writes nothing.
async fn heartbeat(app: std::sync::Weak<App>) {
    loop {
        let Some(app) = app.upgrade() else { return };
        if app.games.clocks_run() {
            // A full disk is reported to players when they move.
            let _ = app.store.heartbeat(app.time.now()).await;
        }
        drop(app);
        tokio::time::sleep(HEARTBEAT).await;
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::{Color, FogRules, Game};

    use super::*;
    use crate::{
        domain::Seat,
        game::Refusal,
        store::{Account, Newcomer},
        workers::Payer,
    };

    /// With a full disk the move is refused and nothing is lost; once there is
    /// space again the game continues.
    #[tokio::test]
    async fn a_full_disk_refuses_moves_and_loses_nothing() {
        let app = App::open(Config::default()).await.expect("an app");
        let game = Game::fog_with(FogRules::Thesis);
        let mut terms = app.games.terms(&game, "startpos".into());
        let chair = |player: &str| Seat::Person {
            player: player.into(),
            name: player.into(),
            rating: None,
        };
        (terms.white, terms.black) = (chair("a"), chair("b"));
        let handle = app
            .games
            .create(terms, Payer::Server)
            .await
            .expect("a game");
        handle
            .play(Color::White, 0, "e2e4", "1")
            .await
            .expect("room");
        let limit = |pages: i64| {
            app.store.run(move |connection| {
                connection.query_row(
                    &format!("PRAGMA max_page_count = {pages}"),
                    [],
                    |_| Ok(()),
                )?;
                Ok(())
            })
        };
        limit(1).await.expect("a pragma");
        let mut people = 0;
        loop {
            let newcomer = Newcomer {
                account: Account {
                    id: people.to_string(),
                    name: "x".repeat(30),
                },
                token: people.to_string(),
                at: 0,
            };
            people += 1;
            if app.store.add_person(newcomer).await.is_err() {
                break;
            }
            assert!(people < 10_000, "the disk is never full");
        }
        // Small rows may still fit on half-filled pages: fills those too.
        let (mut ply, mut refused) = (1, None);
        // Rules without repetition draws, so that the knights may shuffle.
        let knights = ["b8c6", "b1c3", "c6b8", "c3b1"].into_iter().cycle();
        for text in knights.take(99) {
            let side = Color::from_white(ply % 2 == 0);
            match handle.play(side, ply, text, &"t".repeat(40)).await {
                Ok(()) => ply += 1,
                Err(error) => {
                    refused = Some((side, text, error));
                    break;
                }
            }
        }
        let (side, text, error) = refused.expect("the disk was full at last");
        assert_eq!(error, Refusal::Unsaved);
        let (info, _) = handle.info().await.expect("the game");
        assert_eq!(info.ply, ply, "nothing was played");
        limit(100_000).await.expect("a pragma");
        handle
            .play(side, ply, text, "again")
            .await
            .expect("room again");
        let (info, _) = handle.info().await.expect("the game");
        let stored = app.store.load_game(&info.id).await.expect("storage");
        let stored = stored.expect("the game").actions.len();
        assert_eq!(stored as u32, info.ply, "what is acknowledged is stored");
    }
}
