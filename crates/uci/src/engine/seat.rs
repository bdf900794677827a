//! The engine's agent, and the part of the game that it has observed.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use foglight_engine::{
    agents::greedy::{Greedy, Style},
    registry,
};
use foglight_play::{Agent, Providers, Spec, SpecError};
use foglight_rules::{Color, Game};

use super::{
    BuildEngineAgent,
    settings::EngineSettings,
    table::{EngineGame, ShownGame},
};

/// Holder of the agent. Empty until one is needed and during a search.
pub(crate) struct EngineSeat {
    providers: Providers,
    build: Option<Arc<BuildEngineAgent>>,
    player: Option<Box<dyn Agent>>,
    shown: Option<ShownGame>,
}

impl EngineSeat {
    pub fn new(providers: Providers, build: Option<Arc<BuildEngineAgent>>) -> EngineSeat {
        EngineSeat {
            providers,
            build,
            player: None,
            shown: None,
        }
    }

    /// Discards the agent, so that another is built.
    pub fn clear(&mut self) {
        self.player = None;
        self.shown = None;
    }

    pub(crate) fn new_game(&mut self) {
        self.shown = None;
    }

    /// Moves the agent out, for a search on another thread.
    pub fn take(&mut self) -> Option<Box<dyn Agent>> {
        self.player.take()
    }

    /// Returns the agent after a search.
    pub fn give_back(&mut self, player: Box<dyn Agent>) {
        self.player = Some(player);
    }

    /// Ensures that there is an agent for `side` that has observed the whole
    /// game. Returns notes on failures along the way.
    pub fn follow(
        &mut self,
        settings: &EngineSettings,
        table: &EngineGame,
        side: Color,
    ) -> Vec<String> {
        let mut notes = Vec::new();
        if self.player.is_none() {
            self.shown = None;
            self.player = Some(self.build(settings, &mut notes));
        }
        if self.try_follow(settings, table, side) {
            return notes;
        }
        notes.push(
            "the agent failed on what it was shown; another one looks at the last of it".to_owned(),
        );
        let mut player = self.build(settings, &mut notes);
        let last = table.observation();
        let fine = catch_unwind(AssertUnwindSafe(|| {
            player.start(&settings.game(), side, settings.seed);
            player.see(&last);
        }));
        let mut shown = ShownGame::nothing(side);
        table.show(&mut shown, &mut |_| {});
        self.shown = Some(shown);
        self.player = fine.is_ok().then_some(player);
        notes
    }

    /// Shows the agent the observations it has not received; false if it
    /// panicked and was discarded.
    fn try_follow(&mut self, settings: &EngineSettings, table: &EngineGame, side: Color) -> bool {
        let Some(mut player) = self.player.take() else {
            return false;
        };
        let shown = self.shown.take().filter(|shown| shown.side == side);
        let followed = catch_unwind(AssertUnwindSafe(|| {
            let mut shown = shown.unwrap_or_else(|| {
                player.start(&settings.game(), side, settings.seed);
                ShownGame::nothing(side)
            });
            table.show(&mut shown, &mut |observation| player.see(observation));
            (player, shown)
        }));
        match followed {
            Ok((player, shown)) => {
                self.player = Some(player);
                self.shown = Some(shown);
                true
            }
            Err(_) => false,
        }
    }

    /// The configured agent, or one that plays every game.
    fn build(&self, settings: &EngineSettings, notes: &mut Vec<String>) -> Box<dyn Agent> {
        let (spec, game) = (settings.spec(), settings.game());
        let built = match &self.build {
            Some(build) => build(&spec, &game),
            None => registered(&spec, &game, &self.providers),
        };
        built.unwrap_or_else(|error| {
            notes.push(format!("{error}; greedy plays in its place"));
            Box::new(Greedy::new(Style::Plain))
        })
    }
}

fn registered(
    spec: &Spec,
    game: &Game,
    providers: &Providers,
) -> Result<Box<dyn Agent>, SpecError> {
    registry::build(spec, game, providers).map(|player| Box::new(player) as Box<dyn Agent>)
}
