//! The figures of a report.

use std::collections::BTreeMap;

use foglight_rules::Termination;

use super::{
    ShownFigures,
    chart::{Bar, BarMark, Bars, Ink, Plot, PlotLayer, ScaleKind, Stroke, Svg},
    summary::{EntrantGroup, GameSummary, Matchup},
    text::{count, number, percent},
};
use crate::stats::{Wdl, interval::proportion_interval, rating::RatingList};

/// A picture with the key of its file name and a caption.
pub struct Drawn {
    /// Part of the file name.
    pub kind: &'static str,
    /// Text alternative of the picture.
    pub about: String,
    /// Text below the picture.
    pub caption: &'static str,
    pub svg: Svg,
}

/// Level of the confidence intervals of shares.
const LEVEL: f64 = 0.95;

/// Chart of the ratings of a round robin.
pub(crate) fn ratings_list(group: &EntrantGroup, list: &RatingList) -> Drawn {
    let rows = list.rows.iter().map(|row| Bar {
        label: group.names[row.agent].clone(),
        value: row.rating,
        interval: Some((row.rating - row.error, row.rating + row.error)),
        words: format!("{} ± {}", number(row.rating, 0), number(row.error, 0)),
        ink: Ink::Series(0),
    });
    let bars = Bars {
        title: "Ratings".to_owned(),
        axis: "Elo, mean of all agents = 0".to_owned(),
        rows: rows.collect(),
        mark: BarMark::Dot,
        reference: Some(0.0),
        ..Bars::default()
    };
    Drawn {
        kind: "ratings",
        about: format!("Ratings of {} agents with error bars", group.names.len()),
        caption: "Most likely ratings, two virtual draws each; bars hold 95 %.",
        svg: bars.svg(),
    }
}

/// Chart of shares of games, published figures below own ones.
pub fn shares(title: &str, rows: &[ShownFigures]) -> Svg {
    let rows = rows.iter().flat_map(|row| {
        let own = Bar {
            label: row.label.clone(),
            value: row.rate,
            interval: Some((
                (row.rate - row.error).max(0.0),
                (row.rate + row.error).min(1.0),
            )),
            words: percent(row.rate),
            ink: Ink::Series(0),
        };
        let published = row.published.map(|rate| Bar {
            label: "published".to_owned(),
            value: rate,
            interval: None,
            words: percent(rate),
            ink: Ink::Series(1),
        });
        [Some(own), published].into_iter().flatten()
    });
    let bars = Bars {
        title: title.to_owned(),
        axis: "share of games won, 95 % intervals".to_owned(),
        rows: rows.collect(),
        ends: Some((0.0, 1.0)),
        reference: Some(0.5),
        mark: BarMark::Dot,
        ..Bars::default()
    };
    bars.svg()
}

/// Bar of a share of games with Wilson's interval of this level.
pub fn share(label: &str, n: u64, of: u64, level: f64, ink: Ink) -> Bar {
    let interval = proportion_interval(n, of, level);
    let value = n as f64 / of.max(1) as f64;
    Bar {
        label: label.to_owned(),
        value,
        interval: Some((interval.low, interval.high)),
        words: format!("{} ({})", percent(value), count(n)),
        ink,
    }
}

/// Chart of the wins of two sides and the draws, then further shares; notes
/// stand below.
pub fn ratios(
    title: &str,
    names: (&str, &str),
    wdl: Wdl,
    level: f64,
    more: Vec<Bar>,
    notes: Vec<String>,
) -> Svg {
    let share = |label: &str, n, series| share(label, n, wdl.games(), level, Ink::Series(series));
    let mut rows = vec![
        share(names.0, wdl.wins, 0),
        share(names.1, wdl.losses, 1),
        share("drawn", wdl.draws, 5),
    ];
    rows.extend(more);
    let bars = Bars {
        title: title.to_owned(),
        axis: format!("share of games won, {level} intervals"),
        notes,
        rows,
        ends: Some((0.0, 1.0)),
        reference: Some(0.5),
        mark: BarMark::Bar,
    };
    bars.svg()
}

/// Chart of the results of White and Black.
pub fn by_colour(games: &[&GameSummary]) -> Drawn {
    let wdl = super::summary::white(games.iter().copied());
    let names = ("White", "Black");
    Drawn {
        kind: "colours",
        about: said(names, wdl),
        caption: "Wilson's intervals of level 0.95.",
        svg: ratios("Results by colour", names, wdl, LEVEL, vec![], vec![]),
    }
}

/// Default figures of a match-up.
pub(crate) fn of_matchup(matchup: &Matchup<'_>) -> Vec<Drawn> {
    let agents = (!matchup.is_self()).then(|| by_agent(matchup));
    let colours = by_colour(&matchup.games);
    agents.into_iter().chain([colours]).collect()
}

/// Chart of the results of two agents.
pub fn by_agent(matchup: &Matchup<'_>) -> Drawn {
    let (names, wdl) = (matchup.names, matchup.wdl());
    Drawn {
        kind: "agents",
        about: said(names, wdl),
        caption: "Wilson's intervals of level 0.95.",
        svg: ratios("Results by agent", names, wdl, LEVEL, vec![], vec![]),
    }
}

pub fn said(names: (&str, &str), wdl: Wdl) -> String {
    let (wins, losses, draws) = (wdl.wins, wdl.losses, wdl.draws);
    format!(
        "{} won {wins}, {} won {losses}, drawn {draws}",
        names.0, names.1
    )
}

/// Histogram of the lengths of games.
pub fn lengths(games: &[&GameSummary]) -> Drawn {
    let mut plies: Vec<u32> = games.iter().map(|game| game.plies).collect();
    plies.sort_unstable();
    let most = plies.last().copied().unwrap_or(0);
    let width = (most / 30 + 1).max(1);
    let mut bins = vec![0u64; (most / width + 1) as usize];
    plies
        .iter()
        .for_each(|&plies| bins[(plies / width) as usize] += 1);
    let columns = bins.iter().enumerate().map(|(i, &n)| {
        let from = f64::from(i as u32 * width);
        (from, from + f64::from(width), n as f64)
    });
    let mean = plies.iter().map(|&n| f64::from(n)).sum::<f64>() / plies.len().max(1) as f64;
    let median = plies.get(plies.len() / 2).copied().unwrap_or(0);
    let plot = Plot {
        title: "Length of games".to_owned(),
        x: "plies".to_owned(),
        y: "games".to_owned(),
        notes: vec![format!(
            "mean {}, median {median}, longest {most}",
            number(mean, 1)
        )],
        layers: vec![PlotLayer::Columns {
            columns: columns.collect(),
            ink: Ink::Series(2),
        }],
        ..Plot::default()
    };
    Drawn {
        kind: "lengths",
        about: format!(
            "Lengths of {} games, {} moves on average",
            plies.len(),
            number(mean, 1)
        ),
        caption: "Plies of both players.",
        svg: plot.svg(),
    }
}

pub fn ends(games: &[&GameSummary]) -> Drawn {
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    for game in games {
        *reasons.entry(game.reason.name()).or_default() += 1;
    }
    let mut reasons: Vec<(&str, u64)> = reasons.into_iter().collect();
    reasons.sort_by_key(|&(name, n)| (std::cmp::Reverse(n), name));
    let failed = [
        Termination::Timeout,
        Termination::IllegalMove,
        Termination::Disconnect,
        Termination::Stall,
    ];
    let rows = reasons.iter().map(|&(name, n)| Bar {
        interval: None,
        ..share(
            &name.replace('_', " "),
            n,
            games.len() as u64,
            LEVEL,
            Ink::Series(if failed.iter().any(|reason| reason.name() == name) {
                1
            } else {
                0
            }),
        )
    });
    let bars = Bars {
        title: "How games ended".to_owned(),
        axis: "share of games".to_owned(),
        rows: rows.collect(),
        ends: Some((0.0, 1.0)),
        ..Bars::default()
    };
    Drawn {
        kind: "ends",
        about: format!("Why {} games ended", games.len()),
        caption: "Terminations unrelated to skill (time, crashes, illegal moves) are orange.",
        svg: bars.svg(),
    }
}

/// The quantile of a sorted sample at `share`.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

/// Chart of the belief size of each agent by ply.
pub fn beliefs(group: &EntrantGroup) -> Option<Drawn> {
    let mut plot = Plot {
        title: "Size of beliefs".to_owned(),
        x: "ply".to_owned(),
        y: "possible positions".to_owned(),
        y_kind: ScaleKind::Log,
        ..Plot::default()
    };
    let tellers = group
        .beliefs
        .iter()
        .enumerate()
        .filter(|(_, sizes)| !sizes.is_empty());
    for (i, (agent, sizes)) in tellers.take(6).enumerate() {
        let ink = Ink::Series(i);
        let (mut middle, mut mean, mut most) = (Vec::new(), Vec::new(), Vec::new());
        for (&ply, sizes) in sizes {
            let mut sorted = sizes.clone();
            sorted.sort_by(f64::total_cmp);
            let ply = f64::from(ply);
            middle.push((ply, quantile(&sorted, 0.5)));
            mean.push((ply, sorted.iter().sum::<f64>() / sorted.len() as f64));
            most.push((ply, quantile(&sorted, 0.1), quantile(&sorted, 0.9)));
        }
        plot.layers.push(PlotLayer::Band { points: most, ink });
        plot.layers.push(PlotLayer::Line {
            points: mean,
            stroke: Stroke {
                dash: "5 3",
                ..Stroke::solid(ink, 1.6)
            },
        });
        plot.layers.push(PlotLayer::Line {
            points: middle,
            stroke: Stroke::solid(ink, 2.0),
        });
        plot.legend
            .push((Stroke::solid(ink, 6.0), group.names[agent].clone()));
    }
    if plot.layers.is_empty() {
        return None;
    }
    plot.legend
        .push((Stroke::solid(Ink::Text, 2.0), "median".to_owned()));
    plot.legend.push((
        Stroke {
            dash: "5 3",
            ..Stroke::solid(Ink::Text, 1.6)
        },
        "mean".to_owned(),
    ));
    Some(Drawn {
        kind: "beliefs",
        about: "Size of the agents' beliefs by move".to_owned(),
        caption: "Size of an agent's belief at its moves; the band contains the middle 80 % of games.",
        svg: plot.svg(),
    })
}
