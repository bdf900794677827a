//! Second implementation of the king-capture games: slow, simple, and sharing
//! nothing with the crate but FEN and UCI text. One byte per square, rays traced
//! step by step.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::fmt::Write;

/// Dice in the order of their letters.
pub const LETTERS: [char; 6] = ['P', 'N', 'B', 'R', 'Q', 'K'];

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

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

    /// All king-capture moves of the side to move, ignoring dice.
    pub fn moves(&self) -> Vec<Step> {
        let mut moves = Vec::new();
        if !self.both_kings() {
            return moves;
        }
        for rank in 0..self.ranks {
            for file in 0..self.files {
                let from = (file, rank);
                if self.mine(self.at(from)) {
                    self.moves_from(from, &mut moves);
                }
            }
        }
        moves
    }

    fn moves_from(&self, from: At, moves: &mut Vec<Step>) {
        let all = [STRAIGHT, DIAGONAL].concat();
        match self.at(from).to_ascii_uppercase() {
            'P' => self.pawn_moves(from, moves),
            'N' => self.walk(from, &KNIGHT, 1, moves),
            'B' => self.walk(from, &DIAGONAL, 8, moves),
            'R' => self.walk(from, &STRAIGHT, 8, moves),
            'Q' => self.walk(from, &all, 8, moves),
            _ => {
                self.walk(from, &all, 1, moves);
                self.castlings(from, moves);
            }
        }
    }

    fn walk(&self, from: At, directions: &[(i32, i32)], reach: i32, moves: &mut Vec<Step>) {
        for (dx, dy) in directions {
            for n in 1..=reach {
                let to = (from.0 + n * dx, from.1 + n * dy);
                if !self.on_board(to) || self.mine(self.at(to)) {
                    break;
                }
                moves.push(Step {
                    from,
                    to,
                    promotion: ' ',
                });
                if self.at(to) != '.' {
                    break;
                }
            }
        }
    }

    fn full_board(&self) -> bool {
        self.files == 8 && self.ranks == 8
    }

    fn forward(&self) -> i32 {
        if self.white { 1 } else { -1 }
    }

    fn pawn_moves(&self, from: At, moves: &mut Vec<Step>) {
        let (file, rank) = from;
        let up = self.forward();
        let mut arrive = |to: At| {
            let last = to.1 == if up == 1 { self.ranks - 1 } else { 0 };
            for promotion in if last { "qrbn" } else { " " }.chars() {
                moves.push(Step {
                    from,
                    to,
                    promotion,
                });
            }
        };
        let one = (file, rank + up);
        if self.on_board(one) && self.at(one) == '.' {
            arrive(one);
            let two = (file, rank + 2 * up);
            let home = if up == 1 { 1 } else { 6 };
            if self.full_board() && rank == home && self.at(two) == '.' {
                arrive(two);
            }
        }
        for side in [-1, 1] {
            let to = (file + side, rank + up);
            if self.on_board(to) && (self.theirs(self.at(to)) || self.may_take_passing(to)) {
                arrive(to);
            }
        }
    }

    fn may_take_passing(&self, to: At) -> bool {
        let (set, rank) = if self.white {
            (self.sixth, 5)
        } else {
            (self.third, 2)
        };
        to.1 == rank && set[to.0 as usize] && self.at(to) == '.'
    }

    fn castlings(&self, from: At, moves: &mut Vec<Step>) {
        let home = if self.white { 0 } else { 7 };
        let mine = if self.white { 0 } else { 2 };
        for (right, between, file) in [(mine, 5..=6, 6), (mine + 1, 1..=3, 2)] {
            if self.rights[right] && between.into_iter().all(|f| self.at((f, home)) == '.') {
                moves.push(Step {
                    from,
                    to: (file, home),
                    promotion: ' ',
                });
            }
        }
    }

    fn is_castling(&self, m: Step) -> bool {
        self.at(m.from).eq_ignore_ascii_case(&'k') && (m.from.0 - m.to.0).abs() == 2
    }

    /// Whether the move captures the king.
    pub fn takes_king(&self, m: Step) -> bool {
        self.at(m.to).eq_ignore_ascii_case(&'k')
    }

    /// Whether the moves contain en passant, castling, promotion.
    pub fn specials(&self, moves: &[Step]) -> [bool; 3] {
        let pawn = |m: &Step| self.at(m.from).eq_ignore_ascii_case(&'p');
        [
            moves
                .iter()
                .any(|m| pawn(m) && m.from.0 != m.to.0 && self.at(m.to) == '.'),
            moves.iter().any(|&m| self.is_castling(m)),
            moves.iter().any(|m| m.promotion != ' '),
        ]
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

/// Dice chess with one die.
impl Mailbox {
    /// The moves for a roll: those of its role, and promotions to it.
    pub fn dice1_moves(&self, roll: char) -> Vec<Step> {
        self.moves()
            .into_iter()
            .filter(|m| {
                let kind = self.at(m.from).to_ascii_uppercase();
                kind == roll || m.promotion == roll.to_ascii_lowercase()
            })
            .collect()
    }

    pub fn dice1_rolls(&self) -> Vec<char> {
        LETTERS
            .into_iter()
            .filter(|&roll| !self.dice1_moves(roll).is_empty())
            .collect()
    }

    /// The position after a move, and whether the other side then passed.
    pub fn dice1_play(&self, m: Step) -> (Mailbox, bool) {
        let mut next = self.shifted(m, Passing::Once);
        next.flip();
        if !next.both_kings() || !next.moves().is_empty() {
            return (next, false);
        }
        let mut passed = next;
        passed.half += 1;
        (passed.third, passed.sixth) = ([false; 8], [false; 8]);
        passed.flip();
        match passed.moves().is_empty() {
            true => (next, false),
            false => (passed, true),
        }
    }

    pub fn dice1_perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        for roll in self.dice1_rolls() {
            for m in self.dice1_moves(roll) {
                let (next, passed) = self.dice1_play(m);
                nodes += match depth {
                    1 => 1,
                    _ if self.takes_king(m) => 0,
                    _ => next.dice1_perft(depth - 1 - u32::from(passed)),
                };
            }
        }
        nodes
    }
}

/// Dice chess with three dice.
impl Mailbox {
    /// Moves that the dice allow.
    fn paid_moves(&self) -> Vec<Step> {
        let mut moves = self.moves();
        moves.retain(|&m| {
            let rook = !self.is_castling(m) || self.dice[die('R')] > 0;
            rook && self.dice[die(self.at(m.from))] > 0
        });
        moves
    }

    fn cost(&self, m: Step) -> u32 {
        if self.is_castling(m) { 2 } else { 1 }
    }

    /// The position after a ply, with its dice used, before the turn ends.
    fn dice3_after(&self, m: Step) -> Mailbox {
        let mut next = self.shifted(m, Passing::Turn);
        next.dice[die(self.at(m.from))] -= 1;
        if self.is_castling(m) {
            next.dice[die('R')] -= 1;
        }
        next
    }

    /// The maximum number of dice that can be used from here.
    fn best(&self) -> u32 {
        if self.dice_left() == 0 {
            return 0;
        }
        let spent = |m| self.cost(m) + self.dice3_after(m).best();
        self.paid_moves().into_iter().map(spent).max().unwrap_or(0)
    }

    /// The legal moves: those that preserve the maximum, and king captures.
    pub fn dice3_moves(&self) -> Vec<Step> {
        let spent = |m: Step| self.cost(m) + self.dice3_after(m).best();
        let paid: Vec<(Step, u32)> = self
            .paid_moves()
            .into_iter()
            .map(|m| (m, spent(m)))
            .collect();
        let most = paid.iter().map(|&(_, n)| n).max();
        paid.into_iter()
            .filter(|&(m, n)| Some(n) == most || self.takes_king(m))
            .map(|(m, _)| m)
            .collect()
    }

    /// Whether the maximum rule forbids a move that the dice allow.
    pub fn rule_bites(&self) -> bool {
        self.dice3_moves().len() < self.paid_moves().len()
    }

    fn end_turn(&mut self) {
        if self.white {
            self.sixth = [false; 8];
        } else {
            self.third = [false; 8];
        }
        self.flip();
    }

    /// The position after a legal move; the turn ends when no die can be used.
    pub fn dice3_play(&self, m: Step) -> Mailbox {
        let mut next = self.dice3_after(m);
        if next.paid_moves().is_empty() {
            next.end_turn();
        }
        next
    }

    /// The position after a roll, and whether it was unusable.
    pub fn dice3_roll(&self, roll: &str) -> (Mailbox, bool) {
        let mut next = *self;
        next.set_dice(roll);
        let useless = next.paid_moves().is_empty();
        if useless {
            next.half += 1;
            next.end_turn();
        }
        (next, useless)
    }

    pub fn dice3_perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.dice_left() > 0 {
            return self.dice3_perft_of_moves(depth);
        }
        let mut nodes = 0;
        for (i, a) in LETTERS.iter().enumerate() {
            for (j, b) in LETTERS.iter().enumerate().skip(i) {
                for c in &LETTERS[j..] {
                    nodes += match self.dice3_roll(&format!("{a}{b}{c}")) {
                        (next, true) => next.dice3_perft(depth - 1),
                        (next, false) => next.dice3_perft(depth),
                    };
                }
            }
        }
        nodes
    }

    fn dice3_perft_of_moves(&self, depth: u32) -> u64 {
        let moves = self.dice3_moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let running = moves.into_iter().filter(|&m| !self.takes_king(m));
        running
            .map(|m| self.dice3_play(m).dice3_perft(depth - 1))
            .sum()
    }
}

/// The moves as sorted texts.
pub fn texts(moves: &[Step]) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(Step::uci).collect();
    texts.sort();
    texts
}
