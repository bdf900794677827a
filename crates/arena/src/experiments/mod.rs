//! The studies of the source documents, as matches that can be played again.
//!
//! A study is data: pairings of agents, the number of games that the source
//! played and the figure that it published. Adding one is adding a file. The
//! tables and figures of seed 004 are no matches and have a folder of their own.

mod dice;
pub mod dmu;
mod ermlick;
mod rows;
mod thesis;

use foglight_rules::Game;

pub use rows::{head, row};

/// What a source published of a pairing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Published {
    /// The first agent's share of the points.
    Score(f64),
    /// The first agent's share of won games, draws aside.
    WinRate(f64),
    /// A data set of the thesis.
    Set(ThesisSet),
    /// No figure.
    Nothing,
}

/// What the thesis prints of a set of games, in its own words.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ThesisSet {
    /// Likelihood that the first agent is the better one (eq. 3.3).
    pub los: &'static str,
    /// Chi-square p of colour and result.
    pub colour: &'static str,
    /// Chi-square p of agent and result.
    pub agent: &'static str,
    /// Shapiro-Wilk p of the ratings (table 5).
    pub wilk: &'static str,
    /// Anderson-Darling p of the ratings (table 5).
    pub darling: &'static str,
    /// The better agent's mean rating (section 6.1.2).
    pub rating: &'static str,
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
    /// Rules of its own, where they differ from the study's.
    pub game: Option<Game>,
}

impl Pairing {
    /// About how long one game takes, in seconds: by the time a move where the
    /// agents have one, else by what such games took here.
    pub fn seconds_a_game(&self) -> f64 {
        let of = |agent: &str| {
            let options = agent.split_once(':').map_or("", |(_, options)| options);
            let ms = options.split(',').find_map(|o| o.strip_prefix("ms="));
            let ms: Option<f64> = ms.and_then(|ms| ms.parse().ok());
            match ms {
                Some(ms) => 40.0 * ms / 1000.0,
                None if options.contains("judge=stockfish") => 8.0,
                None if options.contains("preset=seed") => 1.0,
                None if options.contains("depth=4") => 0.4,
                None => 0.01,
            }
        };
        of(&self.one) + of(&self.other)
    }
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

impl Study {
    /// The rules of one of its pairings.
    pub fn game_of(&self, pairing: &Pairing) -> Game {
        pairing.game.unwrap_or(self.game)
    }
}

/// Every study of matches. `quick` divides long thinking times, so that all of
/// them take minutes.
pub fn all(quick: bool) -> Vec<Study> {
    vec![thesis::study(), ermlick::study(), dice::study(quick)]
}

/// A pairing of specs.
fn pairing(label: &str, one: &str, other: &str, games: u64, published: Published) -> Pairing {
    Pairing {
        label: label.to_owned(),
        one: one.to_owned(),
        other: other.to_owned(),
        games,
        published,
        game: None,
    }
}

#[cfg(test)]
mod tests {
    use foglight_engine::{Providers, Spec, registry};

    use super::*;

    /// Every study names agents that exist and play its game; those that ask
    /// for Stockfish are only read.
    #[test]
    fn studies_can_be_played() {
        for study in all(false).into_iter().chain(all(true)) {
            for pairing in &study.pairings {
                for agent in [&pairing.one, &pairing.other] {
                    let spec: Spec = agent.parse().expect("a spec");
                    if agent.contains("judge=stockfish") {
                        registry::check(&spec).expect("a spec of an agent");
                        continue;
                    }
                    let game = study.game_of(pairing);
                    let built = registry::build(&spec, &game, &Providers::default());
                    assert!(built.is_ok(), "{} {agent}: {:?}", study.name, built.err());
                }
            }
        }
    }

    #[test]
    fn thinking_times_tell_how_long_a_study_takes() {
        let slow = pairing("", "pbsa:ms=50", "ubsa:ms=50", 1, Published::Nothing);
        assert!((slow.seconds_a_game() - 4.0).abs() < 1e-9);
        let fast = pairing("", "greedy", "random", 1, Published::Nothing);
        assert!(fast.seconds_a_game() < 0.1);
    }
}
