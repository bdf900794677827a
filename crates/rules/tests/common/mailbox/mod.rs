//! Second implementation of the king-capture games: slow, simple, and sharing
//! nothing with the crate but FEN and UCI text. One byte per square, rays traced
//! step by step.
#![allow(dead_code, reason = "each test binary uses a part")]

mod dice1;
mod dice3;
mod moves;

use std::fmt::Write;

/// Dice in the order of their letters.
pub const LETTERS: [char; 6] = ['P', 'N', 'B', 'R', 'Q', 'K'];

/// File and rank, from 0.
pub type At = (i32, i32);

/// A move: origin, destination and promotion (a lower-case letter, or a space).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Step {
    pub from: At,
    pub to: At,
    pub promotion: char,
}

fn square_name((file, rank): At) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

impl Step {
    pub fn uci(&self) -> String {
        let text = format!("{}{}", square_name(self.from), square_name(self.to));
        match self.promotion {
            ' ' => text,
            letter => format!("{text}{letter}"),
        }
    }
}

/// How long a pawn can be captured en passant after a double step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// By the very next move; recorded only if a pawn can capture.
    Once,
    /// During the whole next turn.
    Turn,
}

/// A position: letters as in FEN, `.` for an empty square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mailbox {
    cells: [[char; 8]; 8],
    files: i32,
    ranks: i32,
    white: bool,
    /// Castling rights K, Q, k, q.
    rights: [bool; 4],
    /// Files of the en passant squares on the third and on the sixth rank.
    third: [bool; 8],
    sixth: [bool; 8],
    half: u32,
    full: u32,
    /// Dice left of each role, as in [`LETTERS`].
    dice: [u8; 6],
}

const RIGHTS: [char; 4] = ['K', 'Q', 'k', 'q'];

impl Mailbox {
    /// Parses a valid FEN of six or seven fields.
    pub fn new(fen: &str) -> Mailbox {
        let fields: Vec<&str> = fen.split(' ').collect();
        let rows: Vec<&str> = fields[0].split('/').collect();
        let mut cells = [['.'; 8]; 8];
        let mut files = 0;
        for (i, row) in rows.iter().enumerate() {
            let mut file = 0;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(run) => file += run as usize,
                    None => {
                        cells[rows.len() - 1 - i][file] = letter;
                        file += 1;
                    }
                }
            }
            files = file as i32;
        }
        let mut board = Mailbox {
            cells,
            files,
            ranks: rows.len() as i32,
            white: fields[1] == "w",
            rights: RIGHTS.map(|letter| fields[2].contains(letter)),
            third: [false; 8],
            sixth: [false; 8],
            half: fields[4].parse().expect("a clock"),
            full: fields[5].parse().expect("a move number"),
            dice: [0; 6],
        };
        for pair in fields[3].as_bytes().chunks(2).filter(|p| p.len() == 2) {
            let file = (pair[0] - b'a') as usize;
            match pair[1] {
                b'3' => board.third[file] = true,
                _ => board.sixth[file] = true,
            }
        }
        if let Some(dice) = fields.get(6).filter(|dice| **dice != "-") {
            board.set_dice(dice);
        }
        board
    }

    pub fn set_dice(&mut self, letters: &str) {
        self.dice = [0; 6];
        for letter in letters.chars() {
            self.dice[die(letter)] += 1;
        }
    }

    /// Writes the FEN, with the dice as a seventh field if wanted.
    pub fn fen(&self, with_dice: bool) -> String {
        let mut text = String::new();
        for rank in (0..self.ranks).rev() {
            let mut row: String = (0..self.files).map(|file| self.at((file, rank))).collect();
            for run in (1..=8).rev() {
                row = row.replace(&".".repeat(run), &run.to_string());
            }
            text.push_str(&row);
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        text.push_str(if self.white { "w " } else { "b " });
        let rights: String = (0..4)
            .filter(|&i| self.rights[i])
            .map(|i| RIGHTS[i])
            .collect();
        text.push_str(if rights.is_empty() { "-" } else { &rights });
        let mut passed = String::new();
        for file in 0..8 {
            for (set, rank) in [(self.third, 2), (self.sixth, 5)] {
                if set[file as usize] {
                    passed.push_str(&square_name((file, rank)));
                }
            }
        }
        let passed = if passed.is_empty() { "-" } else { &passed };
        write!(text, " {passed} {} {}", self.half, self.full).expect("text");
        if with_dice {
            let dice = self.dice_text();
            let dice = if self.white {
                dice
            } else {
                dice.to_lowercase()
            };
            write!(text, " {}", if dice.is_empty() { "-" } else { &dice }).expect("text");
        }
        text
    }

    fn dice_text(&self) -> String {
        (0..6)
            .flat_map(|i| std::iter::repeat_n(LETTERS[i], self.dice[i] as usize))
            .collect()
    }

    /// Number of en passant squares, on both ranks.
    pub fn passed_count(&self) -> usize {
        let count = |set: [bool; 8]| set.into_iter().filter(|&on| on).count();
        count(self.third) + count(self.sixth)
    }

    pub fn white_to_move(&self) -> bool {
        self.white
    }

    pub fn dice_left(&self) -> u32 {
        self.dice.iter().map(|&n| u32::from(n)).sum()
    }

    fn at(&self, (file, rank): At) -> char {
        self.cells[rank as usize][file as usize]
    }

    fn put(&mut self, (file, rank): At, letter: char) {
        self.cells[rank as usize][file as usize] = letter;
    }

    fn on_board(&self, (file, rank): At) -> bool {
        (0..self.files).contains(&file) && (0..self.ranks).contains(&rank)
    }

    fn mine(&self, letter: char) -> bool {
        letter != '.' && letter.is_ascii_uppercase() == self.white
    }

    fn theirs(&self, letter: char) -> bool {
        letter != '.' && letter.is_ascii_uppercase() != self.white
    }

    /// Whether both kings are on the board.
    pub fn both_kings(&self) -> bool {
        let has = |king| self.cells.iter().flatten().any(|&c| c == king);
        has('K') && has('k')
    }

    /// The position after the pieces moved; the turn stays.
    fn shifted(&self, m: Step, passing: Passing) -> Mailbox {
        let mut next = *self;
        let piece = self.at(m.from);
        let pawn = piece.eq_ignore_ascii_case(&'p');
        let mut quiet = !pawn && self.at(m.to) == '.';
        if pawn && m.from.0 != m.to.0 && self.at(m.to) == '.' {
            next.put((m.to.0, m.from.1), '.');
            quiet = false;
        }
        next.put(m.from, '.');
        let arrived = match m.promotion {
            ' ' => piece,
            letter if self.white => letter.to_ascii_uppercase(),
            letter => letter,
        };
        next.put(m.to, arrived);
        if self.is_castling(m) {
            let rook = if m.to.0 == 6 { (7, 5) } else { (0, 3) };
            let letter = self.at((rook.0, m.to.1));
            next.put((rook.0, m.to.1), '.');
            next.put((rook.1, m.to.1), letter);
        }
        next.half = if quiet { self.half + 1 } else { 0 };
        next.forget_rights();
        next.note_passing(m, pawn && (m.from.1 - m.to.1).abs() == 2, passing);
        next
    }

    /// Clears the right of a king or rook that is not on its square: it cannot
    /// return without having moved.
    fn forget_rights(&mut self) {
        let homes = [
            ((4, 0), 'K', (7, 0), 'R'),
            ((4, 0), 'K', (0, 0), 'R'),
            ((4, 7), 'k', (7, 7), 'r'),
            ((4, 7), 'k', (0, 7), 'r'),
        ];
        for (i, (king_at, king, rook_at, rook)) in homes.into_iter().enumerate() {
            self.rights[i] &= self.at(king_at) == king && self.at(rook_at) == rook;
        }
    }

    fn note_passing(&mut self, m: Step, double: bool, passing: Passing) {
        if passing == Passing::Once {
            (self.third, self.sixth) = ([false; 8], [false; 8]);
        }
        for file in 0..8 {
            // A captured pawn can no longer be captured en passant.
            self.third[file] &= self.cells[3][file] == 'P';
            self.sixth[file] &= self.cells[4][file] == 'p';
        }
        if double {
            let enemy = if self.white { 'p' } else { 'P' };
            let beside = [-1, 1].into_iter().any(|side| {
                let at = (m.to.0 + side, m.to.1);
                self.on_board(at) && self.at(at) == enemy
            });
            if beside || passing == Passing::Turn {
                let set = if self.white {
                    &mut self.third
                } else {
                    &mut self.sixth
                };
                set[m.to.0 as usize] = true;
            }
        }
    }

    fn flip(&mut self) {
        self.full += u32::from(!self.white);
        self.white = !self.white;
        self.dice = [0; 6];
    }
}

fn die(letter: char) -> usize {
    LETTERS
        .iter()
        .position(|&l| l.eq_ignore_ascii_case(&letter))
        .expect("a piece letter")
}

/// The moves as sorted texts.
pub fn texts(moves: &[Step]) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(Step::uci).collect();
    texts.sort();
    texts
}
