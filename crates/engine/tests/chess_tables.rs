//! Endgame tables, where a folder of them is named in `FOGLIGHT_SYZYGY`: they
//! are too large to ship, so the test skips visibly without.

use foglight_engine::tablebase::Syzygy;
use foglight_play::{Endgames, TablebaseResult};
use foglight_rules::Game;

#[test]
fn known_endings_are_known() {
    let Ok(folder) = std::env::var("FOGLIGHT_SYZYGY") else {
        eprintln!("SKIPPED: FOGLIGHT_SYZYGY names no folder of Syzygy tables");
        return;
    };
    let tables = Syzygy::open(&folder).expect("tables");
    let game = Game::chess();
    let verdict = |fen: &str| {
        let position = game.parse_fen(fen).expect("a position");
        tables.best(&position).map(|(_, verdict)| verdict)
    };
    assert_eq!(
        verdict("4k3/8/8/8/8/8/8/4K2Q w - - 0 1"),
        Some(TablebaseResult::Win)
    );
    assert_eq!(
        verdict("4k3/8/8/8/8/8/8/4K2Q b - - 0 1"),
        Some(TablebaseResult::Loss)
    );
    assert_eq!(
        verdict("8/8/8/8/4k3/8/4p3/4K3 w - - 0 1"),
        Some(TablebaseResult::Draw)
    );
    assert_eq!(
        verdict("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"),
        Some(TablebaseResult::Win)
    );
    assert_eq!(
        verdict("4k3/8/8/8/8/8/8/4K2B w - - 0 1"),
        Some(TablebaseResult::Draw)
    );
}
