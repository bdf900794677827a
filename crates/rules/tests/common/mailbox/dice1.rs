//! Dice chess with one die.

use super::{LETTERS, Mailbox, Passing, Step};

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
