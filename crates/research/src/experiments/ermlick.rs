//! Ermlick (2023), "Results" and "Other results". Its games were OpenSpiel's,
//! and its score the share of games that the tested bot won as White. The
//! pairings of UBSA and PBSA are played in three versions: as in the author's
//! code with Stockfish analysing the boards, the same with our search, and with
//! the strongest options.

use foglight_rules::{FogRules, Game};

use super::{Experiment, Published, PublishedMatch, pairing};
use crate::stats::performance::RANDOM_AGENT;

/// The greedy bot as the author's code plays.
const GREEDY: &str = "greedy:ties=last";

/// The three pairings of the PIMC bots.
fn bots(how: &str, ubsa: &str, pbsa: &str) -> [PublishedMatch; 3] {
    let of = |label: &str, one: &str, other: &str, games, score| {
        let label = format!("{label}, {how}");
        pairing(&label, one, other, games, Published::WhiteWins(score))
    };
    [
        of("UBSA v greedy", ubsa, GREEDY, 100, 0.70),
        of("PBSA v greedy", pbsa, GREEDY, 50, 0.93),
        of("PBSA v UBSA", pbsa, ubsa, 20, 0.77),
    ]
}

pub(super) fn study() -> Experiment {
    let score = Published::WhiteWins;
    let greedy = |label, other, published| pairing(label, GREEDY, other, 1000, score(published));
    let mut pairings = vec![
        greedy("greedy v random", "random", 0.998),
        greedy(
            "greedy v conservative greedy",
            "greedy:style=conservative,ties=last",
            0.70,
        ),
        greedy(
            "greedy v preservative greedy",
            "greedy:style=preservative,ties=last",
            0.51,
        ),
    ];
    pairings.extend(bots("best, 50 ms a move", "ubsa:ms=50", "pbsa:ms=50"));
    pairings.extend(bots(
        "as the source, our search",
        "ubsa:preset=paper",
        "pbsa:preset=paper",
    ));
    pairings.extend(bots(
        "as the source, Stockfish",
        "ubsa:preset=paper,analyser=stockfish",
        "pbsa:preset=paper,analyser=stockfish",
    ));
    Experiment {
        name: "ermlick",
        about: "head-to-head results of Ermlick's dark-chess bots (2023)",
        game: Game::fog_with(FogRules::OpenSpiel),
        max_moves: Some(200),
        quick_times: 1,
        comparisons: Vec::new(),
        fixed: Some(("random", RANDOM_AGENT)),
        habits: true,
        appendix: None,
        pairings,
    }
}
