//! Storage of user study participants and their answers.

use rusqlite::params;

use super::{Asker, Store, StoreError};

#[derive(Clone, PartialEq, Debug)]
pub struct Participant {
    /// Participant number; odd numbers play White first.
    pub number: u32,
    /// Answers before the games, as JSON.
    pub before: String,
    /// Answers after the games, as JSON.
    pub after: Option<String>,
    /// Account id of the participant.
    pub player: String,
}

impl Store {
    /// Stores a new participant, and the account if it is new. False if the
    /// number is in use.
    pub(crate) async fn add_participant(
        &self,
        participant: &Participant,
        by: Asker,
        now: u64,
    ) -> Result<bool, StoreError> {
        let p = participant.clone();
        self.run(move |connection| {
            let added = connection.execute(
                "INSERT OR IGNORE INTO participants VALUES (?1, ?2, ?3, NULL, ?4)",
                params![p.number, now as i64, p.before, p.player],
            )?;
            if added == 1 {
                by.enter(connection)?;
            }
            Ok(added == 1)
        })
        .await
    }

    /// Stores the answers given after the games.
    pub(crate) async fn answer_after(&self, number: u32, after: &str) -> Result<(), StoreError> {
        let after = after.to_owned();
        self.run(move |connection| {
            connection.execute(
                "UPDATE participants SET answers_after = ?2 WHERE number = ?1",
                params![number, after],
            )?;
            Ok(())
        })
        .await
    }

    /// All participants by number, or the one given.
    pub async fn participants(&self, number: Option<u32>) -> Result<Vec<Participant>, StoreError> {
        let rows = self.lister.run(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT number, answers_before, answers_after, player FROM participants
                 WHERE number BETWEEN ?1 AND ?2 ORDER BY number",
            )?;
            let (first, last) = number.map_or((0, u32::MAX), |number| (number, number));
            let rows = statement.query_map([first, last], |row| {
                Ok(Participant {
                    number: row.get(0)?,
                    before: row.get(1)?,
                    after: row.get(2)?,
                    player: row.get(3)?,
                })
            })?;
            let named = |error: rusqlite::Error| {
                StoreError::Unreadable("a participant".to_owned(), error.to_string())
            };
            Ok(rows.map(|row| row.map_err(named)).collect())
        });
        Ok(self.readable(rows.await?))
    }
}
