//! Accounts: each has a random token, stored as its hash.

use rusqlite::{Connection, OptionalExtension};
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

/// Who asks for something that needs an account.
#[derive(Clone, Debug)]
pub(crate) enum Asker {
    Known(Account),
    /// Stored in one transaction with what it asks for, so that a refused
    /// request leaves no account behind.
    New(Newcomer),
}

/// An account that is not stored yet.
#[derive(Clone, Debug)]
pub(crate) struct Newcomer {
    pub account: Account,
    pub token: String,
    /// Time of its creation.
    pub at: u64,
}

impl Asker {
    pub fn account(&self) -> &Account {
        match self {
            Asker::Known(account) => account,
            Asker::New(newcomer) => &newcomer.account,
        }
    }

    /// The token to tell a newcomer.
    pub fn token(&self) -> Option<&str> {
        match self {
            Asker::Known(_) => None,
            Asker::New(newcomer) => Some(&newcomer.token),
        }
    }

    /// Stores a newcomer.
    pub(super) fn enter(&self, connection: &Connection) -> Result<(), StoreError> {
        let Asker::New(newcomer) = self else {
            return Ok(());
        };
        connection
            .prepare_cached("INSERT INTO players VALUES (?1, ?2, ?3, ?4)")?
            .execute((
                &newcomer.account.id,
                digest(&newcomer.token),
                &newcomer.account.name,
                newcomer.at as i64,
            ))?;
        Ok(())
    }
}

/// Hash of a token, so that a copy of the database gives no access to accounts.
fn digest(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

impl Store {
    pub(crate) async fn add_person(&self, newcomer: Newcomer) -> Result<(), StoreError> {
        let asker = Asker::New(newcomer);
        self.run(move |connection| asker.enter(connection)).await
    }

    /// The account of a token.
    pub async fn person(&self, token: &str) -> Result<Option<Account>, StoreError> {
        let token = digest(token);
        self.reader
            .run(move |connection| {
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
