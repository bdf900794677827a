//! The rows of a study's table: published and own figures side by side.

use super::{Pairing, Published, Study, ThesisSet};
use crate::{
    record::GameRecord,
    report::{Matchup, Options, Source, gather, ratings},
    stats::{
        Wdl,
        chi_square::ContingencyTable,
        interval::{Method, proportion_interval},
        normality::{anderson_darling, shapiro_wilk},
        running::RunningElo,
    },
};

/// Games after which the thesis takes ratings for settled.
const SETTLED: usize = 130;

/// The head of a study's table, in Markdown.
pub fn head(study: &Study) -> String {
    let first = study.pairings.first().map(|pairing| pairing.published);
    let columns: &[&str] = match first {
        Some(Published::Set(_)) => &[
            "set",
            "games",
            "won, drawn, lost",
            "score",
            "LOS: published, ours",
            "colour p: published, ours",
            "agent p: published, ours",
            "Shapiro-Wilk p: published, ours",
            "Anderson-Darling p: published, ours",
            "better's mean rating: published, ours",
        ],
        _ => &["pairing", "games", "won, drawn, lost", "published", "ours"],
    };
    let rule = "---|".repeat(columns.len());
    format!("| {} |\n|{rule}\n", columns.join(" | "))
}

/// The row of a pairing, from the games that it led to.
pub fn row(pairing: &Pairing, records: &[GameRecord]) -> String {
    let source = Source { name: "", records };
    let groups = gather(&[source], &Options::default());
    let matchups = groups.first().map(|group| group.matchups());
    let Some(matchup) = matchups.as_ref().and_then(|matchups| matchups.first()) else {
        return format!("| {} | 0 | - |", pairing.label);
    };
    // Agents are numbered as they come, White first: the first game's White is
    // the pairing's first.
    let wdl = matchup.wdl();
    let results = format!("{}, {}, {}", wdl.wins, wdl.draws, wdl.losses);
    let cells = match pairing.published {
        Published::Set(set) => set_cells(&set, matchup, wdl),
        published => plain_cells(published, wdl),
    };
    format!(
        "| {} | {} | {results} | {} |",
        pairing.label,
        wdl.games(),
        cells.join(" | ")
    )
}

fn plain_cells(published: Published, wdl: Wdl) -> Vec<String> {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let (theirs, games, rate) = match published {
        Published::Score(rate) => (percent(rate), wdl.games(), wdl.score_rate()),
        Published::WinRate(rate) => {
            let games = wdl.wins + wdl.losses;
            let own = wdl.wins as f64 / games.max(1) as f64;
            (format!("{} of decisive games", percent(rate)), games, own)
        }
        Published::Nothing | Published::Set(_) => ("-".to_owned(), wdl.games(), wdl.score_rate()),
    };
    let points = (rate * games as f64).round() as u64;
    let interval = proportion_interval(Method::Wilson, points, games.max(1), 0.95);
    let ours = format!(
        "{} ({} to {})",
        percent(rate),
        percent(interval.low),
        percent(interval.high)
    );
    vec![theirs, ours]
}

/// A probability as the thesis prints it.
fn p(value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(p) if p < 2.2e-16 => "< 2.2e-16".to_owned(),
        Some(p) if p < 1e-3 => format!("{p:.1e}"),
        Some(p) => format!("{p:.3}"),
    }
}

fn independence(wdl: Wdl) -> Option<f64> {
    let table = ContingencyTable::mirrored(wdl).ok()?;
    Some(table.independence().p_value)
}

fn set_cells(set: &ThesisSet, matchup: &Matchup<'_>, wdl: Wdl) -> Vec<String> {
    let series = ratings(matchup, RunningElo::default());
    let settled = series.get(SETTLED..).filter(|rest| !rest.is_empty());
    let mean = settled.map(|rest| rest.iter().sum::<f64>() / rest.len() as f64);
    let white = matchup.white();
    let ahead = match white.wins.cmp(&white.losses) {
        std::cmp::Ordering::Greater => ", White",
        std::cmp::Ordering::Equal => "",
        std::cmp::Ordering::Less => ", Black",
    };
    let beside = |theirs: &str, ours: String| format!("{theirs}; {ours}");
    let colour = p(independence(white)) + ahead;
    let wilk = shapiro_wilk(&series).ok().map(|test| test.p_value);
    let darling = anderson_darling(&series).ok().map(|test| test.p_value);
    // The ratings of both add up to a thousand.
    let better = mean.map_or("-".to_owned(), |mean| {
        format!("{:.0}", mean.max(1000.0 - mean))
    });
    vec![
        format!("{:.1} %", 100.0 * wdl.score_rate()),
        beside(set.los, p(Some(wdl.los_of_decisive()))),
        beside(set.colour, colour),
        beside(set.agent, p(independence(wdl))),
        beside(set.wilk, p(wilk)),
        beside(set.darling, p(darling)),
        beside(set.rating, better),
    ]
}
