//! Luck in matches of dice chess: the raw and the luck-adjusted score, by the
//! frozen evaluation of `foglight_engine`.

use std::collections::BTreeMap;

use foglight_engine::dice::luck::{Adjusted, Scored, adjust, luck};
use foglight_rules::Record;

/// White's luck in a finished game, in expected points; `None` without dice.
pub fn of_white(record: &Record) -> Option<f64> {
    (record.game.has_dice() && record.outcome.is_some()).then(|| luck(record))
}

/// Adjusts the scores of one player's games, each given with its pair. The two
/// games of a pair share their dice and are not independent, so complete pairs
/// count as one observation, by their mean; games count singly only if no pair
/// is complete.
pub fn adjusted<P: Ord>(games: impl Iterator<Item = (P, Scored)>) -> Option<Adjusted> {
    let mut pairs: BTreeMap<P, Vec<Scored>> = BTreeMap::new();
    for (pair, scored) in games {
        pairs.entry(pair).or_default().push(scored);
    }
    let means: Vec<Scored> = pairs
        .values()
        .filter_map(|games| match games[..] {
            [one, two] => Some(Scored {
                score: 0.5 * (one.score + two.score),
                luck: 0.5 * (one.luck + two.luck),
            }),
            _ => None,
        })
        .collect();
    if means.is_empty() {
        let games: Vec<Scored> = pairs.into_values().flatten().collect();
        return adjust(&games);
    }
    adjust(&means)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(score: f64, luck: f64) -> Scored {
        Scored { score, luck }
    }

    /// Luck that explains every result leaves no error, and a mean score of one
    /// half with balanced luck.
    #[test]
    fn luck_that_decides_all_is_taken_out() {
        let games = (0..30).map(|i| match i % 3 {
            0 => (i, scored(0.0, -0.5)),
            _ => (i, scored(1.0, 0.5)),
        });
        let found = adjusted(games).expect("enough games");
        assert!((found.raw - 2.0 / 3.0).abs() < 1e-12);
        assert!((found.adjusted - 0.5).abs() < 1e-12);
        assert!(found.error < 1e-9 && found.raw_error > 0.05);
    }

    /// Two games of a pair won by the same dice carry the information of one
    /// game.
    #[test]
    fn pairs_count_once() {
        let pair = |i: usize| scored(f64::from(i as u8 % 2), 0.0);
        let single = (0..40).map(|i| (i, pair(i)));
        let doubled = (0..40).flat_map(|i| [(i, pair(i)), (i, pair(i))]);
        assert_eq!(adjusted(single), adjusted(doubled));
    }

    #[test]
    fn games_without_dice_have_no_luck() {
        let game = foglight_rules::Game::fog();
        let record = Record {
            game,
            start: game.start(),
            actions: Vec::new(),
            outcome: Some(foglight_rules::Outcome::draw(
                foglight_rules::Termination::Agreement,
            )),
        };
        assert_eq!(of_white(&record), None);
    }
}
