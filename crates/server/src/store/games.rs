//! Storage of games and their actions.

use foglight_arena::record::Telemetry;
use foglight_rules::{ByColor, Color, Outcome, Termination};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Store, StoreError};
use crate::domain::{ActionText, GameSettings, Ratings, Seat, Status};

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

/// A row of a list of games.
#[derive(Clone, Debug)]
pub(crate) struct ListedGame {
    pub terms: GameSettings,
    pub outcome: Option<Outcome>,
    /// Number of plies, for a finished game.
    pub plies: u32,
}

fn player(chair: &Seat) -> Option<&str> {
    match chair {
        Seat::Person { player, .. } => Some(player),
        _ => None,
    }
}

fn status(terms: &GameSettings, over: bool) -> &'static str {
    match (over, terms.is_open()) {
        (true, _) => Status::Over.name(),
        (false, true) => Status::Open.name(),
        (false, false) => Status::Running.name(),
    }
}

fn outcome(result: Option<String>, reason: Option<String>) -> Option<Outcome> {
    let reason = Termination::from_name(&reason?)?;
    let winner = match result?.as_str() {
        "1-0" => Some(Color::White),
        "0-1" => Some(Color::Black),
        _ => None,
    };
    Some(Outcome { winner, reason })
}

fn write_end(
    connection: &Connection,
    terms: &GameSettings,
    end: &StoredEnd,
) -> Result<(), StoreError> {
    let telemetry = serde_json::to_string(&end.telemetry)?;
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
    /// Stores a new game.
    pub(crate) async fn add_game(&self, terms: &GameSettings) -> Result<(), StoreError> {
        let terms = terms.clone();
        self.run(move |connection| insert(connection, &terms)).await
    }

    /// Updates the settings of a game, after a join or a rematch.
    pub(crate) async fn change_terms(&self, terms: &GameSettings) -> Result<(), StoreError> {
        let terms = terms.clone();
        self.run(move |connection| {
            let text = serde_json::to_string(&terms)?;
            connection
                .prepare_cached(
                    "UPDATE games SET terms = ?2, white = ?3, black = ?4,
                     status = CASE status WHEN 'over' THEN 'over' ELSE ?5 END WHERE id = ?1",
                )?
                .execute(params![
                    terms.id,
                    text,
                    player(&terms.white),
                    player(&terms.black),
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

    /// Stores an imported game.
    pub(crate) async fn import_game(
        &self,
        terms: &GameSettings,
        actions: Vec<StoredAction>,
        end: StoredEnd,
    ) -> Result<(), StoreError> {
        let terms = terms.clone();
        self.run(move |connection| {
            insert(connection, &terms)?;
            let mut statement = connection
                .prepare_cached("INSERT INTO actions VALUES (?1, ?2, ?3, '', ?4, NULL, NULL)")?;
            for (number, action) in actions.iter().enumerate() {
                statement.execute(params![
                    terms.id,
                    number as i64,
                    action.action.as_str(),
                    action.at as i64
                ])?;
            }
            write_end(connection, &terms, &end)
        })
        .await
    }

    /// A game with all its actions.
    pub(crate) async fn load_game(&self, id: &str) -> Result<Option<LoadedGame>, StoreError> {
        let id = id.to_owned();
        self.run(move |connection| load(connection, &id)).await
    }

    /// The ids of all running games.
    pub(crate) async fn running_games(&self) -> Result<Vec<String>, StoreError> {
        self.run(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT id FROM games WHERE status = 'running'")?;
            let ids = statement.query_map([], |row| row.get(0))?;
            Ok(ids.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The most recent finished games, newest first; only one player's if
    /// given.
    pub(crate) async fn recent_games(
        &self,
        of: Option<String>,
        most: u32,
    ) -> Result<Vec<ListedGame>, StoreError> {
        self.run(move |connection| match of {
            None => list(
                connection,
                "WHERE status = 'over' ORDER BY ended DESC LIMIT ?1",
                params![most],
            ),
            Some(player) => list(
                connection,
                "WHERE white = ?2 OR black = ?2 ORDER BY created DESC LIMIT ?1",
                params![most, player],
            ),
        })
        .await
    }

    /// The games of a tournament, in order of their numbers.
    pub(crate) async fn tournament_games(&self, id: &str) -> Result<Vec<ListedGame>, StoreError> {
        let id = id.to_owned();
        let found =
            self.run(move |connection| list(connection, "WHERE tournament = ?1", params![id]));
        let mut games = found.await?;
        games.sort_by_key(|game| game.terms.tournament.as_ref().map(|(_, number)| *number));
        Ok(games)
    }

    /// The games of the user study; only one participant's if given.
    pub(crate) async fn test_games(&self, of: Option<u32>) -> Result<Vec<ListedGame>, StoreError> {
        let found = self.run(move |connection| {
            list(
                connection,
                "WHERE participant IS NOT NULL AND (?1 IS NULL OR participant = ?1)",
                params![of],
            )
        });
        let mut games = found.await?;
        games.sort_by_key(|game| game.terms.participant);
        Ok(games)
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
        self.run(move |connection| {
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

fn insert(connection: &Connection, terms: &GameSettings) -> Result<(), StoreError> {
    let text = serde_json::to_string(terms)?;
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
            player(&terms.white),
            player(&terms.black),
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

fn load(connection: &Connection, id: &str) -> Result<Option<LoadedGame>, StoreError> {
    type Found = (String, Option<String>, Option<String>, String);
    let found: Option<Found> = connection
        .prepare_cached("SELECT terms, result, reason, telemetry FROM games WHERE id = ?1")?
        .query_row([id], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })
        .optional()?;
    let Some((terms, result, reason, telemetry)) = found else {
        return Ok(None);
    };
    let mut statement = connection.prepare_cached(
        "SELECT action, token, at, white, black FROM actions WHERE game = ?1 ORDER BY number",
    )?;
    let actions = statement.query_map([id], read_action)?;
    let alive: Option<i64> = connection
        .query_row("SELECT value FROM facts WHERE name = 'alive'", [], |row| {
            row.get(0)
        })
        .optional()?;
    Ok(Some(LoadedGame {
        terms: serde_json::from_str(&terms)?,
        actions: actions.collect::<Result<_, _>>()?,
        outcome: outcome(result, reason),
        telemetry: serde_json::from_str(&telemetry)?,
        alive: alive.unwrap_or(0) as u64,
    }))
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

fn list(
    connection: &Connection,
    condition: &str,
    values: impl rusqlite::Params,
) -> Result<Vec<ListedGame>, StoreError> {
    let query = format!("SELECT terms, result, reason, plies FROM games {condition}");
    let mut statement = connection.prepare_cached(&query)?;
    let rows = statement.query_map(values, |row| {
        let terms: String = row.get(0)?;
        Ok((terms, row.get(1)?, row.get(2)?, row.get(3)?))
    })?;
    let mut games = Vec::new();
    for row in rows {
        let (terms, result, reason, plies) = row?;
        games.push(ListedGame {
            terms: serde_json::from_str(&terms)?,
            outcome: outcome(result, reason),
            plies,
        });
    }
    Ok(games)
}
