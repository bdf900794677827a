//! Lists of games. They run beside the thread that stores moves, have an index
//! each, and leave unreadable games out.

use foglight_rules::Outcome;
use rusqlite::{Connection, Params};

use super::{Store, StoreError, games};
use crate::domain::GameSettings;

/// A row of a list of games.
#[derive(Clone, Debug)]
pub(crate) struct ListedGame {
    pub terms: GameSettings,
    pub outcome: Option<Outcome>,
    /// Number of plies, for a finished game.
    pub plies: u32,
}

const RECENT: &str = "WHERE status = 'over' ORDER BY ended DESC LIMIT ?1";
const RECENT_OF_PLAYER: &str = "WHERE id IN (
        SELECT * FROM (SELECT id FROM games WHERE white = ?2 ORDER BY created DESC LIMIT ?1)
        UNION SELECT * FROM (SELECT id FROM games WHERE black = ?2 ORDER BY created DESC LIMIT ?1)
    ) ORDER BY created DESC LIMIT ?1";
const WITH_ID: &str = "WHERE id = ?1";
const OF_TOURNAMENT: &str = "WHERE tournament = ?1";
const OF_PARTICIPANT: &str = "WHERE participant = ?1";
const OF_PARTICIPANTS: &str = "WHERE participant IS NOT NULL";

impl Store {
    /// The ids of all running games.
    pub(crate) async fn running_games(&self) -> Result<Vec<String>, StoreError> {
        self.lister
            .run(|connection| {
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
        match of {
            None => self.games(RECENT, [most]).await,
            Some(player) => self.games(RECENT_OF_PLAYER, (most, player)).await,
        }
    }

    /// One game.
    pub(crate) async fn listed_game(&self, id: &str) -> Result<Option<ListedGame>, StoreError> {
        Ok(self.games(WITH_ID, [id.to_owned()]).await?.pop())
    }

    /// The games of a tournament, in order of their numbers.
    pub(crate) async fn tournament_games(&self, id: &str) -> Result<Vec<ListedGame>, StoreError> {
        let mut games = self.games(OF_TOURNAMENT, [id.to_owned()]).await?;
        games.sort_by_key(|game| game.terms.tournament.as_ref().map(|(_, number)| *number));
        Ok(games)
    }

    /// The games of the user study; only one participant's if given.
    pub(crate) async fn test_games(&self, of: Option<u32>) -> Result<Vec<ListedGame>, StoreError> {
        let mut games = match of {
            Some(number) => self.games(OF_PARTICIPANT, [number]).await?,
            None => self.games(OF_PARTICIPANTS, []).await?,
        };
        games.sort_by_key(|game| game.terms.participant);
        Ok(games)
    }

    async fn games(
        &self,
        condition: &'static str,
        values: impl Params + Send + 'static,
    ) -> Result<Vec<ListedGame>, StoreError> {
        let rows = self.lister.run(move |connection| {
            let query = format!("SELECT id, terms, result, reason, plies FROM games {condition}");
            list(connection, &query, values)
        });
        Ok(self.readable(rows.await?))
    }
}

fn list(
    connection: &Connection,
    query: &str,
    values: impl Params,
) -> Result<Vec<Result<ListedGame, StoreError>>, StoreError> {
    let mut statement = connection.prepare_cached(query)?;
    let mut rows = statement.query(values)?;
    let mut games = Vec::new();
    while let Some(row) = rows.next()? {
        let id: String = row.get(0)?;
        let game = || {
            Ok(ListedGame {
                terms: games::read_terms(&row.get::<_, String>(1).map_err(|e| e.to_string())?)?,
                outcome: games::read_outcome(row, 2)?,
                plies: row.get(4).map_err(|e| e.to_string())?,
            })
        };
        games.push(game().map_err(|why: String| StoreError::Unreadable(format!("game {id}"), why)));
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::schema;

    /// No list reads a whole table or sorts all of it: the cost of each is
    /// bounded by what it returns.
    #[test]
    fn every_list_has_an_index() {
        let connection = Connection::open_in_memory().expect("a database");
        schema::prepare(&connection).expect("tables");
        for condition in [
            RECENT,
            RECENT_OF_PLAYER,
            WITH_ID,
            OF_TOURNAMENT,
            OF_PARTICIPANT,
            OF_PARTICIPANTS,
            "WHERE status = 'running'",
        ] {
            let query = format!("EXPLAIN QUERY PLAN SELECT terms FROM games {condition}");
            let mut statement = connection.prepare(&query).expect("a query");
            let count = statement.parameter_count();
            let values = vec!["1"; count];
            let steps = statement
                .query_map(rusqlite::params_from_iter(values), |row| {
                    row.get::<_, String>(3)
                })
                .expect("a plan");
            let plan: Vec<String> = steps.map(|step| step.expect("a step")).collect();
            let scans = |step: &&String| {
                step.starts_with("SCAN games") && !step.contains("USING")
                    || step.contains("TEMP B-TREE FOR ORDER BY") && condition != RECENT_OF_PLAYER
            };
            assert_eq!(plan.iter().find(scans), None, "{condition}: {plan:#?}");
        }
    }
}
