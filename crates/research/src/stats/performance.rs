//! Performance rating by the rule of 400.
//!
//! Ermlick (2023), section *Evaluation*: `opponent + 400 (wins - losses) /
//! games`, with one agent's rating held fixed, "say 400 for the random bot".

use foglight_arena::stats::score::Wdl;

/// The rating the report proposes to hold fixed for the random agent.
pub const RANDOM_AGENT: f64 = 400.0;

/// Performance against opponents of one rating; `None` without games.
pub fn performance_rating(opponent: f64, wdl: Wdl) -> Option<f64> {
    performance_in_field(&[(opponent, wdl)])
}

/// Performance against several opponents: their mean rating, weighted by
/// games, plus `400 (wins - losses) / games`; `None` without games.
pub fn performance_in_field(field: &[(f64, Wdl)]) -> Option<f64> {
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
        assert_eq!(performance_rating(1000.0, Wdl::new(1, 0, 0)), Some(1400.0));
        assert_eq!(performance_rating(1000.0, Wdl::new(2, 0, 0)), Some(1400.0));
        assert_eq!(performance_rating(1000.0, Wdl::new(0, 1, 0)), Some(1000.0));
        assert_eq!(performance_rating(1000.0, Wdl::default()), None);
    }

    /// The report's results, chained from the random agent at 400: greedy won
    /// 99.8 % of 1000 games against random, UBSA 70 % of 100 and PBSA 93 % of
    /// 50 against greedy. It prints the shares and not the ratings; 93 % of 50
    /// is no whole number of wins unless one game was drawn (46 wins, 1 draw).
    #[test]
    fn the_reports_agents() {
        let greedy = performance_rating(RANDOM_AGENT, Wdl::new(998, 0, 2)).unwrap();
        assert_near(greedy, 798.4, 1e-9);
        let ubsa = performance_rating(greedy, Wdl::new(70, 0, 30)).unwrap();
        assert_near(ubsa, 958.4, 1e-9);
        let pbsa = performance_rating(greedy, Wdl::new(46, 1, 3)).unwrap();
        assert_near(pbsa, 1142.4, 1e-9);
    }

    #[test]
    fn a_field_is_weighted_by_games() {
        let field = [(1000.0, Wdl::new(3, 0, 0)), (2000.0, Wdl::new(0, 0, 1))];
        assert_eq!(performance_in_field(&field), Some(1250.0 + 200.0));
    }
}
