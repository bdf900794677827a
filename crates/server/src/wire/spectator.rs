//! The true state of a game, available to everyone once the game is over, and
//! during the game if nothing is hidden or only agents of this server play.
//!
//! [`PublicGame::of`] and [`FinishedGame::new`] are the only checked
//! constructors; everything serialised here is built from one of them.

use foglight_play::Report;
use foglight_rules::{
    Action, ByColor, Color, Game, Move, Record, ReplayError, State, notation::san,
};
use serde::Serialize;

use super::{Clocks, EngineMove, MoveLogEntry, SideColor, VisibilityName};
use crate::domain::{ActionText, GameSettings};

/// A state that everyone may see.
#[derive(Clone, Copy)]
pub(crate) struct PublicGame<'a>(&'a State);

impl<'a> PublicGame<'a> {
    /// The state, if the game is over, hides nothing, or is played only by agents
    /// of this server.
    pub fn of(terms: &GameSettings, state: &'a State) -> Option<PublicGame<'a>> {
        (state.outcome().is_some() || terms.is_public()).then_some(PublicGame(state))
    }
}

/// Full information about a game that hides nothing from spectators.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "LiveRow"))]
pub(crate) struct LiveGame {
    ply: u32,
    #[serde(rename = "move")]
    #[cfg_attr(test, ts(type = "string | null"))]
    played: Option<ActionText>,
    san: Option<String>,
    by: Option<SideColor>,
    roll: Option<String>,
    fen: String,
    white: String,
    black: String,
    truth: String,
    turn: SideColor,
    report: LiveReports,
    clocks: Option<Clocks>,
}

#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct LiveReports {
    white: Option<EngineMove>,
    black: Option<EngineMove>,
}

impl LiveGame {
    /// Adds the last move in SAN.
    #[must_use]
    pub fn with_san(mut self, san: Option<String>) -> LiveGame {
        self.san = san;
        self
    }

    /// Combines the state with the last report of each agent.
    pub fn new(
        PublicGame(state): PublicGame,
        text: &dyn Fn(Move) -> ActionText,
        roll: Option<String>,
        reports: &ByColor<Option<Report>>,
        clocks: Option<Clocks>,
    ) -> LiveGame {
        let boards = Boards::of(state);
        LiveGame {
            ply: state.plies(),
            played: state.last().map(|ply| text(ply.played)),
            san: None,
            by: state.last().map(|ply| ply.side.into()),
            roll,
            fen: boards.fen,
            white: boards.white,
            black: boards.black,
            truth: boards.truth,
            turn: state.position().turn().into(),
            report: LiveReports {
                white: reports.white.as_ref().map(EngineMove::from),
                black: reports.black.as_ref().map(EngineMove::from),
            },
            clocks,
        }
    }
}

struct Boards {
    fen: String,
    white: String,
    black: String,
    truth: String,
}

impl Boards {
    fn of(state: &State) -> Boards {
        let view = |side| state.observe(side).view().rows();
        Boards {
            fen: state.game().fen(state.position()),
            white: view(Color::White),
            black: view(Color::Black),
            truth: foglight_rules::View::new(&Game::chess(), state.position(), Color::White).rows(),
        }
    }
}

/// A finished game with all its states.
pub struct FinishedGame {
    record: Record,
    states: Vec<State>,
}

/// The true position after one ply, both views of it, and the move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "RecordRow"))]
pub(crate) struct ReplayRow {
    ply: u32,
    fen: String,
    truth: String,
    white: String,
    black: String,
    turn: SideColor,
    roll: Option<String>,
    dice: Option<String>,
    #[serde(rename = "move")]
    played: Option<String>,
    san: Option<String>,
    by: Option<SideColor>,
    took: Option<char>,
    sighting: Option<VisibilityName>,
    clock: Option<u64>,
}

impl FinishedGame {
    /// Wraps a record with an outcome; `None` for a running game.
    pub fn new(record: Record) -> Result<Option<FinishedGame>, ReplayError> {
        if record.outcome.is_none() {
            return Ok(None);
        }
        let states = record.states()?;
        Ok(Some(FinishedGame { record, states }))
    }

    pub fn record(&self) -> &Record {
        &self.record
    }

    /// One row for the start and one for each ply; `clocks` holds the mover's
    /// remaining time after each.
    pub fn rows(&self, clocks: &[u64]) -> Vec<ReplayRow> {
        let mut rows = vec![ReplayRow::of(&self.states[0])];
        let mut roll = None;
        for (i, action) in self.record.actions.iter().enumerate() {
            match action {
                Action::Roll(dice) => roll = Some(dice.to_string()),
                Action::Move(m) => {
                    let before = &self.states[i];
                    let mut row = ReplayRow::of(&self.states[i + 1]);
                    row.san = Some(san::write(before.game(), before.position(), *m));
                    row.dice = Some(before.position().dice())
                        .filter(|dice| !dice.is_none())
                        .map(|dice| dice.to_string());
                    row.roll = roll.take();
                    row.clock = clocks.get(rows.len() - 1).copied();
                    rows.push(row);
                }
            }
        }
        rows
    }

    /// The move list of one side, as far as it could see the moves.
    pub fn log(&self, side: Color, clocks: &[u64]) -> Vec<MoveLogEntry> {
        let mut log = Vec::new();
        let mut roll = None;
        for (i, action) in self.record.actions.iter().enumerate() {
            match action {
                Action::Roll(dice) => roll = Some(dice.to_string()),
                Action::Move(_) => {
                    let before = self.states[i].observe(side);
                    let after = self.states[i + 1].observe(side);
                    let clock = clocks.get(log.len()).copied();
                    log.push(MoveLogEntry::between(
                        &before,
                        &after,
                        &ActionText::from,
                        roll.take(),
                        clock,
                    ));
                }
            }
        }
        log
    }
}

impl ReplayRow {
    fn of(state: &State) -> ReplayRow {
        let boards = Boards::of(state);
        let last = state.last();
        ReplayRow {
            ply: state.plies(),
            fen: boards.fen,
            truth: boards.truth,
            white: boards.white,
            black: boards.black,
            turn: state.position().turn().into(),
            roll: None,
            dice: None,
            played: last.map(|ply| ply.played.to_string()),
            san: None,
            by: last.map(|ply| ply.side.into()),
            took: last.and_then(|ply| ply.taken.map(|(_, role)| role.of(!ply.side).char())),
            sighting: last.map(|ply| ply.sighting.into()),
            clock: None,
        }
    }
}
