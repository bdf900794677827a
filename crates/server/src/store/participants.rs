//! Participants of user tests and what they answered.

use rusqlite::params;

use super::{Store, StoreError};

#[derive(Clone, PartialEq, Debug)]
pub struct Participant {
    /// Its number: odd ones play White first.
    pub number: u32,
    /// The answers before the games, as JSON.
    pub before: String,
    /// The answers after them.
    pub after: Option<String>,
    /// The id of the player that it plays as.
    pub player: String,
}

impl Store {
    /// Writes a new participant. False if the number is taken.
    pub(crate) async fn add_participant(
        &self,
        participant: &Participant,
        now: u64,
    ) -> Result<bool, StoreError> {
        let p = participant.clone();
        self.run(move |connection| {
            let added = connection.execute(
                "INSERT OR IGNORE INTO participants VALUES (?1, ?2, ?3, NULL, ?4)",
                params![p.number, now as i64, p.before, p.player],
            )?;
            Ok(added == 1)
        })
        .await
    }

    /// Writes the answers after the games.
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

    /// All participants by number; one of them if named.
    pub async fn participants(&self, number: Option<u32>) -> Result<Vec<Participant>, StoreError> {
        self.run(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT number, answers_before, answers_after, player FROM participants
                 WHERE ?1 IS NULL OR number = ?1 ORDER BY number",
            )?;
            let rows = statement.query_map(params![number], |row| {
                Ok(Participant {
                    number: row.get(0)?,
                    before: row.get(1)?,
                    after: row.get(2)?,
                    player: row.get(3)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
}
