//! Table rows of the thesis's sets: its tests and ours side by side.

use foglight_arena::{
    record::GameRecord,
    report::{Matchup, ReportOptions, Source, gather},
    stats::{Wdl, running::KFactor},
};

use super::trend::ratings;
use crate::{
    experiments::PublishedRow,
    stats::{
        chi_square::ContingencyTable,
        normality::{anderson_darling, shapiro_wilk},
    },
};

/// Games after which the thesis considers ratings settled.
const SETTLED: usize = 130;

/// Header of the table of the thesis's sets, in Markdown.
pub fn head() -> String {
    let columns = [
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
    ];
    let rule = "---|".repeat(columns.len());
    format!("| {} |\n|{rule}\n", columns.join(" | "))
}

/// Table row of a set, from the games played.
pub fn row(label: &str, set: &PublishedRow, records: &[GameRecord], k: KFactor) -> String {
    let source = Source { name: "", records };
    let groups = gather(&[source], &ReportOptions::default());
    let matchups = groups.first().map(|group| group.matchups());
    let Some(matchup) = matchups.as_ref().and_then(|matchups| matchups.first()) else {
        return format!("| {label} | 0 | - |");
    };
    // Agents are numbered in order of appearance, White first: the first game's
    // White is the first agent of the pairing.
    let wdl = matchup.wdl();
    let results = format!("{}, {}, {}", wdl.wins, wdl.draws, wdl.losses);
    let cells = set_cells(set, matchup, wdl, k).join(" | ");
    format!("| {label} | {} | {results} | {cells} |", wdl.games())
}

/// A probability in the thesis's format.
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

fn set_cells(set: &PublishedRow, matchup: &Matchup<'_>, wdl: Wdl, k: KFactor) -> Vec<String> {
    let series = ratings(matchup, k);
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
    // The ratings of both agents add up to a thousand.
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
