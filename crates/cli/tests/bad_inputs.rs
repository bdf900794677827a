//! Invalid inputs give a clear message and exit code 2, no panic.

mod common;

use std::io::Read;

use common::{command, refusal, run, run_with};

fn fen_refusal(game: &str, fen: &str) -> String {
    refusal(&run(&["moves", "--game", game, "--fen", fen]))
}

#[test]
fn fens_that_are_none() {
    let long = "8".repeat(100_000);
    let cases = [
        ("", "empty"),
        (&long, "bytes"),
        ("4k3/8/8/8/8/8/8/4K3é w - - 0 1", "ASCII"),
        ("8/4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4 to 8"),
        ("4k4/8/8/8/8/8/8/4K3 w - - 0 1", "4 to 8"),
        ("4k3/8/8/7/8/8/8/4K3 w - - 0 1", "expected 8"),
        ("4k3/8/08/8/8/8/8/4K3 w - - 0 1", "'0'"),
        ("4k3/8/9/8/8/8/8/4K3 w - - 0 1", "'9'"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawn"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "rook"),
        ("4k3/8/8/8/8/8/8/4K3 w - e 0 1", "en passant"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "half-move"),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 100000000000000000000",
            "move number",
        ),
        ("4k3/8/????????/8/8/8/8/4K3 w - - 0 1", "fog FEN"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "'w' or 'b'"),
        ("4k3/8/8/8/8/8/8/4K3", "fields"),
    ];
    for (fen, expected) in cases {
        for game in ["chess", "fog", "dice1", "dice3"] {
            let message = fen_refusal(game, fen);
            assert!(message.contains(expected), "{fen:.60}: {message}");
            assert!(message.len() < 600, "messages stay short");
        }
    }
}

#[test]
fn kings_too_many_or_too_few() {
    for game in ["chess", "fog"] {
        fen_refusal(game, "8/8/8/8/8/8/8/8 w - - 0 1");
        fen_refusal(game, "4k3/8/8/8/8/8/8/3KK3 w - - 0 1");
    }
    let missing = "8/8/8/8/8/8/8/4K3 w - - 0 1";
    let attacked = "4k3/8/8/8/8/8/8/3KR3 w - - 0 1";
    fen_refusal("chess", missing);
    fen_refusal("chess", attacked);
    for game in ["fog", "dice1", "dice3"] {
        assert_eq!(
            common::stdout(&["moves", "--game", game, "--fen", missing]),
            ""
        );
        assert!(!common::stdout(&["moves", "--game", game, "--fen", attacked]).is_empty());
    }
}

#[test]
fn moves_that_are_none() {
    let promotion = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    let over = "startpos ; f2f3 e7e5 g2g4 d8h4 a2a3 h4e1";
    for line in [
        "startpos ; e2e9".to_owned(),
        "startpos ; 0000".to_owned(),
        "startpos ; e7e5".to_owned(),
        "startpos ; \u{202e}e2e4".to_owned(),
        format!("{promotion} ; a7a8k"),
        format!("{promotion} ; a7a8Q"),
        format!("{promotion} ; a7a8"),
        format!("{over} b2b3"),
        "startpos ; roll:P".to_owned(),
        format!("startpos ; {}", "x".repeat(1 << 20)),
    ] {
        let output = run_with(&["replay", "--game", "fog"], line.as_bytes());
        let message = refusal(&output);
        assert!(message.contains("line 1, ply"), "{message}");
        assert!(message.len() < 400, "messages stay short");
    }
    for line in ["startpos ; roll:Q", "startpos ; roll:PP", "startpos ; e2e4"] {
        refusal(&run_with(&["replay", "--game", "dice1"], line.as_bytes()));
    }
}

#[test]
fn lines_that_are_no_text_or_far_too_long() {
    let message = refusal(&run_with(&["replay"], b"startpos ; e2e4\n\xff\xfe\n"));
    assert!(message.contains("line 2"), "{message}");
    let long = vec![b'a'; (16 << 20) + 2];
    let message = refusal(&run_with(&["replay"], &long));
    assert!(message.contains("longer"), "{message}");
}

#[test]
fn names_that_are_none_list_the_valid_ones() {
    let cases: [(&[&str], &str); 8] = [
        (&["moves", "--game", "shogi"], "dice3"),
        (&["moves", "--rules", "lichess"], "openspiel"),
        (
            &["moves", "--game", "chess", "--rules", "thesis"],
            "--game fog",
        ),
        (
            &["moves", "--game", "dice1", "--sight", "white=full"],
            "--game fog",
        ),
        (&["moves", "--sight", "white=half"], "full or normal"),
        (&["moves", "--halfmove-limit", "0"], "1 to 1023"),
        (&["observe", "--side", "green"], "black"),
        (&["draw", "--out", "board.gif"], ".svg or .png"),
    ];
    for (arguments, expected) in cases {
        let message = refusal(&run(arguments));
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    refusal(&run(&["dance"]));
    refusal(&run(&["perft"]));
}

#[test]
fn a_failed_run_has_exit_code_1() {
    let output = run(&["draw", "--out", "no/such/folder/board.svg"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(2000);
    let line = format!("startpos ; {moves}\n");
    let mut child = command(&["replay", "--rules", "thesis", "--halfmove-limit", "off"])
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe");
    let _ = std::io::Write::write_all(&mut stdin, line.as_bytes());
    drop(stdin);
    let mut errors = String::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    stderr.read_to_string(&mut errors).expect("text");
    assert_eq!(errors, "");
    assert!(child.wait().expect("it ends").success());
}
