//! The tables of a report, as HTML.

use std::collections::BTreeMap;

use foglight_rules::Color;

use super::{
    coverage::Coverage,
    summary::{EntrantGroup, Matchup},
    text::{count, escape, number, percent, points, with_error},
};
use crate::stats::{
    Wdl,
    rating::{Crosstable, RatingList},
};

fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let head: String = head
        .iter()
        .map(|cell| format!("<th scope=\"col\">{cell}</th>"))
        .collect();
    let body: String = rows
        .iter()
        .map(|row| {
            let cells = row.iter().enumerate().map(|(i, cell)| match i {
                0 => format!("<th scope=\"row\">{cell}</th>"),
                _ => format!("<td>{cell}</td>"),
            });
            format!("<tr>{}</tr>", cells.collect::<String>())
        })
        .collect();
    format!(
        "<div class=\"wide\"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
}

/// Cross table, best agent first; cells are tinted by score.
pub fn cross(group: &EntrantGroup, table: &Crosstable, order: &[usize]) -> String {
    let mut html = String::from("<div class=\"wide\"><table class=\"cross\"><thead><tr><td></td>");
    for (i, &agent) in order.iter().enumerate() {
        let name = escape(&group.names[agent]);
        html.push_str(&format!(
            "<th scope=\"col\" title=\"{name}\">{}</th>",
            i + 1
        ));
    }
    html.push_str("<th scope=\"col\">points</th><th scope=\"col\">games</th></tr></thead><tbody>");
    for (i, &agent) in order.iter().enumerate() {
        let name = escape(&group.names[agent]);
        html.push_str(&format!("<tr><th scope=\"row\">{}. {name}</th>", i + 1));
        for &other in order {
            html.push_str(&cross_cell(
                (agent != other).then(|| table.between(agent, other)),
            ));
        }
        let total = table.total(agent);
        let (score, games) = (points(total.points()), count(total.games()));
        html.push_str(&format!("<td><b>{score}</b></td><td>{games}</td></tr>"));
    }
    html.push_str("</tbody></table></div>");
    html
}

/// Belief sizes at selected plies, by agent; empty if none are known.
pub fn beliefs(group: &EntrantGroup) -> String {
    const PLIES: [u32; 8] = [4, 10, 20, 30, 40, 60, 80, 100];
    let mut head = vec!["agent", "all moves"];
    let columns: Vec<String> = PLIES.iter().map(|ply| format!("move {ply}")).collect();
    head.extend(columns.iter().map(String::as_str));
    let row = |(sizes, name): (&BTreeMap<u32, Vec<f64>>, &String)| {
        let near = |ply: u32| -> Vec<f64> {
            let near = sizes.range(ply..ply + 2);
            near.flat_map(|(_, sizes)| sizes).copied().collect()
        };
        let all: Vec<f64> = sizes.values().flatten().copied().collect();
        let mut cells = vec![escape(name), middle_and_mean(all)];
        cells.extend(PLIES.iter().map(|ply| middle_and_mean(near(*ply))));
        cells
    };
    let rows = group.beliefs.iter().zip(&group.names);
    let rows: Vec<Vec<String>> = rows
        .filter(|(sizes, _)| !sizes.is_empty())
        .map(row)
        .collect();
    match rows.is_empty() {
        true => String::new(),
        false => table(&head, &rows),
    }
}

/// Coverage of the agents' beliefs; empty if none were compared.
pub fn checks(group: &EntrantGroup) -> String {
    let compared = |kind: Coverage| match kind.all {
        0 => "–".to_owned(),
        all => format!("{} of {}", count(kind.held), count(all)),
    };
    let rows: Vec<Vec<String>> = group
        .checks
        .iter()
        .zip(&group.names)
        .filter(|(checks, _)| !checks.is_empty())
        .map(|(checks, name)| {
            let (exact, bounded) = (compared(checks.exact), compared(checks.bounded));
            vec![escape(name), exact, bounded]
        })
        .collect();
    match rows.is_empty() {
        true => String::new(),
        false => table(&["agent", "exact beliefs", "bounded ones"], &rows),
    }
}

/// Median and mean of sizes, and the number of games.
fn middle_and_mean(mut sizes: Vec<f64>) -> String {
    sizes.sort_by(f64::total_cmp);
    let Some(middle) = sizes.get(sizes.len() / 2) else {
        return "–".to_owned();
    };
    let mean = sizes.iter().sum::<f64>() / sizes.len() as f64;
    format!(
        "{} <small>mean {}, {} times</small>",
        count(*middle as u64),
        count(mean.round() as u64),
        count(sizes.len() as u64)
    )
}

/// The most frequent first moves of both sides; Black's over all of White's
/// first moves.
pub fn openings(group: &EntrantGroup) -> String {
    let row = |side: Color| {
        let shares = group.habits.openings(side);
        let words: Vec<String> = shares
            .iter()
            .map(|(m, share)| format!("{} {}", escape(m), percent(*share)))
            .collect();
        vec![side.fold_wb("White", "Black").to_owned(), words.join(", ")]
    };
    table(&["side", "first moves"], &Color::ALL.map(row))
}

/// Means of the agents' metrics; empty if there are none.
pub fn told(group: &EntrantGroup) -> String {
    let agents: Vec<usize> = (0..group.names.len())
        .filter(|agent| group.habits.told(*agent).is_some())
        .collect();
    if agents.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = agents.iter().map(|&a| escape(&group.names[a])).collect();
    let mut head = vec!["mean over moves"];
    head.extend(shown.iter().map(String::as_str));
    let row = |name: &&str| {
        let mut cells = vec![escape(name)];
        cells.extend(agents.iter().map(|&agent| {
            let means = group.habits.told(agent);
            let mean = means.and_then(|means| means.get(*name));
            mean.map_or("–".to_owned(), |mean| measured(mean.value()))
        }));
        cells
    };
    let rows: Vec<Vec<String>> = group.habits.names().iter().map(row).collect();
    table(&head, &rows)
}

/// Formats large numbers without and small ones with significant decimals.
fn measured(value: f64) -> String {
    match value {
        large if large >= 1000.0 => count(large.round() as u64),
        middle if middle.abs() >= 10.0 => number(middle, 1),
        small => number(small, 3),
    }
}

fn cross_cell(wdl: Option<Wdl>) -> String {
    match wdl.filter(|wdl| wdl.games() > 0) {
        None => "<td class=\"none\">·</td>".to_owned(),
        Some(wdl) => {
            let rate = wdl.score_rate();
            let tone = if rate >= 0.5 { "good" } else { "bad" };
            let depth = (2.0 * (rate - 0.5).abs() * 55.0).round();
            let Wdl {
                wins,
                draws,
                losses,
            } = wdl;
            format!(
                "<td class=\"{tone}\" style=\"--d:{depth}%\" title=\"+{wins} ={draws} \u{2212}{losses}\">{}<small>+{wins} ={draws} \u{2212}{losses}</small></td>",
                percent(rate)
            )
        }
    }
}

/// Table of the scores of every match-up.
pub fn scores(group: &EntrantGroup, matchups: &[Matchup<'_>]) -> String {
    let mut head = vec!["match-up", "games", "+ = \u{2212}", "score"];
    if group.dice {
        head.extend(["raw score, 95 %", "luck-adjusted, 95 %"]);
    }
    head.extend(["Elo", "nElo", "LOS", "pairs 0 – 2"]);
    let rows: Vec<Vec<String>> = matchups.iter().map(|m| score_row(group.dice, m)).collect();
    table(&head, &rows)
}

fn score_row(dice: bool, matchup: &Matchup<'_>) -> Vec<String> {
    let wdl = matchup.wdl();
    let (one, other) = (escape(matchup.names.0), escape(matchup.names.1));
    let mut row = vec![
        format!("{one} <i>v</i> {other}"),
        count(wdl.games()),
        format!("{} {} {}", wdl.wins, wdl.draws, wdl.losses),
        percent(wdl.score_rate()),
    ];
    if dice {
        let adjusted = matchup.adjusted();
        let cell = |rate, error| format!("{} ± {}", percent(rate), number(196.0 * error, 1));
        row.push(adjusted.map_or("–".to_owned(), |a| cell(a.raw, a.raw_error)));
        row.push(adjusted.map_or("–".to_owned(), |a| cell(a.adjusted, a.error)));
    }
    if matchup.is_self() {
        row.extend(std::iter::repeat_n("–".to_owned(), 4));
        return row;
    }
    let summary = matchup.summary();
    let pairs = summary.ptnml().map(|counts| format!("{counts:?}"));
    row.extend([
        with_error(summary.elo.value, summary.elo.error),
        with_error(summary.nelo.value, summary.nelo.error),
        number(summary.los, 3),
        pairs.unwrap_or_else(|| "–".to_owned()),
    ]);
    row
}

/// Table of the rating list.
pub fn ratings(group: &EntrantGroup, list: &RatingList) -> String {
    let rows: Vec<Vec<String>> = list
        .rows
        .iter()
        .map(|row| {
            let Wdl {
                wins,
                draws,
                losses,
            } = row.wdl;
            vec![
                escape(&group.names[row.agent]),
                number(row.rating, 0),
                format!("± {}", number(row.error, 0)),
                count(row.wdl.games()),
                format!("{wins} {draws} {losses}"),
                percent(row.wdl.score_rate()),
                row.los_over_next
                    .map_or("–".to_owned(), |los| number(los, 3)),
            ]
        })
        .collect();
    table(
        &[
            "agent",
            "Elo",
            "95 %",
            "games",
            "+ = \u{2212}",
            "score",
            "LOS over next",
        ],
        &rows,
    )
}

/// Table of the agent behind each name.
pub fn agents(group: &EntrantGroup) -> String {
    let rows: Vec<Vec<String>> = group
        .names
        .iter()
        .zip(&group.agents)
        .map(|(name, agent)| {
            let code =
                |text: &str| format!("<code>{}</code>", escape(&super::text::short(text, 200)));
            vec![escape(name), code(&agent.agent), code(&agent.limits)]
        })
        .collect();
    table(&["name", "agent", "limits"], &rows)
}
