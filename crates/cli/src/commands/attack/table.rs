//! The table of plans, and the progress bar.

use std::io::{self, Write};

use foglight_arena::{attack::AttackRow, stats::interval::Interval};
use indicatif::{ProgressBar, ProgressStyle};

use crate::commands::matches::on_terminal;

/// A bar on a terminal, with `before` of `all` already done.
pub(super) fn progress(all: u64, before: u64, what: &str) -> Option<ProgressBar> {
    on_terminal().then(|| {
        let template = format!("{{bar:30}} {{pos}}/{{len}} {what}, {{eta}} left");
        let style = ProgressStyle::with_template(&template);
        let bar = ProgressBar::new(all).with_position(before);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar
    })
}

/// Writes a row for each plan against `agent`.
pub(super) fn write_table(out: &mut impl Write, agent: &str, rows: &[AttackRow]) -> io::Result<()> {
    let plans: Vec<String> = rows.iter().map(shown).collect();
    let names = plans.iter().map(String::as_str).chain([agent]);
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
    writeln!(
        out,
        "{agent:width$}  {:>5}  {:>5}  {:<22}  attacker's score",
        "games", "kings", "taken by the plan"
    )?;
    for (plan, row) in plans.iter().zip(rows) {
        let (kings, share) = match row.plan.is_empty() {
            true => (String::new(), String::new()),
            false => {
                let share = row.kings as f64 / row.games.max(1) as f64;
                (row.kings.to_string(), percent(share, row.kings_interval))
            }
        };
        let score = row.score.map(|score| percent(score, row.score_interval));
        let score = score.unwrap_or_default();
        let line = format!(
            "{plan:width$}  {:>5}  {kings:>5}  {share:<22}  {score}",
            row.games
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// A plan with its side, and its start unless that is the usual one.
fn shown(row: &AttackRow) -> String {
    let start = match row.start.as_str() {
        "startpos" => String::new(),
        fen => format!(" from {fen}"),
    };
    let steps = match row.plan.as_str() {
        "" => "by itself",
        steps => steps,
    };
    format!("{} {steps}{start}", row.side)
}

fn percent(share: f64, interval: Interval) -> String {
    format!(
        "{:.1} % ({:.1} to {:.1})",
        100.0 * share,
        100.0 * interval.low,
        100.0 * interval.high
    )
}
