//! The figures of the thesis: win ratios by colour and agent with 0.999
//! intervals, ratings over the games with three regressions, QQ plots.

use foglight_arena::{
    report::{
        Drawn, GameSummary, Matchup,
        chart::{Bar, Ink, Plot, PlotLayer, Stroke, Svg},
        ratios, said, share,
        text::{number, p_value, short},
        white,
    },
    stats::{Wdl, running::KFactor},
};
use foglight_rules::Color;

use super::{
    LEVEL,
    trend::{Trend, changes, ratings},
};
use crate::{
    csv,
    stats::{
        chi_square::ContingencyTable,
        normality::{
            Agreement, Normality, NormalityError, agreement, anderson_darling, qq_points,
            shapiro_wilk,
        },
        smooth::CurvePoint,
    },
};

/// Significance level of the thesis's tests of normality.
const SIGNIFICANCE: f64 = 0.05;

/// Maximum sample size of the Shapiro-Wilk test.
const MOST_FOR_SHAPIRO: usize = 5000;

/// All figures of a match-up.
pub fn figures(matchup: &Matchup<'_>, k: KFactor) -> Vec<Drawn> {
    let colours = by_colour(&matchup.games);
    if matchup.is_self() {
        return vec![colours];
    }
    let [changes, ratings] = normality(matchup, k);
    vec![
        by_agent(matchup),
        colours,
        rating_trend(matchup, k),
        changes,
        ratings,
    ]
}

/// Whether the last evaluation that a side reported was wrong; `None` for
/// players that report none.
fn erred(game: &GameSummary, side: Color) -> Option<bool> {
    let last = *game.last_scores.get(side);
    last.map(|last| csv::erred(Some(last), side, game.winner()))
}

/// Text of Pearson's test on the results of two sides.
fn chi_square(wdl: Wdl) -> String {
    match ContingencyTable::mirrored(wdl) {
        Ok(table) => {
            let test = table.independence();
            let (statistic, p) = (number(test.statistic, 2), p_value(test.p_value));
            format!("χ²({}) = {statistic}, {p}", test.freedom)
        }
        Err(_) => "χ²: not testable, all results are of one kind".to_owned(),
    }
}

/// Bar of the share of games in which the players' last evaluation was wrong.
fn errors<'a>(
    label: &str,
    games: impl Iterator<Item = &'a GameSummary>,
    sides: impl Fn(&GameSummary) -> Vec<Color>,
) -> Option<Bar> {
    let told = games.flat_map(|game| {
        let sides = sides(game);
        sides
            .into_iter()
            .filter_map(|side| erred(game, side))
            .collect::<Vec<bool>>()
    });
    let (wrong, all) = told.fold((0, 0), |(wrong, all), erred| {
        (wrong + u64::from(erred), all + 1)
    });
    (all > 0).then(|| share(label, wrong, all, LEVEL, Ink::Series(4)))
}

/// Win ratio by colour: the left halves of the thesis's figures 8 to 20.
fn by_colour(games: &[&GameSummary]) -> Drawn {
    let wdl = white(games.iter().copied());
    let wrong = Color::ALL.into_iter().filter_map(|side| {
        let label = side.fold_wb("White misjudged", "Black misjudged");
        errors(label, games.iter().copied(), |_| vec![side])
    });
    Drawn {
        kind: "colours",
        about: said(("White", "Black"), wdl),
        caption: "χ² as in the thesis: every game counts once for each side. Misjudged: the last evaluation reported was two pawns or more on the wrong side.",
        svg: ratios(
            "Results by colour",
            ("White", "Black"),
            wdl,
            LEVEL,
            wrong.collect(),
            vec![chi_square(wdl)],
        ),
    }
}

/// Win ratio by agent: the right halves of the thesis's figures 8 to 20.
fn by_agent(matchup: &Matchup<'_>) -> Drawn {
    let wdl = matchup.wdl();
    let (first, second) = matchup.agents;
    let wrong = [(first, matchup.names.0), (second, matchup.names.1)].into_iter();
    let wrong = wrong.filter_map(|(agent, name)| {
        let sides = |game: &GameSummary| {
            let own = |side: &Color| *game.players.get(*side) == agent;
            Color::ALL.into_iter().filter(own).collect()
        };
        let label = format!("{} misjudged", short(name, 12));
        errors(&label, matchup.games.iter().copied(), sides)
    });
    Drawn {
        kind: "agents",
        about: said(matchup.names, wdl),
        caption: "Wilson's intervals of level 0.999, the level of the thesis.",
        svg: ratios(
            "Results by agent",
            matchup.names,
            wdl,
            LEVEL,
            wrong.collect(),
            vec![chi_square(wdl)],
        ),
    }
}

fn line(curve: &[CurvePoint], stroke: Stroke) -> PlotLayer {
    PlotLayer::Line {
        points: curve.iter().map(|point| (point.x, point.fit)).collect(),
        stroke,
    }
}

fn band(curve: &[CurvePoint], ink: Ink) -> PlotLayer {
    PlotLayer::Band {
        points: curve
            .iter()
            .map(|point| (point.x, point.low, point.high))
            .collect(),
        ink,
    }
}

/// Strokes of the rating and of its three curves.
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
fn rating_trend(matchup: &Matchup<'_>, k: KFactor) -> Drawn {
    let first = Trend::new(&ratings(matchup, k));
    // Both have played equally often, and whole numbers end far below 2400:
    // they have the same K under either rule.
    let second = first.mirrored();
    let mut layers = Vec::new();
    for (trend, ink) in [(&first, Ink::Series(0)), (&second, Ink::Series(1))] {
        let [thin, average, kernel, spline] = strokes(ink);
        layers.push(band(&trend.average, ink));
        layers.push(band(&trend.kernel, ink));
        layers.push(band(&trend.spline, ink));
        layers.push(PlotLayer::Line {
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
        caption: "Running Elo from 500, with bands of level 0.999 that assume independent ratings, as in the thesis: they are too narrow. A long series is drawn as means of blocks.",
        svg: plot.svg(),
    }
}

/// QQ plot of a sample against the normal quantiles, with the tests of
/// normality as text.
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
            PlotLayer::Line {
                points: diagonal,
                stroke: Stroke {
                    dash: "5 4",
                    ..Stroke::solid(Ink::Faint, 1.5)
                },
            },
            PlotLayer::Dots {
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

/// QQ plots of the rating after each game and of the rating changes.
fn normality(matchup: &Matchup<'_>, k: KFactor) -> [Drawn; 2] {
    let ratings = ratings(matchup, k);
    let about = |what: &str| format!("QQ plot of the {what} of {}", matchup.names.0);
    [
        Drawn {
            kind: "qq-changes",
            about: about("rating changes"),
            caption: "Changes of the first agent's rating by game: few distinct values, so hardly ever normal.",
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
