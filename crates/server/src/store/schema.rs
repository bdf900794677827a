//! The database schema: a list of migrations, each applied once.

use rusqlite::Connection;

use super::StoreError;

/// What each version adds to the one before. A released entry never changes.
const MIGRATIONS: [&str; 2] = [
    "
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
",
    // An index for every list.
    "
DROP INDEX games_by_status;
CREATE INDEX games_running ON games (created) WHERE status = 'running';
CREATE INDEX games_by_end ON games (ended) WHERE status = 'over';
CREATE INDEX games_by_participant ON games (participant) WHERE participant IS NOT NULL;
CREATE INDEX games_imported ON games (created) WHERE white = '' AND black = '';
CREATE INDEX ladder_by_rating ON ladder (ladder, rating DESC);
CREATE INDEX ladder_by_player ON ladder (player);
CREATE INDEX tournaments_by_age ON tournaments (created);
CREATE INDEX tournaments_running ON tournaments (created) WHERE status = 'running';
",
];

/// Brings the tables of a new or older file to this program's version. A file of
/// a later version is refused.
pub fn prepare(connection: &Connection) -> Result<(), StoreError> {
    let newest = MIGRATIONS.len();
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = usize::try_from(version).ok().filter(|&v| v <= newest);
    let version = known.ok_or_else(|| {
        StoreError::Sql(format!(
            "the data are of version {version}; expected at most {newest}: use a newer foglight"
        ))
    })?;
    for (number, migration) in (1..).zip(MIGRATIONS).skip(version) {
        // The version is part of the transaction: a crash leaves the old file.
        connection.execute_batch(&format!(
            "BEGIN; {migration}; PRAGMA user_version = {number}; COMMIT"
        ))?;
    }
    Ok(())
}
