//! Dice chess with three dice.

use super::{LETTERS, Mailbox, Passing, Step, die};

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
