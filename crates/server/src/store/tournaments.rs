//! Storage of tournaments and their status.

use rusqlite::params;

use super::{Store, StoreError};

/// A tournament loaded from storage.
#[derive(Clone, Debug)]
pub struct StoredTournament {
    pub id: String,
    /// Whether games remain to be played.
    pub running: bool,
    /// Number of finished games.
    pub played: u64,
    /// The tournament's configuration as JSON.
    pub terms: String,
}

impl Store {
    /// Stores a new tournament.
    pub(crate) async fn add_tournament(
        &self,
        id: &str,
        terms: &str,
        now: u64,
    ) -> Result<(), StoreError> {
        let row = (id.to_owned(), now as i64, "running", terms.to_owned());
        self.run(move |connection| {
            connection.execute("INSERT INTO tournaments VALUES (?1, ?2, ?3, ?4)", row)?;
            Ok(())
        })
        .await
    }

    /// Marks a tournament as finished.
    pub(crate) async fn end_tournament(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.run(move |connection| {
            connection.execute("UPDATE tournaments SET status = 'over' WHERE id = ?1", [id])?;
            Ok(())
        })
        .await
    }

    /// The newest tournaments, or the one given.
    pub async fn tournaments(
        &self,
        id: Option<String>,
    ) -> Result<Vec<StoredTournament>, StoreError> {
        self.run(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT id, status = 'running', terms, (SELECT COUNT(*) FROM games
                 WHERE tournament = tournaments.id AND result IS NOT NULL)
                 FROM tournaments WHERE ?1 IS NULL OR id = ?1 ORDER BY created DESC LIMIT 50",
            )?;
            let rows = statement.query_map(params![id], |row| {
                Ok(StoredTournament {
                    id: row.get(0)?,
                    running: row.get(1)?,
                    terms: row.get(2)?,
                    played: row.get(3)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
}
