//! What is stored, and how: older data, damaged rows, refused requests, an idle
//! server, the rights of other users of the machine.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use foglight_server::Store;
use serde_json::{Value, json};

use crate::{
    client::{start, start_over},
    disk::wait_until_free,
};

/// A data folder written by the first released schema.
const VERSION_1: &str = include_str!("../data/version1.sql");

fn folder_of_version_1() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    execute(folder.path(), VERSION_1);
    folder
}

fn execute(folder: &Path, sql: &str) {
    let file = rusqlite::Connection::open(folder.join("foglight.sqlite")).expect("a database");
    file.execute_batch(sql).expect("statements");
}

async fn count(store: &Store, table: &'static str) -> i64 {
    let counted = store.run(move |connection| {
        let query = format!("SELECT count(*) FROM {table}");
        Ok(connection.query_row(&query, [], |row| row.get(0))?)
    });
    counted.await.expect("a count")
}

/// Games of the first schema are listed, replayed and played on.
#[tokio::test]
async fn data_of_the_first_schema_are_migrated() {
    let folder = folder_of_version_1();
    let (server, store) = start_over(folder.path()).await;
    let watch = server.get("/api/watch", None).await.json();
    assert_eq!(watch["running"].as_array().map(Vec::len), Some(2));
    assert_eq!(watch["recent"].as_array().map(Vec::len), Some(5));
    assert_eq!(watch["tournaments"][0]["played"], 2);
    let ladder = server.get("/api/ladder", None).await.json();
    assert_eq!(ladder["ladders"]["fog:chesscom"][0]["rating"], 1520.0);
    let record = server.get("/api/games/hSisVmvSH6E7/record", None).await;
    assert_eq!(record.json()["rows"].as_array().map(Vec::len), Some(6));
    let black = Some("Z3WJF3xpH7Vz8IvIPznl0T2ohPeQ6i9A");
    let path = "/api/bot/game/hdJIAhof4k8I/move/a7a6";
    let played = server.post(path, black, Value::Null).await;
    assert_eq!(played.status, 200, "{}", played.body);
    let version = store.run(|connection| {
        Ok(connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))?)
    });
    assert_eq!(version.await.expect("a version"), 2);
}

#[test]
fn data_of_a_later_version_are_refused() {
    let folder = folder_of_version_1();
    execute(folder.path(), "PRAGMA user_version = 99");
    let error = Store::open(folder.path()).err().expect("refused");
    let error = error.to_string();
    assert!(error.contains("version 99; expected at most"), "{error}");
}

/// Rows that cannot be read are left out of lists and named where they are asked
/// for; the start and everything else go on.
#[tokio::test]
async fn unreadable_rows_are_left_out() {
    let folder = folder_of_version_1();
    let damage = "
        UPDATE games SET terms = '{' WHERE id = 'hSisVmvSH6E7';
        UPDATE games SET reason = 'boredom' WHERE id = 'WtCdyRvGw3Z4';
        UPDATE actions SET action = 'e9e9' WHERE game = 'hdJIAhof4k8I' AND number = 1;
        UPDATE tournaments SET terms = '[]';
        INSERT INTO ladder VALUES ('fog:chesscom', 'x', 'x', 'person', 'high', 0, 0, 0);";
    execute(folder.path(), damage);
    let server = start(Some(folder.path())).await;
    let watch = server.get("/api/watch", None).await;
    assert_eq!(watch.status, 200);
    assert_eq!(watch.json()["running"].as_array().map(Vec::len), Some(1));
    assert_eq!(watch.json()["recent"].as_array().map(Vec::len), Some(3));
    let ladder = server.get("/api/ladder", None).await.json();
    let rows = &ladder["ladders"]["fog:chesscom"];
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
    let token = Some("qQQqtHtxy1ObiZVlu3xxubsyDAY0aTuv");
    assert_eq!(server.get("/api/me", token).await.status, 200);
    for id in ["hSisVmvSH6E7", "WtCdyRvGw3Z4", "hdJIAhof4k8I"] {
        let answer = server.get(&format!("/api/games/{id}"), None).await;
        assert_eq!(answer.status, 500, "{}", answer.body);
        assert_eq!(answer.error(), format!("game {id} cannot be read"));
    }
    let played = server.get("/api/games/nl9spd260svH/record", None).await;
    assert_eq!(played.status, 200);
}

/// A request that is refused stores nothing, not even an account.
#[tokio::test]
async fn refused_requests_leave_no_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let (server, store) = start_over(folder.path()).await;
    let (id, _, _) = server.pair(json!({})).await;
    let before = json!({ "hours": 1.0, "openings": 1, "tactics": 1, "positional": 1 });
    let participant = json!({ "participant": 3, "before": before });
    let begun = server.post("/api/test", None, participant.clone()).await;
    assert_eq!(begun.status, 201);
    let stored = (count(&store, "players").await, count(&store, "games").await);
    for (path, body, status) in [
        ("/api/games".to_owned(), json!({ "fen": "8/8 w" }), 400),
        (
            "/api/games".to_owned(),
            json!({ "clock": { "base": 0 } }),
            400,
        ),
        (
            "/api/games".to_owned(),
            json!({ "opponent": { "level": 99 } }),
            400,
        ),
        ("/api/games".to_owned(), json!({ "name": "a\nb" }), 400),
        ("/api/challenge/nobody".to_owned(), json!({}), 400),
        (
            format!("/api/games/{id}/join"),
            json!({ "name": "Late" }),
            409,
        ),
        ("/api/test".to_owned(), participant, 409),
    ] {
        let answer = server.post(&path, None, body).await;
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
    }
    let pgn = "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. e9 *\n";
    let answer = server
        .request("POST", "/api/import", &[], pgn.as_bytes())
        .await;
    assert_eq!(answer.status, 400, "{}", answer.body);
    let now = (count(&store, "players").await, count(&store, "games").await);
    assert_eq!(now, stored);
}

/// A game that goes on where the rules end it could not be shown: it is refused
/// with its number, and none of the import is stored.
#[tokio::test]
async fn imports_that_go_on_after_the_end_are_refused() {
    let server = start(None).await;
    let knights = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(26);
    let pgn = format!(
        "[Variant \"Fog of War\"]\n[RuleSet \"thesis-v1\"]\n\n1. e4 *\n\n\
         [Variant \"Fog of War\"]\n[RuleSet \"thesis-v1\"]\n\n{knights}*\n"
    );
    let import = server.request("POST", "/api/import", &[], pgn.as_bytes());
    let refused = import.await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    assert!(
        refused.error().contains("game 2: action 101"),
        "{}",
        refused.body
    );
    let watch = server.get("/api/watch", None).await.json();
    assert_eq!(watch["recent"], json!([]));
}

/// Games between agents and tournaments: one address has its part of those that
/// run, others have theirs.
#[tokio::test]
async fn games_between_agents_are_shared_out() {
    let server = start(None).await;
    let show = json!({ "game": "fog", "white": "random", "black": "random", "pause": 10_000 });
    let mut all = Vec::new();
    for last in [2, 2, 2, 2, 2, 3] {
        all.push(
            server
                .from(last)
                .post("/api/watch", None, show.clone())
                .await
                .status,
        );
    }
    assert_eq!(all, [201, 201, 201, 201, 503, 201]);
    let plan = json!({ "agents": ["random", "greedy"], "pause": 10_000 });
    let mut all = Vec::new();
    for last in [2, 2, 3] {
        let address = server.from(last);
        let begun = address.post("/api/tournaments", None, plan.clone());
        all.push(begun.await.status);
    }
    assert_eq!(all, [201, 409, 201]);
}

/// Names of imported games pass the filter of names.
#[tokio::test]
async fn imported_names_are_visible() {
    let server = start(None).await;
    let pgn = "[White \"a\u{202e}b\u{200b}\"]\n[Black \"\u{200b}\"]\n\
               [Variant \"Fog of War\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n";
    let answer = server
        .request("POST", "/api/import", &[], pgn.as_bytes())
        .await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    let id = answer.json()["games"][0].clone();
    let path = format!("/api/games/{}", id.as_str().expect("an id"));
    let info = server.get(&path, None).await.json();
    assert_eq!(
        (&info["white"]["name"], &info["black"]["name"]),
        (&json!("ab"), &json!("?"))
    );
}

fn files(folder: &Path) -> BTreeMap<PathBuf, (u64, std::time::SystemTime)> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| {
        let entry = entry.expect("an entry");
        let meta = entry.metadata().expect("its data");
        (entry.path(), (meta.len(), meta.modified().expect("a time")))
    });
    // The index of the log is shared memory: readers mark their place in it.
    let kept = entries.filter(|(path, _)| !path.to_string_lossy().ends_with("-shm"));
    kept.collect()
}

/// Without a running clock nothing is written, in games or not; with one the
/// server stores that it is alive.
#[tokio::test]
async fn an_idle_server_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(Some(folder.path())).await;
    let clock = json!({ "clock": { "base": 600 }, "rules": "thesis" });
    let (id, white, black) = server.pair(clock).await;
    let quiet = async || {
        let before = files(folder.path());
        tokio::time::sleep(Duration::from_millis(1500)).await;
        files(folder.path()) == before
    };
    assert!(quiet().await, "no clock runs before both sides have moved");
    let (mut white, _) = server.seat(&id, Some(&white), None).await;
    let (mut black, _) = server.seat(&id, Some(&black), None).await;
    white.play(0, "e2e4").await;
    white.wait_for("ack").await;
    black.play(1, "e7e5").await;
    black.wait_for("ack").await;
    assert!(!quiet().await, "a clock runs");
    white.say("resign", json!({})).await;
    white.wait_for("end").await;
    assert!(quiet().await, "the game is over");
}

/// Other users of the machine read nothing of the data, those of earlier
/// versions included.
#[cfg(unix)]
#[tokio::test]
async fn the_data_are_closed_to_other_users() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    let parent = tempfile::tempdir().expect("a folder");
    let fresh = parent.path().join("fresh");
    let old = folder_of_version_1();
    fs::set_permissions(old.path(), fs::Permissions::from_mode(0o755)).expect("rights");
    let shared = folder_of_version_1();
    fs::set_permissions(shared.path(), fs::Permissions::from_mode(0o755)).expect("rights");
    fs::write(shared.path().join("letter.txt"), "").expect("a file");
    for (folder, expected) in [
        (fresh.as_path(), 0o700),
        (old.path(), 0o700),
        (shared.path(), 0o755),
    ] {
        let (server, _) = start_over(folder).await;
        server.token().await;
        assert_eq!(mode(folder), expected, "{}", folder.display());
        for name in ["lock", "foglight.sqlite", "foglight.sqlite-wal"] {
            assert_eq!(mode(&folder.join(name)), 0o600, "{name}");
        }
    }
    let letter = shared.path().join("letter.txt");
    assert_ne!(mode(&letter), 0o600, "not ours");
}

/// The statements that `docs/operating.md` gives for the deletion of a person
/// leave nothing of it.
#[tokio::test]
async fn a_person_is_deleted_as_documented() {
    let guide = include_str!("../../../../docs/operating.md");
    let (_, sql) = guide.split_once("```sql\n").expect("statements");
    let (sql, _) = sql.split_once("```").expect("their end");
    let folder = folder_of_version_1();
    drop(start(Some(folder.path())).await);
    wait_until_free(folder.path()).await;
    execute(folder.path(), &sql.replace("ID", "zLog0QiEKYGZ"));
    let mut kept = fs::read(folder.path().join("foglight.sqlite")).expect("a database");
    kept.extend(fs::read(folder.path().join("foglight.sqlite-wal")).unwrap_or_default());
    let contains = |text: &str| kept.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(
        contains("Deleted") && contains("Žofie"),
        "the opponent's games stay"
    );
    assert!(!contains("zLog0QiEKYGZ") && !contains("\"Ada\""));
}
