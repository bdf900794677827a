//! King-capture moves, ignoring dice.

use super::{At, Mailbox, Step};

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

impl Mailbox {
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

    pub(super) fn is_castling(&self, m: Step) -> bool {
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
}
