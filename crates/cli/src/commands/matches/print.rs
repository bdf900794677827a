//! What a match prints: the lines that other tools read, and a progress bar for
//! people.

use std::{
    io::{self, BufWriter, Stdout, Write},
    time::{Duration, Instant},
};

use foglight_arena::{
    stats::{
        Summary, Verdict,
        rating::{Crosstable, RatingList, RatingOptions},
    },
    tournament::{Event, Tally, Tournament},
};
use foglight_engine::dice::luck::Adjusted;
use foglight_rules::{Color, Outcome, Reason};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::{on_terminal, words::Words};

/// Between two interim reports at least.
const PAUSE: Duration = Duration::from_millis(500);

/// Prints a match.
pub struct Printer<'a> {
    tournament: &'a Tournament,
    words: &'a Words,
    out: BufWriter<Stdout>,
    bar: Option<ProgressBar>,
    finished: u64,
    last: Instant,
}

impl<'a> Printer<'a> {
    /// For a match of which `before` games are already played.
    pub fn new(words: &'a Words, tournament: &'a Tournament, before: u64) -> Printer<'a> {
        let bar = on_terminal().then(|| {
            let style = ProgressStyle::with_template(
                "{bar:30} {pos}/{len} games, {eta} left, {per_sec} {msg}",
            );
            let bar = ProgressBar::new(tournament.plan.len());
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_position(before);
            bar
        });
        Printer {
            tournament,
            words,
            out: BufWriter::new(io::stdout()),
            bar,
            finished: before,
            last: Instant::now(),
        }
    }

    fn name(&self, contestant: usize) -> &'a str {
        &self.tournament.contestants[contestant].name
    }

    /// Tells what happened.
    pub fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Started(fixture) if !self.silent() => writeln!(
                self.out,
                "Started game {} of {} ({} vs {})",
                fixture.number,
                self.tournament.plan.len(),
                self.name(fixture.players.white),
                self.name(fixture.players.black),
            ),
            Event::Started(_) => Ok(()),
            Event::Finished {
                record,
                fault,
                tally,
            } => {
                self.finished += 1;
                if let Some(bar) = &self.bar {
                    bar.set_position(self.finished);
                }
                if self.silent() {
                    return Ok(());
                }
                let (white, black) = (&record.players.white.name, &record.players.black.name);
                let outcome = record.record.outcome.expect("a finished game");
                let how = match fault {
                    Some((side, fault)) => format!("{side:?} {fault}"),
                    None => told(outcome),
                };
                writeln!(
                    self.out,
                    "Finished game {} ({white} vs {black}): {} {{{how}}}",
                    record.number,
                    outcome.result(),
                )?;
                self.interim(tally)
            }
        }
    }

    fn silent(&self) -> bool {
        self.words.json || self.words.quiet
    }

    /// Every so many games, but not more often than people can read.
    fn interim(&mut self, tally: &Tally) -> io::Result<()> {
        let due = self.finished.is_multiple_of(self.words.interval);
        if due && self.last.elapsed() >= PAUSE {
            self.last = Instant::now();
            self.standings(tally)?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// Takes the bar off the screen.
    pub fn finish_bar(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// The final report.
    pub fn report(&mut self, tally: &Tally) -> io::Result<()> {
        if self.words.json {
            writeln!(self.out, "{}", self.object(tally))?;
        } else {
            self.standings(tally)?;
            if let Some(verdict) = tally.verdict() {
                let kept = match verdict {
                    Verdict::AcceptH1 => "H1",
                    _ => "H0",
                };
                writeln!(self.out, "SPRT: {kept} was accepted")?;
            }
        }
        self.out.flush()
    }

    fn standings(&mut self, tally: &Tally) -> io::Result<()> {
        writeln!(
            self.out,
            "--------------------------------------------------"
        )?;
        match self.tournament.contestants.len() {
            2 => {
                let summary = tally.summary(0, 1, self.tournament.sprt.as_ref());
                let names = (self.name(0), self.name(1));
                write_summary(&mut self.out, names, &summary)?;
            }
            _ => self.table(tally)?,
        }
        self.luck(tally)?;
        writeln!(
            self.out,
            "--------------------------------------------------"
        )
    }

    /// In dice games: a line for each two who met.
    fn luck(&mut self, tally: &Tally) -> io::Result<()> {
        for (one, other, luck) in self.lucks(tally) {
            let names = match self.tournament.contestants.len() {
                2 => String::new(),
                _ => format!(" of {} vs {}", self.name(one), self.name(other)),
            };
            writeln!(
                self.out,
                "Luck-adjusted{names}: {:.2} % +/- {:.2} (raw {:.2} % +/- {:.2})",
                100.0 * luck.adjusted,
                196.0 * luck.error,
                100.0 * luck.raw,
                196.0 * luck.raw_error,
            )?;
        }
        Ok(())
    }

    fn lucks(&self, tally: &Tally) -> Vec<(usize, usize, Adjusted)> {
        let n = self.tournament.contestants.len();
        let met = (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other)));
        met.filter_map(|(one, other)| Some((one, other, tally.luck(one, other)?)))
            .collect()
    }

    /// Rates with the half-widths of their 95 % intervals.
    fn luck_objects(&self, tally: &Tally) -> Vec<Value> {
        let lucks = self.lucks(tally).into_iter();
        let object = |(one, other, luck): (usize, usize, Adjusted)| {
            json!({
                "engines": [self.name(one), self.name(other)],
                "raw": luck.raw,
                "raw_error": 1.96 * luck.raw_error,
                "adjusted": luck.adjusted,
                "error": 1.96 * luck.error,
                "share": luck.share,
            })
        };
        lucks.map(object).collect()
    }

    fn rating_list(&self, tally: &Tally) -> Option<RatingList> {
        let n = self.tournament.contestants.len();
        let mut table = Crosstable::new(n);
        for one in 0..n {
            for other in one + 1..n {
                table.add(one, other, tally.between(one, other));
            }
        }
        RatingList::new(&table, RatingOptions::default()).ok()
    }

    fn table(&mut self, tally: &Tally) -> io::Result<()> {
        let Some(list) = self.rating_list(tally) else {
            return Ok(());
        };
        writeln!(
            self.out,
            "{:>4} {:<28} {:>8} {:>7} {:>7} {:>8}",
            "Rank", "Name", "Elo", "+/-", "Games", "Score"
        )?;
        for (i, row) in list.rows.iter().enumerate() {
            writeln!(
                self.out,
                "{:>4} {:<28} {:>8.1} {:>7.1} {:>7} {:>7.1}%",
                i + 1,
                self.tournament.contestants[row.agent].name,
                row.rating,
                row.error,
                row.wdl.games(),
                100.0 * row.wdl.score_rate(),
            )?;
        }
        Ok(())
    }

    /// The same as one object.
    fn object(&self, tally: &Tally) -> Value {
        let contestants = &self.tournament.contestants;
        let players: Vec<Value> = contestants
            .iter()
            .map(|c| json!({"name": c.name, "agent": c.agent, "limits": c.limits.to_string()}))
            .collect();
        let mut object = json!({
            "game": self.words.game.name(),
            "rules": self.words.game.rules_name(),
            "seed": self.words.seed,
            "games": tally.games(),
            "engines": players,
        });
        if contestants.len() == 2 {
            let summary = tally.summary(0, 1, self.tournament.sprt.as_ref());
            let text = serde_json::to_value(summary).unwrap_or(Value::Null);
            object["summary"] = text;
            object["score"] = json!(summary.score_rate());
            object["ptnml"] = json!(summary.ptnml());
        } else if let Some(list) = self.rating_list(tally) {
            let row = |row: &foglight_arena::stats::rating::Rated| {
                json!({
                    "name": contestants[row.agent].name,
                    "rating": row.rating,
                    "error": row.error,
                    "games": row.wdl.games(),
                    "score": row.wdl.score_rate(),
                })
            };
            object["ratings"] = list.rows.iter().map(row).collect();
        }
        if self.words.game.has_dice() {
            object["luck"] = self.luck_objects(tally).into();
        }
        object
    }
}

/// `White captures the king`, `Draw by repetition`.
fn told(outcome: Outcome) -> String {
    let winner = outcome
        .winner
        .map_or("Draw".to_owned(), |side| format!("{side:?}"));
    let loser = outcome
        .winner
        .map_or(String::new(), |side: Color| format!("{:?}", !side));
    match outcome.reason {
        Reason::KingCaptured => format!("{winner} captures the king"),
        Reason::Checkmate => format!("{winner} mates"),
        Reason::NoMoves if outcome.winner.is_some() => format!("{loser} has no moves"),
        Reason::NoMoves => "Draw: no moves".to_owned(),
        Reason::Stalemate => "Draw by stalemate".to_owned(),
        Reason::Repetition => "Draw by 3-fold repetition".to_owned(),
        Reason::FiftyMoves => "Draw by fifty moves rule".to_owned(),
        Reason::BareKings => "Draw: two bare kings".to_owned(),
        Reason::InsufficientMaterial => "Draw by insufficient mating material".to_owned(),
        Reason::MoveLimit => "Draw by move limit".to_owned(),
        Reason::Timeout => format!("{loser} loses on time"),
        Reason::Resign => format!("{loser} resigns"),
        Reason::Agreement => "Draw by agreement".to_owned(),
        Reason::IllegalMove => format!("{loser} makes an illegal move"),
        Reason::Disconnect => format!("{loser} disconnects"),
        Reason::Stall => format!("{loser}'s connection stalls"),
    }
}

fn write_summary(out: &mut impl Write, names: (&str, &str), summary: &Summary) -> io::Result<()> {
    let wdl = summary.wdl;
    writeln!(out, "Results of {} vs {}:", names.0, names.1)?;
    writeln!(
        out,
        "Elo: {:.2} +/- {:.2}, nElo: {:.2} +/- {:.2}",
        summary.elo.value, summary.elo.error, summary.nelo.value, summary.nelo.error
    )?;
    write!(
        out,
        "LOS: {:.2} %, DrawRatio: {:.2} %",
        100.0 * summary.los,
        100.0 * summary.draw_ratio
    )?;
    match summary.pairs_ratio() {
        Some(ratio) => writeln!(out, ", PairsRatio: {ratio:.2}")?,
        None => writeln!(out)?,
    }
    writeln!(
        out,
        "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)",
        wdl.games(),
        wdl.wins,
        wdl.losses,
        wdl.draws,
        wdl.points(),
        100.0 * wdl.score_rate()
    )?;
    if let Some([a, b, c, d, e]) = summary.ptnml() {
        writeln!(out, "Ptnml(0-2): [{a}, {b}, {c}, {d}, {e}]")?;
    }
    if let Some(test) = &summary.test {
        let share = 100.0 * test.llr
            / if test.llr >= 0.0 {
                test.upper
            } else {
                -test.lower
            };
        writeln!(
            out,
            "LLR: {:.2} ({share:.1}%) ({:.2}, {:.2}) [{:.2}, {:.2}]",
            test.llr, test.lower, test.upper, test.elo0, test.elo1
        )?;
    }
    Ok(())
}
