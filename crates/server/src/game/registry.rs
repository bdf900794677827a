//! The games in memory, and loading of others from storage.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use foglight_arena::record::Telemetry;
use foglight_rules::{Color, Game};
use tokio::sync::broadcast;

use super::{actor, handle::Handle, session::GameSession};
use crate::{
    domain::{GameSettings, GameSettingsError, Seat, Sights, Status, commit_reveal::ClientSeeds},
    source::{RandomSource, WallClock},
    store::{Asker, Store, StoreError},
    wire::GameInfo,
    workers::{AgentFactory, MemoryBudget, MemoryFull, Payer, Share, WorkerPool, is_listed},
};

/// Event in the life of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoticeKind {
    /// Both seats are occupied.
    Start,
    Finish,
}

/// Notice about a game for lists and streams. Holds public information only.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    pub kind: NoticeKind,
    pub info: GameInfo,
    /// Ids of the players, White first.
    pub players: [Option<String>; 2],
}

impl Notice {
    pub(super) fn new(kind: NoticeKind, table: &GameSession) -> Notice {
        let player = |side: Color| match table.terms.chair(side) {
            Seat::Person { player, .. } => Some(player.clone()),
            _ => None,
        };
        Notice {
            kind,
            info: table.info(),
            players: [player(Color::White), player(Color::Black)],
        }
    }

    /// The side of a player.
    pub fn side_of(&self, player: &str) -> Option<Color> {
        let is = |seat: &Option<String>| seat.as_deref() == Some(player);
        match &self.players {
            [white, _] if is(white) => Some(Color::White),
            [_, black] if is(black) => Some(Color::Black),
            _ => None,
        }
    }
}

/// Reasons why a game cannot be created or loaded.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The stored settings cannot be played.
    #[error(transparent)]
    Terms(#[from] GameSettingsError),
    /// Too many games at once.
    #[error("the server has too many games already; try again later")]
    Full,
    /// No memory for the agents.
    #[error(transparent)]
    Memory(#[from] MemoryFull),
    /// Too many rated games of the same two.
    #[error(
        "rated: expected at most {RATED} games a day with the same opponent; \
         play on unrated, or tomorrow"
    )]
    Rated,
}

/// Rated games of the same two players in a day.
pub(crate) const RATED: u32 = 20;
const DAY: u64 = 24 * 60 * 60 * 1000;

/// Maximum number of games in memory.
const MAX_GAMES: usize = 10_000;

/// Dependencies of the games.
pub struct GamesConfig {
    /// Storage of all games.
    pub store: Store,
    pub time: WallClock,
    /// Source of ids and seeds.
    pub chance: Arc<RandomSource>,
    /// Builds the agents of all games.
    pub agents: AgentFactory,
    /// Pool in which agents choose their moves.
    pub pool: WorkerPool,
    /// Memory of all agents.
    pub memory: MemoryBudget,
    /// First version number of events.
    pub(crate) first_version: u64,
    /// Callback for a game that has ended.
    pub finished: Box<dyn Fn(&GameSession) + Send + Sync>,
}

/// The games in memory.
pub struct Games {
    config: GamesConfig,
    started: u64,
    /// Number of the last game, for its share of the processor.
    number: AtomicU64,
    /// Held while rated games are counted and added.
    rating: tokio::sync::Mutex<()>,
    handles: Mutex<HashMap<String, Handle>>,
    /// A clone is held by every game whose clock runs.
    pub(super) ticking: Arc<()>,
    pub(crate) notices: broadcast::Sender<Notice>,
}

impl std::ops::Deref for Games {
    type Target = GamesConfig;

    fn deref(&self) -> &GamesConfig {
        &self.config
    }
}

impl Games {
    pub fn new(config: GamesConfig) -> Arc<Games> {
        Arc::new(Games {
            started: config.time.now(),
            config,
            number: AtomicU64::new(0),
            rating: tokio::sync::Mutex::default(),
            handles: Mutex::default(),
            ticking: Arc::default(),
            notices: broadcast::channel(1024).0,
        })
    }

    fn known(&self, id: &str) -> Option<Handle> {
        let handles = self.handles.lock().expect("no panic holds it");
        handles
            .get(id)
            .filter(|handle| !handle.is_closed())
            .cloned()
    }

    /// Adds a game to memory, unless it is already there.
    fn enter(
        self: &Arc<Games>,
        table: GameSession,
        actions: usize,
        telemetry: Vec<Telemetry>,
        share: Share,
    ) -> Handle {
        let mut handles = self.handles.lock().expect("no panic holds it");
        let id = table.terms.id.clone();
        if let Some(handle) = handles.get(&id).filter(|handle| !handle.is_closed()) {
            return handle.clone();
        }
        if handles.len() > 1000 {
            handles.retain(|_, handle| !handle.is_closed());
        }
        let handle = actor::start(Arc::clone(self), table, actions, telemetry, share);
        handles.insert(id, handle.clone());
        handle
    }

    pub fn terms(&self, game: &Game, start: String) -> GameSettings {
        GameSettings {
            id: self.chance.text(12),
            game: game.name().to_owned(),
            rules: game.rules_name().map(str::to_owned),
            start,
            sight: Sights::in_game(game),
            white: Seat::Open,
            black: Seat::Open,
            clock: None,
            rated: false,
            practice: false,
            created: self.time.now(),
            // 52 bits: JavaScript represents integers exactly only up to 2^53.
            seed: self.chance.number() >> 12,
            dice_seed: game.has_dice().then(|| self.chance.secret()),
            dice_clients: ClientSeeds::default(),
            pause: 0,
            tournament: None,
            participant: None,
            rematch: None,
            trusted: false,
        }
    }

    /// The number of running games between agents.
    pub(crate) async fn shows(&self) -> usize {
        let mut count = 0;
        for handle in self.all() {
            let info = handle.info().await;
            let shown = |info: GameInfo| info.live && info.status == Status::Running;
            count += usize::from(info.is_ok_and(|(info, _)| shown(info)));
        }
        count
    }

    /// The share of a new game in the processor.
    pub(crate) fn share(&self, payer: Payer) -> Share {
        let game = self.number.fetch_add(1, Ordering::Relaxed) + 1;
        Share { payer, game }
    }

    /// Creates a game at the cost of `payer`.
    pub async fn create(
        self: &Arc<Games>,
        terms: GameSettings,
        payer: Payer,
    ) -> Result<Handle, GameError> {
        self.create_for(terms, payer, None).await
    }

    /// The same, stored together with a newcomer who asks for it.
    pub(crate) async fn create_for(
        self: &Arc<Games>,
        mut terms: GameSettings,
        payer: Payer,
        by: Option<Asker>,
    ) -> Result<Handle, GameError> {
        if self.handles.lock().expect("no panic holds it").len() >= MAX_GAMES {
            return Err(GameError::Full);
        }
        terms.name_agents_seeds(0);
        let table = GameSession::new(terms)?;
        let share = self.share(payer);
        for side in Color::ALL {
            if let Seat::Agent { spec, .. } = table.terms.chair(side) {
                // There is room now; it is taken when the agent is to move.
                drop(self.memory.reserve(&share.payer, spec)?);
            }
        }
        let counted = self.rating.lock().await;
        if !self.may_rate(&table.terms).await? {
            return Err(GameError::Rated);
        }
        self.store.add_game(&table.terms, by).await?;
        drop(counted);
        if !table.terms.is_open() {
            let _ = self.notices.send(Notice::new(NoticeKind::Start, &table));
        }
        Ok(self.enter(table, 0, Vec::new(), share))
    }

    /// Whether a game may be rated, if it is: agents are those of levels, and
    /// the two have not played too many today.
    pub(super) async fn may_rate(&self, terms: &GameSettings) -> Result<bool, GameError> {
        if !terms.rated || terms.is_open() {
            return Ok(true);
        }
        let (game, _) = terms.game()?;
        let listed = |seat: &Seat| match seat {
            Seat::Agent { spec, .. } => is_listed(spec, &game),
            _ => true,
        };
        let since = self.time.now().saturating_sub(DAY);
        let listed = listed(&terms.white) && listed(&terms.black);
        Ok(listed && self.store.rated_games(terms, since).await? < RATED)
    }

    /// The game with an id, from memory or storage.
    pub async fn get(self: &Arc<Games>, id: &str) -> Result<Option<Handle>, GameError> {
        if let Some(handle) = self.known(id) {
            return Ok(Some(handle));
        }
        let Some(loaded) = self.store.load_game(id).await? else {
            return Ok(None);
        };
        let now = self.time.now();
        // A game that left memory while this server ran gets no downtime
        // credit.
        let alive = if loaded.alive > self.started {
            now
        } else {
            loaded.alive
        };
        let table = GameSession::restore(loaded.terms, &loaded.actions, loaded.outcome, alive, now)
            .map_err(|error| StoreError::Unreadable(format!("game {id}"), error.to_string()))?;
        let person = Color::ALL
            .into_iter()
            .find_map(|side| table.terms.chair(side).account());
        let payer = person.map_or(Payer::Server, |id| Payer::Player(id.to_owned()));
        let share = self.share(payer);
        let handle = self.enter(table, loaded.actions.len(), loaded.telemetry, share);
        Ok(Some(handle))
    }

    /// Loads every game that was running when the previous server ended. One that
    /// cannot be read stays as it is stored, and the log names it.
    pub(crate) async fn wake(self: &Arc<Games>) -> Result<usize, GameError> {
        let ids = self.store.running_games().await?;
        let count = ids.len();
        for id in ids {
            match self.get(&id).await {
                Err(GameError::Store(error @ StoreError::Unreadable(..))) => {
                    self.store.leave_out(&error);
                }
                other => drop(other?),
            }
        }
        Ok(count)
    }

    /// Whether the clock of any game runs.
    pub(crate) fn clocks_run(&self) -> bool {
        Arc::strong_count(&self.ticking) > 1
    }

    pub fn all(&self) -> Vec<Handle> {
        let handles = self.handles.lock().expect("no panic holds it");
        let open = handles.values().filter(|handle| !handle.is_closed());
        open.cloned().collect()
    }

    /// Drops all games. Everything they acknowledged is stored.
    pub fn close(&self) {
        self.handles.lock().expect("no panic holds it").clear();
    }

    /// Creates a rematch: the same settings with colours swapped, and unrated if
    /// the two have played enough rated games today.
    pub async fn again(
        self: &Arc<Games>,
        terms: &GameSettings,
        payer: Payer,
    ) -> Result<String, GameError> {
        let mut next = terms.clone();
        next.id = self.chance.text(12);
        (next.white, next.black) = (terms.black.clone(), terms.white.clone());
        next.sight = terms.sight.swapped(); // odds stay with the player
        next.created = self.time.now();
        next.seed = self.chance.number() >> 1;
        next.dice_seed = terms.dice_seed.as_ref().map(|_| self.chance.secret());
        next.dice_clients = ClientSeeds::default();
        next.rematch = None;
        next.participant = None;
        let id = next.id.clone();
        // Boxed because the future is recursive: an actor may start another.
        let unrated = GameSettings {
            rated: false,
            ..next.clone()
        };
        match Box::pin(self.create(next, payer.clone())).await {
            Err(GameError::Rated) => Box::pin(self.create(unrated, payer)).await?,
            made => made?,
        };
        Ok(id)
    }
}
