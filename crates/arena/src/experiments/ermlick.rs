//! Seed 001, "Results" and "Other results". Its games were OpenSpiel's.

use foglight_rules::{FogRules, Game};

use super::{Published, Study, pairing};

pub(super) fn study() -> Study {
    let score = Published::Score;
    Study {
        name: "ermlick",
        about: "head-to-head results of Ermlick's dark-chess bots (seed 001)",
        game: Game::fog_by(FogRules::OpenSpiel),
        max_moves: Some(200),
        quick_times: 1,
        comparisons: Vec::new(),
        pairings: vec![
            pairing("greedy v random", "greedy", "random", 1000, score(0.998)),
            pairing(
                "greedy v conservative greedy",
                "greedy",
                "greedy:style=conservative",
                1000,
                score(0.70),
            ),
            pairing(
                "greedy v preservative greedy",
                "greedy",
                "greedy:style=preservative",
                1000,
                score(0.51),
            ),
            pairing("UBSA v greedy", "ubsa:ms=50", "greedy", 100, score(0.70)),
            pairing("PBSA v greedy", "pbsa:ms=50", "greedy", 50, score(0.93)),
            pairing("PBSA v UBSA", "pbsa:ms=50", "ubsa:ms=50", 20, score(0.77)),
        ],
    }
}
