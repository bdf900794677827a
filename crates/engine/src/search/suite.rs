//! EPD suites of positions with known best moves, and a search's score on them.

use foglight_rules::{Game, Move, Position, notation::san};

use super::SearchResult;

/// A position of a suite with the points of its moves.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The name, or the number in the file.
    pub id: String,
    pub position: Position,
    /// Moves with points; the best have the most.
    pub points: Vec<(Move, u32)>,
    /// Moves to avoid (`am`), if the suite names any.
    pub(crate) avoid: Vec<Move>,
}

/// Error for a line that is not a problem.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("suite, line {line}: {expected}")]
pub struct SuiteError {
    line: usize,
    expected: String,
}

/// Parses a suite: four fields of a FEN (or all six), then operations ended by
/// semicolons; `bm` and `am` name moves in SAN, and `c8` with `c9` give points
/// to moves in UCI form as the Strategic Test Suite does.
pub fn parse(text: &str) -> Result<Vec<Problem>, SuiteError> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(i, line)| {
            parse_line(line, i + 1).map_err(|expected| SuiteError {
                line: i + 1,
                expected,
            })
        })
        .collect()
}

fn parse_line(line: &str, number: usize) -> Result<Problem, String> {
    let game = Game::chess();
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.len() < 5 {
        return Err("expected four FEN fields and operations".into());
    }
    let fen = format!("{} 0 1", words[..4].join(" "));
    let position = game.parse_fen(&fen).map_err(|error| error.to_string())?;
    let (mut problem, mut places) = (
        Problem {
            id: number.to_string(),
            position,
            points: Vec::new(),
            avoid: Vec::new(),
        },
        (None, None),
    );
    let moves = |names: &str| -> Result<Vec<Move>, String> {
        let find = |name| san::find(name, &game, &position).map_err(|error| error.to_string());
        names
            .split([' ', ','])
            .filter(|name| !name.is_empty())
            .map(find)
            .collect()
    };
    for operation in operations(line, &words) {
        let (name, value) = operation.split_once(' ').unwrap_or((&operation, ""));
        let value = value.trim().trim_matches('"');
        match name {
            "bm" => problem.points = moves(value)?.into_iter().map(|m| (m, 1)).collect(),
            "am" => problem.avoid = moves(value)?,
            "id" => problem.id = value.to_owned(),
            "c8" => places.0 = Some(value.to_owned()),
            "c9" => places.1 = Some(value.to_owned()),
            _ => {}
        }
    }
    if let (Some(points), Some(names)) = places {
        problem.points = pointed(&game, &position, &names, &points)?;
    }
    if problem.points.is_empty() && problem.avoid.is_empty() {
        return Err("expected 'bm' or 'am' with moves".into());
    }
    Ok(problem)
}

/// The text after the FEN, split at semicolons outside quotes.
fn operations(line: &str, words: &[&str]) -> Vec<String> {
    let mut rest = line.trim_start();
    for word in &words[..4] {
        rest = rest[word.len()..].trim_start();
    }
    let counters: usize = rest
        .split_whitespace()
        .take(2)
        .take_while(|word| word.bytes().all(|b| b.is_ascii_digit()))
        .map(|word| rest.find(word).map_or(0, |at| at + word.len()))
        .max()
        .unwrap_or(0);
    let mut quoted = false;
    let parts = rest[counters..].split(|c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    parts
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

fn pointed(
    game: &Game,
    position: &Position,
    names: &str,
    points: &str,
) -> Result<Vec<(Move, u32)>, String> {
    let legal = game.legal_moves(position);
    names
        .split_whitespace()
        .zip(points.split_whitespace())
        .map(|(name, points)| {
            let found = legal.iter().find(|m| m.to_string() == name);
            let m = *found.ok_or_else(|| format!("'{name}': expected a legal move"))?;
            let points = points
                .parse()
                .map_err(|_| format!("'{points}': expected points"))?;
            Ok((m, points))
        })
        .collect()
}

impl Problem {
    /// The points of a move.
    pub fn worth(&self, m: Move) -> u32 {
        if self.points.is_empty() {
            return u32::from(!self.avoid.contains(&m));
        }
        let known = self.points.iter().find(|(known, _)| *known == m);
        known.map_or(0, |(_, points)| *points)
    }

    /// The most points of any move.
    pub fn most(&self) -> u32 {
        self.points
            .iter()
            .map(|(_, points)| *points)
            .max()
            .unwrap_or(1)
    }
}

/// Result of a suite.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SuiteScore {
    pub problems: u32,
    /// Problems whose best move was chosen.
    pub solved: u32,
    pub points: u32,
    pub most: u32,
    pub nodes: u64,
}

/// Runs every problem from empty tables; `told` is called with each choice.
pub fn run(
    problems: &[Problem],
    search: &mut dyn FnMut(&Position) -> SearchResult,
    told: &mut dyn FnMut(&Problem, Option<Move>),
) -> SuiteScore {
    let mut score = SuiteScore::default();
    for problem in problems {
        let found = search(&problem.position);
        let points = found.best().map_or(0, |m| problem.worth(m));
        score.problems += 1;
        score.solved += u32::from(points == problem.most());
        score.points += points;
        score.most += problem.most();
        score.nodes += found.nodes;
        told(problem, found.best());
    }
    score
}
