//! Reports: one page with tables and figures from match records, for people
//! who would rather look than read.
//!
//! Cross table, ratings, Elo, results by colour and agent, lengths, ends, sizes
//! of beliefs and whether the truth was in them, first moves and what agents
//! told of their thinking.

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

/// The games of one file.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file's name, as it is shown.
    pub name: &'a str,
    pub records: &'a [GameRecord],
}

/// White's luck in a dice game, in expected points; `None` if it is not known.
pub type Luck = dyn Fn(&GameRecord) -> Option<f64>;

/// Draws the figures of a match-up.
pub type Figures = dyn Fn(&Matchup<'_>) -> Vec<Drawn>;

/// How a report is made.
#[derive(Default)]
pub struct ReportOptions<'a> {
    /// Takes luck out of dice games.
    pub luck: Option<&'a Luck>,
    /// Works out the exact beliefs of all games of fog, each until it passes so
    /// many positions; else only what agents told of theirs is shown.
    pub beliefs: Option<usize>,
    /// Figures of a match-up in the place of results by colour and agent.
    pub figures: Option<&'a Figures>,
}

/// A figure on its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// A name for a file, without its ending; no two of a report are equal.
    pub name: String,
    pub svg: String,
}

/// A share of games with its error, for a figure of a study.
#[derive(Clone, PartialEq, Debug)]
pub struct ShownFigures {
    pub label: String,
    pub rate: f64,
    /// Half of its 95 % interval.
    pub error: f64,
    /// What the source published, if anything.
    pub published: Option<f64>,
}

/// Shares of games as one picture (SVG), published figures below own ones.
pub fn shares(title: &str, rows: &[ShownFigures]) -> String {
    figures::shares(title, rows).finish(title, true)
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchReport {
    /// The page: needs nothing from elsewhere.
    pub html: String,
    /// The same figures, one by one.
    pub figures: Vec<Figure>,
}

/// Makes the report of some files.
pub fn report(sources: &[Source<'_>], options: &ReportOptions<'_>) -> MatchReport {
    let groups = summary::gather(sources, options);
    html::ReportPage::new(sources, options).of(&groups)
}
