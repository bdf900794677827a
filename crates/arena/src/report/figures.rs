//! The figures of a report.

use std::collections::BTreeMap;

use foglight_rules::{Color, Reason};

use super::{
    Shown,
    chart::{Bar, Bars, Ink, Kind, Layer, Mark, Plot, Stroke, Svg},
    facts::{Fact, Group, Matchup},
    text::{count, number, p_value, percent, short},
    trend::{Trend, changes, ratings},
};
use crate::stats::{
    Wdl,
    chi_square::ContingencyTable,
    interval::{LEVEL_OF_THESIS, Method, proportion_interval},
    normality::{
        Agreement, Normality, NormalityError, agreement, anderson_darling, qq_points, shapiro_wilk,
    },
    rating::RatingList,
    running::Factor,
    smooth::CurvePoint,
};

/// A picture with its place in a file name and a line below it.
pub struct Drawn {
    /// What it is, for a file name.
    pub kind: &'static str,
    /// What it says to those who cannot see it.
    pub about: String,
    /// What to know when looking at it.
    pub caption: &'static str,
    /// The picture.
    pub svg: Svg,
}

/// The level of the thesis's tests of normality.
const SIGNIFICANCE: f64 = 0.05;

/// Shapiro and Wilk's test takes no more values than this.
const MOST_FOR_SHAPIRO: usize = 5000;

/// Ratings of a round robin.
pub fn ratings_list(group: &Group, list: &RatingList) -> Drawn {
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
        mark: Mark::Dot,
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

/// Shares of games, published figures below own ones.
pub fn shares(title: &str, rows: &[Shown]) -> Svg {
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
        mark: Mark::Dot,
        ..Bars::default()
    };
    bars.svg()
}

fn share(label: &str, n: u64, of: u64, ink: Ink) -> Bar {
    let interval = proportion_interval(Method::Wilson, n, of, LEVEL_OF_THESIS);
    let value = n as f64 / of.max(1) as f64;
    Bar {
        label: label.to_owned(),
        value,
        interval: Some((interval.low, interval.high)),
        words: format!("{} ({})", percent(value), count(n)),
        ink,
    }
}

/// Wins of two sides and draws, with the test of independence.
fn ratios(title: &str, names: (&str, &str), wdl: Wdl, errors: Vec<Bar>) -> Svg {
    let games = wdl.games();
    let mut rows = vec![
        share(names.0, wdl.wins, games, Ink::Series(0)),
        share(names.1, wdl.losses, games, Ink::Series(1)),
        share("drawn", wdl.draws, games, Ink::Series(5)),
    ];
    rows.extend(errors);
    let bars = Bars {
        title: title.to_owned(),
        axis: "share of games won, 0.999 intervals".to_owned(),
        notes: vec![chi_square(wdl)],
        rows,
        ends: Some((0.0, 1.0)),
        reference: Some(0.5),
        mark: Mark::Bar,
    };
    bars.svg()
}

/// Pearson's test of the results of two sides, in words.
pub fn chi_square(wdl: Wdl) -> String {
    match ContingencyTable::mirrored(wdl) {
        Ok(table) => {
            let test = table.independence();
            let (statistic, p) = (number(test.statistic, 2), p_value(test.p_value));
            format!("χ²({}) = {statistic}, {p}", test.freedom)
        }
        Err(_) => "χ²: not testable, all results are of one kind".to_owned(),
    }
}

/// The share of games in which the evaluation of some players had gone wrong.
fn errors<'a>(
    label: &str,
    games: impl Iterator<Item = &'a Fact>,
    sides: impl Fn(&Fact) -> Vec<Color>,
) -> Option<Bar> {
    let told = games.flat_map(|game| {
        let sides = sides(game);
        sides
            .into_iter()
            .filter_map(|side| *game.erred.get(side))
            .collect::<Vec<bool>>()
    });
    let (wrong, all) = told.fold((0, 0), |(wrong, all), erred| {
        (wrong + u64::from(erred), all + 1)
    });
    (all > 0).then(|| share(label, wrong, all, Ink::Series(4)))
}

/// Win ratio by colour: the left halves of the thesis's figures 8 to 20.
pub fn by_colour(games: &[&Fact]) -> Drawn {
    let wdl = super::facts::white(games.iter().copied());
    let wrong = Color::ALL.into_iter().filter_map(|side| {
        let label = side.fold_wb("White misjudged", "Black misjudged");
        errors(label, games.iter().copied(), |_| vec![side])
    });
    Drawn {
        kind: "colours",
        about: format!(
            "Of {} games White won {}, Black {}, drawn {}",
            wdl.games(),
            wdl.wins,
            wdl.losses,
            wdl.draws
        ),
        caption: "χ² as in the thesis: every game counts once for each side. Misjudged: the last evaluation reported was two pawns or more on the wrong side.",
        svg: ratios(
            "Results by colour",
            ("White", "Black"),
            wdl,
            wrong.collect(),
        ),
    }
}

/// Win ratio by agent: the right halves of the thesis's figures 8 to 20.
pub fn by_agent(matchup: &Matchup<'_>) -> Drawn {
    let wdl = matchup.wdl();
    let (first, second) = matchup.agents;
    let wrong = [(first, matchup.names.0), (second, matchup.names.1)].into_iter();
    let wrong = wrong.filter_map(|(agent, name)| {
        let sides = |game: &Fact| {
            let own = |side: &Color| *game.players.get(*side) == agent;
            Color::ALL.into_iter().filter(own).collect()
        };
        let label = format!("{} misjudged", short(name, 12));
        errors(&label, matchup.games.iter().copied(), sides)
    });
    Drawn {
        kind: "agents",
        about: format!(
            "{} won {}, {} won {}, drawn {}",
            matchup.names.0, wdl.wins, matchup.names.1, wdl.losses, wdl.draws
        ),
        caption: "Wilson's intervals of level 0.999, the level of the thesis.",
        svg: ratios("Results by agent", matchup.names, wdl, wrong.collect()),
    }
}

fn line(curve: &[CurvePoint], stroke: Stroke) -> Layer {
    Layer::Line {
        points: curve.iter().map(|point| (point.x, point.fit)).collect(),
        stroke,
    }
}

fn band(curve: &[CurvePoint], ink: Ink) -> Layer {
    Layer::Band {
        points: curve
            .iter()
            .map(|point| (point.x, point.low, point.high))
            .collect(),
        ink,
    }
}

/// The strokes of the rating itself and of its three curves.
fn strokes(ink: Ink) -> [Stroke; 4] {
    let curve = Stroke::solid(ink, 1.8);
    [
        Stroke {
            opacity: 0.4,
            ..Stroke::solid(ink, 0.8)
        },
        Stroke {
            opacity: 0.5,
            ..Stroke::solid(ink, 4.0)
        },
        Stroke {
            dash: "8 4",
            ..curve
        },
        Stroke {
            dash: "2 3",
            ..curve
        },
    ]
}

/// Ratings over the games with three regressions: figures 21 to 23.
pub fn rating_trend(matchup: &Matchup<'_>, k: Factor) -> Drawn {
    let first = Trend::new(&ratings(matchup, k));
    // Both have played as often, and whole numbers end far below 2400: they
    // have the same K, whichever it is.
    let second = first.mirrored();
    let mut layers = Vec::new();
    for (trend, ink) in [(&first, Ink::Series(0)), (&second, Ink::Series(1))] {
        let [thin, average, kernel, spline] = strokes(ink);
        layers.push(band(&trend.average, ink));
        layers.push(band(&trend.kernel, ink));
        layers.push(band(&trend.spline, ink));
        layers.push(Layer::Line {
            points: trend.ratings.clone(),
            stroke: thin,
        });
        layers.push(line(&trend.average, average));
        layers.push(line(&trend.kernel, kernel));
        layers.push(line(&trend.spline, spline));
    }
    let [thin, average, kernel, spline] = strokes(Ink::Text);
    let legend = vec![
        (
            Stroke::solid(Ink::Series(0), 6.0),
            matchup.names.0.to_owned(),
        ),
        (
            Stroke::solid(Ink::Series(1), 6.0),
            matchup.names.1.to_owned(),
        ),
        (thin, "rating".to_owned()),
        (average, "moving average".to_owned()),
        (kernel, "kernel".to_owned()),
        (spline, "spline".to_owned()),
    ];
    let plot = Plot {
        title: "Rating over the games".to_owned(),
        x: "game".to_owned(),
        y: format!("Elo, K = {k}"),
        layers,
        legend,
        ..Plot::default()
    };
    Drawn {
        kind: "trend",
        about: format!("Running Elo of {} and {}", matchup.names.0, matchup.names.1),
        caption: "Running Elo from 500, with bands of level 0.999 that take the ratings as independent, as the thesis did: they are too narrow. A long series is drawn as means of blocks.",
        svg: plot.svg(),
    }
}

/// Is a sample normal? In words, and against the normal quantiles.
fn qq(title: &str, y: &str, values: &[f64]) -> Svg {
    let points = qq_points(values);
    let step = points.len().div_ceil(400).max(1);
    let kept = points.iter().step_by(step).chain(points.last());
    let dots: Vec<(f64, f64)> = kept
        .map(|point| (point.theoretical, point.sample))
        .collect();
    let size = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / size;
    let deviation = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / size).sqrt();
    let ends = [dots.first(), dots.last()].into_iter().flatten();
    let diagonal = ends.map(|&(x, _)| (x, mean + deviation * x)).collect();
    let plot = Plot {
        title: title.to_owned(),
        x: "normal quantile".to_owned(),
        y: y.to_owned(),
        notes: normality_in_words(values),
        layers: vec![
            Layer::Line {
                points: diagonal,
                stroke: Stroke {
                    dash: "5 4",
                    ..Stroke::solid(Ink::Faint, 1.5)
                },
            },
            Layer::Dots {
                points: dots,
                ink: Ink::Series(0),
            },
        ],
        ..Plot::default()
    };
    plot.svg()
}

fn normality_in_words(values: &[f64]) -> Vec<String> {
    let step = values.len().div_ceil(MOST_FOR_SHAPIRO).max(1);
    let some: Vec<f64> = values.iter().step_by(step).copied().collect();
    let (wilk, darling) = (shapiro_wilk(&some), anderson_darling(values));
    let words = |name: &str, sign: &str, test: &Result<Normality, NormalityError>| match test {
        Ok(test) => format!(
            "{name}: {sign} = {}, {}",
            number(test.statistic, 4),
            p_value(test.p_value)
        ),
        Err(NormalityError::Constant) => format!("{name}: all values are equal"),
        Err(_) => format!("{name}: too few games"),
    };
    let every = if step > 1 {
        format!(" (every {step}th)")
    } else {
        String::new()
    };
    let mut notes = vec![
        words("Shapiro-Wilk", "W", &wilk) + &every,
        words("Anderson-Darling", "A²", &darling),
    ];
    if let (Ok(wilk), Ok(darling)) = (wilk, darling) {
        notes.push(
            match agreement(wilk.p_value, darling.p_value, SIGNIFICANCE) {
                Agreement::Reject => "Both at 0.05: not normal".to_owned(),
                Agreement::FailToReject => "Both at 0.05: may be normal".to_owned(),
                Agreement::Contradiction => "At 0.05 the two disagree".to_owned(),
            },
        );
    }
    notes
}

/// QQ plots of the rating after each game and of what each game changed.
pub fn normality(matchup: &Matchup<'_>, k: Factor) -> [Drawn; 2] {
    let ratings = ratings(matchup, k);
    let about = |what: &str| format!("QQ plot of the {what} of {}", matchup.names.0);
    [
        Drawn {
            kind: "qq-changes",
            about: about("rating changes"),
            caption: "What each game changed in the first agent's rating: few distinct values, so hardly ever normal.",
            svg: qq(
                "Are rating changes normal?",
                "change in Elo",
                &changes(&ratings),
            ),
        },
        Drawn {
            kind: "qq-ratings",
            about: about("ratings"),
            caption: "The first agent's rating after each game: the thesis's table 5 and figures 5 to 7.",
            svg: qq("Are ratings normal?", "Elo", &ratings),
        },
    ]
}

/// How long games were.
pub fn lengths(games: &[&Fact]) -> Drawn {
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
        x: "single moves".to_owned(),
        y: "games".to_owned(),
        notes: vec![format!(
            "mean {}, median {median}, longest {most}",
            number(mean, 1)
        )],
        layers: vec![Layer::Columns {
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
        caption: "Both players' single moves.",
        svg: plot.svg(),
    }
}

/// Why games ended.
pub fn ends(games: &[&Fact]) -> Drawn {
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    for game in games {
        *reasons.entry(game.reason.name()).or_default() += 1;
    }
    let mut reasons: Vec<(&str, u64)> = reasons.into_iter().collect();
    reasons.sort_by_key(|&(name, n)| (std::cmp::Reverse(n), name));
    let failed = [
        Reason::Timeout,
        Reason::IllegalMove,
        Reason::Disconnect,
        Reason::Stall,
    ];
    let rows = reasons.iter().map(|&(name, n)| Bar {
        interval: None,
        ..share(
            &name.replace('_', " "),
            n,
            games.len() as u64,
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
        caption: "Ends that are nobody's skill (time, crashes, illegal moves) stand out in orange.",
        svg: bars.svg(),
    }
}

/// The value at a share of a sorted sample.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

/// How many positions each agent held possible, by ply.
pub fn beliefs(group: &Group) -> Option<Drawn> {
    let mut plot = Plot {
        title: "Size of beliefs".to_owned(),
        x: "single move".to_owned(),
        y: "positions held possible".to_owned(),
        y_kind: Kind::Log,
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
        plot.layers.push(Layer::Band { points: most, ink });
        plot.layers.push(Layer::Line {
            points: mean,
            stroke: Stroke {
                dash: "5 3",
                ..Stroke::solid(ink, 1.6)
            },
        });
        plot.layers.push(Layer::Line {
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
        caption: "Positions that an agent held possible at its moves; the band holds the middle 80 % of games.",
        svg: plot.svg(),
    })
}
