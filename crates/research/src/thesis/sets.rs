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
        "effect",
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
        return format!("| {label} | 0{} |", " | -".repeat(9));
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

/// The level at which the thesis calls a difference one.
const SIGNIFICANT: f64 = 0.05;

/// The number at the start of a published cell, if there is one.
fn number(cell: &str) -> Option<f64> {
    cell.split(',').next()?.trim().parse().ok()
}

/// Whether agent 1 is the worse (-1), the better (1) or neither, by its LOS.
fn sign(los: f64) -> i32 {
    i32::from(los > 1.0 - SIGNIFICANT) - i32::from(los < SIGNIFICANT)
}

/// Whether both effects of a set are there (`yes`), that of the agents only
/// (`near`), or not. A colour that the thesis does not name may be either.
fn effect(set: &PublishedRow, wdl: Wdl, white: Wdl) -> &'static str {
    let agents = number(set.los).is_none_or(|los| sign(los) == sign(wdl.los_of_decisive()));
    let ours = independence(white).is_some_and(|p| p < SIGNIFICANT);
    let side = match white.wins > white.losses {
        true => "White",
        false => "Black",
    };
    let named = set
        .colour
        .split_once(", ")
        .is_none_or(|(_, led)| led == side);
    let colours = number(set.colour).is_none_or(|p| (p < SIGNIFICANT) == ours && (!ours || named));
    match (agents, colours) {
        (true, true) => "yes",
        (true, false) => "near",
        (false, _) => "no",
    }
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
        effect(set, wdl, white).to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_has_the_published_sign_and_colour() {
        let set = PublishedRow {
            los: "0.0",
            colour: "6.4e-6, Black",
            agent: "-",
            wilk: "-",
            darling: "-",
            rating: "-",
        };
        let (worse, even) = (Wdl::new(300, 0, 700), Wdl::new(500, 0, 500));
        let black = Wdl::new(440, 0, 560);
        assert_eq!(effect(&set, worse, black), "yes");
        assert_eq!(effect(&set, worse, even), "near");
        assert_eq!(effect(&set, worse, Wdl::new(560, 0, 440)), "near");
        assert_eq!(effect(&set, even, black), "no");
        let none = PublishedRow {
            los: "0.80",
            colour: "0.43",
            ..set
        };
        assert_eq!(effect(&none, even, even), "yes");
        assert_eq!(effect(&none, even, black), "near");
        let unnamed = PublishedRow {
            colour: "2.2e-16",
            ..set
        };
        assert_eq!(effect(&unnamed, worse, black), "yes");
    }
}
