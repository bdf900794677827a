//! Journals: one writer, any tail, no changed result.

use std::{fs, path::Path, sync::atomic::AtomicBool};

use foglight_arena::{
    journal::{self, Journal},
    record::{GameRecord, PlayerInfo},
    schedule::{Format, SchedulePlan, Shard},
    tournament::{MatchEntrant, MatchEvent, Tournament},
};
use foglight_engine::registry;
use foglight_play::{InProcess, Limits, Providers};
use foglight_rules::{Game, Outcome, Record, Termination};

fn contestant(name: &str, spec: &str, game: Game) -> MatchEntrant {
    let parsed = spec.parse().expect("a spec");
    MatchEntrant {
        name: name.to_owned(),
        agent: spec.to_owned(),
        limits: Limits::default(),
        engine: None,
        make: Box::new(move || {
            let player = registry::build(&parsed, &game, &Providers::default());
            Ok(Box::new(InProcess(Box::new(player.expect("an agent")))))
        }),
        reusable: false,
    }
}

/// A match whose names have letters of several bytes.
fn tournament(game: Game) -> Tournament {
    Tournament {
        game,
        contestants: vec![
            contestant("Žofie 王", "greedy", game),
            contestant("B", "random", game),
        ],
        plan: SchedulePlan {
            contestants: 2,
            format: Format::RoundRobin,
            rounds: 3,
            games: 2,
            repeat: true,
            starts: vec![game.start()],
            seed: 7,
        },
        shard: Shard::WHOLE,
        concurrency: 1,
        max_moves: Some(200),
        sprt: None,
        recover: false,
        announce: false,
        time_scale: 1.0,
    }
}

fn lines(tournament: &Tournament) -> Vec<String> {
    let mut lines = Vec::new();
    let never = AtomicBool::new(false);
    let played = tournament.run(None, Vec::new(), &never, |event| {
        if let MatchEvent::Finished { record, .. } = event {
            lines.push(record.to_json());
        }
    });
    played.expect("a match");
    lines
}

fn resume(path: &Path, bytes: &[u8]) -> Result<usize, String> {
    fs::write(path, bytes).expect("a file");
    let resumed = Journal::resume(path).map_err(|e| e.to_string());
    resumed.map(|(_, games)| games.len())
}

#[test]
fn a_second_writer_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.jsonl");
    let first = Journal::create(&path).expect("a journal");
    let error = Journal::resume(&path).err().expect("refused").to_string();
    let named = format!("{} is being written by another process", path.display());
    assert!(error.starts_with(&named), "{error}");
    drop(first);
    assert!(Journal::resume(&path).is_ok(), "the first has ended");
}

/// A program killed at any byte of a write leaves a journal that is resumed
/// without the part.
#[test]
fn a_tail_cut_at_any_byte_heals() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.jsonl");
    let lines = lines(&tournament(Game::fog()));
    let text = format!("{}\n{}\n", lines[0], lines[1]);
    let bytes = text.as_bytes();
    let first = lines[0].len() + 1;
    let mut inside_letters = 0;
    for cut in first..bytes.len() {
        inside_letters += usize::from(!text.is_char_boundary(cut));
        assert_eq!(resume(&path, &bytes[..cut]), Ok(1), "cut at byte {cut}");
        assert_eq!(fs::read(&path).expect("a file"), &bytes[..first]);
    }
    assert!(inside_letters > 0);
    assert_eq!(resume(&path, bytes), Ok(2));
}

#[test]
fn bytes_that_are_no_text_are_named_by_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.jsonl");
    let lines = lines(&tournament(Game::fog()));
    let bytes = [lines[0].as_bytes(), b"\n\xff\n"].concat();
    let error = resume(&path, &bytes).expect_err("refused");
    assert!(error.contains("line 2: expected text in UTF-8"), "{error}");
}

/// A result that the moves contradict is noticed, whatever it says.
#[test]
fn a_changed_result_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.jsonl");
    let line = lines(&tournament(Game::fog())).remove(0);
    assert_eq!(resume(&path, format!("{line}\n").as_bytes()), Ok(1));
    let record = GameRecord::from_json(&line).expect("a record");
    let outcome = record.record.outcome.expect("an outcome");
    assert_eq!(outcome.reason, Termination::KingCaptured);
    let key = |name, value| format!("\"{name}\":\"{value}\"");
    for result in ["1-0", "0-1", "1/2-1/2"] {
        let changed = line.replace(&key("result", outcome.result()), &key("result", result));
        if changed != line {
            let error = resume(&path, format!("{changed}\n").as_bytes()).expect_err("noticed");
            assert!(error.contains("line 1: result "), "{error}");
        }
    }
    let changed = line.replace(&key("reason", "king_captured"), &key("reason", "resign"));
    assert!(resume(&path, format!("{changed}\n").as_bytes()).is_err());
}

/// The same for games that the board has not ended.
#[test]
fn an_end_that_the_moves_do_not_bring_is_noticed() {
    let game = Game::fog();
    let read = |outcome: Outcome| {
        let record = Record {
            game,
            start: game.start(),
            actions: Vec::new(),
            outcome: Some(outcome),
        };
        let player = PlayerInfo {
            name: "A".into(),
            agent: "random".into(),
            limits: String::new(),
        };
        let players = foglight_rules::ByColor::new_with(|_| player.clone());
        GameRecord::from_json(&GameRecord::new(record, players).to_json()).is_ok()
    };
    use foglight_rules::Color::{Black, White};
    assert!(read(Outcome::win(Black, Termination::Timeout)));
    assert!(
        !read(Outcome::win(White, Termination::Timeout)),
        "Black was not to move"
    );
    assert!(!read(Outcome::win(White, Termination::IllegalMove)));
    assert!(read(Outcome::win(White, Termination::Resign)));
    assert!(!read(Outcome::win(White, Termination::KingCaptured)));
    assert!(!read(Outcome::draw(Termination::Repetition)));
}

#[test]
fn a_game_that_stands_twice_is_refused() {
    let tournament = tournament(Game::fog());
    let line = lines(&tournament).remove(0);
    let game = GameRecord::from_json(&line).expect("a record");
    let never = AtomicBool::new(false);
    let refused = tournament.run(None, vec![game.clone(), game], &never, |_| {});
    let error = refused.expect_err("refused").to_string();
    assert!(error.contains("twice"), "{error}");
}

#[test]
fn reading_ignores_the_tail() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.jsonl");
    let line = lines(&tournament(Game::fog())).remove(0);
    fs::write(&path, format!("{line}\n{}", &line[..40])).expect("a file");
    assert_eq!(journal::read(&path).expect("a journal").len(), 1);
}
