//! Stored games, and the true states of finished ones.

use foglight_arena::{
    pgn,
    record::{GameRecord, PlayerInfo},
};
use foglight_rules::{ByColor, Color, Record};

use super::session::GameSession;
use crate::{
    domain::Seat,
    store::{ListedGame, LoadedGame},
    wire::{GameInfo, spectator::FinishedGame},
};

/// Reasons why the true states of a stored game are not available.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum ClosedError {
    /// The game is not over.
    #[error("the game is still running; expected one that is over")]
    Running,
    /// This version cannot read the game.
    #[error("this game cannot be read")]
    Broken,
}

/// A finished game from storage: its final board and the reveal of its dice.
pub struct Closed {
    pub(crate) loaded: LoadedGame,
    pub(crate) table: GameSession,
    pub(crate) finished: FinishedGame,
}

impl Closed {
    /// Replays a stored game that is over.
    pub fn open(loaded: LoadedGame) -> Result<Closed, ClosedError> {
        if loaded.outcome.is_none() {
            return Err(ClosedError::Running);
        }
        let table =
            GameSession::restore(loaded.terms.clone(), &loaded.actions, loaded.outcome, 0, 0);
        let table = table.map_err(|_| ClosedError::Broken)?;
        let finished = FinishedGame::new(table.record()).map_err(|_| ClosedError::Broken)?;
        Ok(Closed {
            finished: finished.ok_or(ClosedError::Running)?,
            loaded,
            table,
        })
    }
}

/// A finished game in the record format of matches.
pub(crate) fn match_record(closed: &Closed) -> GameRecord {
    let record = closed.finished.record().clone();
    words_of_matches(&closed.loaded, record, closed.table.clock_history())
}

/// The PGN of a game that has just ended.
pub(crate) fn record_text(loaded: &LoadedGame, record: Record, clocks: &[u64]) -> String {
    pgn::text(&words_of_matches(loaded, record, clocks))
}

fn words_of_matches(loaded: &LoadedGame, record: Record, clocks: &[u64]) -> GameRecord {
    let terms = &loaded.terms;
    let named = |side: Color| {
        let agent = match terms.chair(side) {
            Seat::Agent { spec, .. } => spec.clone(),
            _ => "human".to_owned(),
        };
        PlayerInfo {
            name: terms.chair(side).name().to_owned(),
            agent,
            limits: String::new(),
        }
    };
    GameRecord {
        record,
        seed: terms.seed,
        leg: 0,
        players: ByColor::new_with(named),
        clocks: clocks.to_vec(),
        number: terms.tournament.as_ref().map_or(1, |(_, number)| *number),
        pair: 1,
        plan: None,
        telemetry: loaded.telemetry.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// The public information about a stored game.
pub fn listed(game: &ListedGame) -> Option<GameInfo> {
    let (rules, start) = game.terms.game().ok()?;
    let mut info = GameInfo::new(&game.terms, &rules, &start);
    info.ply = game.plies;
    if let Some(outcome) = game.outcome {
        info.close(outcome);
    }
    Some(info)
}
