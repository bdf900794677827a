//! Output of a match: the lines that other tools parse, and a progress bar.

use std::{
    io::{self, BufWriter, Stdout, Write},
    time::{Duration, Instant},
};

use foglight_arena::{
    tally::Standing,
    tournament::{MatchEntrant, MatchEvent, Tournament},
};
use foglight_rules::{Color, Outcome, Termination};
use indicatif::{ProgressBar, ProgressStyle};

use super::{args::MatchArgs, on_terminal, standings::Standings};

/// Minimum time between two interim reports.
const PAUSE: Duration = Duration::from_millis(500);

/// Printer of a match's progress.
pub(crate) struct Printer<'a> {
    tournament: &'a Tournament,
    words: &'a MatchArgs,
    standings: Standings,
    out: BufWriter<Stdout>,
    bar: Option<ProgressBar>,
    finished: u64,
    last: Instant,
}

impl<'a> Printer<'a> {
    /// A printer for a match of which `before` games are already played.
    pub(crate) fn new(
        words: &'a MatchArgs,
        tournament: &'a Tournament,
        before: u64,
    ) -> Printer<'a> {
        let bar = on_terminal().then(|| {
            let style = ProgressStyle::with_template(
                "{bar:30} {pos}/{len} games, {eta} left, {per_sec} {msg}",
            );
            let bar = ProgressBar::new(tournament.games());
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_position(before);
            bar
        });
        Printer {
            tournament,
            words,
            standings: Standings {
                game: words.game,
                seed: words.seed,
                players: tournament
                    .contestants
                    .iter()
                    .map(MatchEntrant::named)
                    .collect(),
                sprt: tournament.sprt,
            },
            out: BufWriter::new(io::stdout()),
            bar,
            finished: before,
            last: Instant::now(),
        }
    }

    fn name(&self, contestant: usize) -> &'a str {
        &self.tournament.contestants[contestant].name
    }

    /// Prints an event of the match.
    pub(crate) fn event(&mut self, event: &MatchEvent<'_>) -> io::Result<()> {
        match event {
            MatchEvent::Started(fixture) if !self.silent() => writeln!(
                self.out,
                "Started game {} of {} ({} vs {})",
                fixture.number,
                self.tournament.plan.len(),
                self.name(fixture.players.white),
                self.name(fixture.players.black),
            ),
            MatchEvent::Started(_) => Ok(()),
            MatchEvent::Finished {
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

    /// Prints an interim report at the interval, but not more often than people
    /// can read.
    fn interim(&mut self, tally: &Standing) -> io::Result<()> {
        let due = self.finished.is_multiple_of(self.words.interval);
        if due && self.last.elapsed() >= PAUSE {
            self.last = Instant::now();
            self.standings.write(&mut self.out, tally)?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// The statistics so far in one line.
    pub(crate) fn standing(&self, tally: &Standing) -> String {
        let mut text = Vec::new();
        // A vector takes everything.
        let _ = self.standings.write(&mut text, tally);
        let text = String::from_utf8_lossy(&text).into_owned();
        let wanted = |line: &&str| ["Elo:", "LLR:"].iter().any(|word| line.starts_with(word));
        text.lines().filter(wanted).collect::<Vec<_>>().join("; ")
    }

    /// Removes the progress bar.
    pub(crate) fn finish_bar(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Prints the final report.
    pub(crate) fn report(&mut self, tally: &Standing) -> io::Result<()> {
        if self.words.json {
            writeln!(self.out, "{}", self.standings.object(tally))?;
        } else {
            self.standings.report(&mut self.out, tally)?;
        }
        self.out.flush()
    }
}

/// Text of an outcome: `White captures the king`, `Draw by repetition`.
fn told(outcome: Outcome) -> String {
    let winner = outcome
        .winner
        .map_or("Draw".to_owned(), |side| format!("{side:?}"));
    let loser = outcome
        .winner
        .map_or(String::new(), |side: Color| format!("{:?}", !side));
    match outcome.reason {
        Termination::KingCaptured => format!("{winner} captures the king"),
        Termination::Checkmate => format!("{winner} mates"),
        Termination::NoMoves if outcome.winner.is_some() => format!("{loser} has no moves"),
        Termination::NoMoves => "Draw: no moves".to_owned(),
        Termination::Stalemate => "Draw by stalemate".to_owned(),
        Termination::Repetition => "Draw by 3-fold repetition".to_owned(),
        Termination::FiftyMoves => "Draw by fifty moves rule".to_owned(),
        Termination::BareKings => "Draw: two bare kings".to_owned(),
        Termination::InsufficientMaterial => "Draw by insufficient mating material".to_owned(),
        Termination::MoveLimit => "Draw by move limit".to_owned(),
        Termination::Timeout => format!("{loser} loses on time"),
        Termination::Resign => format!("{loser} resigns"),
        Termination::Agreement => "Draw by agreement".to_owned(),
        Termination::IllegalMove => format!("{loser} makes an illegal move"),
        Termination::Disconnect => format!("{loser} disconnects"),
        Termination::Stall => format!("{loser}'s connection stalls"),
    }
}
