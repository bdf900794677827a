//! The WDL model: the centipawns that make ten to one, fitted to the results of
//! games.

/// The smallest and the largest scale that is tried.
const RANGE: (f64, f64) = (50.0, 5000.0);
/// Rounds of the ternary search: each cuts the range by a third.
const ROUNDS: usize = 40;

/// The scale under which scores in centipawns best predict results (1 won, 0.5
/// drawn, 0 lost) by log loss, and that loss; `None` without games.
pub fn fit(games: &[(i32, f64)]) -> Option<(f64, f64)> {
    if games.is_empty() {
        return None;
    }
    // The loss is unimodal over the logarithm of the scale.
    let (mut low, mut high) = (RANGE.0.ln(), RANGE.1.ln());
    for _ in 0..ROUNDS {
        let third = (high - low) / 3.0;
        let (a, b) = (low + third, high - third);
        if loss(games, a.exp()) < loss(games, b.exp()) {
            high = b;
        } else {
            low = a;
        }
    }
    let scale = ((low + high) / 2.0).exp();
    Some((scale, loss(games, scale)))
}

/// The mean log loss of results under a scale.
fn loss(games: &[(i32, f64)], scale: f64) -> f64 {
    let each = games.iter().map(|&(centipawns, result)| {
        let chance = 1.0 / (1.0 + 10f64.powf(-f64::from(centipawns) / scale));
        let chance = chance.clamp(1e-6, 1.0 - 1e-6);
        -(result * chance.ln() + (1.0 - result) * (1.0 - chance).ln())
    });
    each.sum::<f64>() / games.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use foglight_play::seeded;
    use rand::Rng as _;

    #[test]
    fn the_scale_that_made_the_results_is_found() {
        let mut rng = seeded(5);
        for scale in [300.0, 900.0] {
            let games: Vec<(i32, f64)> = (0..40_000)
                .map(|_| {
                    let score: i32 = rng.random_range(-800..800);
                    let chance = 1.0 / (1.0 + 10f64.powf(-f64::from(score) / scale));
                    (score, f64::from(u8::from(rng.random_bool(chance))))
                })
                .collect();
            let (found, _) = fit(&games).expect("there are games");
            assert!((found / scale - 1.0).abs() < 0.05, "{found} for {scale}");
        }
        assert_eq!(fit(&[]), None);
    }
}
