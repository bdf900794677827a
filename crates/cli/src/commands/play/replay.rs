//! Replay of a finished game: as White saw it, as Black saw it, or with the
//! full board.

use std::{
    io::{self, BufRead, Write},
    path::Path,
};

use foglight_rules::{Action, Color, Sight, State, View, notation::san};

use super::{lines::Lines, picture::Style, save, table::name};

/// Perspective of the replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Eyes {
    Of(Color),
    Truth,
}

const WORDS: &str = "replay white|black|truth, save FILE.pgn|.jsonl, or quit";

/// Prompts for replays until the user quits.
pub(crate) fn offer<R: BufRead, W: Write>(
    lines: &mut Lines<R>,
    out: &mut W,
    style: Style,
    saved: &save::SavedGame,
) -> io::Result<()> {
    let states = saved
        .record()
        .and_then(|record| record.record.states().ok());
    let Some((record, states)) = saved.record().zip(states) else {
        return Ok(());
    };
    writeln!(out, "Now: {WORDS}.")?;
    loop {
        write!(out, "> ")?;
        out.flush()?;
        let Some(line) = lines.next()? else {
            return writeln!(out);
        };
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        let eyes = match rest.trim() {
            "white" => Some(Eyes::Of(Color::White)),
            "black" => Some(Eyes::Of(Color::Black)),
            "truth" | "" => Some(Eyes::Truth),
            _ => None,
        };
        match (word, eyes) {
            ("quit" | "exit" | "q", _) => return Ok(()),
            ("replay", Some(eyes)) => {
                let film = Film {
                    style,
                    eyes,
                    states: &states,
                    actions: &record.record.actions,
                };
                if !film.run(lines, out)? {
                    return Ok(());
                }
            }
            ("save", _) if !rest.trim().is_empty() => {
                writeln!(out, "{}", saved.write_to(Path::new(rest.trim())))?;
            }
            ("", _) => {}
            _ => writeln!(out, "Expected {WORDS}.")?,
        }
    }
}

/// A replay in progress.
struct Film<'a> {
    style: Style,
    eyes: Eyes,
    states: &'a [State],
    actions: &'a [Action],
}

impl Film<'_> {
    /// Steps through the game. False at the end of the input.
    fn run<R: BufRead, W: Write>(&self, lines: &mut Lines<R>, out: &mut W) -> io::Result<bool> {
        let last = self.states.len() - 1;
        let mut at = 0;
        self.show(at, out)?;
        loop {
            write!(out, "{at}/{last} n, p, first, last, q> ")?;
            out.flush()?;
            let Some(line) = lines.next()? else {
                writeln!(out)?;
                return Ok(false);
            };
            let to = match line.as_str() {
                "n" | "" => (at + 1).min(last),
                "p" => at.saturating_sub(1),
                "first" => 0,
                "last" => last,
                "q" | "quit" => return Ok(true),
                text => match text.parse::<usize>() {
                    Ok(number) => number.min(last),
                    Err(_) => {
                        writeln!(
                            out,
                            "Expected n (next), p (previous), first, last, a number, or q."
                        )?;
                        continue;
                    }
                },
            };
            at = to;
            self.show(at, out)?;
        }
    }

    fn show<W: Write>(&self, at: usize, out: &mut W) -> io::Result<()> {
        let state = &self.states[at];
        let (view, bottom) = match self.eyes {
            Eyes::Of(side) => (*state.observe(side).view(), side),
            Eyes::Truth => {
                let open = state.game().with_sight(Color::White, Sight::Full);
                (
                    View::new(&open, state.position(), Color::White),
                    Color::White,
                )
            }
        };
        writeln!(out, "\n{}", self.caption(at))?;
        write!(out, "{}", self.style.board(&view, bottom))
    }

    /// The actions that led here, as far as the perspective shows them.
    fn caption(&self, at: usize) -> String {
        let Some(before) = at.checked_sub(1) else {
            return "The start".to_owned();
        };
        let state = &self.states[before];
        let mover = state.position().turn();
        let what = match self.actions[before] {
            Action::Roll(dice) => format!("{} rolls {dice}", name(mover)),
            Action::Move(m) => match self.eyes {
                Eyes::Of(side) if side != mover && !state.game().has_full_view(side) => {
                    let sighting = self.states[at].last().map(|ply| ply.sighting.name());
                    format!("{} moves ({})", name(mover), sighting.unwrap_or("dark"))
                }
                _ => {
                    let text = san::write(state.game(), state.position(), m);
                    format!("{} plays {text}", name(mover))
                }
            },
        };
        match self.states[at].outcome() {
            Some(outcome) => format!("{what}: {outcome}"),
            None => what,
        }
    }
}
