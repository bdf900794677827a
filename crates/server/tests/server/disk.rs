//! Full, read-only and torn disks: everything acknowledged is stored, a move
//! that cannot be stored is not played, and the error says so.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use foglight_server::Store;
use serde_json::{Value, json};

use crate::client::{Running, Socket, start, start_over};

/// A game of two people on a server whose storage can be turned off and on.
struct Seats {
    server: Running,
    store: Store,
    id: String,
    white: Socket,
    black: Socket,
}

async fn seats(folder: &Path) -> Seats {
    let (server, store) = start_over(folder).await;
    let (id, white, black) = server
        .pair(json!({ "game": "fog", "rules": "thesis" }))
        .await;
    Seats {
        white: server.seat(&id, Some(&white), None).await.0,
        black: server.seat(&id, Some(&black), None).await.0,
        server,
        store,
        id,
    }
}

async fn pragma(store: &Store, name: &'static str, value: i64) {
    let set = store.run(move |connection| {
        // Some pragmas return a row.
        let text = format!("PRAGMA {name} = {value}");
        let mut statement = connection.prepare(&text)?;
        let mut rows = statement.query([])?;
        while rows.next()?.is_some() {}
        Ok(())
    });
    set.await.expect("a setting");
}

/// Turns storage off and fills the remaining space.
async fn fill(store: &Store, off: (&'static str, i64)) {
    let made = store.run(|connection| Ok(connection.execute_batch("CREATE TABLE filler (x)")?));
    made.await.expect("a table");
    pragma(store, off.0, off.1).await;
    let more = || {
        let sql = "INSERT INTO filler VALUES (zeroblob(3000))";
        store.run(move |connection| Ok(connection.execute_batch(sql)?))
    };
    while more().await.is_ok() {}
}

const UNSAVED: &str = "the game could not be saved, so nothing was played; try again";

/// Without space a move is refused and not sent to the opponent; once there is
/// space again, the same move is played.
async fn refuses_and_recovers(
    seats: &mut Seats,
    off: (&'static str, i64),
    on: (&'static str, i64),
) {
    seats.white.play(0, "e2e4").await;
    seats.white.wait_for("ack").await;
    seats.black.wait_for("move").await;
    fill(&seats.store, off).await;
    let mut refused = false;
    let mut ply = 1;
    // A full disk may still have space for a move or two.
    for uci in ["b8c6", "b1c3", "c6b8", "c3b1"].iter().cycle().take(90) {
        let mover = if ply % 2 == 0 {
            &mut seats.white
        } else {
            &mut seats.black
        };
        // Long tokens fill the rest of a page.
        let token = format!("{ply:040}");
        let said = json!({ "ply": ply, "move": uci, "token": token });
        mover.say("move", said).await;
        let (answer, text) = answer_of(mover).await;
        if answer == "error" {
            assert_eq!(text, UNSAVED);
            refused = true;
            break;
        }
        ply += 1;
    }
    assert!(refused, "the disk was never full");
    let path = format!("/api/games/{}", seats.id);
    let info = seats.server.get(&path, None).await;
    assert_eq!(info.status, 200, "what is there can be read");
    assert_eq!(info.json()["ply"], ply, "nothing was played");
    // Other tables may have free space of their own.
    let mut most = 300;
    let token = loop {
        let token = seats.server.post("/api/token", None, json!({})).await;
        most -= 1;
        if token.status != 200 || most == 0 {
            break token;
        }
    };
    assert_eq!(token.status, 503, "{}", token.body);
    assert!(token.error().contains("nothing was changed"));
    pragma(&seats.store, on.0, on.1).await;
    let uci = ["b8c6", "b1c3", "c6b8", "c3b1"][(ply as usize - 1) % 4];
    let mover = if ply % 2 == 0 {
        &mut seats.white
    } else {
        &mut seats.black
    };
    mover.play(ply, uci).await;
    assert_eq!(answer_of(mover).await.0, "ack", "there is room again");
    let other = if ply % 2 == 0 {
        &mut seats.black
    } else {
        &mut seats.white
    };
    while other.wait_for("move").await["observation"]["ply"] != ply + 1 {}
}

/// The answer's type, `ack` or `error`, and its text.
async fn answer_of(socket: &mut Socket) -> (String, String) {
    loop {
        let message = socket.hear().await.expect("an answer");
        let kind = message["t"].as_str().expect("a type").to_owned();
        if kind == "ack" || kind == "error" {
            let text = message["d"]["error"].as_str().unwrap_or_default();
            return (kind, text.to_owned());
        }
    }
}

#[tokio::test]
async fn a_full_disk_refuses_moves_until_there_is_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut seats = seats(folder.path()).await;
    let most = i64::from(u32::MAX - 1);
    refuses_and_recovers(&mut seats, ("max_page_count", 1), ("max_page_count", most)).await;
}

#[tokio::test]
async fn a_disk_that_turns_read_only_refuses_moves_and_still_shows_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut seats = seats(folder.path()).await;
    refuses_and_recovers(&mut seats, ("query_only", 1), ("query_only", 0)).await;
}

/// The files of a server killed after it acknowledged `plies` moves: the
/// database, and the log not yet checkpointed.
async fn cut_off(plies: u64) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = tempfile::tempdir().expect("a folder");
    let mut seats = seats(folder.path()).await;
    for ply in 0..plies {
        let uci = ["g1f3", "b8c6", "f3g1", "c6b8"][ply as usize % 4];
        let mover = if ply % 2 == 0 {
            &mut seats.white
        } else {
            &mut seats.black
        };
        mover.play(ply, uci).await;
        mover.wait_for("ack").await;
    }
    for name in ["foglight.sqlite", "foglight.sqlite-wal"] {
        fs::copy(folder.path().join(name), copy.path().join(name)).expect("a copy");
    }
    (copy, seats.id)
}

fn shorten(path: PathBuf, length: u64) {
    let file = fs::OpenOptions::new().write(true).open(path);
    file.expect("a file")
        .set_len(length)
        .expect("a shorter file");
}

async fn plies(folder: &Path, id: &str) -> Value {
    let server = start(Some(folder)).await;
    let answer = server.get(&format!("/api/games/{id}"), None).await;
    if answer.status == 404 {
        return Value::Null; // torn before the game was stored
    }
    answer.json()["ply"].clone()
}

/// A log that ends in the middle of a transaction restores every complete one
/// before it, and the server runs.
#[tokio::test]
async fn a_torn_log_keeps_whole_transactions() {
    let (whole, id) = cut_off(12).await;
    assert_eq!(
        plies(whole.path(), &id).await,
        12,
        "all that was acknowledged"
    );
    let mut last = 12;
    for part in [95, 70, 40, 10] {
        let (torn, id) = cut_off(12).await;
        let log = torn.path().join("foglight.sqlite-wal");
        let length = fs::metadata(&log).expect("a log").len();
        shorten(log, length * part / 100);
        let found = plies(torn.path(), &id).await.as_u64().unwrap_or(0);
        assert!(found <= last, "{part} % of the log holds {found} moves");
        last = found;
    }
    assert!(last < 12, "a tenth of the log cannot hold everything");
}

/// A truncated database is not opened, and the error says what to do.
#[tokio::test]
async fn a_half_written_database_is_refused_at_the_start() {
    for part in [30, 50, 80] {
        let (torn, _) = cut_off(4).await;
        let file = torn.path().join("foglight.sqlite");
        let store = free(torn.path()).await.expect("a whole file");
        // Moves the log into the file first, so that the file is complete.
        pragma(&store, "wal_checkpoint", 1).await;
        drop(store);
        let whole = free(torn.path()).await;
        drop(whole.expect("a whole file still"));
        let length = fs::metadata(&file).expect("a file").len();
        wait_until_free(torn.path()).await;
        let _ = fs::remove_file(torn.path().join("foglight.sqlite-wal")); // it may not exist
        shorten(file, length * part / 100);
        let error = free(torn.path()).await.err().expect("refused");
        let folder = torn.path().display().to_string();
        assert!(error.contains(&folder), "{error}");
        assert!(
            error.contains("malformed") || error.contains("damaged"),
            "{error}"
        );
    }
}

const IN_USE: &str = "another server is using it";

/// Opens a folder once its previous owner has released it.
async fn free(folder: &Path) -> Result<Store, String> {
    for _ in 0..12_000 {
        match Store::open(folder).map_err(|e| e.to_string()) {
            Err(error) if error.contains(IN_USE) => {}
            opened => return opened,
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the folder is still in use");
}

/// Waits until the lock of a folder is free.
pub(crate) async fn wait_until_free(folder: &Path) {
    for _ in 0..12_000 {
        let lock = fs::File::open(folder.join("lock")).expect("a lock");
        if lock.try_lock().is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the folder is still in use");
}

/// The error names a folder that is not writable, also when run as root.
#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_is_named() {
    let error = Store::open(Path::new("/proc/self/foglight"));
    let error = error.err().expect("refused").to_string();
    assert!(
        error.starts_with("data folder /proc/self/foglight: "),
        "{error}"
    );
}
