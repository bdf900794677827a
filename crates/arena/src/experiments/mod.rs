//! The studies of the source documents, as matches that can be played again.
//!
//! A study is data: pairings of agents, the number of games that the source
//! played and the figure that it published. Adding one is adding a file.

mod dice;
mod ermlick;
pub mod evaluators;
mod thesis;

use foglight_rules::Game;

use crate::stats::Summary;

/// What a source published of a pairing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Published {
    /// The first agent's share of the points.
    Score(f64),
    /// The first agent's share of won games, draws aside.
    WinRate(f64),
    /// The likelihood that the first agent is the better one (thesis, eq. 3.3).
    Los(f64),
    /// No figure.
    Nothing,
}

/// A match of a study.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// What it shows.
    pub label: String,
    /// The agent whose score counts.
    pub one: String,
    /// The other.
    pub other: String,
    /// Games that the source played; we play as many, unless told otherwise.
    pub games: u64,
    /// The source's figure.
    pub published: Published,
}

/// A study of a source document.
#[derive(Clone, Debug)]
pub struct Study {
    /// The name on the command line.
    pub name: &'static str,
    /// One line of what it is and where it comes from.
    pub about: &'static str,
    /// The rules.
    pub game: Game,
    /// Full moves after which a game is drawn.
    pub max_moves: Option<u32>,
    /// The matches.
    pub pairings: Vec<Pairing>,
}

/// Every study.
pub fn all() -> Vec<Study> {
    vec![thesis::study(), ermlick::study(), dice::study()]
}

/// The figure of ours that stands beside the published one, with the half-width
/// of its 95 % interval.
pub fn measured(published: Published, summary: &Summary) -> (f64, f64) {
    let wdl = summary.wdl;
    let games = match published {
        Published::WinRate(_) => wdl.wins + wdl.losses,
        _ => wdl.games(),
    };
    let rate = match published {
        Published::WinRate(_) if games > 0 => wdl.wins as f64 / games as f64,
        _ => wdl.score_rate(),
    };
    let error = 1.96 * (rate * (1.0 - rate) / (games.max(1) as f64)).sqrt();
    (rate, error)
}

/// A pairing of specs.
fn pairing(label: &str, one: &str, other: &str, games: u64, published: Published) -> Pairing {
    Pairing {
        label: label.to_owned(),
        one: one.to_owned(),
        other: other.to_owned(),
        games,
        published,
    }
}

#[cfg(test)]
mod tests {
    use foglight_engine::{Providers, Spec, registry};

    use super::*;

    /// Every study names agents that exist and play its game.
    #[test]
    fn studies_can_be_played() {
        for study in all() {
            for pairing in &study.pairings {
                for agent in [&pairing.one, &pairing.other] {
                    let spec: Spec = agent.parse().expect("a spec");
                    let built = registry::build(&spec, &study.game, &Providers::default());
                    assert!(built.is_ok(), "{} {agent}: {:?}", study.name, built.err());
                }
            }
        }
    }
}
