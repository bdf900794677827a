//! Leaderboards: Elo ratings updated after every rated game, one list per game
//! and rule set.

use foglight_arena::stats::{running::RunningElo, score};
use foglight_rules::{Color, Outcome};
use rusqlite::{Connection, OptionalExtension, Params, params};
use serde::Serialize;

use super::{Store, StoreError};
use crate::domain::{GameSettings, RatingChange, Ratings, Seat};

pub const START: f64 = 1500.0;
/// Games after which a rating is no longer provisional and changes more slowly.
const PROVISIONAL: u32 = 10;

/// A row of a leaderboard.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LeaderboardRow {
    pub name: String,
    pub kind: String,
    pub rating: f64,
    pub games: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// Whether the rating rests on too few games.
    pub provisional: bool,
}

fn read(connection: &Connection, ladder: &str, player: &str) -> Result<(f64, u32), StoreError> {
    let found = connection
        .prepare_cached(
            "SELECT rating, wins + draws + losses FROM ladder WHERE ladder = ?1 AND player = ?2",
        )?
        .query_row([ladder, player], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    Ok(found.unwrap_or((START, 0)))
}

fn write(
    connection: &Connection,
    ladder: &str,
    (player, chair): (&str, &Seat),
    rating: f64,
    points: f64,
) -> Result<(), StoreError> {
    let kind = match chair {
        Seat::Agent { .. } => "agent",
        _ => "person",
    };
    let won = |value: f64| i64::from(points == value);
    connection
        .prepare_cached(
            "INSERT INTO ladder VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT (ladder, player) DO UPDATE SET name = ?3, rating = ?5,
             wins = wins + ?6, draws = draws + ?7, losses = losses + ?8",
        )?
        .execute(params![
            ladder,
            player,
            chair.name(),
            kind,
            rating,
            won(1.0),
            won(0.5),
            won(0.0)
        ])?;
    Ok(())
}

/// Updates the ratings of both players of a finished game.
pub(super) fn rate(
    connection: &Connection,
    terms: &GameSettings,
    outcome: Outcome,
) -> Result<Option<Ratings>, StoreError> {
    let ladder = terms.ladder();
    let (Some(white), Some(black)) = (terms.white.ladder_id(), terms.black.ladder_id()) else {
        return Ok(None);
    };
    if white == black {
        return Ok(None);
    }
    let (before_white, games_white) = read(connection, &ladder, &white)?;
    let (before_black, games_black) = read(connection, &ladder, &black)?;
    let after = |rating, other, games: u32, side: Color| {
        let k = if games < PROVISIONAL { 40.0 } else { 20.0 };
        let result = match outcome.winner {
            None => score::GameScore::Draw,
            Some(winner) if winner == side => score::GameScore::Win,
            Some(_) => score::GameScore::Loss,
        };
        RunningElo { k, whole: false }
            .step(rating, other, result)
            .rating
    };
    let change = Ratings {
        white: RatingChange {
            before: before_white,
            after: after(before_white, before_black, games_white, Color::White),
        },
        black: RatingChange {
            before: before_black,
            after: after(before_black, before_white, games_black, Color::Black),
        },
    };
    let points = |side| outcome.score(side);
    write(
        connection,
        &ladder,
        (&white, &terms.white),
        change.white.after,
        points(Color::White),
    )?;
    write(
        connection,
        &ladder,
        (&black, &terms.black),
        change.black.after,
        points(Color::Black),
    )?;
    Ok(Some(change))
}

impl Store {
    /// The rating of a player on a leaderboard, and its number of games.
    pub async fn rating(&self, ladder: &str, player: &str) -> Result<(f64, u32), StoreError> {
        let (ladder, player) = (ladder.to_owned(), player.to_owned());
        self.reader
            .run(move |connection| read(connection, &ladder, &player))
            .await
    }

    /// All leaderboards, best player first; only one player's rows if given.
    pub async fn ladders(
        &self,
        of: Option<String>,
    ) -> Result<Vec<(String, LeaderboardRow)>, StoreError> {
        let rows = self.lister.run(move |connection| match of {
            Some(player) => ladders(connection, "WHERE player = ?1 ORDER BY ladder", [player]),
            None => ladders(connection, "ORDER BY ladder, rating DESC LIMIT 2000", []),
        });
        Ok(self.readable(rows.await?))
    }
}

type Row = (String, LeaderboardRow);

fn ladders(
    connection: &Connection,
    condition: &str,
    values: impl Params,
) -> Result<Vec<Result<Row, StoreError>>, StoreError> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT ladder, name, kind, rating, wins, draws, losses FROM ladder {condition}"
    ))?;
    let rows = statement.query_map(values, |row| {
        let (wins, draws, losses): (u32, u32, u32) = (row.get(4)?, row.get(5)?, row.get(6)?);
        let games = wins + draws + losses;
        let place = LeaderboardRow {
            name: row.get(1)?,
            kind: row.get(2)?,
            rating: row.get(3)?,
            games,
            wins,
            draws,
            losses,
            provisional: games < PROVISIONAL,
        };
        Ok((row.get(0)?, place))
    })?;
    let named = |error: rusqlite::Error| {
        StoreError::Unreadable("a row of the leaderboard".to_owned(), error.to_string())
    };
    Ok(rows.map(|row| row.map_err(named)).collect())
}
