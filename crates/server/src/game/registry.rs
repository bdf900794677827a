//! The games in memory, and how others come back from storage.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use foglight_rules::Color;
use tokio::sync::broadcast;

use super::{
    actor,
    handle::Handle,
    table::Table,
    terms::{Chair, Terms, TermsError},
};
use crate::{app::App, store::StoreError, wire::Info};

/// What happened to a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoticeKind {
    /// Both seats are taken.
    Start,
    /// It is over.
    Finish,
}

/// News of a game for lists and streams. Holds what everybody may know.
#[derive(Clone, Debug)]
pub struct Notice {
    /// What happened.
    pub kind: NoticeKind,
    /// The game.
    pub info: Info,
    /// The players by id: White's, Black's.
    pub players: [Option<String>; 2],
}

impl Notice {
    pub(super) fn new(kind: NoticeKind, table: &Table) -> Notice {
        let player = |side: Color| match table.terms.chair(side) {
            Chair::Person { player, .. } => Some(player.clone()),
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

/// Why a game cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Terms that cannot be played by.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// Too many games at once.
    #[error("the server has too many games already; try again later")]
    Full,
}

/// The most games in memory.
const MOST: usize = 10_000;

/// The games in memory.
pub struct Games {
    handles: Mutex<HashMap<String, Handle>>,
    /// News of games.
    pub notices: broadcast::Sender<Notice>,
}

impl Default for Games {
    fn default() -> Games {
        Games {
            handles: Mutex::default(),
            notices: broadcast::channel(1024).0,
        }
    }
}

impl Games {
    fn known(&self, id: &str) -> Option<Handle> {
        let handles = self.handles.lock().expect("no panic holds it");
        handles
            .get(id)
            .filter(|handle| !handle.is_closed())
            .cloned()
    }

    /// Puts a game into memory, unless it is there already.
    fn enter(
        &self,
        app: &Arc<App>,
        table: Table,
        actions: usize,
        telemetry: Vec<foglight_arena::record::Telemetry>,
    ) -> Handle {
        let mut handles = self.handles.lock().expect("no panic holds it");
        let id = table.terms.id.clone();
        if let Some(handle) = handles.get(&id).filter(|handle| !handle.is_closed()) {
            return handle.clone();
        }
        if handles.len() > 1000 {
            handles.retain(|_, handle| !handle.is_closed());
        }
        let handle = actor::start(Arc::clone(app), table, actions, telemetry);
        handles.insert(id, handle.clone());
        handle
    }

    /// A new game.
    pub async fn create(&self, app: &Arc<App>, terms: Terms) -> Result<Handle, GameError> {
        if self.handles.lock().expect("no panic holds it").len() >= MOST {
            return Err(GameError::Full);
        }
        let table = Table::new(terms)?;
        app.store.add_game(&table.terms).await?;
        if !table.terms.is_open() {
            let _ = self.notices.send(Notice::new(NoticeKind::Start, &table));
        }
        Ok(self.enter(app, table, 0, Vec::new()))
    }

    /// The game with an id, from memory or storage.
    pub async fn get(&self, app: &Arc<App>, id: &str) -> Result<Option<Handle>, GameError> {
        if let Some(handle) = self.known(id) {
            return Ok(Some(handle));
        }
        let Some(loaded) = app.store.load_game(id).await? else {
            return Ok(None);
        };
        let now = app.time.now();
        // A game that left memory while this server ran has no time to forgive.
        let alive = if loaded.alive > app.started {
            now
        } else {
            loaded.alive
        };
        let table = Table::restore(loaded.terms, &loaded.actions, loaded.outcome, alive, now)?;
        let handle = self.enter(app, table, loaded.actions.len(), loaded.telemetry);
        Ok(Some(handle))
    }

    /// Wakes every game that was being played when the last server ended.
    pub async fn wake(&self, app: &Arc<App>) -> Result<usize, GameError> {
        let ids = app.store.running_games().await?;
        let count = ids.len();
        for id in ids {
            self.get(app, &id).await?;
        }
        Ok(count)
    }

    /// All games in memory.
    pub fn all(&self) -> Vec<Handle> {
        let handles = self.handles.lock().expect("no panic holds it");
        let open = handles.values().filter(|handle| !handle.is_closed());
        open.cloned().collect()
    }

    /// Lets go of all games: what they have acknowledged is stored.
    pub fn close(&self) {
        self.handles.lock().expect("no panic holds it").clear();
    }

    /// The same game again with colours changed.
    pub async fn again(&self, app: &Arc<App>, terms: &Terms) -> Result<String, GameError> {
        let mut next = terms.clone();
        next.id = app.chance.text(12);
        (next.white, next.black) = (terms.black.clone(), terms.white.clone());
        next.sight = terms.sight.swapped(); // it goes with the player
        next.created = app.time.now();
        next.seed = app.chance.number() >> 1;
        next.dice_seed = terms.dice_seed.as_ref().map(|_| app.chance.secret());
        next.rematch = None;
        next.participant = None;
        let id = next.id.clone();
        // Boxed: an actor may start an actor.
        Box::pin(self.create(app, next)).await?;
        Ok(id)
    }
}
