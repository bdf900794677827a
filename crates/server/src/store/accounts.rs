//! Accounts: each has a random token, stored as its hash.

use rusqlite::OptionalExtension;
use sha2::{Digest, Sha256};

use super::{Store, StoreError};
use crate::domain::commit_reveal::hex;

/// An account: a person at a page, or a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// Public id, unlike the token.
    pub id: String,
    pub name: String,
}

/// Hash of a token, so that a copy of the database gives no access to accounts.
fn digest(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

impl Store {
    pub(crate) async fn add_person(
        &self,
        person: &Account,
        token: &str,
        now: u64,
    ) -> Result<(), StoreError> {
        let row = (
            person.id.clone(),
            digest(token),
            person.name.clone(),
            now as i64,
        );
        self.run(move |connection| {
            connection
                .prepare_cached("INSERT INTO players VALUES (?1, ?2, ?3, ?4)")?
                .execute(row)?;
            Ok(())
        })
        .await
    }

    /// The account of a token.
    pub async fn person(&self, token: &str) -> Result<Option<Account>, StoreError> {
        let token = digest(token);
        self.run(move |connection| {
            let found = connection
                .prepare_cached("SELECT id, name FROM players WHERE token = ?1")?
                .query_row([token], |row| {
                    Ok(Account {
                        id: row.get(0)?,
                        name: row.get(1)?,
                    })
                });
            Ok(found.optional()?)
        })
        .await
    }

    pub async fn rename(&self, id: &str, name: &str) -> Result<(), StoreError> {
        let row = [id.to_owned(), name.to_owned()];
        self.run(move |connection| {
            connection
                .prepare_cached("UPDATE players SET name = ?2 WHERE id = ?1")?
                .execute(row)?;
            Ok(())
        })
        .await
    }
}
