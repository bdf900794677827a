//! Tables and figures of an experiment's matches, published values beside own.

use std::fmt::Write as _;

use foglight_arena::{
    report::{Figure, ShownFigures, shares},
    stats::{Summary, Wdl},
    tournament::Standing,
};
use foglight_engine::dice::luck::Adjusted;
use foglight_research::{
    experiments::{Experiment, Published, PublishedMatch, measured},
    stats::{
        bounds::{ScoreRate, Z_95},
        performance,
    },
};

/// A played match of an experiment.
pub(crate) struct Row {
    label: String,
    one: String,
    other: String,
    published: Published,
    summary: Summary,
    /// White's results over both agents.
    white: Wdl,
    /// Results of the first agent as White.
    as_white: Wdl,
    luck: Option<Adjusted>,
    /// The counterpart of the published value, and half of its 95 % interval.
    rate: f64,
    error: f64,
}

impl Row {
    /// Results of a pairing.
    pub(crate) fn new(pairing: &PublishedMatch, tally: &Standing) -> Row {
        let summary = tally.summary(0, 1, None);
        let white = tally.white();
        let as_white = tally.as_white(0);
        let (rate, error) = measured(pairing.published, &summary, white, as_white);
        Row {
            label: pairing.label.clone(),
            one: pairing.one.clone(),
            other: pairing.other.clone(),
            published: pairing.published,
            summary,
            white,
            as_white,
            luck: match pairing.published {
                Published::FirstMove { .. } => tally.luck_of_white(),
                _ => tally.luck(0, 1),
            },
            rate,
            error,
        }
    }

    /// Games behind the counterpart of the published value.
    fn games(&self) -> u64 {
        match self.published {
            Published::WhiteWins(_) => self.as_white.games(),
            _ => self.summary.games(),
        }
    }

    fn published_rate(&self) -> Option<f64> {
        match self.published {
            Published::WhiteWins(rate) | Published::WinRate(rate) => Some(rate),
            Published::FirstMove { white, .. } => Some(white),
            Published::Set(_) | Published::Nothing => None,
        }
    }

    /// Whether the published value lies inside the 95 % interval (`yes`), or
    /// within ten points (`near`).
    fn effect(&self) -> &'static str {
        match self.published_rate().map(|rate| (rate - self.rate).abs()) {
            None => "-",
            Some(off) if off <= self.error => "yes",
            Some(off) if off <= 0.1 => "near",
            Some(_) => "no",
        }
    }

    /// Score rate by equations 6 and 7 of the Maastricht paper.
    fn score_rate(&self) -> Option<ScoreRate> {
        ScoreRate::new(self.summary.wdl.points(), self.summary.games())
    }
}

/// All tables in Markdown.
pub(crate) fn text(study: &Experiment, rows: &[Row]) -> String {
    let dice = study.game.has_dice();
    let (head, line) = match dice {
        true => (" luck-adjusted |", "---|"),
        false => ("", ""),
    };
    let mut text = format!(
        "{}: {}\n\n| pairing | games | published | ours | 95 % |{head} effect |\n|---|---|---|---|---|{line}---|\n",
        study.name, study.about
    );
    for row in rows {
        let luck = match (dice, row.luck) {
            (false, _) => String::new(),
            (true, None) => " - |".to_owned(),
            (true, Some(luck)) => format!(
                " {:.1} % +/- {:.1} |",
                100.0 * luck.adjusted,
                196.0 * luck.error
            ),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | +/- {:.1} |{luck} {} |",
            row.label,
            row.games(),
            published(row.published),
            ours(row),
            100.0 * row.error,
            row.effect(),
        );
    }
    text + &compared(study, rows) + &performances(study, rows)
}

/// Performance ratings by the rule of 400, with one agent's rating fixed.
fn performances(study: &Experiment, rows: &[Row]) -> String {
    let Some(fixed) = study.fixed else {
        return String::new();
    };
    let matches = rows.iter();
    let matches = matches.map(|row| (row.one.as_str(), row.other.as_str(), row.as_white));
    let matches: Vec<_> = matches.collect();
    let mut text = format!(
        "\nPerformance ratings by the rule of 400, {} at {}:\n\n| agent | rating |\n|---|---|\n",
        fixed.0, fixed.1
    );
    for (agent, rating) in performance::ratings(fixed, &matches) {
        let _ = writeln!(text, "| {agent} | {rating:.0} |");
    }
    text
}

/// The bounds of equations 8 and 9, published and own.
fn compared(study: &Experiment, rows: &[Row]) -> String {
    let rate = |label: &String| {
        let row = rows.iter().find(|row| row.label == *label)?;
        row.score_rate()
    };
    let mut text = String::new();
    for comparison in &study.comparisons {
        let (Some(one), Some(other)) = (rate(&comparison.one), rate(&comparison.other)) else {
            continue;
        };
        if text.is_empty() {
            text.push_str("\nDifferences of score rates w, by equations 8 and 9 at 95 %:\n\n");
            text.push_str("| comparison | published | w, s(w) | w, s(w) | bounds |\n");
            text.push_str("|---|---|---|---|---|\n");
        }
        let bounds = one.bounds_over(other, Z_95);
        let (low, high) = comparison.published;
        let _ = writeln!(
            text,
            "| {} - {} | {low} to {high} | {:.3}, {:.5} | {:.3}, {:.5} | {:.4} to {:.4} |",
            comparison.one,
            comparison.other,
            one.rate,
            one.error,
            other.rate,
            other.error,
            bounds.low,
            bounds.high,
        );
    }
    text
}

/// A figure for each run of pairings whose labels have the same text before a
/// colon.
pub(crate) fn figures(study: &Experiment, rows: &[Row]) -> Vec<Figure> {
    let mut groups: Vec<(&str, Vec<ShownFigures>)> = Vec::new();
    for row in rows {
        let (group, label) = row.label.split_once(": ").unwrap_or(("", &row.label));
        let shown = ShownFigures {
            label: label.to_owned(),
            rate: row.rate,
            error: row.error,
            published: row.published_rate(),
        };
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, shown_so_far)) => shown_so_far.push(shown),
            None => groups.push((group, vec![shown])),
        }
    }
    let draw = |(group, shown): (&str, Vec<ShownFigures>)| {
        let mut name = format!("{} {group}", study.name).trim().to_lowercase();
        name.retain(|c| c.is_ascii_alphanumeric() || c == ' ');
        let title = match group {
            "" => study.about,
            _ => group,
        };
        Figure {
            name: name.replace(' ', "-"),
            svg: shares(title, &shown),
        }
    };
    groups.into_iter().map(draw).collect()
}

fn published(figure: Published) -> String {
    match figure {
        Published::WhiteWins(rate) => format!("{:.1} % as White", 100.0 * rate),
        Published::WinRate(rate) => format!("{:.1} % of decisive games", 100.0 * rate),
        Published::FirstMove { white, draws } => format!(
            "White wins {:.1} %, {:.1} % drawn",
            100.0 * white,
            100.0 * draws
        ),
        Published::Nothing | Published::Set(_) => "-".to_owned(),
    }
}

fn ours(row: &Row) -> String {
    match row.published {
        Published::FirstMove { .. } => format!(
            "White wins {:.1} %, {:.1} % drawn",
            100.0 * row.rate,
            100.0 * row.white.draw_ratio()
        ),
        Published::WhiteWins(_) => format!(
            "{:.1} % as White; score {:.1} % as both",
            100.0 * row.rate,
            100.0 * row.summary.wdl.score_rate()
        ),
        _ => format!("{:.1} %", 100.0 * row.rate),
    }
}
