//! The data folder: its lock, its permissions, its database file.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write as _},
    path::Path,
};

use rusqlite::{Connection, OpenFlags};

use super::StoreError;

/// The database of a data folder.
pub(super) const DATABASE: &str = "foglight.sqlite";

/// The file of the operator's secret.
const OPERATOR: &str = "operator";

/// What a data folder holds besides the database and its log.
const OTHERS: [&str; 3] = ["lock", OPERATOR, "user-test"];

/// Creates the folder on first use, closes it to other users of the machine,
/// and takes its lock.
pub(super) fn lock(folder: &Path) -> Result<File, String> {
    private_folder(folder).map_err(|e| e.to_string())?;
    let lock = private(&folder.join("lock")).map_err(|e| e.to_string())?;
    lock.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => {
            "another server is using it; expected --data to name a folder of its own".into()
        }
        TryLockError::Error(e) => e.to_string(),
    })?;
    close_to_others(folder).map_err(|e| e.to_string())?;
    Ok(lock)
}

/// Opens the database for writing and checks its integrity. Otherwise the first
/// request that reads a torn page would fail, in the middle of a game.
pub(super) fn open(folder: &Path) -> Result<Connection, StoreError> {
    let path = folder.join(DATABASE);
    // SQLite gives its log the permissions of the database.
    private(&path).map_err(|e| StoreError::Sql(e.to_string()))?;
    let connection = Connection::open(&path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    match found.as_str() {
        "ok" => Ok(connection),
        damage => Err(StoreError::Sql(format!(
            "{DATABASE} is damaged ({damage}); expected a whole file: put a copy in its \
             place, or move it away to begin anew"
        ))),
    }
}

/// A connection that reads beside the writer.
pub(super) fn open_to_read(folder: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::open_with_flags(folder.join(DATABASE), flags)?)
}

/// Creates a folder for its owner alone, and those above it.
#[cfg(unix)]
pub(crate) fn private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
pub(crate) fn private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// The operator's secret in a data folder, `fresh` if there is none.
pub(crate) fn operator_secret(folder: &Path, fresh: &str) -> Result<String, StoreError> {
    let path = folder.join(OPERATOR);
    let known = fs::read_to_string(&path).unwrap_or_default();
    let known = known.trim();
    if known.len() >= fresh.len() {
        return Ok(known.to_owned());
    }
    let written = private_file(&path, &format!("{fresh}\n"));
    written.map_err(|error| StoreError::Folder {
        path: path.clone(),
        what: error.to_string(),
    })?;
    Ok(fresh.to_owned())
}

/// Writes a file for its owner alone.
pub(crate) fn private_file(path: &Path, text: &str) -> io::Result<()> {
    let mut file = private(path)?;
    file.set_len(0)?;
    file.write_all(text.as_bytes())
}

/// Opens a file for writing, created for its owner alone.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Removes the rights of others on the files of a folder, and on the folder if
/// it holds nothing else: it may be one that other programs share.
#[cfg(unix)]
fn close_to_others(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut own = true;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(DATABASE) && !OTHERS.contains(&name.as_ref()) {
            own = false;
            continue;
        }
        let mode = if entry.file_type()?.is_dir() {
            0o700
        } else {
            0o600
        };
        fs::set_permissions(entry.path(), fs::Permissions::from_mode(mode))?;
    }
    if own {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn close_to_others(_: &Path) -> io::Result<()> {
    Ok(())
}
