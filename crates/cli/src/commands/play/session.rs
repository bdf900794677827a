//! A game at the keyboard: lines in, text out. Independent of the terminal, so
//! that a script can play.

use std::io::{self, BufRead, Write};

use foglight_rules::{
    Color, Game, Move, Observation, Outcome, Role,
    notation::{san, uci},
};

use super::{
    lines::Lines,
    picture::Style,
    replay,
    save::SavedGame as Saved,
    table::{NextStep, Offer, TerminalGame, name, role_name},
};

/// Terminal codes that clear the screen between two people.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

/// Display options of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Look {
    pub(crate) style: Style,
    /// Whether terminal codes may clear the screen.
    pub(crate) terminal: bool,
}

/// End of a person's turn.
enum Done {
    /// An action was taken.
    Acted,
    /// The person quits, or the input has ended.
    Left,
}

/// Meaning of a line.
enum Typed {
    Move(Move),
    /// A promotion without the promoted piece.
    Promote(Vec<Move>),
    Word(Word),
    Unknown(String),
}

/// Commands other than moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Nothing,
    Help,
    Moves,
    Board,
    Flip,
    Draw,
    Accept,
    Resign,
    Quit,
}

const HELP: &str = "\
A move in SAN (Nf3, exd5, e8=Q, O-O) or UCI (g1f3, e7e8q, e1g1), or:
  moves    the legal moves        board    the board again
  flip     turns the board        draw     offers a draw
  accept   accepts a draw         resign   gives up
  help     this text              quit     leaves the game
";

/// A game between the players of a [`TerminalGame`].
pub(crate) struct TerminalSession<R, W> {
    lines: Lines<R>,
    out: W,
    look: Look,
    flipped: bool,
    /// The last person to see the board, if two share it.
    looking: Option<Color>,
}

impl<R: BufRead, W: Write> TerminalSession<R, W> {
    pub(crate) fn new(input: R, out: W, look: Look) -> TerminalSession<R, W> {
        TerminalSession {
            lines: Lines(input),
            out,
            look,
            flipped: false,
            looking: None,
        }
    }

    /// Plays to the end, or until the people quit; then the finished game can
    /// be replayed and saved. `saved` receives it.
    pub(crate) fn run(mut self, mut table: TerminalGame, saved: &mut Saved) -> io::Result<()> {
        let outcome = self.play(&mut table)?;
        let finished = table.leave();
        saved.fill(finished);
        if let Some(message) = saved.write() {
            writeln!(self.out, "{message}")?;
        }
        if outcome.is_some() {
            replay::offer(&mut self.lines, &mut self.out, self.look.style, saved)?;
        }
        self.out.flush()
    }

    /// The outcome; `None` if a person quit before.
    fn play(&mut self, table: &mut TerminalGame) -> io::Result<Option<Outcome>> {
        loop {
            match table.advance() {
                NextStep::Over(outcome) => {
                    self.show_end(table, outcome)?;
                    return Ok(Some(outcome));
                }
                NextStep::Human(side) => {
                    if let Done::Left = self.turn(table, side)? {
                        writeln!(self.out, "The game stops here.")?;
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// One action of a person.
    fn turn(&mut self, table: &mut TerminalGame, side: Color) -> io::Result<Done> {
        if !self.hand_over(table, side)? {
            return Ok(Done::Left);
        }
        self.show(table, side)?;
        if table.is_offered(side) {
            writeln!(
                self.out,
                "{} offers a draw: 'accept' takes it, a move declines.",
                name(!side)
            )?;
        }
        let observation = table.observe(side).clone();
        loop {
            write!(self.out, "{}> ", name(side))?;
            self.out.flush()?;
            let Some(line) = self.lines.next()? else {
                writeln!(self.out)?;
                return Ok(Done::Left);
            };
            let chosen = match read(&line, &observation) {
                Typed::Move(m) => Some(m),
                Typed::Promote(moves) => match self.ask_promotion(&moves)? {
                    Some(answer) => answer,
                    None => return Ok(Done::Left),
                },
                Typed::Unknown(message) => {
                    writeln!(self.out, "{message} (or 'help')")?;
                    None
                }
                Typed::Word(word) => match self.obey(word, table, side)? {
                    Some(done) => return Ok(done),
                    None => None,
                },
            };
            if let Some(m) = chosen {
                table.play(m);
                return Ok(Done::Acted);
            }
        }
    }

    /// Executes a command; `Some` if it ends the turn.
    fn obey(
        &mut self,
        word: Word,
        table: &mut TerminalGame,
        side: Color,
    ) -> io::Result<Option<Done>> {
        match word {
            Word::Nothing => {}
            Word::Help => write!(self.out, "{HELP}")?,
            Word::Moves => {
                let observation = table.observe(side).clone();
                writeln!(self.out, "{}", list(&observation))?;
            }
            Word::Board => self.show(table, side)?,
            Word::Flip => {
                self.flipped = !self.flipped;
                self.show(table, side)?;
            }
            Word::Draw => match table.offer_draw(side) {
                Offer::Accepted => return Ok(Some(Done::Acted)),
                Offer::Declined => writeln!(self.out, "{} declines the draw.", name(!side))?,
                Offer::Waits => {
                    writeln!(self.out, "{} will be asked after your move.", name(!side))?
                }
            },
            Word::Accept => {
                if table.accept_draw(side) {
                    return Ok(Some(Done::Acted));
                }
                writeln!(self.out, "No draw was offered.")?;
            }
            Word::Resign => {
                table.resign(side);
                return Ok(Some(Done::Acted));
            }
            Word::Quit => return Ok(Some(Done::Left)),
        }
        Ok(None)
    }

    /// Prompts for the promoted piece. The inner `None` cancels the move, the
    /// outer one is the end of the input.
    fn ask_promotion(&mut self, moves: &[Move]) -> io::Result<Option<Option<Move>>> {
        let names: Vec<String> = moves
            .iter()
            .filter_map(|m| m.promotion())
            .map(|role| format!("{} ({})", role.upper_char(), role_name(role)))
            .collect();
        loop {
            write!(self.out, "Promote to {}, or 'back'? ", names.join(", "))?;
            self.out.flush()?;
            let Some(line) = self.lines.next()? else {
                writeln!(self.out)?;
                return Ok(None);
            };
            let line = line.trim_start_matches('=').to_lowercase();
            if line == "back" {
                return Ok(Some(None));
            }
            let named = |role: Role| line == role.char().to_string() || line == role_name(role);
            let chosen = moves.iter().find(|m| m.promotion().is_some_and(named));
            if let Some(&m) = chosen {
                return Ok(Some(Some(m)));
            }
            writeln!(self.out, "Expected a letter or name of the list.")?;
        }
    }

    /// Hides one person's board before the other looks. False at the end of the
    /// input.
    fn hand_over(&mut self, table: &TerminalGame, side: Color) -> io::Result<bool> {
        let secret = is_secret(table.game());
        let shared = table.is_human(!side);
        let before = self.looking.replace(side);
        if !(secret && shared) || before == Some(side) {
            return Ok(true);
        }
        if before.is_some() {
            self.clear()?;
        }
        write!(
            self.out,
            "Pass the keyboard to {}, who presses Enter. ",
            name(side)
        )?;
        self.out.flush()?;
        let there = self.lines.next()?.is_some();
        if there {
            self.clear()?;
        } else {
            writeln!(self.out)?;
        }
        Ok(there)
    }

    fn clear(&mut self) -> io::Result<()> {
        match self.look.terminal {
            true => write!(self.out, "{CLEAR}"),
            false => write!(self.out, "{}", "\n".repeat(60)),
        }
    }

    /// Prints a side's view, its announcements, and the pieces it captured and
    /// lost.
    fn show(&mut self, table: &mut TerminalGame, side: Color) -> io::Result<()> {
        let news = table.take_news(side);
        let observation = table.observe(side).clone();
        let bottom = if self.flipped { !side } else { side };
        let style = self.look.style;
        writeln!(self.out)?;
        for line in news {
            writeln!(self.out, "{line}")?;
        }
        write!(self.out, "{}", style.board(observation.view(), bottom))?;
        let tally = table.tally(side);
        for (what, roles, color) in [("took", &tally.took, !side), ("lost", &tally.lost, side)] {
            if !roles.is_empty() {
                writeln!(self.out, "  {what}: {}", style.pieces(roles, color))?;
            }
        }
        let dice = observation.view().dice;
        if !dice.is_none() {
            writeln!(self.out, "  dice: {dice}")?;
        }
        Ok(())
    }

    /// Prints the end of the game, as each person at the keyboard may see it.
    fn show_end(&mut self, table: &mut TerminalGame, outcome: Outcome) -> io::Result<()> {
        let people: Vec<Color> = Color::ALL
            .into_iter()
            .filter(|&side| table.is_human(side))
            .collect();
        if let [side] = people[..] {
            self.show(table, side)?;
        }
        let reason = outcome.reason.name().replace('_', " ");
        match outcome.winner {
            Some(winner) => writeln!(
                self.out,
                "{} wins: {reason}. {}",
                name(winner),
                outcome.result()
            ),
            None => writeln!(self.out, "A draw: {reason}. {}", outcome.result()),
        }
    }
}

/// Parses a line, given an observation. The reply to an illegal move depends on
/// the line alone.
fn read(line: &str, observation: &Observation) -> Typed {
    if let Some(word) = word(line) {
        return Typed::Word(word);
    }
    let (legal, board) = (observation.legal_moves(), &observation.view().board);
    let find = |text: &str| uci::find(text, legal).or_else(|_| san::find_among(text, legal, board));
    match find(line) {
        Ok(m) => Typed::Move(m),
        Err(error) => {
            let choices: Vec<Move> = foglight_rules::PROMOTIONS
                .iter()
                .filter_map(|role| {
                    let by_squares = uci::find(&format!("{line}{}", role.char()), legal);
                    let by_name =
                        || san::find_among(&format!("{line}={}", role.upper_char()), legal, board);
                    by_squares.or_else(|_| by_name()).ok()
                })
                .collect();
            match choices[..] {
                [] => Typed::Unknown(error.to_string()),
                [m] => Typed::Move(m),
                _ => Typed::Promote(choices),
            }
        }
    }
}

fn word(line: &str) -> Option<Word> {
    Some(match line.to_lowercase().as_str() {
        "" => Word::Nothing,
        "help" | "?" => Word::Help,
        "moves" => Word::Moves,
        "board" => Word::Board,
        "flip" => Word::Flip,
        "draw" => Word::Draw,
        "accept" => Word::Accept,
        "resign" => Word::Resign,
        "quit" | "exit" => Word::Quit,
        _ => return None,
    })
}

/// The legal moves in SAN, sorted.
fn list(observation: &Observation) -> String {
    let write = |&m: &Move| match observation.position() {
        Some(position) => san::write(observation.game(), position, m),
        None => san::write_on(&observation.view().board, m),
    };
    let mut moves: Vec<String> = observation.legal_moves().iter().map(write).collect();
    moves.sort();
    moves.join(" ")
}

/// Whether the game hides information from a player.
fn is_secret(game: &Game) -> bool {
    Color::ALL.into_iter().any(|side| !game.has_full_view(side))
}
