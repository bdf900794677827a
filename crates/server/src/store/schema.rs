//! The database schema and its version.

use rusqlite::Connection;

use super::StoreError;

/// Schema version of this program. A file of a later version is refused.
const VERSION: i64 = 1;

const TABLES: &str = "
CREATE TABLE players (
    id TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE, name TEXT NOT NULL, created INTEGER NOT NULL
);
CREATE TABLE games (
    id TEXT PRIMARY KEY, status TEXT NOT NULL, created INTEGER NOT NULL, ended INTEGER,
    white TEXT, black TEXT, tournament TEXT, participant INTEGER,
    terms TEXT NOT NULL, result TEXT, reason TEXT, plies INTEGER NOT NULL DEFAULT 0,
    telemetry TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX games_by_status ON games (status, created);
CREATE INDEX games_by_white ON games (white, created);
CREATE INDEX games_by_black ON games (black, created);
CREATE INDEX games_by_tournament ON games (tournament) WHERE tournament IS NOT NULL;
CREATE TABLE actions (
    game TEXT NOT NULL, number INTEGER NOT NULL, action TEXT NOT NULL, token TEXT NOT NULL,
    at INTEGER NOT NULL, white INTEGER, black INTEGER, PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE ladder (
    ladder TEXT NOT NULL, player TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
    rating REAL NOT NULL, wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL,
    PRIMARY KEY (ladder, player)
) WITHOUT ROWID;
CREATE TABLE tournaments (
    id TEXT PRIMARY KEY, created INTEGER NOT NULL, status TEXT NOT NULL, terms TEXT NOT NULL
);
CREATE TABLE participants (
    number INTEGER PRIMARY KEY, created INTEGER NOT NULL, answers_before TEXT NOT NULL,
    answers_after TEXT, player TEXT NOT NULL
);
CREATE TABLE reviews (
    game TEXT NOT NULL, side TEXT NOT NULL, review TEXT NOT NULL, PRIMARY KEY (game, side)
) WITHOUT ROWID;
CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
";

/// Creates the tables of a new file, or checks the version of an existing one.
pub fn prepare(connection: &Connection) -> Result<(), StoreError> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match version {
        0 => {
            connection.execute_batch(&format!("BEGIN; {TABLES} COMMIT"))?;
            connection.pragma_update(None, "user_version", VERSION)?;
            Ok(())
        }
        VERSION => Ok(()),
        other => Err(StoreError::Row(format!(
            "the data are of version {other}; expected at most {VERSION}: use a newer foglight"
        ))),
    }
}
