//! The experiments of the Maastricht paper as data: who plays whom, how often,
//! and what was published. Half of the games are played with each colour,
//! unless said.

/// What the paper gives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Figure {
    /// A share of won games.
    Rate(f64),
    /// Nothing that can be read off.
    None,
}

/// One match.
#[derive(Clone, PartialEq, Debug)]
pub struct Experiment {
    /// What is varied, and its value.
    pub label: String,
    /// The agent whose score counts.
    pub one: String,
    /// Its opponent.
    pub other: String,
    /// Games that the paper played.
    pub games: u64,
    /// Does the first agent always play White ("Normal*", goal side 1)?
    pub one_sided: bool,
    /// The paper's figure.
    pub published: Figure,
}

fn row(label: String, one: String, other: &str, games: u64, published: Figure) -> Experiment {
    Experiment {
        label,
        one,
        other: other.to_owned(),
        games,
        one_sided: false,
        published,
    }
}

/// The opponent of tables II and III. The paper gives no depth.
const EXPECTIMINIMAX: &str = "expectiminimax:depth=2";

/// All experiments. `quick` divides the thinking times by 50.
pub fn all(quick: bool) -> Vec<Experiment> {
    let time = |ms: u64| if quick { ms / 50 } else { ms };
    let mut rows = Vec::new();
    let base = |options: &str| format!("mcts:ms={}{options}", time(1000));
    let versus_goal = "goal";
    for c in ["0", "0.5", "1", "1.4142", "2", "3.8775", "5", "7.5", "10"] {
        let label = format!("exploration {c}");
        rows.push(row(
            label,
            base(&format!(",c={c}")),
            versus_goal,
            100,
            Figure::None,
        ));
    }
    for step in 0..=12 {
        let win = 0.2 * f64::from(step);
        let published = match step {
            0 => Figure::Rate(0.99),
            12 => Figure::Rate(0.93),
            _ => Figure::None,
        };
        let label = format!("win score {win:.1}");
        rows.push(row(
            label,
            base(&format!(",win={win:.1}")),
            versus_goal,
            100,
            published,
        ));
    }
    for bias in ["eval", "off"] {
        let one = base(&format!(",bias={bias}"));
        rows.push(row(
            format!("bias {bias}"),
            one,
            versus_goal,
            400,
            Figure::None,
        ));
    }
    for (ms, published) in [
        (1000, Figure::Rate(0.5)),
        (2000, Figure::None),
        (5000, Figure::None),
        (10_000, Figure::Rate(0.7)),
    ] {
        let one = format!("mcts:ms={},eval=off,bias=off", time(ms));
        let label = format!("{ms} ms without evaluation");
        rows.push(row(label, one, versus_goal, 100, published));
    }
    rows.push(row(
        "figure 6".to_owned(),
        base(""),
        versus_goal,
        1000,
        Figure::Rate(0.96),
    ));
    rows.extend(against_expectiminimax(time));
    rows.extend(ablations(&base));
    rows
}

/// Table II.
fn against_expectiminimax(time: impl Fn(u64) -> u64) -> Vec<Experiment> {
    let table = [
        ("Normal", 5000, "eval", 0.51),
        ("Hybrid", 5000, "logistic", 0.56),
        ("Normal", 2000, "eval", 0.38),
        ("Hybrid", 2000, "logistic", 0.33),
        ("Normal*", 5000, "eval", 0.12),
    ];
    let rows = table.into_iter().map(|(name, ms, bias, rate)| {
        let one = format!("mcts:ms={},bias={bias}", time(ms));
        let label = format!("table II: {name} {ms}");
        let mut row = row(label, one, EXPECTIMINIMAX, 100, Figure::Rate(rate));
        row.one_sided = name.ends_with('*');
        row
    });
    rows.collect()
}

/// Figures 7 and 8: parts of the evaluation left out.
fn ablations(base: &dyn Fn(&str) -> String) -> Vec<Experiment> {
    let without = |parts: &[u8]| {
        let options: String = parts.iter().map(|part| format!(",c{part}=0")).collect();
        base(&options)
    };
    let mut rows: Vec<Experiment> = (1..=8u8)
        .map(|part| {
            let name = super::Part::ALL[usize::from(part) - 1].name();
            let published = match part {
                2 => Figure::Rate(0.91),
                3 => Figure::Rate(0.88),
                _ => Figure::None,
            };
            let label = format!("figure 7: without {name}");
            row(label, without(&[part]), "goal", 100, published)
        })
        .collect();
    let alone = without(&[1, 2, 6, 7, 8]);
    let label = "figure 8: king safety, tropism and centre alone".to_owned();
    rows.push(row(label, alone, "goal", 100, Figure::Rate(0.81)));
    let label = "figure 8: all but these".to_owned();
    rows.push(row(
        label,
        without(&[3, 4, 5]),
        "goal",
        100,
        Figure::Rate(0.71),
    ));
    rows
}

/// Equation 7: the standard error of a score rate.
pub fn standard_error(rate: f64, games: u64) -> f64 {
    (rate * (1.0 - rate) / games.max(1) as f64).sqrt()
}

/// Equations 8 and 9: bounds on the difference of two score rates at 95 %. The
/// paper prints a maximum in equation 9, where only a minimum can be meant.
pub fn difference_bounds(one: (f64, u64), other: (f64, u64)) -> (f64, f64) {
    const Z: f64 = 1.96;
    let reach = Z * (standard_error(one.0, one.1) + standard_error(other.0, other.1));
    let difference = one.0 - other.0;
    (
        (difference - reach).max(-1.0),
        (difference + reach).min(1.0),
    )
}

#[cfg(test)]
mod tests {
    use foglight_rules::Game;

    use super::*;
    use crate::{Providers, registry};

    #[test]
    fn every_agent_can_be_built() {
        for quick in [false, true] {
            for experiment in all(quick) {
                for text in [&experiment.one, &experiment.other] {
                    let spec = text.parse().expect("a spec");
                    let built = registry::build(&spec, &Game::dice1(), &Providers::default());
                    assert!(built.is_ok(), "{text}");
                }
            }
        }
    }

    #[test]
    fn errors_are_those_of_table_ii() {
        for (rate, error) in [
            (0.51, 0.04999),
            (0.56, 0.04964),
            (0.38, 0.04854),
            (0.33, 0.04702),
            (0.12, 0.03250),
        ] {
            assert!((standard_error(rate, 100) - error).abs() < 1e-5);
        }
        // Table III's last row prints 0.00405464 for the lower end: a zero too
        // many by its own equations. The upper end, 0.4194536, agrees.
        let (low, high) = difference_bounds((0.56, 100), (0.33, 100));
        assert!((high - 0.4194536).abs() < 1e-5, "{high}");
        assert!((low - 0.0405464).abs() < 1e-5, "{low}");
    }
}
