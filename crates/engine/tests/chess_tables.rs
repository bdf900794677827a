//! Syzygy tablebases of three pieces, which are small enough for the repository.

use foglight_engine::tablebase::Syzygy;
use foglight_play::{Endgames, TablebaseResult};
use foglight_rules::{Action, Game, State, Termination};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/syzygy");

#[test]
fn known_endings_are_known() {
    let tables = Syzygy::open(FOLDER).expect("tables");
    assert_eq!(tables.pieces(), 3);
    let game = Game::chess();
    for (fen, expected) in [
        ("4k3/8/8/8/8/8/8/4K2Q w - - 0 1", Some(TablebaseResult::Win)),
        (
            "4k3/8/8/8/8/8/8/4K2Q b - - 0 1",
            Some(TablebaseResult::Loss),
        ),
        (
            "8/8/8/8/4k3/8/4p3/4K3 w - - 0 1",
            Some(TablebaseResult::Draw),
        ),
        (
            "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
            Some(TablebaseResult::Win),
        ),
        (
            "4k3/8/8/8/8/8/8/4K2B w - - 0 1",
            Some(TablebaseResult::Draw),
        ),
        // Positions with four pieces or castling rights are not in the tables.
        ("4k3/8/8/8/8/8/8/3RK2R w - - 0 1", None),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),
    ] {
        let position = game.parse_fen(fen).expect("a position");
        let found = tables.best(&position).map(|(_, verdict)| verdict);
        assert_eq!(found, expected, "{fen}");
    }
}

/// White mates while Black delays, both by the tables. The longest of these mates
/// takes 28 moves; play by DTZ50 tables may take a few more.
#[test]
fn the_best_moves_mate() {
    let tables = Syzygy::open(FOLDER).expect("tables");
    let game = Game::chess();
    for fen in [
        "8/8/8/8/3k4/8/8/KQ6 w - - 0 1",
        "8/8/8/8/3k4/8/8/KR6 w - - 0 1",
        "8/8/8/8/8/8/4P3/k3K3 w - - 0 1",
    ] {
        let mut state = State::new(game, game.parse_fen(fen).expect("a position"));
        while state.outcome().is_none() && state.plies() < 80 {
            let (best, _) = tables.best(state.position()).expect("a known ending");
            state.play(Action::Move(best)).expect("a legal move");
        }
        let outcome = state.outcome().expect("an end within 40 moves");
        assert_eq!(outcome.reason, Termination::Checkmate, "{fen}");
    }
}
