//! Reports: one page with tables and figures from match records, for people
//! who would rather look than read.
//!
//! The figures are those of the thesis (Mellemseter 2017, chapters 5 and 6):
//! win ratios by colour and agent with 0.999 intervals, ratings over games
//! with three regressions, QQ plots; and what a match of engines needs beside
//! them: cross table, ratings, Elo, lengths, ends, sizes of beliefs and
//! whether the truth was in them, first moves and what agents told of their thinking.

mod believed;
pub mod chart;
mod checks;
mod complexity;
mod facts;
mod figures;
mod habits;
mod html;
mod tables;
mod text;
mod trend;

use crate::{record::GameRecord, stats::running::Factor};

pub use believed::sizes as belief_sizes;
pub use facts::BELIEF;
pub(crate) use facts::{Matchup, gather};
pub(crate) use trend::ratings;

/// The games of one file.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file's name, as it is shown.
    pub name: &'a str,
    /// Its games.
    pub records: &'a [GameRecord],
}

/// White's luck in a dice game, in expected points; `None` if it is not known.
pub type Luck = dyn Fn(&GameRecord) -> Option<f64>;

/// How a report is made.
#[derive(Default)]
pub struct Options<'a> {
    /// How far a game moves running ratings.
    pub k: Factor,
    /// Takes luck out of dice games.
    pub luck: Option<&'a Luck>,
    /// Works out the exact beliefs of all games of fog, each until it passes so
    /// many positions; else only what agents told of theirs is shown.
    pub beliefs: Option<usize>,
    /// Replays every game to see how many moves and views there were: how
    /// large the game is.
    pub complexity: bool,
}

/// A figure on its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// A name for a file, without its ending; no two of a report are equal.
    pub name: String,
    /// The picture.
    pub svg: String,
}

/// A share of games with its error, for a figure of a study.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    /// What was played.
    pub label: String,
    /// The share.
    pub rate: f64,
    /// Half of its 95 % interval.
    pub error: f64,
    /// What the source published, if anything.
    pub published: Option<f64>,
}

/// Shares of games as one picture (SVG), published figures below own ones.
pub fn shares(title: &str, rows: &[Shown]) -> String {
    figures::shares(title, rows).finish(title, true)
}

/// A finished report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The page: needs nothing from elsewhere.
    pub html: String,
    /// The same figures, one by one.
    pub figures: Vec<Figure>,
}

/// Makes the report of some files.
pub fn report(sources: &[Source<'_>], options: &Options<'_>) -> Report {
    let groups = facts::gather(sources, options);
    html::Page::new(sources, options).of(&groups)
}
