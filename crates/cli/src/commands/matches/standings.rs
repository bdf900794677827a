//! Standings of a match, printed at intervals and at its end, by `match` and
//! `merge`.

use std::io::{self, Write};

use foglight_arena::{
    record::PlayerInfo,
    stats::{
        Sprt, SprtVerdict, Summary,
        rating::{Crosstable, RatingList, RatingOptions},
    },
    tally::Standing,
};
use foglight_engine::dice::luck::Adjusted;
use foglight_rules::Game;
use serde_json::{Value, json};

/// Facts of a match needed to print its standings.
pub(crate) struct Standings {
    pub(crate) game: Game,
    pub(crate) seed: u64,
    /// Contestants in the order of the tally.
    pub(crate) players: Vec<PlayerInfo>,
    pub(crate) sprt: Option<Sprt>,
}

impl Standings {
    fn name(&self, contestant: usize) -> &str {
        &self.players[contestant].name
    }

    /// Prints the final report.
    pub(crate) fn report(&self, out: &mut impl Write, tally: &Standing) -> io::Result<()> {
        self.write(out, tally)?;
        if let Some(verdict) = tally.verdict() {
            let kept = match verdict {
                SprtVerdict::AcceptH1 => "H1",
                _ => "H0",
            };
            writeln!(out, "SPRT: {kept} was accepted")?;
        }
        Ok(())
    }

    /// Prints the statistics between two lines.
    pub(crate) fn write(&self, out: &mut impl Write, tally: &Standing) -> io::Result<()> {
        writeln!(out, "--------------------------------------------------")?;
        match self.players.len() {
            2 => {
                let summary = tally.summary(0, 1, self.sprt.as_ref());
                let names = (self.name(0), self.name(1));
                write_summary(out, names, &summary)?;
            }
            _ => self.table(out, tally)?,
        }
        self.luck(out, tally)?;
        writeln!(out, "--------------------------------------------------")
    }

    /// Prints a line for every two contestants of a dice game.
    fn luck(&self, out: &mut impl Write, tally: &Standing) -> io::Result<()> {
        for (one, other, luck) in self.lucks(tally) {
            let names = match self.players.len() {
                2 => String::new(),
                _ => format!(" of {} vs {}", self.name(one), self.name(other)),
            };
            writeln!(
                out,
                "Luck-adjusted{names}: {:.2} % +/- {:.2} (raw {:.2} % +/- {:.2})",
                100.0 * luck.adjusted,
                196.0 * luck.error,
                100.0 * luck.raw,
                196.0 * luck.raw_error,
            )?;
        }
        Ok(())
    }

    fn lucks(&self, tally: &Standing) -> Vec<(usize, usize, Adjusted)> {
        let n = self.players.len();
        let met = (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other)));
        met.filter_map(|(one, other)| Some((one, other, tally.luck(one, other)?)))
            .collect()
    }

    /// Rates with the half-widths of their 95 % intervals.
    fn luck_objects(&self, tally: &Standing) -> Vec<Value> {
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

    fn rating_list(&self, tally: &Standing) -> Option<RatingList> {
        let n = self.players.len();
        let mut table = Crosstable::new(n);
        for one in 0..n {
            for other in one + 1..n {
                table.add(one, other, tally.between(one, other));
            }
        }
        RatingList::new(&table, RatingOptions::default()).ok()
    }

    fn table(&self, out: &mut impl Write, tally: &Standing) -> io::Result<()> {
        let Some(list) = self.rating_list(tally) else {
            return Ok(());
        };
        writeln!(
            out,
            "{:>4} {:<28} {:>8} {:>7} {:>7} {:>8}",
            "Rank", "Name", "Elo", "+/-", "Games", "Score"
        )?;
        for (i, row) in list.rows.iter().enumerate() {
            writeln!(
                out,
                "{:>4} {:<28} {:>8.1} {:>7.1} {:>7} {:>7.1}%",
                i + 1,
                self.players[row.agent].name,
                row.rating,
                row.error,
                row.wdl.games(),
                100.0 * row.wdl.score_rate(),
            )?;
        }
        Ok(())
    }

    /// The standings as one JSON object.
    pub(crate) fn object(&self, tally: &Standing) -> Value {
        let players: Vec<Value> = self
            .players
            .iter()
            .map(|c| json!({"name": c.name, "agent": c.agent, "limits": c.limits}))
            .collect();
        let mut object = json!({
            "game": self.game.name(),
            "rules": self.game.rules_name(),
            "seed": self.seed,
            "games": tally.games(),
            "engines": players,
        });
        if self.players.len() == 2 {
            let summary = tally.summary(0, 1, self.sprt.as_ref());
            let text = serde_json::to_value(summary).unwrap_or(Value::Null);
            object["summary"] = text;
            object["score"] = json!(summary.score_rate());
            object["ptnml"] = json!(summary.ptnml());
        } else if let Some(list) = self.rating_list(tally) {
            let row = |row: &foglight_arena::stats::rating::Rated| {
                json!({
                    "name": self.players[row.agent].name,
                    "rating": row.rating,
                    "error": row.error,
                    "games": row.wdl.games(),
                    "score": row.wdl.score_rate(),
                })
            };
            object["ratings"] = list.rows.iter().map(row).collect();
        }
        if self.game.has_dice() {
            object["luck"] = self.luck_objects(tally).into();
        }
        object
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
