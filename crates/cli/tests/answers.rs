//! What `moves`, `observe`, `perft` and `bench` print.

mod common;

use common::{run, stdout};
use serde_json::Value;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";

#[test]
fn moves_are_sorted_one_a_line() {
    let text = stdout(&["moves", "--game", "chess"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 20);
    assert!(lines.is_sorted());
    assert_eq!((lines[0], lines[19]), ("a2a3", "h2h4"));
    let kiwipete = stdout(&["moves", "--game", "fog", "--fen", KIWIPETE]);
    assert_eq!(kiwipete.lines().count(), 48);
}

#[test]
fn moves_before_a_roll_are_the_rolls() {
    let one = stdout(&["moves", "--game", "dice1"]);
    assert_eq!(one, "roll:N\nroll:P\n");
    let three = stdout(&["moves", "--game", "dice3"]);
    assert_eq!(three.lines().count(), 56);
    assert!(three.lines().any(|line| line == "roll:PNK"));
    let rolled = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 N";
    let knight = stdout(&["moves", "--game", "dice1", "--fen", rolled]);
    assert_eq!(knight, "b1a3\nb1c3\ng1f3\ng1h3\n");
}

#[test]
fn draws_do_not_hide_moves() {
    let bare = [
        "moves",
        "--game",
        "chess",
        "--fen",
        "8/8/8/3k4/8/8/8/K7 w - - 120 90",
    ];
    assert_eq!(stdout(&bare), "a1a2\na1b1\na1b2\n");
}

#[test]
fn fog_fens_of_all_rule_sets() {
    // White may take en passant on d6; a black pawn blocks the pawn on a4.
    let fen = "4k3/8/8/p2pP3/P7/8/8/R3K2R w KQ d6 0 2";
    let top = "???????1/???????1";
    let bottom = "P??????1/1??????1/1??3?1/R3K2R w KQ";
    for (rules, middle, rest) in [
        ("chesscom", "???2??1/???pP??1", "d6 - -"),
        ("openspiel", "???2??1/???pP??1", "d6 0 2"),
        ("pychess", "???2??1/????P??1", "d6 - -"),
        ("thesis", "????1??1/p???P??1", "- - -"),
    ] {
        let fog = stdout(&[
            "observe", "--game", "fog", "--rules", rules, "--fen", fen, "--side", "white",
        ]);
        assert_eq!(fog, format!("{top}/{middle}/{bottom} {rest}\n"), "{rules}");
    }
}

#[test]
fn full_sight_shows_everything() {
    let arguments = ["observe", "--side", "black", "--sight", "black=full"];
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    assert_eq!(stdout(&arguments), fen);
}

#[test]
fn perft_counts_as_others_do() {
    let nodes = |arguments: &[&str]| -> u64 {
        let text = stdout(&[&["perft", "--json"], arguments].concat());
        let object: Value = serde_json::from_str(&text).expect("JSON");
        assert!(object["seconds"].is_number());
        object["nodes"].as_u64().expect("a number")
    };
    assert_eq!(nodes(&["--game", "fog", "--depth", "4"]), 197_742);
    assert_eq!(nodes(&["--game", "chess", "--depth", "4"]), 197_281);
    assert_eq!(
        nodes(&["--game", "fog", "--depth", "3", "--fen", KIWIPETE]),
        98_903
    );
    assert_eq!(nodes(&["--game", "fog", "--depth", "0"]), 1);
    let small = "rqkr/pppp/PPPP/RQKR w - - 0 1";
    assert_eq!(
        nodes(&["--rules", "openspiel", "--depth", "4", "--fen", small]),
        4786
    );
}

#[test]
fn divide_adds_up_to_perft() {
    for game in ["chess", "fog", "dice1", "dice3"] {
        let text = stdout(&[
            "perft", "--game", game, "--depth", "2", "--divide", "--json",
        ]);
        let object: Value = serde_json::from_str(&text).expect("JSON");
        let parts = object["divide"].as_object().expect("an object");
        let sum: u64 = parts.values().filter_map(Value::as_u64).sum();
        assert_eq!(Some(sum), object["nodes"].as_u64(), "{game}");
        let lines = stdout(&["moves", "--game", game]);
        assert_eq!(parts.len(), lines.lines().count(), "{game}");
    }
}

#[test]
fn bench_prints_the_committed_signature() {
    let text = stdout(&["bench", "--json"]);
    let ours: Value = serde_json::from_str(&text).expect("JSON");
    let committed: Value = serde_json::from_str(&common::data("bench.json")).expect("JSON");
    let key = |rows: &Value| -> Vec<(String, u64, u64)> {
        let number = |row: &Value, key: &str| row[key].as_u64().expect("a number");
        let rows = rows["rows"].as_array().expect("rows");
        rows.iter()
            .map(|row| {
                let name = row["name"].as_str().expect("a name").to_owned();
                (name, number(row, "signature"), number(row, "work"))
            })
            .collect()
    };
    assert_eq!(key(&ours), key(&committed));
    assert_eq!(ours["signature"], committed["signature"]);
}

#[test]
fn every_command_explains_itself_with_an_example() {
    for name in [
        "serve", "moves", "observe", "perft", "replay", "draw", "bench",
    ] {
        let output = run(&[name, "--help"]);
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success());
        assert!(text.contains("Example"), "{name}: {text}");
    }
}
