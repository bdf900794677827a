//! Storage of user study participants and their answers.

use rusqlite::params;

use super::{Store, StoreError};

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
    /// Stores a new participant. False if the number is in use.
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
