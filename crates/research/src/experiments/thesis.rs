//! Mellemseter (2017), chapters 5 and 6: thirteen sets of a thousand games
//! between agents with and without risk assessment and move ordering. The
//! thesis prints tests and likelihoods, no counts.

use foglight_rules::{FogRules, Game};

use super::{Experiment, Published, PublishedMatch, pairing, printed::printed};

const NONE: &str = "thesis:risk=off,ordering=off,select=weighted";
const RISK: &str = "thesis:risk=on,ordering=off,select=weighted";
const ORDERING: &str = "thesis:risk=off,ordering=on,select=weighted";
const BOTH: &str = "thesis:risk=on,ordering=on,select=weighted";
const HALF: &str = "thesis:risk=on,ordering=off,severity=0.5,select=weighted";
const TENTH: &str = "thesis:risk=on,ordering=off,severity=0.1,select=weighted";
const DEEP: &str = "thesis:risk=off,ordering=on,depth=4,select=weighted";

/// Published statistics of a set of games, as printed in the thesis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PublishedRow {
    /// Likelihood that the first agent is the better one (eq. 3.3).
    pub los: &'static str,
    /// Chi-square p of colour and result.
    pub colour: &'static str,
    /// Chi-square p of agent and result.
    pub agent: &'static str,
    /// Shapiro-Wilk p of the ratings (table 5).
    pub(crate) wilk: &'static str,
    /// Anderson-Darling p of the ratings (table 5).
    pub(crate) darling: &'static str,
    /// The better agent's mean rating (section 6.1.2).
    pub rating: &'static str,
}

/// A set, both agents, and its published statistics: LOS of the first agent,
/// chi-square of colour and of agent, Shapiro-Wilk, Anderson-Darling, and the
/// better agent's mean rating.
type Row = (&'static str, &'static str, &'static str, [&'static str; 6]);

#[rustfmt::skip]
const SETS: [Row; 13] = [
    ("1 none v none", NONE, NONE, ["0.39", "2.2e-16, White", "0.92", "0.02715", "0.1355", "500"]),
    ("2 risk v risk", RISK, RISK, ["0.73", "-", "-", "0.0006014", "0.001721", "-"]),
    ("3 ordering v ordering", ORDERING, ORDERING, ["0.15", "2.2e-16, Black", "0.33", "4.8e-5", "0.0003627", "-"]),
    ("4 both v both", BOTH, BOTH, ["0.80", "6.4e-6, Black", "0.48", "0.08866", "0.3862", "-"]),
    ("5 risk v none", RISK, NONE, ["0.0", "2.2e-16", "2.2e-16", "0.06964", "0.2416", "551"]),
    ("6 ordering v none", ORDERING, NONE, ["1.0", "0.43", "2.2e-16", "0.001735", "0.04311", "-"]),
    ("7 ordering v risk", ORDERING, RISK, ["1.0", "-", "-", "2.2e-16", "4.7e-12", "663"]),
    ("8 both v none", BOTH, NONE, ["1.0", "0.13", "2.2e-16", "0.002038", "0.002055", "-"]),
    ("9 both v risk", BOTH, RISK, ["1.0", "0.77", "2.2e-16", "1.4e-12", "7.4e-11", "-"]),
    ("10 both v ordering", BOTH, ORDERING, ["1.5e-5", "2.5e-6", "3.0e-8", "0.01021", "0.11714", "-"]),
    ("11 severity 1 v 0.5", RISK, HALF, ["0.0", "2.2e-16", "1.5e-10", "-", "-", "-"]),
    ("12 severity 1 v 0.1", RISK, TENTH, ["1.0e-6", "2.2e-16", "2.2e-16", "-", "-", "-"]),
    ("13 depth 4 v depth 2", DEEP, ORDERING, ["0.01", "1.9e-9", "1.8e-8", "-", "-", "-"]),
];

/// Halfmove limit of the last set: the thesis reduces its limit to 8 moves.
const LAST_LIMIT: u16 = 16;

/// Other readings of what the thesis leaves open: the order of a piece's moves,
/// and how scores become chances.
const READINGS: [(&str, &str); 5] = [
    ("lead, bitboard", ",weights=lead,generator=bitboard"),
    ("lead", ",weights=lead"),
    ("range, bitboard", ",weights=range,generator=bitboard"),
    ("range", ",weights=range"),
    ("bitboard", ",generator=bitboard"),
];

/// A set with these options added to both agents.
fn set((label, one, other, printed): Row, options: &str) -> PublishedMatch {
    let game = Game::fog_with(FogRules::Thesis);
    let [los, colour, agent, wilk, darling, rating] = printed;
    let published = Published::Set(PublishedRow {
        los,
        colour,
        agent,
        wilk,
        darling,
        rating,
    });
    let with = |agent: &str| format!("{agent}{options}");
    PublishedMatch {
        game: (one == DEEP).then(|| game.with_halfmove_limit(Some(LAST_LIMIT))),
        ..pairing(label, &with(one), &with(other), 1000, published)
    }
}

fn experiment(
    name: &'static str,
    about: &'static str,
    pairings: Vec<PublishedMatch>,
) -> Experiment {
    Experiment {
        name,
        about,
        game: Game::fog_with(FogRules::Thesis),
        max_moves: None,
        quick_times: 1,
        comparisons: Vec::new(),
        fixed: None,
        habits: false,
        appendix: None,
        pairings,
    }
}

/// The sets by the default reading.
pub(super) fn study() -> Experiment {
    experiment(
        "thesis",
        "thirteen sets of games between the thesis's agents (Mellemseter 2017)",
        SETS.map(|row| set(row, "")).to_vec(),
    )
}

/// The sets by every other reading.
pub(super) fn readings() -> Experiment {
    let sets = READINGS.iter().flat_map(|(name, options)| {
        SETS.map(|row| {
            let set = set(row, options);
            PublishedMatch {
                label: format!("{name}: {}", set.label),
                ..set
            }
        })
    });
    let experiment = experiment(
        "thesis-readings",
        "the same sets by other readings of the thesis: weights, order of a piece's moves",
        sets.collect(),
    );
    Experiment {
        appendix: Some(printed_games),
        ..experiment
    }
}

/// The printed games by every reading.
fn printed_games() -> String {
    let readings = [("sum, the default", "")].into_iter().chain(READINGS);
    printed(&readings.collect::<Vec<_>>())
}
