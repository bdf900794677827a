//! Openings: a book of the named lines, indexed by position, the lists of
//! answers of Dukek et al. (c. 2021), and Polyglot books.

use std::{collections::HashMap, sync::LazyLock};

use foglight_rules::{Color, Game, Move, MoveKind, Position, notation::san};
use rand::Rng as _;
use shakmaty::{CastlingMode, EnPassantMode, Position as _, fen::Fen, zobrist::Zobrist64};

use foglight_play::Rng;

/// The named openings, in the order of their ECO codes.
const NAMED: [&str; 5] = [
    include_str!("../../../data/openings/a.tsv"),
    include_str!("../../../data/openings/b.tsv"),
    include_str!("../../../data/openings/c.tsv"),
    include_str!("../../../data/openings/d.tsv"),
    include_str!("../../../data/openings/e.tsv"),
];

/// Weighted moves, indexed by position, so that transpositions share them.
#[derive(Clone, Default, Debug)]
pub struct Book {
    moves: HashMap<u64, Vec<(Move, u32)>>,
    names: HashMap<u64, (&'static str, &'static str)>,
}

static LINES: LazyLock<Book> = LazyLock::new(Book::from_lines);

impl Book {
    /// The book of the named lines. The weight of a move is the number of lines
    /// that contain it.
    pub fn named() -> &'static Book {
        &LINES
    }

    fn from_lines() -> Book {
        let mut book = Book::default();
        let game = Game::chess();
        for row in NAMED.iter().flat_map(|text| text.lines().skip(1)) {
            let mut fields = row.split('\t');
            let (Some(code), Some(name), Some(line)) =
                (fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            let mut position = game.start();
            let words = line.split_whitespace().filter(|word| !word.ends_with('.'));
            for word in words {
                let Ok(m) = san::find(word, &game, &position) else {
                    break;
                };
                book.add(position.hash(), m, 1);
                game.play_unchecked(&mut position, m);
            }
            book.names.entry(position.hash()).or_insert((code, name));
        }
        book
    }

    fn add(&mut self, hash: u64, m: Move, weight: u32) {
        let moves = self.moves.entry(hash).or_default();
        match moves.iter_mut().find(|(known, _)| *known == m) {
            Some((_, sum)) => *sum += weight,
            None => moves.push((m, weight)),
        }
    }

    /// The book moves of a position with their weights.
    pub fn moves(&self, position: &Position) -> &[(Move, u32)] {
        self.moves.get(&position.hash()).map_or(&[], Vec::as_slice)
    }

    /// Code and name of the opening whose line ends in this position.
    pub fn name(&self, position: &Position) -> Option<(&'static str, &'static str)> {
        self.names.get(&position.hash()).copied()
    }

    /// Draws a book move with probability proportional to its weight.
    pub fn choose(&self, position: &Position, rng: &mut Rng) -> Option<Move> {
        pick(self.moves(position), rng)
    }

    /// The move with the highest weight; the first one on a tie.
    pub fn likeliest(&self, position: &Position) -> Option<Move> {
        let moves = self.moves(position);
        let most = moves.iter().map(|(_, weight)| *weight).max()?;
        moves
            .iter()
            .find(|(_, weight)| *weight == most)
            .map(|(m, _)| *m)
    }
}

fn pick(moves: &[(Move, u32)], rng: &mut Rng) -> Option<Move> {
    let total: u32 = moves.iter().map(|(_, weight)| weight).sum();
    if total == 0 {
        return None;
    }
    let mut left = rng.random_range(0..total);
    moves
        .iter()
        .find_map(|&(m, weight)| match left.checked_sub(weight) {
            None => Some(m),
            Some(rest) => {
                left = rest;
                None
            }
        })
}

/// Answers to the opponent's last move, in coordinates.
type Answers = &'static [(&'static str, &'static str)];

/// The lists of algorithms 6 and 7 of Dukek et al. (c. 2021), which the paper
/// leaves out, in the style that it describes: the King's Gambit, then knight
/// and bishop, for White; a pawn, then knights and a bishop, for Black.
const WHITE_OPENING: Answers = &[
    ("e7e5", "f2f4"),
    ("e5f4", "g1f3"),
    ("g7g5", "f1c4"),
    ("b8c6", "g1f3"),
    ("g8f6", "b1c3"),
    ("f8c5", "g1f3"),
    ("d7d6", "f1c4"),
    ("d7d5", "e4d5"),
    ("d8d5", "b1c3"),
    ("c7c5", "g1f3"),
    ("c7c6", "b1c3"),
    ("e7e6", "g1f3"),
];
const BLACK_OPENING: Answers = &[
    ("e2e4", "e7e5"),
    ("d2d4", "d7d5"),
    ("c2c4", "e7e5"),
    ("f2f4", "e5f4"),
    ("g1f3", "b8c6"),
    ("b1c3", "g8f6"),
    ("f1c4", "g8f6"),
    ("f1b5", "g8f6"),
    ("d2d3", "f8c5"),
];

/// The opening move of Dukek et al. (c. 2021), section 4.7, algorithms 6 and 7:
/// White begins 1 e4; every other move is the one that stands in the list after
/// the opponent's last move. The search moves if there is none, or if it is not
/// legal.
pub fn listed_answer(position: &Position, last: Option<Move>) -> Option<Move> {
    let list = match position.turn() {
        Color::White => WHITE_OPENING,
        Color::Black => BLACK_OPENING,
    };
    let answer = match last {
        None if *position == Game::chess().start() => "e2e4",
        None => return None,
        Some(last) => {
            let last = last.to_string();
            list.iter().find(|(known, _)| *known == last)?.1
        }
    };
    let legal = Game::chess().legal_moves(position);
    legal.iter().copied().find(|m| m.to_string() == answer)
}

/// A book in the Polyglot format: entries of sixteen bytes (key, move, weight,
/// learn; big-endian), sorted by key.
#[derive(Clone, Debug)]
pub struct Polyglot {
    entries: Vec<(u64, u16, u16)>,
}

/// The bytes are not a Polyglot book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a Polyglot book is entries of 16 bytes; found {0} bytes")]
pub struct PolyglotError(usize);

impl Polyglot {
    pub fn parse(bytes: &[u8]) -> Result<Polyglot, PolyglotError> {
        if bytes.is_empty() || !bytes.len().is_multiple_of(16) {
            return Err(PolyglotError(bytes.len()));
        }
        let entry = |chunk: &[u8]| {
            let key = chunk[..8].iter().fold(0, |sum, &b| sum << 8 | u64::from(b));
            let pair = |i: usize| u16::from_be_bytes([chunk[i], chunk[i + 1]]);
            (key, pair(8), pair(10))
        };
        let mut entries: Vec<_> = bytes.chunks_exact(16).map(entry).collect();
        entries.sort_by_key(|(key, _, _)| *key);
        Ok(Polyglot { entries })
    }

    /// The legal book moves of a position with their weights.
    pub fn moves(&self, position: &Position) -> Vec<(Move, u32)> {
        let Some(key) = polyglot_key(position) else {
            return Vec::new();
        };
        let first = self.entries.partition_point(|(known, _, _)| *known < key);
        let same = self.entries[first..]
            .iter()
            .take_while(|(known, _, _)| *known == key);
        let legal = position.legal_moves();
        same.filter_map(|&(_, coded, weight)| {
            let m = legal.iter().find(|&&m| polyglot_move(m) == coded)?;
            Some((*m, u32::from(weight)))
        })
        .collect()
    }

    /// Draws a book move with probability proportional to its weight.
    pub fn choose(&self, position: &Position, rng: &mut Rng) -> Option<Move> {
        pick(&self.moves(position), rng)
    }
}

/// Encodes a move for Polyglot, where castling is the king's move onto its rook.
pub fn polyglot_move(m: Move) -> u16 {
    let (from, mut to) = (m.from(), m.to());
    if m.kind() == MoveKind::Castle
        && let Some(castling) = foglight_rules::Castling::ending_on(to)
    {
        to = castling.rook.0;
    }
    // Polyglot codes: knight 1, bishop 2, rook 3, queen 4.
    let promotion = m.promotion().map_or(0, |role| role as u16 - 1);
    to as u16 | (from as u16) << 6 | promotion << 12
}

/// The Polyglot key of a chess position, from shakmaty's tables of the
/// published random numbers. Polyglot hashes an en passant square only if an
/// enemy pawn can capture there; [`Position`] stores it on the same condition.
pub fn polyglot_key(position: &Position) -> Option<u64> {
    let fen: Fen = Game::chess().fen(position).parse().ok()?;
    let chess: shakmaty::Chess = fen.into_position(CastlingMode::Standard).ok()?;
    let hash: Zobrist64 = chess.zobrist_hash(EnPassantMode::PseudoLegal);
    Some(hash.0)
}
