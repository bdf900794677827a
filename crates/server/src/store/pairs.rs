//! How often two players met in rated games.

use rusqlite::params;

use super::{Store, StoreError};
use crate::domain::{GameSettings, Seat};

/// Games of a player that are looked at: more than anybody plays in a day.
const MOST: u32 = 2000;

impl Store {
    /// The number of rated games since a time between the players of a game.
    pub(crate) async fn rated_games(
        &self,
        terms: &GameSettings,
        since: u64,
    ) -> Result<u32, StoreError> {
        let pair = sorted_pair(terms);
        let person = [&terms.white, &terms.black]
            .into_iter()
            .find_map(Seat::account);
        let Some(person) = person.map(str::to_owned) else {
            return Ok(0);
        };
        self.reader
            .run(move |connection| {
                let mut statement = connection.prepare_cached(
                    "SELECT terms FROM games WHERE white = ?1 AND created >= ?2
                 UNION ALL SELECT terms FROM games WHERE black = ?1 AND created >= ?2 LIMIT ?3",
                )?;
                let rows = statement.query_map(params![person, since as i64, MOST], |row| {
                    row.get::<_, String>(0)
                })?;
                let mut count = 0;
                for text in rows {
                    let game: Result<GameSettings, _> = serde_json::from_str(&text?);
                    let same = game.is_ok_and(|game| game.rated && sorted_pair(&game) == pair);
                    count += u32::from(same);
                }
                Ok(count)
            })
            .await
    }
}

/// Both players' ids on leaderboards, in an order that does not depend on
/// colours.
fn sorted_pair(terms: &GameSettings) -> [Option<String>; 2] {
    let mut pair = [terms.white.ladder_id(), terms.black.ladder_id()];
    pair.sort();
    pair
}
