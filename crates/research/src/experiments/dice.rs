//! The experiments of the Maastricht paper (Chakrian et al.): pairings, numbers
//! of games, and published results. Each colour has half of the games, unless
//! stated.

use foglight_engine::dice::EvalTerm;
use foglight_rules::Game;

use super::{Experiment, MatchConfig, Published, PublishedMatch, Seats, pairing};

/// The opponent of tables II and III. The paper gives no depth.
const EXPECTIMINIMAX: &str = "expectiminimax:depth=2";

/// `mcts` with the base case's second per move and further options.
fn base(options: &str) -> String {
    format!("mcts:preset=paper,ms=1000{options}")
}

fn v_goal(label: String, one: String, games: u64, published: Published) -> PublishedMatch {
    pairing(&label, &one, "goal", games, published)
}

/// The experiment, with the paper's thinking times.
pub(super) fn study() -> Experiment {
    let figure_6 = v_goal(
        "figure 6: MCTS v goal-based".to_owned(),
        base(""),
        1000,
        Published::WinRate(0.96),
    );
    let mut pairings = sweeps();
    pairings.push(figure_6);
    pairings.extend(against_expectiminimax());
    pairings.extend(ablations());
    pairings.push(self_play());
    Experiment {
        name: "dice",
        about: "goal-based, MCTS, hybrid and expectiminimax in one-die chess (Chakrian et al.)",
        game: Game::dice1(),
        max_moves: None,
        quick_times: 100,
        pairings,
        comparisons: table_3(),
        fixed: None,
        habits: false,
        appendix: None,
    }
}

/// Section IV.A: variations of one parameter of the base case, against
/// goal-based.
fn sweeps() -> Vec<PublishedMatch> {
    let exploration = ["0", "0.5", "1", "1.4142", "2", "3.8775", "5", "7.5", "10"].map(|c| {
        let label = format!("exploration: {c}");
        v_goal(label, base(&format!(",c={c}")), 100, Published::Nothing)
    });
    let win_score = (0..=12).map(|step| {
        let win = 0.2 * f64::from(step);
        let published = match step {
            0 => Published::WinRate(0.99),
            12 => Published::WinRate(0.93),
            _ => Published::Nothing,
        };
        let label = format!("win score: {win:.1}");
        v_goal(label, base(&format!(",win={win:.1}")), 100, published)
    });
    let bias = ["eval", "off"].map(|bias| {
        let one = base(&format!(",bias={bias}"));
        v_goal(format!("bias: {bias}"), one, 400, Published::Nothing)
    });
    let times = [
        (1000, Published::WinRate(0.5)),
        (2000, Published::Nothing),
        (5000, Published::Nothing),
        (10_000, Published::WinRate(0.7)),
    ]
    .map(|(ms, published)| {
        let one = format!("mcts:preset=paper,ms={ms},eval=off,bias=off");
        v_goal(format!("no evaluation: {ms} ms"), one, 100, published)
    });
    let all = exploration.into_iter().chain(win_score).chain(bias);
    all.chain(times).collect()
}

/// Table II. "Normal*", "where the goal side is 1", is read as MCTS always
/// having Black: the discussion attributes its low score to the advantage of
/// moving first.
fn against_expectiminimax() -> Vec<PublishedMatch> {
    let table = [
        ("Normal", 5000, "eval", 0.51),
        ("Hybrid", 5000, "logistic", 0.56),
        ("Normal", 2000, "eval", 0.38),
        ("Hybrid", 2000, "logistic", 0.33),
        ("Normal*", 5000, "eval", 0.12),
    ];
    let rows = table.into_iter().map(|(name, ms, bias, rate)| {
        let one = format!("mcts:preset=paper,ms={ms},bias={bias}");
        let label = format!("table II: {name} {ms}");
        let row = pairing(&label, &one, EXPECTIMINIMAX, 100, Published::WinRate(rate));
        match name {
            "Normal*" => row.seated(Seats::FirstBlack),
            _ => row,
        }
    });
    rows.collect()
}

/// Table III: bounds on the differences of rows of table II. Two of its lower
/// ends lack a decimal place; they stand here as printed.
fn table_3() -> Vec<MatchConfig> {
    let row = |one: &str, other: &str, published| MatchConfig {
        one: format!("table II: {one}"),
        other: format!("table II: {other}"),
        published,
    };
    vec![
        row("Normal 5000", "Hybrid 5000", (-0.02452748, 0.1452748)),
        row("Normal 5000", "Normal 2000", (-0.0631188, 0.3231188)),
        row("Normal 2000", "Hybrid 2000", (-0.1372976, 0.2372976)),
        row("Hybrid 5000", "Hybrid 2000", (0.00405464, 0.4194536)),
    ]
}

/// Figures 7 and 8: evaluation terms left out.
fn ablations() -> Vec<PublishedMatch> {
    let without = |parts: &[u8]| {
        let options: String = parts.iter().map(|part| format!(",c{part}=0")).collect();
        base(&options)
    };
    let mut rows: Vec<PublishedMatch> = (1..=8u8)
        .map(|part| {
            let name = EvalTerm::ALL[usize::from(part) - 1].name();
            let published = match part {
                2 => Published::WinRate(0.91),
                3 => Published::WinRate(0.88),
                _ => Published::Nothing,
            };
            let label = format!("figure 7: without {name}");
            v_goal(label, without(&[part]), 100, published)
        })
        .collect();
    rows.push(v_goal(
        "figure 8: king safety, tropism and centre alone".to_owned(),
        without(&[1, 2, 6, 7, 8]),
        100,
        Published::WinRate(0.81),
    ));
    rows.push(v_goal(
        "figure 8: all but these".to_owned(),
        without(&[3, 4, 5]),
        100,
        Published::WinRate(0.71),
    ));
    rows
}

/// Not in the paper: the advantage of moving first, beside the 199,000 games of
/// one-die chess played by people on BrainKing.
fn self_play() -> PublishedMatch {
    let people = Published::FirstMove {
        white: 0.521,
        draws: 0.001,
    };
    let agent = "dice:nodes=5000";
    pairing("first move: dice v itself", agent, agent, 2000, people).seated(Seats::Single)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_of_the_paper_is_there() {
        let study = study();
        let count = |start: &str| {
            let rows = study.pairings.iter();
            rows.filter(|row| row.label.starts_with(start)).count()
        };
        assert_eq!(count("win score"), 13, "0 to 2.4 by 0.2");
        assert!(count("exploration") >= 5 && count("no evaluation") >= 2);
        assert_eq!((count("bias"), count("figure 6")), (2, 1));
        assert_eq!((count("table II"), count("figure 7")), (5, 8));
        assert_eq!(count("figure 8"), 2);
        for comparison in &study.comparisons {
            for label in [&comparison.one, &comparison.other] {
                assert_eq!(count(label), 1, "{label}");
            }
        }
        let one_sided = study.pairings.iter();
        let one_sided = one_sided.filter(|row| row.seats == Seats::FirstBlack);
        let labels: Vec<&str> = one_sided.map(|row| &row.label[..]).collect();
        assert_eq!(labels, ["table II: Normal* 5000"]);
    }
}
