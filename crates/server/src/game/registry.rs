//! The games in memory, and loading of others from storage.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use foglight_arena::record::Telemetry;
use foglight_rules::{Color, Game};
use tokio::sync::broadcast;

use super::{actor, handle::Handle, session::GameSession};
use crate::{
    domain::{GameSettings, GameSettingsError, Seat, Sights},
    source::{RandomSource, WallClock},
    store::{Store, StoreError},
    wire::GameInfo,
    workers::{AgentFactory, WorkerPool},
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
}

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
    pub moves: WorkerPool,
    pub study: WorkerPool,
    /// First version number of events.
    pub(crate) first_version: u64,
    /// Callback for a game that has ended.
    pub finished: Box<dyn Fn(&GameSession) + Send + Sync>,
}

/// The games in memory.
pub struct Games {
    config: GamesConfig,
    started: u64,
    handles: Mutex<HashMap<String, Handle>>,
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
            handles: Mutex::default(),
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
    ) -> Handle {
        let mut handles = self.handles.lock().expect("no panic holds it");
        let id = table.terms.id.clone();
        if let Some(handle) = handles.get(&id).filter(|handle| !handle.is_closed()) {
            return handle.clone();
        }
        if handles.len() > 1000 {
            handles.retain(|_, handle| !handle.is_closed());
        }
        let handle = actor::start(Arc::clone(self), table, actions, telemetry);
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
            pause: 0,
            tournament: None,
            participant: None,
            rematch: None,
            trusted: false,
        }
    }

    pub async fn create(self: &Arc<Games>, terms: GameSettings) -> Result<Handle, GameError> {
        if self.handles.lock().expect("no panic holds it").len() >= MAX_GAMES {
            return Err(GameError::Full);
        }
        let table = GameSession::new(terms)?;
        self.store.add_game(&table.terms).await?;
        if !table.terms.is_open() {
            let _ = self.notices.send(Notice::new(NoticeKind::Start, &table));
        }
        Ok(self.enter(table, 0, Vec::new()))
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
        let table =
            GameSession::restore(loaded.terms, &loaded.actions, loaded.outcome, alive, now)?;
        let handle = self.enter(table, loaded.actions.len(), loaded.telemetry);
        Ok(Some(handle))
    }

    /// Loads every game that was running when the previous server ended.
    pub(crate) async fn wake(self: &Arc<Games>) -> Result<usize, GameError> {
        let ids = self.store.running_games().await?;
        let count = ids.len();
        for id in ids {
            self.get(&id).await?;
        }
        Ok(count)
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

    /// Creates a rematch: the same settings with colours swapped.
    pub async fn again(self: &Arc<Games>, terms: &GameSettings) -> Result<String, GameError> {
        let mut next = terms.clone();
        next.id = self.chance.text(12);
        (next.white, next.black) = (terms.black.clone(), terms.white.clone());
        next.sight = terms.sight.swapped(); // odds stay with the player
        next.created = self.time.now();
        next.seed = self.chance.number() >> 1;
        next.dice_seed = terms.dice_seed.as_ref().map(|_| self.chance.secret());
        next.rematch = None;
        next.participant = None;
        let id = next.id.clone();
        // Boxed because the future is recursive: an actor may start another.
        Box::pin(self.create(next)).await?;
        Ok(id)
    }
}
