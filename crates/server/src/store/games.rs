//! Storage of games and their actions.

use std::sync::Arc;

use foglight_arena::record::Telemetry;
use foglight_rules::{ByColor, Color, Outcome, Termination};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Asker, Store, StoreError};
use crate::domain::{ActionText, GameSettings, Ratings, Status};

/// Imported moves in one transaction.
const PART: usize = 250;

/// A stored action of a game.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct StoredAction {
    pub action: ActionText,
    /// The token of a move, or the client's seed of a roll.
    pub token: String,
    /// Time of the action.
    pub at: u64,
    /// Clock times after the action.
    pub left: Option<ByColor<u64>>,
}

/// The end of a game, as stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredEnd {
    pub outcome: Outcome,
    pub at: u64,
    /// Reports of the agents.
    pub telemetry: Vec<Telemetry>,
}

/// A game loaded from storage.
#[derive(Clone, Debug)]
pub(crate) struct LoadedGame {
    pub terms: GameSettings,
    pub actions: Vec<StoredAction>,
    pub outcome: Option<Outcome>,
    /// Reports of the agents.
    pub telemetry: Vec<Telemetry>,
    /// Last heartbeat of the previous server.
    pub alive: u64,
}

/// An imported game: over, with nobody's account in it.
#[derive(Clone, Debug)]
pub(crate) struct ImportedGame {
    pub terms: GameSettings,
    pub actions: Vec<ActionText>,
    pub end: StoredEnd,
}

fn status(terms: &GameSettings, over: bool) -> &'static str {
    match (over, terms.is_open()) {
        (true, _) => Status::Over.name(),
        (false, true) => Status::Open.name(),
        (false, false) => Status::Running.name(),
    }
}

/// The settings of a row.
pub(super) fn read_terms(text: &str) -> Result<GameSettings, String> {
    serde_json::from_str(text).map_err(|e| format!("settings: {e}"))
}

/// The outcome in this column and the next: `None` while the game runs.
pub(super) fn read_outcome(row: &Row, column: usize) -> Result<Option<Outcome>, String> {
    let text = |column| row.get::<_, Option<String>>(column);
    let result = text(column).map_err(|e| e.to_string())?;
    let reason = text(column + 1).map_err(|e| e.to_string())?;
    let (result, reason) = match (result, reason) {
        (None, None) => return Ok(None),
        (result, reason) => (result.unwrap_or_default(), reason.unwrap_or_default()),
    };
    let winner = match result.as_str() {
        "1-0" => Some(Color::White),
        "0-1" => Some(Color::Black),
        "1/2-1/2" => None,
        _ => return Err(format!("result '{result}'")),
    };
    let reason = Termination::from_name(&reason).ok_or_else(|| format!("reason '{reason}'"))?;
    Ok(Some(Outcome { winner, reason }))
}

fn write_end(
    connection: &Connection,
    terms: &GameSettings,
    end: &StoredEnd,
) -> Result<(), StoreError> {
    let telemetry = serde_json::to_string(&end.telemetry).expect("reports are JSON");
    connection
        .prepare_cached(
            "UPDATE games SET status = 'over', result = ?2, reason = ?3, ended = ?4, telemetry = ?5,
             plies = (SELECT count(*) FROM actions WHERE game = ?1 AND action NOT LIKE 'roll:%')
             WHERE id = ?1 AND status != 'over'",
        )?
        .execute(params![
            terms.id,
            end.outcome.result(),
            end.outcome.reason.name(),
            end.at as i64,
            telemetry
        ])?;
    Ok(())
}

impl Store {
    /// Stores a new game and the newcomer who creates it, if any.
    pub(crate) async fn add_game(
        &self,
        terms: &GameSettings,
        by: Option<Asker>,
    ) -> Result<(), StoreError> {
        let terms = terms.clone();
        self.run(move |connection| {
            by.map_or(Ok(()), |by| by.enter(connection))?;
            insert(connection, &terms)
        })
        .await
    }

    /// Updates the settings of a game, and stores the newcomer who joins it, if
    /// any.
    pub(crate) async fn change_terms(
        &self,
        terms: &GameSettings,
        by: Option<Asker>,
    ) -> Result<(), StoreError> {
        let terms = terms.clone();
        self.run(move |connection| {
            by.map_or(Ok(()), |by| by.enter(connection))?;
            let text = text_of(&terms);
            connection
                .prepare_cached(
                    "UPDATE games SET terms = ?2, white = ?3, black = ?4,
                     status = CASE status WHEN 'over' THEN 'over' ELSE ?5 END WHERE id = ?1",
                )?
                .execute(params![
                    terms.id,
                    text,
                    terms.white.account(),
                    terms.black.account(),
                    status(&terms, false)
                ])?;
            Ok(())
        })
        .await
    }

    /// Stores an action and, if it ends the game, the outcome and the new
    /// ratings.
    pub(crate) async fn add_action(
        &self,
        terms: &GameSettings,
        number: usize,
        action: StoredAction,
        end: Option<StoredEnd>,
    ) -> Result<Option<Ratings>, StoreError> {
        let terms = terms.clone();
        self.run(move |connection| {
            let left = |side: Color| action.left.map(|left| *left.get(side) as i64);
            connection
                .prepare_cached("INSERT INTO actions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?
                .execute(params![
                    terms.id,
                    number as i64,
                    action.action.as_str(),
                    action.token,
                    action.at as i64,
                    left(Color::White),
                    left(Color::Black)
                ])?;
            close(connection, &terms, end)
        })
        .await
    }

    /// Stores an outcome that no action caused.
    pub(crate) async fn end_game(
        &self,
        terms: &GameSettings,
        end: StoredEnd,
    ) -> Result<Option<Ratings>, StoreError> {
        let terms = terms.clone();
        self.run(move |connection| close(connection, &terms, Some(end)))
            .await
    }

    /// Stores imported games: all of them, or none if more than `most` would be
    /// stored then. Moves go first and in parts, between which moves of running
    /// games are stored; nothing shows them before their games are there.
    pub(crate) async fn import_games(
        &self,
        games: Vec<ImportedGame>,
        most: u64,
    ) -> Result<bool, StoreError> {
        let _alone = self.importing.lock().await;
        let count = games.len() as u64;
        let stored: i64 = self.run(imported).await?;
        if stored as u64 + count > most {
            return Ok(false);
        }
        let games = Arc::new(games);
        for (number, game) in games.iter().enumerate() {
            for from in (0..game.actions.len()).step_by(PART) {
                let games = Arc::clone(&games);
                self.run(move |connection| import_part(connection, &games[number], from))
                    .await?;
            }
        }
        self.run(move |connection| games.iter().try_for_each(|game| import(connection, game)))
            .await?;
        Ok(true)
    }

    /// A game with all its actions.
    pub(crate) async fn load_game(&self, id: &str) -> Result<Option<LoadedGame>, StoreError> {
        let id = id.to_owned();
        self.reader
            .run(move |connection| load(connection, &id))
            .await
    }

    /// Stores that the server is alive now.
    pub(crate) async fn heartbeat(&self, now: u64) -> Result<(), StoreError> {
        self.run(move |connection| {
            connection
                .prepare_cached("INSERT OR REPLACE INTO facts VALUES ('alive', ?1)")?
                .execute([now as i64])?;
            Ok(())
        })
        .await
    }

    /// The last time at which a server was alive on these data.
    pub(crate) async fn last_alive(&self) -> Result<u64, StoreError> {
        self.run(|connection| {
            let alive = connection
                .query_row("SELECT value FROM facts WHERE name = 'alive'", [], |row| {
                    row.get::<_, i64>(0)
                })
                .optional()?;
            Ok(alive.unwrap_or(0) as u64)
        })
        .await
    }

    /// Counts and returns the number of server starts on these data.
    pub(crate) async fn boot(&self) -> Result<u64, StoreError> {
        self.run(|connection| {
            connection.execute(
                "INSERT INTO facts VALUES ('boots', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1",
                [],
            )?;
            let boots: i64 =
                connection.query_row("SELECT value FROM facts WHERE name = 'boots'", [], |row| {
                    row.get(0)
                })?;
            Ok(boots as u64)
        })
        .await
    }

    /// A stored review, if any.
    pub async fn review(&self, game: &str, side: &str) -> Result<Option<String>, StoreError> {
        let (game, side) = (game.to_owned(), side.to_owned());
        self.reader
            .run(move |connection| {
                let found = connection
                    .prepare_cached("SELECT review FROM reviews WHERE game = ?1 AND side = ?2")?
                    .query_row([game, side], |row| row.get(0));
                Ok(found.optional()?)
            })
            .await
    }

    pub(crate) async fn keep_review(
        &self,
        game: &str,
        side: &str,
        text: &str,
    ) -> Result<(), StoreError> {
        let row = [game, side, text].map(str::to_owned);
        self.run(move |connection| {
            connection
                .prepare_cached("INSERT OR REPLACE INTO reviews VALUES (?1, ?2, ?3)")?
                .execute(row)?;
            Ok(())
        })
        .await
    }
}

fn text_of(terms: &GameSettings) -> String {
    serde_json::to_string(terms).expect("settings are JSON")
}

fn insert(connection: &Connection, terms: &GameSettings) -> Result<(), StoreError> {
    let text = text_of(terms);
    let tournament = terms.tournament.as_ref().map(|(id, _)| id);
    let participant = terms.participant.map(|(number, _)| number);
    connection
        .prepare_cached(
            "INSERT INTO games (id, status, created, white, black, tournament, participant, terms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            terms.id,
            status(terms, false),
            terms.created as i64,
            terms.white.account(),
            terms.black.account(),
            tournament,
            participant,
            text
        ])?;
    Ok(())
}

fn close(
    connection: &Connection,
    terms: &GameSettings,
    end: Option<StoredEnd>,
) -> Result<Option<Ratings>, StoreError> {
    let Some(end) = end else { return Ok(None) };
    write_end(connection, terms, &end)?;
    if terms.rated {
        super::leaderboard::rate(connection, terms, end.outcome)
    } else {
        Ok(None)
    }
}

/// Number of imported games.
fn imported(connection: &Connection) -> Result<i64, StoreError> {
    let count = "SELECT count(*) FROM games WHERE white = '' AND black = ''";
    let mut statement = connection.prepare_cached(count)?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// Stores some moves of a game that is not there yet.
fn import_part(
    connection: &Connection,
    game: &ImportedGame,
    from: usize,
) -> Result<(), StoreError> {
    let mut statement =
        connection.prepare_cached("INSERT INTO actions VALUES (?1, ?2, ?3, '', ?4, NULL, NULL)")?;
    let part = game.actions.iter().enumerate().skip(from).take(PART);
    for (number, action) in part {
        statement.execute(params![
            game.terms.id,
            number as i64,
            action.as_str(),
            game.end.at as i64
        ])?;
    }
    Ok(())
}

fn import(connection: &Connection, game: &ImportedGame) -> Result<(), StoreError> {
    insert(connection, &game.terms)?;
    write_end(connection, &game.terms, &game.end)
}

fn load(connection: &Connection, id: &str) -> Result<Option<LoadedGame>, StoreError> {
    let mut statement = connection
        .prepare_cached("SELECT terms, result, reason, telemetry FROM games WHERE id = ?1")?;
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let unreadable = |why| StoreError::Unreadable(format!("game {id}"), why);
    let text = |column| row.get::<_, String>(column).map_err(|e| e.to_string());
    let terms = text(0).and_then(|text| read_terms(&text));
    let telemetry =
        text(3).and_then(|text| serde_json::from_str(&text).map_err(|e| format!("telemetry: {e}")));
    Ok(Some(LoadedGame {
        terms: terms.map_err(unreadable)?,
        actions: actions(connection, id)?,
        outcome: read_outcome(row, 1).map_err(unreadable)?,
        telemetry: telemetry.map_err(unreadable)?,
        alive: alive(connection)?,
    }))
}

fn actions(connection: &Connection, id: &str) -> Result<Vec<StoredAction>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT action, token, at, white, black FROM actions WHERE game = ?1 ORDER BY number",
    )?;
    let actions = statement.query_map([id], read_action)?;
    Ok(actions.collect::<Result<_, _>>()?)
}

/// The last heartbeat.
fn alive(connection: &Connection) -> Result<u64, StoreError> {
    let alive: Option<i64> = connection
        .query_row("SELECT value FROM facts WHERE name = 'alive'", [], |row| {
            row.get(0)
        })
        .optional()?;
    Ok(alive.unwrap_or(0) as u64)
}

fn read_action(row: &Row) -> rusqlite::Result<StoredAction> {
    let white: Option<i64> = row.get(3)?;
    let black: Option<i64> = row.get(4)?;
    let left = white.zip(black).map(|(white, black)| ByColor {
        white: white as u64,
        black: black as u64,
    });
    Ok(StoredAction {
        action: ActionText::stored(row.get(0)?),
        token: row.get(1)?,
        at: row.get::<_, i64>(2)? as u64,
        left,
    })
}
