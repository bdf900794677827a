//! Parses PGN text to games, in one pass and without recursion.

use std::collections::HashSet;

use super::{
    HALFMOVE_LIMIT_TAG, MAX_PLIES, MAX_TEXT, Note, PgnError, PgnErrorKind, PgnGame, PgnResult,
    ROSTER, SIGHT_TAGS, clean_value, comments::Comments, game_of_tags,
};
use crate::{
    Color, Dice, Game, Position, Sight, Termination,
    action::{Action, quoted},
    notation::san,
};

/// Iterator over the games of a text.
///
/// A game with an illegal move yields an error, and reading continues after it. A
/// syntax error ends the iteration. Variations and numbered glyphs (`$1`) are
/// skipped. Draws by repetition or the 50-move rule do not end a game, since they
/// may be left unclaimed.
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    limit: usize,
    asked: Option<Game>,
    done: bool,
}

/// Reads the games of a text, of any variant.
pub fn read(text: &str) -> Reader<'_> {
    Reader {
        text: text.strip_prefix('\u{feff}').unwrap_or(text),
        at: 0,
        line: 1,
        limit: MAX_TEXT,
        asked: None,
        done: false,
    }
}

/// A ply as text, with the contents of its comments.
struct RawPly<'a> {
    text: &'a str,
    line: usize,
    comments: Comments,
}

/// A tokenised game, before replay.
#[derive(Default)]
struct RawGame<'a> {
    line: usize,
    tags: Vec<(&'a str, String, usize)>,
    intro: Comments,
    plies: Vec<RawPly<'a>>,
    result: Option<&'a str>,
}

/// Strips a move number from a word: `12.Nf3`, `12...`, `12`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || rest.starts_with(['.', '…']) {
        rest.trim_start_matches(['.', '…'])
    } else {
        word
    }
}

fn is_result(word: &str) -> bool {
    matches!(word, "1-0" | "0-1" | "1/2-1/2" | "1/2" | "*")
}

/// Whether a word is an annotation mark of its own: `!?`, `$14`, `e.p.`.
fn is_mark(word: &str) -> bool {
    word.starts_with('$') || word == "e.p." || word.trim_matches(['!', '?', '+', '#']).is_empty()
}

fn winner(text: &str) -> Option<Option<Color>> {
    match text {
        "1-0" => Some(Some(Color::White)),
        "0-1" => Some(Some(Color::Black)),
        "1/2-1/2" | "1/2" => Some(None),
        _ => None,
    }
}

impl<'a> Reader<'a> {
    /// Restricts the reader to one game: a tag that names another is an error, a
    /// missing tag is not.
    #[must_use]
    pub fn of_game(mut self, game: Game) -> Reader<'a> {
        self.asked = Some(game);
        self
    }

    /// Sets the maximum size of the text in bytes.
    #[must_use]
    pub fn with_limit(mut self, bytes: usize) -> Reader<'a> {
        self.limit = bytes;
        self
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fail<T>(&self, line: usize, kind: PgnErrorKind) -> Result<T, PgnError> {
        Err(PgnError { line, kind })
    }

    /// Advances to `end`, counting lines, and returns the text in between.
    fn advance(&mut self, end: usize) -> &'a str {
        let passed = &self.text[self.at..end];
        self.line += passed.bytes().filter(|&b| b == b'\n').count();
        self.at = end;
        passed
    }

    /// Advances to the next byte that matches `stop`, or to the end.
    fn advance_to(&mut self, stop: impl Fn(u8) -> bool) -> &'a str {
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.iter().position(|&b| stop(b)).unwrap_or(rest.len());
        self.advance(self.at + length)
    }

    /// Skips blanks and lines that begin with `%`.
    fn skip_blanks(&mut self) {
        loop {
            self.advance_to(|b| !b.is_ascii_whitespace());
            let bytes = self.text.as_bytes();
            let first = self.at == 0 || bytes[self.at - 1] == b'\n';
            if !(first && self.peek() == Some(b'%')) {
                return;
            }
            self.advance_to(|b| b == b'\n');
        }
    }

    /// Parses a comment that begins here.
    fn comment(&mut self) -> Result<&'a str, PgnError> {
        let line = self.line;
        let semicolon = self.peek() == Some(b';');
        self.advance(self.at + 1);
        if semicolon {
            return Ok(self.advance_to(|b| b == b'\n'));
        }
        let text = self.advance_to(|b| b == b'}');
        if self.peek().is_none() {
            return self.fail(line, PgnErrorKind::UnclosedComment);
        }
        self.advance(self.at + 1);
        Ok(text)
    }

    fn skip_variation(&mut self) -> Result<(), PgnError> {
        let line = self.line;
        let mut depth = 0usize;
        loop {
            self.skip_blanks();
            match self.peek() {
                None => return self.fail(line, PgnErrorKind::UnclosedVariation),
                Some(b'{' | b';') => {
                    self.comment()?;
                    continue;
                }
                Some(b'(') => depth += 1,
                Some(b')') => depth -= 1,
                Some(_) => {
                    self.advance_to(|b| b.is_ascii_whitespace() || b"{;()".contains(&b));
                    continue;
                }
            }
            self.advance(self.at + 1);
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Parses name and value of a tag that begins here.
    fn tag(&mut self) -> Result<(&'a str, String, usize), PgnError> {
        let line = self.line;
        let blanks = |reader: &mut Self| reader.advance_to(|b| !matches!(b, b' ' | b'\t'));
        self.advance(self.at + 1);
        blanks(self);
        let name = self.advance_to(|b| !(b.is_ascii_alphanumeric() || b == b'_'));
        blanks(self);
        let wrong = |reader: &Self| match reader.peek() {
            None | Some(b'\n' | b'\r') => reader.fail(line, PgnErrorKind::UnclosedTag),
            Some(_) => reader.fail(line, PgnErrorKind::Tag),
        };
        if name.is_empty() || self.peek() != Some(b'"') {
            return wrong(self);
        }
        self.advance(self.at + 1);
        let mut value = String::new();
        loop {
            value.push_str(self.advance_to(|b| matches!(b, b'"' | b'\\' | b'\n')));
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    self.advance(self.at + 1);
                    // A backslash before any other character is literal.
                    match self.peek() {
                        Some(b @ (b'"' | b'\\')) => {
                            value.push(b as char);
                            self.advance(self.at + 1);
                        }
                        _ => value.push('\\'),
                    }
                }
                _ => return self.fail(line, PgnErrorKind::UnclosedTag),
            }
        }
        self.advance(self.at + 1);
        blanks(self);
        if self.peek() != Some(b']') {
            return wrong(self);
        }
        self.advance(self.at + 1);
        Ok((name, clean_value(&value), line))
    }

    /// Parses a word of the movetext. A promotion may be written `e8(Q)`.
    fn word(&mut self) -> &'a str {
        let start = self.at;
        self.advance_to(|b| b.is_ascii_whitespace() || b"{;()[".contains(&b));
        let rest = &self.text.as_bytes()[self.at..];
        if let [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..] = rest
            && self.at > start
        {
            self.advance_to(|b| b == b')');
            self.advance_to(|b| b.is_ascii_whitespace() || b"{;([".contains(&b));
        }
        &self.text[start..self.at]
    }

    /// Tokenises one game; `None` at the end of the text.
    fn raw_game(&mut self) -> Result<Option<RawGame<'a>>, PgnError> {
        let mut raw = RawGame::default();
        loop {
            self.skip_blanks();
            if raw.tags.is_empty() && raw.plies.is_empty() {
                raw.line = self.line;
            }
            match self.peek() {
                None => {
                    let found = !(raw.tags.is_empty() && raw.plies.is_empty());
                    return Ok(found.then_some(raw));
                }
                Some(b'[') if !raw.plies.is_empty() => return Ok(Some(raw)),
                Some(b'[') => raw.tags.push(self.tag()?),
                Some(b'{' | b';') => {
                    let comment = self.comment()?;
                    let place = raw.plies.last_mut().map(|ply| &mut ply.comments);
                    place.unwrap_or(&mut raw.intro).add(comment);
                }
                Some(b'(') => self.skip_variation()?,
                Some(b')') => return self.fail(self.line, PgnErrorKind::StrayClose),
                Some(_) => {
                    let line = self.line;
                    let word = without_number(self.word());
                    if is_result(word) {
                        raw.result = Some(word);
                        return Ok(Some(raw));
                    }
                    if !is_mark(word) {
                        if raw.plies.len() == MAX_PLIES {
                            return self.fail(line, PgnErrorKind::TooManyMoves);
                        }
                        raw.plies.push(RawPly {
                            text: word,
                            line,
                            comments: Comments::default(),
                        });
                    }
                }
            }
        }
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let raw = if self.text.len() > self.limit {
            let (found, limit) = (self.text.len(), self.limit);
            self.fail(1, PgnErrorKind::TooLong { found, limit })
        } else {
            self.raw_game()
        };
        self.done = !matches!(raw, Ok(Some(_)));
        raw.transpose()
            .map(|raw| raw.and_then(|raw| raw.play(self.asked)))
    }
}

impl<'a> RawGame<'a> {
    /// Removes a tag and returns its value and line.
    fn take(&mut self, name: &str) -> Option<(String, usize)> {
        let at = self.tags.iter().position(|(known, _, _)| *known == name)?;
        let (_, value, line) = self.tags.remove(at);
        Some((value, line))
    }

    /// Retains the first of the tags with each name.
    fn drop_repeated_tags(&mut self) {
        let mut known = HashSet::new();
        self.tags.retain(|(name, _, _)| known.insert(*name));
    }

    fn game(&mut self, asked: Option<Game>) -> Result<Game, PgnError> {
        let variant = self.take("Variant");
        let rules = self.take("RuleSet");
        let line = variant
            .as_ref()
            .or(rules.as_ref())
            .map_or(self.line, |tag| tag.1);
        let text = |tag: &Option<(String, usize)>| tag.as_ref().map(|tag| tag.0.clone());
        let game = game_of_tags(text(&variant).as_deref(), text(&rules).as_deref(), asked);
        let mut game = game.map_err(|kind| PgnError { line, kind })?;
        for (side, name) in SIGHT_TAGS {
            if self.take(name).is_some_and(|(value, _)| value == "full") {
                game = game.with_sight(side, Sight::Full);
            }
        }
        let limit = self.take(HALFMOVE_LIMIT_TAG).map(|(value, _)| value);
        match limit.as_deref().map(|value| (value, value.parse())) {
            Some((_, Ok(plies))) => game = game.with_halfmove_limit(Some(plies)),
            Some(("off", _)) => game = game.with_halfmove_limit(None),
            _ => {}
        }
        Ok(game)
    }

    fn start(&mut self, game: &Game) -> Result<Position, PgnError> {
        self.take("SetUp");
        match self.take("FEN") {
            None => Ok(game.start()),
            Some((fen, line)) => game.parse_fen(&fen).map_err(|error| PgnError {
                line,
                kind: error.into(),
            }),
        }
    }

    /// The remaining tags: the roster first, unknown values omitted.
    fn other_tags(&mut self) -> Vec<(String, String)> {
        let mut tags = Vec::new();
        for (name, unknown) in ROSTER {
            let value = self.take(name).map(|(value, _)| value);
            if let Some(value) = value.filter(|value| value != unknown) {
                tags.push((name.to_owned(), value));
            }
        }
        let rest = self.tags.drain(..);
        tags.extend(rest.map(|(name, value, _)| (name.to_owned(), value)));
        tags
    }

    /// Replays the game by the rules that its tags name.
    fn play(mut self, asked: Option<Game>) -> Result<PgnGame, PgnError> {
        self.drop_repeated_tags();
        let game = self.game(asked)?;
        let start = self.start(&game)?;
        let mut replay = Replay::new(game, start);
        let intro = &mut self.intro;
        let mut due: Vec<Dice> = intro.dice.drain(..).chain(intro.next.drain(..)).collect();
        let mut notes = Vec::with_capacity(self.plies.len());
        let mut line = self.line;
        for ply in &mut self.plies {
            line = ply.line;
            due.append(&mut ply.comments.dice);
            let played = replay.rolls(&mut due).and_then(|()| replay.play(ply.text));
            played.map_err(|kind| PgnError { line, kind })?;
            due.append(&mut ply.comments.next);
            notes.push(Note {
                clock: ply.comments.clock,
                text: std::mem::take(&mut ply.comments.text),
            });
        }
        let rolled = replay.rolls(&mut due);
        rolled.map_err(|kind| PgnError { line, kind })?;
        while notes.last().is_some_and(Note::is_empty) {
            notes.pop();
        }
        let result = self.ending(&replay);
        Ok(PgnGame {
            tags: self.other_tags(),
            game,
            start,
            actions: replay.actions,
            intro: std::mem::take(&mut self.intro.text),
            notes,
            result,
        })
    }

    /// The result from its token or tag, and the reason from the `Termination`
    /// tag or the board.
    fn ending(&mut self, replay: &Replay) -> Option<PgnResult> {
        let tag = self.take("Result").map(|(value, _)| value);
        let winner = winner(self.result.or(tag.as_deref())?)?;
        let told = self.tags.iter().find(|(name, _, _)| *name == "Termination");
        let told = told.and_then(|(_, value, _)| Termination::from_name(value));
        let reason = told.or_else(|| {
            let verdict = replay.game.outcome(&replay.position)?;
            (verdict.winner == winner).then_some(verdict.reason)
        });
        if reason.is_some() {
            self.take("Termination");
        }
        Some(PgnResult { winner, reason })
    }
}

struct Replay {
    game: Game,
    position: Position,
    actions: Vec<Action>,
}

impl Replay {
    fn new(game: Game, start: Position) -> Replay {
        let mut position = start;
        game.apply_forced_pass(&mut position);
        Replay {
            game,
            position,
            actions: Vec::new(),
        }
    }

    fn dice_error(&self, found: String) -> PgnErrorKind {
        PgnErrorKind::Dice {
            number: san::number(&self.position),
            found,
            dice: match self.game {
                game if game.variant() == crate::Variant::Dice1 => "one die",
                _ => "three dice",
            },
        }
    }

    /// Plays the rolls that are due; none in games without dice.
    fn rolls(&mut self, due: &mut Vec<Dice>) -> Result<(), PgnErrorKind> {
        for dice in due.drain(..).filter(|_| self.game.has_dice()) {
            let possible = self.game.chance_outcomes(&self.position);
            if !possible.iter().any(|(roll, _)| *roll == dice) {
                return Err(self.dice_error(format!("has the roll {dice}")));
            }
            self.game.roll_unchecked(&mut self.position, dice);
            self.actions.push(Action::Roll(dice));
        }
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), PgnErrorKind> {
        let running = self.game.outcome(&self.position).is_none();
        if self.game.has_dice() && self.position.dice().is_none() && running {
            return Err(self.dice_error(format!("{} has no roll", quoted(text))));
        }
        let found = san::find(text, &self.game, &self.position);
        let m = found.map_err(|error| PgnErrorKind::Move {
            number: san::number(&self.position),
            error,
        })?;
        self.game.play_unchecked(&mut self.position, m);
        self.actions.push(Action::Move(m));
        Ok(())
    }
}
