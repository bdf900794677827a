//! Laws of the log-likelihood ratios of `sprt`, and their comparison with an
//! oracle.

use foglight_play::{Rng, seeded};
use rand::Rng as _;

use super::pentanomial::Pentanomial;
use super::score::{NELO_PER_SIGMA, Wdl};
use super::sprt::{MAX_ELO, Model, Sprt, SprtVerdict};
use super::sprt_oracle::{dot, given_score, given_sigmas, offsets};
use super::testing::penta;

fn logistic(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Frequencies with fastchess's pseudo-count of unobserved results.
fn weights<const N: usize>(counts: [u64; N]) -> ([f64; N], f64) {
    let weights = counts.map(|count| (count as f64).max(1e-3));
    let total: f64 = weights.iter().sum();
    (weights.map(|weight| weight / total), total)
}

fn oracle<const N: usize>(counts: [u64; N], [elo0, elo1]: [f64; 2], model: Model) -> f64 {
    let (f, total) = weights(counts);
    let games_each = (N as f64 - 1.0) / 2.0;
    let value = |elo: f64| match model {
        Model::Normalized => given_sigmas(&f, elo * games_each.sqrt() / NELO_PER_SIGMA),
        Model::Logistic => given_score(&f, logistic(elo)),
        Model::Bayesian => {
            let (loss, win) = (f[0], f[N - 1]);
            let drawelo = 200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10();
            let win = 1.0 / (1.0 + 10f64.powf((drawelo - elo) / 400.0));
            let loss = 1.0 / (1.0 + 10f64.powf((drawelo + elo) / 400.0));
            given_score(&f, win + 0.5 * (1.0 - win - loss))
        }
    };
    total * (value(elo1) - value(elo0))
}

fn pairs([ll, ld, even, wd, ww]: [u64; 5]) -> Pentanomial {
    penta([ll, ld, even, 0, wd, ww])
}

fn games([losses, draws, wins]: [u64; 3]) -> Wdl {
    Wdl::new(wins, draws, losses)
}

fn sprt([elo0, elo1]: [f64; 2], model: Model) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
}

/// Random counts: one-sided and mixed results, from one game to a hundred
/// thousand.
fn some_counts<const N: usize>(rng: &mut Rng) -> [u64; N] {
    loop {
        let most = 10f64.powf(5.0 * rng.random::<f64>());
        let unseen: f64 = rng.random();
        let counts = std::array::from_fn(|_| match rng.random::<f64>() < unseen {
            true => 0,
            false => most.powf(rng.random()) as u64,
        });
        if counts.iter().any(|&count| count > 0) {
            return counts;
        }
    }
}

/// Random hypotheses in hundredths: narrow and wide tests, close to zero and
/// far away.
fn some_hypotheses(rng: &mut Rng, most: f64) -> [f64; 2] {
    let far = match rng.random() {
        true => most,
        false => most * rng.random::<f64>().powi(4),
    };
    let one = rng.random_range(-far..far);
    let other = match rng.random() {
        true => rng.random_range(-far..far),
        false => (one + 5.0 * rng.random::<f64>()).min(most),
    };
    let (low, high) = (100.0 * one.min(other), 100.0 * one.max(other));
    [
        low.floor() / 100.0,
        (high.floor() + 1.0).min(100.0 * most) / 100.0,
    ]
}

const MODELS: [Model; 3] = [Model::Normalized, Model::Logistic, Model::Bayesian];

#[track_caller]
fn assert_same(got: f64, expected: f64, case: &dyn std::fmt::Debug) {
    let error = (got - expected).abs() / (1.0 + expected.abs());
    assert!(error <= 1e-6, "{case:?}: got {got}, expected {expected}");
}

/// 5,000 sets of games and 5,000 of pairs with random hypotheses up to 1,500
/// Elo, each under all three models.
fn compare_with_the_oracle(seed: u64) {
    let mut rng = seeded(seed);
    for _ in 0..1250 {
        let elos = some_hypotheses(&mut rng, 1500.0);
        let (of_games, of_pairs) = (some_counts(&mut rng), some_counts(&mut rng));
        for model in MODELS {
            let test = sprt(elos, model);
            let case = (model, elos, of_games, of_pairs);
            let got = test.llr_of_games(games(of_games));
            assert_same(got, oracle(of_games, elos, model), &case);
            let got = test.llr_of_pairs(pairs(of_pairs));
            if model == Model::Bayesian {
                assert_eq!(got, test.llr_of_games(pairs(of_pairs).wdl()));
            } else {
                assert_same(got, oracle(of_pairs, elos, model), &case);
            }
        }
    }
}

#[test]
fn ratios_are_those_of_the_oracle_1() {
    compare_with_the_oracle(1);
}

#[test]
fn ratios_are_those_of_the_oracle_2() {
    compare_with_the_oracle(2);
}

#[test]
fn ratios_are_those_of_the_oracle_3() {
    compare_with_the_oracle(3);
}

#[test]
fn ratios_are_those_of_the_oracle_4() {
    compare_with_the_oracle(4);
}

/// The widest allowed hypotheses, and results that were once solved wrongly:
/// counts of draws only have a narrow maximum beside a wide one.
#[test]
fn hard_cases_are_those_of_the_oracle() {
    let far = [[-MAX_ELO, MAX_ELO], [-1500.0, -500.0], [700.0, MAX_ELO]];
    let near = [[-300.0, 0.0], [-4.569, -0.284], [0.0, 5.0], [-128.0, 2.0]];
    for elos in far.into_iter().chain(near) {
        let counts = [[0, 0, 0, 0, 4], [0, 0, 239, 0, 0], [0, 0, 0, 9, 0]];
        let mixed = [[3, 0, 500, 0, 3], [16, 59, 0, 0, 0], [1, 1, 1, 1, 1]];
        for counts in counts.into_iter().chain(mixed) {
            let got = sprt(elos, Model::Normalized).llr_of_pairs(pairs(counts));
            let expected = oracle(counts, elos, Model::Normalized);
            assert_same(got, expected, &(elos, counts));
        }
    }
}

/// Eight games lost, four pairs: the distribution closest to that at -300 is
/// `(1 + 2 mu) / 2` losses with no draws, `mu = sigmas / sqrt(4 + 4 sigmas^2)`,
/// and at 0 it is half. The test once accepted H1 there, with +3.64.
#[test]
fn eight_losses_do_not_speak_for_strength() {
    let test = sprt([-300.0, 0.0], Model::Normalized);
    let lost = pairs([4, 0, 0, 0, 0]);
    let sigmas: f64 = 300.0 * 2f64.sqrt() / NELO_PER_SIGMA;
    let mean = sigmas / (4.0 + 4.0 * sigmas * sigmas).sqrt();
    let by_hand = 4.0 * (0.5f64 / (0.5 + mean)).ln();
    let llr = test.llr_of_pairs(lost);
    assert!((llr - by_hand).abs() < 0.02, "{llr} {by_hand}");
    assert!((llr - -2.29).abs() < 0.01, "{llr}");
    let far = sprt([-1500.0, -500.0], Model::Normalized);
    let verdicts = [20, 200].map(|n| far.verdict(far.llr_of_pairs(pairs([n, 0, 0, 0, 0]))));
    assert_eq!(verdicts, [SprtVerdict::Continue, SprtVerdict::AcceptH0]);
}

/// Two hypotheses above the observed score favour the lower one, two below it
/// the upper one: the likelihood of a hypothesis falls with its distance from
/// the frequencies, to either side.
#[test]
fn a_ratio_has_the_sign_of_what_was_seen() {
    let mut rng = seeded(5);
    for _ in 0..3000 {
        let counts: [u64; 5] = some_counts(&mut rng);
        let (f, _) = weights(counts);
        let c = offsets::<5>();
        let mean = dot(&f, &c);
        let sigma = (dot(&f, &c.map(|c| c * c)) - mean * mean).sqrt();
        let elos = some_hypotheses(&mut rng, MAX_ELO);
        for (model, seen) in [
            (
                Model::Normalized,
                NELO_PER_SIGMA / 2f64.sqrt() * mean / sigma,
            ),
            (
                Model::Logistic,
                400.0 * ((0.5 + mean) / (0.5 - mean)).log10(),
            ),
        ] {
            let llr = sprt(elos, model).llr_of_pairs(pairs(counts));
            let case = (model, elos, counts, seen, llr);
            assert!(seen > elos[0] || llr <= 1e-9, "{case:?}");
            assert!(seen < elos[1] || llr >= -1e-9, "{case:?}");
        }
    }
}

/// Losses alone never accept H1, wins alone never H0, and a longer one-sided
/// result is never weaker. The pseudo-counts may add some hundredths for
/// hypotheses worse than a few games can distinguish from the one-sided result.
#[test]
fn clean_sheets_speak_for_their_side() {
    let mut rng = seeded(6);
    for _ in 0..400 {
        let elos = some_hypotheses(&mut rng, MAX_ELO);
        for model in MODELS {
            let test = sprt(elos, model);
            let mut last = 0.05;
            for n in [1, 2, 4, 8, 40, 1000, 100_000] {
                let llr = test.llr_of_pairs(pairs([n, 0, 0, 0, 0]));
                assert!(llr <= last + 1e-9, "{model:?} {elos:?} {n}: {llr} {last}");
                last = llr.max(0.0) + 0.05;
                let mirrored = sprt([-elos[1], -elos[0]], model);
                let won = mirrored.llr_of_pairs(pairs([0, 0, 0, 0, n]));
                assert_same(won, -llr, &(model, elos, n));
            }
        }
    }
}

/// One more win, and a win instead of a loss, never lower the ratio. Two models
/// are excluded: by normalised Elo a pair of two wins may be evidence against
/// strength, as it increases the variance of pairs; BayesElo estimates its draw
/// parameter anew with every game.
#[test]
fn wins_never_lower_the_ratio() {
    let mut rng = seeded(7);
    for _ in 0..3000 {
        let elos = some_hypotheses(&mut rng, MAX_ELO);
        let of_games: [u64; 3] = some_counts(&mut rng);
        let of_pairs: [u64; 5] = some_counts(&mut rng);
        for model in [Model::Normalized, Model::Logistic] {
            let llr = |counts| sprt(elos, model).llr_of_games(games(counts));
            assert_rises(of_games, llr, &(model, elos));
        }
        let llr = |counts| sprt(elos, Model::Logistic).llr_of_pairs(pairs(counts));
        assert_rises(of_pairs, llr, &elos);
    }
}

fn assert_rises<const N: usize>(
    counts: [u64; N],
    llr: impl Fn([u64; N]) -> f64,
    case: &dyn std::fmt::Debug,
) {
    let (mut more, mut turned) = (counts, counts);
    more[N - 1] += 1;
    turned[N - 1] += 1;
    turned[0] = turned[0].saturating_sub(1);
    let before = llr(counts);
    for after in [llr(more), llr(turned)] {
        let least = before - 1e-9 * (1.0 + before.abs());
        assert!(after >= least, "{case:?} {counts:?}: {before} {after}");
    }
}
