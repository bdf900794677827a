//! Performance rating by the rule of 400.
//!
//! Ermlick (2023), section *Evaluation*: `opponent + 400 (wins - losses) /
//! games`, with one agent's rating held fixed, "say 400 for the random bot".

use foglight_arena::stats::score::Wdl;

/// The agents of a match, and the results of the first.
pub(crate) type PerformanceMatch<'a> = (&'a str, &'a str, Wdl);

/// Fixed rating of the random agent that the report proposes.
pub(crate) const RANDOM_AGENT: f64 = 400.0;

/// Performance ratings of all agents linked by matches to the one with a fixed
/// rating: each from its matches with agents rated before it, in order of
/// appearance.
pub fn ratings<'a>(fixed: (&'a str, f64), matches: &[PerformanceMatch<'a>]) -> Vec<(&'a str, f64)> {
    let mut rated = vec![fixed];
    let rating = |rated: &[(&str, f64)], name: &str| {
        let found = rated.iter().find(|(known, _)| *known == name);
        found.map(|(_, rating)| *rating)
    };
    let agents = || matches.iter().flat_map(|(one, other, _)| [*one, *other]);
    let field = |rated: &[(&str, f64)], agent: &str| -> Vec<(f64, Wdl)> {
        let own = matches.iter().filter_map(|(one, other, wdl)| {
            if *one == agent {
                Some((rating(rated, other)?, *wdl))
            } else if *other == agent {
                Some((rating(rated, one)?, wdl.flipped()))
            } else {
                None
            }
        });
        own.collect()
    };
    loop {
        let found = agents().find_map(|agent| {
            let new = rating(&rated, agent).is_none();
            let performance = new.then(|| performance_in_field(&field(&rated, agent)));
            Some((agent, performance.flatten()?))
        });
        match found {
            Some(found) => rated.push(found),
            None => return rated,
        }
    }
}

/// Performance against several opponents: their mean rating, weighted by games,
/// plus `400 (wins - losses) / games`; `None` without games.
fn performance_in_field(field: &[(f64, Wdl)]) -> Option<f64> {
    let games: u64 = field.iter().map(|(_, wdl)| wdl.games()).sum();
    let sum: f64 = field
        .iter()
        .map(|&(opponent, wdl)| {
            opponent * wdl.games() as f64 + 400.0 * (wdl.wins as f64 - wdl.losses as f64)
        })
        .sum();
    (games > 0).then(|| sum / games as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::assert_near;

    /// The worked examples of the rule in the Elo rating literature: beating
    /// one or two opponents rated 1000 performs 1400, drawing performs 1000.
    #[test]
    fn worked_examples() {
        assert_eq!(
            performance_in_field(&[(1000.0, Wdl::new(1, 0, 0))]),
            Some(1400.0)
        );
        assert_eq!(
            performance_in_field(&[(1000.0, Wdl::new(2, 0, 0))]),
            Some(1400.0)
        );
        assert_eq!(
            performance_in_field(&[(1000.0, Wdl::new(0, 1, 0))]),
            Some(1000.0)
        );
        assert_eq!(performance_in_field(&[(1000.0, Wdl::default())]), None);
    }

    /// The report's results, chained from the random agent at 400: greedy won
    /// 99.8 % of 1000 games against random, UBSA 70 % of 100 and PBSA 93 % of
    /// 50 against greedy. It prints the shares and not the ratings; 93 % of 50
    /// is a whole number of wins only if one game was drawn (46 wins, 1 draw).
    #[test]
    fn the_reports_agents() {
        let matches = [
            ("UBSA", "greedy", Wdl::new(70, 0, 30)),
            ("greedy", "random", Wdl::new(998, 0, 2)),
            ("greedy", "PBSA", Wdl::new(3, 1, 46)),
            ("nobody", "known", Wdl::new(1, 0, 0)),
        ];
        let found = ratings(("random", RANDOM_AGENT), &matches);
        let expected = [
            ("random", 400.0),
            ("greedy", 798.4),
            ("UBSA", 958.4),
            ("PBSA", 1142.4),
        ];
        assert_eq!(found.len(), expected.len());
        for ((name, rating), (agent, expected)) in found.into_iter().zip(expected) {
            assert_eq!(name, agent);
            assert_near(rating, expected, 1e-9);
        }
    }

    #[test]
    fn a_field_is_weighted_by_games() {
        let field = [(1000.0, Wdl::new(3, 0, 0)), (2000.0, Wdl::new(0, 0, 1))];
        assert_eq!(performance_in_field(&field), Some(1250.0 + 200.0));
    }
}
