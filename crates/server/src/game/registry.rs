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
    domain::{GameSettings, GameSettingsError, Seat, Sights, commit_reveal::ClientSeeds},
    source::{RandomSource, WallClock},
    store::{Asker, ListedGame, Store, StoreError},
    wire::GameInfo,
    workers::{
        AgentFactory, Held, JobError, MemoryBudget, MemoryFull, Payer, Quota, Reservation, Share,
        Work, WorkerPool, is_listed,
    },
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
    /// No memory for the game or its agents.
    #[error(transparent)]
    Memory(#[from] MemoryFull),
    /// The game cannot be replayed now.
    #[error(transparent)]
    Busy(#[from] JobError),
    /// Too many games between agents.
    #[error(
        "{SHOWS} games between agents may run at a time, {SHOWS_OF_ONE} of one address; \
         expected you to wait"
    )]
    Shows,
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
/// Maximum number of simultaneous games between agents, and of one payer.
const SHOWS: usize = 16;
const SHOWS_OF_ONE: usize = 4;
/// The same for tournaments.
pub(crate) const TOURNAMENTS: usize = 4;
pub(crate) const TOURNAMENTS_OF_ONE: usize = 1;

/// Kibibytes that a game of so many actions uses: its viewers' last events, and
/// what each side saw.
pub(super) fn memory_of(actions: usize) -> u64 {
    let actions = actions as u64;
    32 + 2 * actions.min(24) + actions * 3 / 4
}

/// What a game in memory holds until it leaves.
pub(super) struct Place {
    pub share: Share,
    pub memory: Reservation,
    /// Its part of the games between agents.
    pub show: Option<Held>,
}

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

/// Who pays for a game from before the last start.
fn payer_of(terms: &GameSettings) -> Payer {
    let mut accounts = Color::ALL
        .into_iter()
        .filter_map(|side| terms.chair(side).account());
    let player = accounts.next();
    player.map_or(Payer::Server, |id| Payer::Player(id.to_owned()))
}

/// The games in memory.
pub struct Games {
    config: GamesConfig,
    started: u64,
    /// Number of the last game, for its share of the processor.
    number: AtomicU64,
    shows: Arc<Quota>,
    /// Running tournaments.
    pub(crate) tournaments: Arc<Quota>,
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
            shows: Quota::new(SHOWS, SHOWS_OF_ONE),
            tournaments: Quota::new(TOURNAMENTS, TOURNAMENTS_OF_ONE),
            rating: tokio::sync::Mutex::default(),
            handles: Mutex::default(),
            ticking: Arc::default(),
            notices: broadcast::channel(1024).0,
        })
    }

    /// The game with an id, if it is in memory.
    pub(crate) fn in_memory(&self, id: &str) -> Option<Handle> {
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
        place: Place,
    ) -> Handle {
        let mut handles = self.handles.lock().expect("no panic holds it");
        let id = table.terms.id.clone();
        if let Some(handle) = handles.get(&id).filter(|handle| !handle.is_closed()) {
            return handle.clone();
        }
        let handle = actor::start(Arc::clone(self), table, actions, telemetry, place);
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
        if !self.has_room() {
            return Err(GameError::Full);
        }
        terms.name_agents_seeds(0);
        let table = GameSession::new(terms)?;
        let place = self.place(payer, &table.terms)?;
        for side in Color::ALL {
            if let Seat::Agent { spec, .. } = table.terms.chair(side) {
                // There is room now; it is taken when the agent is to move.
                drop(self.memory.reserve_agent(&place.share.payer, spec)?);
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
        Ok(self.enter(table, 0, Vec::new(), place))
    }

    /// Whether one more game may be in memory. Forgets those that have left it.
    fn has_room(&self) -> bool {
        let mut handles = self.handles.lock().expect("no panic holds it");
        if handles.len() > 1000 {
            handles.retain(|_, handle| !handle.is_closed());
        }
        handles.len() < MAX_GAMES
    }

    /// The place of a new game.
    fn place(&self, payer: Payer, terms: &GameSettings) -> Result<Place, GameError> {
        let shown = terms.only_agents() && terms.tournament.is_none();
        let show = shown.then(|| self.shows.take(&payer).ok_or(GameError::Shows));
        Ok(Place {
            memory: self.memory.reserve(&payer, memory_of(0))?,
            show: show.transpose()?,
            share: self.share(payer),
        })
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

    /// A finished game that is in storage only, without its moves.
    pub(crate) async fn stored(&self, id: &str) -> Result<Option<ListedGame>, GameError> {
        if self.in_memory(id).is_some() {
            return Ok(None);
        }
        let game = self.store.listed_game(id).await?;
        Ok(game.filter(|game| game.outcome.is_some()))
    }

    /// The game with an id, from memory or storage, at the cost of its players.
    pub async fn get(self: &Arc<Games>, id: &str) -> Result<Option<Handle>, GameError> {
        self.find(id, None).await
    }

    /// The same at the cost of who asks. A game that is over may be refused.
    pub(crate) async fn get_for(
        self: &Arc<Games>,
        id: &str,
        payer: Payer,
    ) -> Result<Option<Handle>, GameError> {
        self.find(id, Some(payer)).await
    }

    async fn find(
        self: &Arc<Games>,
        id: &str,
        asker: Option<Payer>,
    ) -> Result<Option<Handle>, GameError> {
        if let Some(handle) = self.in_memory(id) {
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
        let need = memory_of(loaded.actions.len());
        let refusable = asker.is_some() && loaded.outcome.is_some();
        let payer = asker.unwrap_or_else(|| payer_of(&loaded.terms));
        if refusable && !self.has_room() {
            return Err(GameError::Full);
        }
        let place = Place {
            memory: match refusable {
                true => self.memory.reserve(&payer, need)?,
                false => self.memory.hold(&payer, need),
            },
            share: self.share(payer),
            show: None,
        };
        let (actions, telemetry) = (loaded.actions.len(), loaded.telemetry);
        let replay = move |_: &_| {
            GameSession::restore(loaded.terms, &loaded.actions, loaded.outcome, alive, now)
        };
        let table = self.pool.run(&place.share, Work::Game, replay).await?;
        let table = table
            .map_err(|error| StoreError::Unreadable(format!("game {id}"), error.to_string()))?;
        Ok(Some(self.enter(table, actions, telemetry, place)))
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
