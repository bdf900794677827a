//! Pictures: well-formed, and limited to the side's view.

mod common;

use common::{run, stdout};

/// Asserts that every opened element is closed in order, and attributes are
/// quoted.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg.trim();
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        assert!(!tag.contains('<'), "{tag}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().expect("a name"));
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty() && rest.is_empty());
}

#[test]
fn boards_of_every_size_and_game() {
    let small = "rqkr/pppp/PPPP/RQKR w - - 0 1";
    let oblong = "rqkrb/ppppp/5/5/PPPPP/RQKRB w - - 0 1";
    for (fen, squares) in [("startpos", 64), (small, 16), (oblong, 30)] {
        for side in ["white", "black"] {
            let svg = stdout(&["draw", "--fen", fen, "--side", side]);
            assert_well_formed(&svg);
            let drawn = svg.matches("width=\"100\" height=\"100\"").count();
            assert_eq!(drawn, squares, "{fen}");
        }
    }
    for game in ["chess", "dice1", "dice3"] {
        let svg = stdout(&["draw", "--game", game, "--side", "white"]);
        assert!(!svg.contains("url(#"), "no fog in {game}");
        assert_eq!(svg.matches("<use").count(), 32);
    }
}

#[test]
fn a_side_sees_only_its_part() {
    let svg = stdout(&["draw", "--game", "fog", "--side", "white"]);
    assert_eq!(svg.matches("<use").count(), 16);
    assert_eq!(svg.matches("\"url(#").count(), 32);
    assert!(!svg.contains("id=\"bk\""), "no trace of what is hidden");
    let truth = stdout(&["draw", "--game", "fog"]);
    assert_eq!(truth.matches("<use").count(), 32);
    assert!(!truth.contains("\"url(#"));
}

#[test]
fn a_fog_fen_can_be_drawn() {
    let fen = "????????/????????/????????/????????/8/8/PPPPPPPP/RNBQKBNR w KQ - - -";
    let svg = stdout(&["draw", "--game", "fog", "--fen", fen, "--side", "white"]);
    assert_eq!(svg, stdout(&["draw", "--game", "fog", "--side", "white"]));
}

#[test]
fn png_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board.png");
    let name = path.to_str().expect("a name");
    assert!(
        run(&["draw", "--out", name, "--size", "20"])
            .status
            .success()
    );
    let bytes = std::fs::read(&path).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert!(bytes.len() > 2000, "not an empty picture");
}
