//! Writes games as PGN text.

use std::{fmt::Write, time::Duration};

use shakmaty::Color;

use super::{
    Letters, Note, PgnGame, RESERVED, ROSTER, clean_comment, clean_value, rule_set, setting_tags,
    variant_name,
};
use crate::{Dice, MoveError, Position, action::Action, notation::san};

/// Maximum line length, unless a word is longer.
const COLUMNS: usize = 79;

/// Formats `0:01:02`, with milliseconds if there are any.
fn clock_text(clock: Duration) -> String {
    let seconds = clock.as_secs();
    let mut text = format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    if clock.subsec_millis() > 0 {
        write!(text, ".{:03}", clock.subsec_millis()).expect("text can be written to");
    }
    text
}

/// Words of the movetext, with the state needed for move numbers.
#[derive(Default)]
struct Movetext {
    words: Vec<String>,
    last: Option<(Color, u16)>,
    commented: bool,
}

impl Movetext {
    /// Adds a comment. A command is one word, so that no line begins with it.
    fn comment(&mut self, mut commands: Vec<String>, text: &str) {
        let text = clean_comment(text);
        for word in text.split_whitespace() {
            match commands.last_mut() {
                // A line that begins with % would be ignored by readers.
                Some(last) if word.starts_with('%') => {
                    last.push(' ');
                    last.push_str(word);
                }
                _ => commands.push(word.to_owned()),
            }
        }
        if let Some(first) = commands.first_mut() {
            first.insert(0, '{');
            self.commented = true;
        }
        if let Some(last) = commands.last_mut() {
            last.push('}');
        }
        self.words.append(&mut commands);
    }

    fn number(&mut self, position: &Position) {
        let turn = (position.turn(), position.fullmoves());
        let answer = turn.0 == Color::Black && self.last == Some((Color::White, turn.1));
        if self.last != Some(turn) && (!answer || self.commented) {
            self.words.push(san::number(position));
        }
        self.last = Some(turn);
        self.commented = false;
    }

    /// Wraps the words into lines of at most [`COLUMNS`].
    fn wrapped(&self) -> String {
        let mut text = String::new();
        let mut width = 0;
        for word in &self.words {
            let length = word.chars().count();
            if width > 0 {
                let fits = width + 1 + length <= COLUMNS;
                text.push(if fits { ' ' } else { '\n' });
                width = if fits { width + 1 } else { 0 };
            }
            text.push_str(word);
            width += length;
        }
        text
    }
}

fn dice_commands(name: &str, rolls: &mut Vec<Dice>) -> Vec<String> {
    rolls
        .drain(..)
        .map(|dice| format!("[%{name} {dice}]"))
        .collect()
}

impl PgnGame {
    /// Writes the game as PGN, followed by an empty line.
    ///
    /// Returns an error for an action that is not legal where it stands.
    pub fn write(&self) -> Result<String, MoveError> {
        self.write_in(Letters::English)
    }

    /// Like [`PgnGame::write`], with these symbols for the pieces. [`read`](super::read)
    /// accepts both; other programs may accept letters only.
    pub fn write_in(&self, letters: Letters) -> Result<String, MoveError> {
        let mut text = self.tag_section();
        text.push('\n');
        text.push_str(&self.movetext(letters)?.wrapped());
        text.push_str("\n\n");
        Ok(text)
    }

    fn result_text(&self) -> &'static str {
        self.result.map_or("*", |result| result.text())
    }

    /// Tags that follow from the other fields, after the seven of the roster.
    fn derived_tags(&self) -> Vec<(&'static str, String)> {
        let mut tags = Vec::new();
        if let Some(variant) = variant_name(&self.game) {
            tags.push(("Variant", variant.to_owned()));
        }
        if let Some(rules) = rule_set(&self.game) {
            tags.push(("RuleSet", rules));
        }
        tags.extend(setting_tags(&self.game));
        if self.start != self.game.start() {
            tags.push(("SetUp", "1".to_owned()));
            tags.push(("FEN", self.game.fen(&self.start)));
        }
        if let Some(reason) = self.result.and_then(|result| result.reason) {
            tags.push(("Termination", reason.name().to_owned()));
        }
        tags
    }

    fn tag_section(&self) -> String {
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = clean_value(value)
                .replace('\\', "\\\\")
                .replace('"', "\\\"");
            writeln!(text, "[{name} \"{value}\"]").expect("text can be written to");
        };
        for (name, unknown) in ROSTER {
            let value = match name {
                "Result" => self.result_text(),
                _ => self.tag(name).unwrap_or(unknown),
            };
            tag(name, value);
        }
        let derived = self.derived_tags();
        for (name, value) in &derived {
            tag(name, value);
        }
        for (name, value) in &self.tags {
            let told = ROSTER.iter().any(|(known, _)| known == name)
                || RESERVED.contains(&name.as_str())
                || derived.iter().any(|(known, _)| known == name);
            let letters = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            if !told && letters && !name.is_empty() {
                tag(name, value);
            }
        }
        text
    }

    fn movetext(&self, letters: Letters) -> Result<Movetext, MoveError> {
        let mut out = Movetext::default();
        let mut position = self.start;
        self.game.apply_forced_pass(&mut position);
        let mut rolls = Vec::new();
        let mut notes = self.notes.iter();
        let silent = Note::default();
        out.comment(Vec::new(), &self.intro);
        for &action in &self.actions {
            match action {
                Action::Roll(dice) => {
                    let possible = self.game.chance_outcomes(&position);
                    if !possible.iter().any(|(roll, _)| *roll == dice) {
                        return Err(MoveError::roll(&action.to_string()));
                    }
                    self.game.roll_unchecked(&mut position, dice);
                    rolls.push(dice);
                }
                Action::Move(m) => {
                    if !self.game.legal_moves(&position).contains(&m) {
                        return Err(MoveError::illegal(&action.to_string()));
                    }
                    out.number(&position);
                    let san = san::write(&self.game, &position, m);
                    out.words.push(match letters {
                        Letters::English => san,
                        Letters::Figurines => san::figurine(&san),
                    });
                    self.game.play_unchecked(&mut position, m);
                    let note = notes.next().unwrap_or(&silent);
                    let mut commands = dice_commands("dice", &mut rolls);
                    commands.extend(note.clock.map(|c| format!("[%clk {}]", clock_text(c))));
                    out.comment(commands, &note.text);
                }
            }
        }
        out.comment(dice_commands("next", &mut rolls), "");
        out.words.push(self.result_text().to_owned());
        Ok(out)
    }
}
