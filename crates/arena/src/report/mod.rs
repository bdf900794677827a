//! Reports: one page with tables and figures from match records.
//!
//! Cross table, ratings, Elo, results by colour and agent, lengths,
//! terminations, belief sizes and coverage, first moves and the agents'
//! metrics.

mod believed;
pub mod chart;
mod coverage;
mod figures;
mod html;
mod openings;
mod summary;
mod tables;
pub mod text;

use crate::record::GameRecord;

pub use figures::{Drawn, ratios, said, share};
pub use summary::{BELIEF, GameSummary, Matchup, gather, white};

/// Games of one input file.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// File name as displayed.
    pub name: &'a str,
    pub records: &'a [GameRecord],
}

/// White's luck in a dice game, in expected points; `None` if unknown.
pub type Luck = dyn Fn(&GameRecord) -> Option<f64>;

/// Draws the figures of a match-up.
pub type Figures = dyn Fn(&Matchup<'_>) -> Vec<Drawn>;

/// Options of a report.
#[derive(Default)]
pub struct ReportOptions<'a> {
    /// Luck of a dice game, for luck-adjusted scores.
    pub luck: Option<&'a Luck>,
    /// If set, computes the exact beliefs of all fog games, each until it
    /// exceeds this number of positions; otherwise the report shows only sizes
    /// that agents reported.
    pub beliefs: Option<usize>,
    /// Figures of a match-up that replace the results by colour and agent.
    pub figures: Option<&'a Figures>,
}

/// A standalone figure of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// File name without extension, unique in the report.
    pub name: String,
    pub svg: String,
}

/// A share of games with its error, for a figure of an experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct ShownFigures {
    pub label: String,
    pub rate: f64,
    /// Half-width of its 95 % interval.
    pub error: f64,
    /// Value published by the source, if any.
    pub published: Option<f64>,
}

/// Shares of games as one SVG picture, published figures below own ones.
pub fn shares(title: &str, rows: &[ShownFigures]) -> String {
    figures::shares(title, rows).finish(title, true)
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchReport {
    /// HTML page without external resources.
    pub html: String,
    /// The figures of the page as separate files.
    pub figures: Vec<Figure>,
}

/// Builds the report of several files.
pub fn report(sources: &[Source<'_>], options: &ReportOptions<'_>) -> MatchReport {
    let groups = summary::gather(sources, options);
    html::ReportPage::new(sources, options).of(&groups)
}
