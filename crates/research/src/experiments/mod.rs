//! The experiments of the papers, as matches that can be repeated.
//!
//! An experiment is data: pairings of agents, the paper's number of games and
//! its published result. Adding one is adding a file. The tables and figures of
//! Gindi et al. are not matches and have a folder of their own (`dmu`).

mod dice;
mod ermlick;
pub mod evaluators;
mod printed;
mod thesis;

use foglight_arena::stats::{Summary, Wdl};
use foglight_rules::Game;

pub(crate) use thesis::PublishedRow;

/// Published result of a pairing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Published {
    /// Share of games that the first agent won as White, draws counted as not
    /// won: the score of Ermlick (2023).
    WhiteWins(f64),
    /// Win rate of the first agent over decisive games.
    WinRate(f64),
    /// A data set of the thesis.
    Set(PublishedRow),
    /// White's share of won games and the share of draws, over both agents.
    FirstMove {
        white: f64,
        draws: f64,
    },
    Nothing,
}

/// Assignment of colours to the two agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Seats {
    /// Pairs of games with the same dice and colours swapped.
    #[default]
    Pairs,
    /// The first agent has Black in every game.
    FirstBlack,
    /// Single games, for an agent against itself: the two games of a pair would
    /// be identical.
    Single,
}

/// A match of an experiment.
#[derive(Clone, Debug)]
pub struct PublishedMatch {
    pub label: String,
    /// Agent whose score is measured.
    pub one: String,
    pub other: String,
    /// Number of games in the paper, and the default here; with
    /// [`Published::WhiteWins`] of the first agent as White.
    pub games: u64,
    pub published: Published,
    pub seats: Seats,
    /// Rules of the match if they differ from the experiment's.
    pub game: Option<Game>,
}

impl PublishedMatch {
    /// Estimated duration of one game, in seconds: from the time per move if
    /// the agents have one, else from measured games.
    pub fn seconds_a_game(&self) -> f64 {
        let of = |agent: &str| {
            let options = agent.split_once(':').map_or("", |(_, options)| options);
            let ms = options.split(',').find_map(|o| o.strip_prefix("ms="));
            let ms: Option<f64> = ms.and_then(|ms| ms.parse().ok());
            match ms {
                Some(ms) => 40.0 * ms / 1000.0,
                None if options.contains("analyser=stockfish") => 8.0,
                None if options.contains("preset=paper") => 1.0,
                None if options.contains("depth=4") => 0.4,
                None => 0.01,
            }
        };
        of(&self.one) + of(&self.other)
    }

    /// Number of games to play for `games` of the paper's, rounded up to whole
    /// pairs.
    pub fn games_to_play(&self, games: u64) -> u64 {
        match self.published {
            Published::WhiteWins(_) => 2 * games,
            _ => games.div_ceil(2) * 2,
        }
    }

    /// The same match with other seats.
    pub fn seated(self, seats: Seats) -> PublishedMatch {
        PublishedMatch { seats, ..self }
    }

    /// The same match with all thinking times divided, down to a millisecond.
    pub fn hastened(&self, times: u64) -> PublishedMatch {
        self.timed(|ms| format!("ms={}", (ms / times.max(1)).max(1)))
    }

    /// The same match by nodes in place of thinking times, so many a second:
    /// it repeats on any machine.
    pub fn counted(&self, nodes_a_second: u64) -> PublishedMatch {
        self.timed(|ms| format!("nodes={}", (ms * nodes_a_second / 1000).max(1)))
    }

    /// The same match with the option of every thinking time replaced.
    fn timed(&self, replaced: impl Fn(u64) -> String) -> PublishedMatch {
        let replace = |spec: &str| {
            let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
            let options = options.split(',').map(|option| {
                let ms = option.strip_prefix("ms=").and_then(|ms| ms.parse().ok());
                ms.map_or(option.to_owned(), &replaced)
            });
            let options: Vec<String> = options.filter(|option| !option.is_empty()).collect();
            match options.is_empty() {
                true => name.to_owned(),
                false => format!("{name}:{}", options.join(",")),
            }
        };
        PublishedMatch {
            one: replace(&self.one),
            other: replace(&self.other),
            ..self.clone()
        }
    }
}

/// Two pairings whose score rates are compared by equations 8 and 9 of the
/// Maastricht paper.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchConfig {
    /// Label of the first pairing.
    pub one: String,
    /// Label of the second pairing.
    pub other: String,
    /// Bounds printed in the paper.
    pub published: (f64, f64),
}

/// An experiment of a paper.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Name on the command line.
    pub name: &'static str,
    /// One-line description with the source.
    pub about: &'static str,
    pub game: Game,
    /// Full moves after which a game is drawn.
    pub max_moves: Option<u32>,
    /// Divisor of thinking times in a quick run.
    pub quick_times: u64,
    /// Matches. Labels with the same text before a colon share a figure.
    pub pairings: Vec<PublishedMatch>,
    /// Comparisons between score rates of two matches.
    pub comparisons: Vec<MatchConfig>,
    /// Agent with a fixed rating, where performance ratings are shown.
    pub fixed: Option<(&'static str, f64)>,
    /// Whether the players' behaviour is shown besides their scores.
    pub habits: bool,
    /// A table that needs no games of ours, shown at the end.
    pub appendix: Option<fn() -> String>,
}

impl Experiment {
    /// Rules of one of its pairings.
    pub fn game_of(&self, pairing: &PublishedMatch) -> Game {
        pairing.game.unwrap_or(self.game)
    }
}

/// All experiments that consist of matches.
pub fn all() -> Vec<Experiment> {
    vec![
        thesis::study(),
        thesis::readings(),
        ermlick::study(),
        dice::study(),
    ]
}

/// Our counterpart of the published value, with the half-width of its 95 %
/// interval. `white` holds White's results over both agents, `as_white` those of
/// the first agent as White.
pub fn measured(published: Published, summary: &Summary, white: Wdl, as_white: Wdl) -> (f64, f64) {
    let wdl = summary.wdl;
    let games = match published {
        Published::WinRate(_) => wdl.wins + wdl.losses,
        Published::WhiteWins(_) => as_white.games(),
        _ => wdl.games(),
    };
    let rate = match published {
        Published::WinRate(_) if games > 0 => wdl.wins as f64 / games as f64,
        Published::WhiteWins(_) => as_white.wins as f64 / games.max(1) as f64,
        Published::FirstMove { .. } => white.wins as f64 / games.max(1) as f64,
        _ => wdl.score_rate(),
    };
    let error = 1.96 * (rate * (1.0 - rate) / (games.max(1) as f64)).sqrt();
    (rate, error)
}

/// A pairing of agent specs.
fn pairing(
    label: &str,
    one: &str,
    other: &str,
    games: u64,
    published: Published,
) -> PublishedMatch {
    PublishedMatch {
        label: label.to_owned(),
        one: one.to_owned(),
        other: other.to_owned(),
        games,
        published,
        seats: Seats::default(),
        game: None,
    }
}

#[cfg(test)]
mod tests {
    use foglight_engine::registry;
    use foglight_play::{Providers, Spec};

    use super::*;

    #[test]
    fn times_are_divided_and_nothing_else() {
        let row = pairing(
            "",
            "mcts:c=2,ms=1000,win=0.4",
            "goal",
            2,
            Published::Nothing,
        );
        let quick = row.hastened(50);
        assert_eq!(quick.one, "mcts:c=2,ms=20,win=0.4");
        assert_eq!(quick.other, "goal");
        assert_eq!(row.hastened(5000).one, "mcts:c=2,ms=1,win=0.4");
        let counted = row.counted(300);
        assert_eq!(counted.one, "mcts:c=2,nodes=300,win=0.4");
        assert_eq!(counted.other, "goal");
    }

    /// Every experiment names agents that exist and play its game; specs that
    /// require Stockfish are only parsed.
    #[test]
    fn studies_can_be_played() {
        for study in all() {
            for pairing in &study.pairings {
                let quick = pairing.hastened(study.quick_times);
                for agent in [&pairing.one, &pairing.other, &quick.one, &quick.other] {
                    let spec: Spec = agent.parse().expect("a spec");
                    if agent.contains("analyser=stockfish") {
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

    /// Equation 10 of the Maastricht paper; R. G. Newcombe, *Two-sided
    /// confidence intervals for the single proportion* (1998), table I, method 1.
    #[test]
    fn intervals_are_the_normal_ones() {
        for (wins, games, low, high) in [(81, 263, 0.2522, 0.3638), (15, 148, 0.0527, 0.1500)] {
            let wdl = Wdl::new(wins, 0, games - wins);
            let summary = Summary::of_games(wdl, None);
            let (rate, error) = measured(Published::Nothing, &summary, wdl, wdl);
            assert!((rate - error - low).abs() < 1e-4, "{rate} {error}");
            assert!((rate + error - high).abs() < 1e-4, "{rate} {error}");
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
