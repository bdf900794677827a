//! The luck of a match in dice chess: the raw score and the one with the luck
//! of the dice taken out, by the frozen evaluation of `foglight_engine`.

use std::collections::BTreeMap;

use foglight_engine::dice::luck::{Adjusted, Scored, adjust, luck};
use foglight_rules::Record;

/// White's luck in a finished game, in expected points; `None` without dice.
pub fn of_white(record: &Record) -> Option<f64> {
    (record.game.has_dice() && record.outcome.is_some()).then(|| luck(record))
}

/// One player's games with the number of their pair. The two games of a pair
/// share their dice and are not independent, so pairs that are whole count as
/// one, by their mean; only where no pair is whole do games count singly.
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

    /// Luck that explains everything leaves no error, and the mean of a player
    /// who was as lucky as not.
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

    /// Both games of a pair won by the same dice say as much as one game.
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
