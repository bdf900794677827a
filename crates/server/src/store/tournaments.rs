//! Storage of tournaments and their status.

use rusqlite::Params;

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

    /// The newest tournaments.
    pub(crate) async fn tournaments(&self) -> Result<Vec<StoredTournament>, StoreError> {
        self.list_tournaments("ORDER BY created DESC LIMIT 50", [])
            .await
    }

    /// The tournaments that are not over.
    pub(crate) async fn running_tournaments(&self) -> Result<Vec<StoredTournament>, StoreError> {
        self.list_tournaments("WHERE status = 'running' ORDER BY created", [])
            .await
    }

    pub(crate) async fn tournament(
        &self,
        id: &str,
    ) -> Result<Option<StoredTournament>, StoreError> {
        let found = self.list_tournaments("WHERE id = ?1", [id.to_owned()]);
        Ok(found.await?.pop())
    }

    async fn list_tournaments(
        &self,
        condition: &'static str,
        values: impl Params + Send + 'static,
    ) -> Result<Vec<StoredTournament>, StoreError> {
        let rows = self.lister.run(move |connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT id, status = 'running', terms, (SELECT COUNT(*) FROM games
                 WHERE tournament = tournaments.id AND result IS NOT NULL)
                 FROM tournaments {condition}"
            ))?;
            let rows = statement.query_map(values, |row| {
                Ok(StoredTournament {
                    id: row.get(0)?,
                    running: row.get(1)?,
                    terms: row.get(2)?,
                    played: row.get(3)?,
                })
            })?;
            let named = |error: rusqlite::Error| {
                StoreError::Unreadable("a tournament".to_owned(), error.to_string())
            };
            Ok(rows.map(|row| row.map_err(named)).collect())
        });
        Ok(self.readable(rows.await?))
    }
}
