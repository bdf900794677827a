//! The HTML page: one file without external resources or scripts.

use super::{
    Figure, MatchReport, ReportOptions, Source,
    chart::dark_style,
    figures::{self, Drawn},
    summary::{EntrantGroup, GameSummary, Matchup, white},
    tables,
    text::{count, escape, number, percent, points, short, slug, with_error},
};
use crate::stats::rating::{RatingList, RatingOptions};

const STYLE: &str = include_str!("style.css");

/// Match-ups shown expanded; a longer list is collapsed.
const OPEN: usize = 3;

/// Page under construction, and its figures.
pub(crate) struct ReportPage<'a> {
    sources: &'a [Source<'a>],
    options: &'a ReportOptions<'a>,
    body: String,
    figures: Vec<Figure>,
}

impl<'a> ReportPage<'a> {
    pub fn new(sources: &'a [Source<'a>], options: &'a ReportOptions<'a>) -> ReportPage<'a> {
        ReportPage {
            sources,
            options,
            body: String::new(),
            figures: Vec::new(),
        }
    }

    pub fn of(mut self, groups: &[EntrantGroup]) -> MatchReport {
        self.head(groups);
        for group in groups {
            self.group(group);
        }
        self.push(&format!(
            "<p class=\"note\">Made by Foglight {} from {} games.</p>",
            env!("CARGO_PKG_VERSION"),
            count(groups.iter().map(|group| group.games.len() as u64).sum()),
        ));
        let (body, dark) = (&self.body, dark_style());
        let html = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline';img-src data:\"><title>Match report</title><style>{STYLE}{dark}</style></head><body>{body}</body></html>\n"
        );
        MatchReport {
            html,
            figures: self.figures,
        }
    }

    fn push(&mut self, html: &str) {
        self.body.push_str(html);
        self.body.push('\n');
    }

    fn head(&mut self, groups: &[EntrantGroup]) {
        let files: Vec<String> = self
            .sources
            .iter()
            .map(|source| format!("<code>{}</code>", escape(&short(source.name, 120))))
            .collect();
        self.push("<h1>Match report</h1>");
        self.push(&format!("<p class=\"lead\">{}</p>", files.join(", ")));
        if groups.iter().all(|group| group.games.is_empty()) {
            self.push("<p>No finished game yet. A match writes a line for each game that ends: look again later.</p>");
        }
    }

    fn group(&mut self, group: &EntrantGroup) {
        let matchups = group.matchups();
        let games: Vec<&GameSummary> = group.games.iter().collect();
        self.push(&format!("<section><h2>{}</h2>", escape(&group.title)));
        self.facts(group);
        if games.is_empty() {
            self.push("</section>");
            return;
        }
        let table = group.crosstable();
        let list = RatingList::new(&table, RatingOptions::default()).ok();
        let place = slug(&group.title);
        self.push("<div class=\"figures\">");
        if let Some(list) = &list {
            self.figure(&place, figures::ratings_list(group, list));
        }
        if matchups.len() > 1 {
            self.figure(&place, figures::by_colour(&games));
        }
        self.figure(&place, figures::ends(&games));
        self.figure(&place, figures::lengths(&games));
        if let Some(beliefs) = figures::beliefs(group) {
            self.figure(&place, beliefs);
        }
        self.push("</div>");
        if let Some(list) = &list {
            self.push("<h3>Cross table</h3>");
            let order: Vec<usize> = list.rows.iter().map(|row| row.agent).collect();
            self.push(&tables::cross(group, &table, &order));
        }
        for (i, matchup) in matchups.iter().enumerate() {
            let place = match matchups.len() {
                1 => place.clone(),
                _ => format!(
                    "{place}-{:02}-{}-{}",
                    i + 1,
                    slug(matchup.names.0),
                    slug(matchup.names.1)
                ),
            };
            self.matchup(&place, matchup, i < OPEN);
        }
        self.numbers(group, &matchups, list.as_ref());
        self.push("</section>");
    }

    /// Key numbers at the head of the page.
    fn facts(&mut self, group: &EntrantGroup) {
        let wdl = white(&group.games);
        let mut facts = vec![
            (count(wdl.games()), "games"),
            (group.names.len().to_string(), "agents"),
            (percent(wdl.score_rate()), "White's score"),
            (percent(wdl.draw_ratio()), "drawn"),
            (number(mean_length(group), 1), "single moves a game"),
        ];
        if group.unfinished > 0 {
            facts.push((count(group.unfinished), "unfinished, left out"));
        }
        let cards: String = facts
            .iter()
            .map(|(number, what)| format!("<div><b>{number}</b><span>{what}</span></div>"))
            .collect();
        self.push(&format!("<div class=\"facts\">{cards}</div>"));
    }

    fn matchup(&mut self, place: &str, matchup: &Matchup<'_>, open: bool) {
        let open = if open { " open" } else { "" };
        self.push(&format!(
            "<details{open}><summary>{}</summary><div class=\"figures\">",
            headline(matchup)
        ));
        let drawn = match self.options.figures {
            Some(figures) => figures(matchup),
            None => figures::of_matchup(matchup),
        };
        for drawn in drawn {
            self.figure(place, drawn);
        }
        self.push("</div></details>");
    }

    /// The tables of the page.
    fn numbers(
        &mut self,
        group: &EntrantGroup,
        matchups: &[Matchup<'_>],
        list: Option<&RatingList>,
    ) {
        self.push("<h3>Scores</h3>");
        self.push(&tables::scores(group, matchups));
        self.push("<p class=\"note\">Elo, normalised Elo and LOS as fastchess prints them, with 95 % errors, by pairs where games came in pairs.</p>");
        if group.dice {
            self.push("<p class=\"note\">Luck-adjusted: the gains and losses of a frozen evaluation by the rolls have mean 0 for all players; removing the part that correlates with the score leaves its mean and narrows its error.</p>");
        }
        if let Some(list) = list {
            self.push("<h3>Ratings</h3>");
            self.push(&tables::ratings(group, list));
        }
        let beliefs = tables::beliefs(group);
        if !beliefs.is_empty() {
            self.push("<h3>Sizes of beliefs</h3>");
            self.push(&beliefs);
            self.push(
                "<p class=\"note\">Size of the mover's belief, median and mean, by ply from 0.</p>",
            );
        }
        let checks = tables::checks(group);
        if !checks.is_empty() {
            self.push("<h3>The truth in beliefs</h3>");
            self.push(&checks);
            self.push("<p class=\"note\">Share of beliefs that contained the true position, as found by the referee. A bounded belief is a subset of the consistent positions, so it may miss the true one.</p>");
        }
        self.push("<h3>First moves</h3>");
        self.push(&tables::openings(group));
        let told = tables::told(group);
        if !told.is_empty() {
            self.push("<h3>Metrics of the agents</h3>");
            self.push(&told);
        }
        self.push("<h3>Agents</h3>");
        self.push(&tables::agents(group));
    }

    fn figure(&mut self, place: &str, drawn: Drawn) {
        let Drawn {
            kind,
            about,
            caption,
            svg,
        } = drawn;
        self.push(&format!(
            "<figure>{}<figcaption>{}</figcaption></figure>",
            svg.finish(&about, false),
            escape(caption)
        ));
        let name = format!("{place}-{kind}");
        let mut free = name.clone();
        let mut number = 2;
        while self.figures.iter().any(|figure| figure.name == free) {
            free = format!("{name}-{number}");
            number += 1;
        }
        self.figures.push(Figure {
            name: free,
            svg: svg.finish(&about, true),
        });
    }
}

fn mean_length(group: &EntrantGroup) -> f64 {
    let plies: u64 = group.games.iter().map(|game| u64::from(game.plies)).sum();
    plies as f64 / group.games.len().max(1) as f64
}

/// One-line summary of a match-up.
fn headline(matchup: &Matchup<'_>) -> String {
    let (one, other) = (escape(matchup.names.0), escape(matchup.names.1));
    let wdl = matchup.wdl();
    if matchup.is_self() {
        return format!(
            "{one} <i>v</i> itself <span>{} games</span>",
            count(wdl.games())
        );
    }
    let summary = matchup.summary();
    format!(
        "{one} <i>v</i> {other} <span>{} : {}, Elo {}, LOS {}</span>",
        points(wdl.points()),
        points(wdl.flipped().points()),
        with_error(summary.elo.value, summary.elo.error),
        number(summary.los, 3),
    )
}
