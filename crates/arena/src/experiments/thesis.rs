//! Seed 000, chapters 5 and 6: thirteen sets of a thousand games between agents
//! with and without risk assessment and move ordering. The thesis prints
//! likelihoods of superiority, no counts.

use foglight_rules::{FogRules, Game};

use super::{Pairing, Published, Study};

/// An agent of table 4, which always chooses by chance among good moves.
fn agent(options: &str) -> String {
    format!("thesis:{options},select=weighted")
}

/// All sets in the thesis's order: its name, both agents, and the published
/// likelihood that the first is the better one.
fn sets() -> Vec<(&'static str, String, String, Published)> {
    let los = Published::Los;
    let (none, risk) = (
        agent("risk=off,ordering=off"),
        agent("risk=on,ordering=off"),
    );
    let (ordering, both) = (agent("risk=off,ordering=on"), agent("risk=on,ordering=on"));
    let severity = |factor: &str| agent(&format!("risk=on,ordering=off,severity={factor}"));
    let deep = agent("risk=off,ordering=on,depth=4");
    vec![
        ("1 none v none", none.clone(), none.clone(), los(0.39)),
        ("2 risk v risk", risk.clone(), risk.clone(), los(0.73)),
        (
            "3 ordering v ordering",
            ordering.clone(),
            ordering.clone(),
            los(0.15),
        ),
        ("4 both v both", both.clone(), both.clone(), los(0.80)),
        ("5 risk v none", risk.clone(), none.clone(), los(0.0)),
        (
            "6 ordering v none",
            ordering.clone(),
            none.clone(),
            los(1.0),
        ),
        (
            "7 ordering v risk",
            ordering.clone(),
            risk.clone(),
            los(1.0),
        ),
        ("8 both v none", both.clone(), none, los(1.0)),
        ("9 both v risk", both.clone(), risk.clone(), los(1.0)),
        ("10 both v ordering", both, ordering.clone(), los(1.5e-5)),
        // The thesis prints the likelihoods of these two in the other order.
        (
            "11 severity 1 v 0.5",
            risk.clone(),
            severity("0.5"),
            los(1.0e-6),
        ),
        ("12 severity 1 v 0.1", risk, severity("0.1"), los(0.0)),
        ("13 depth 4 v depth 2", deep, ordering, los(0.01)),
    ]
}

pub(super) fn study() -> Study {
    let pairing = |(label, one, other, published): (&str, String, String, Published)| Pairing {
        label: label.to_owned(),
        one,
        other,
        games: 1000,
        published,
        seats: super::Seats::default(),
    };
    Study {
        name: "thesis",
        about: "thirteen sets of games between the thesis's agents (seed 000)",
        game: Game::fog_by(FogRules::Thesis),
        max_moves: None,
        quick_times: 1,
        comparisons: Vec::new(),
        pairings: sets().into_iter().map(pairing).collect(),
    }
}
