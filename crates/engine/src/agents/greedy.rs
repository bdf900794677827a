//! The greedy agent of Ermlick 2023: captures the king if it can, else the most
//! valuable visible piece, else moves at random.

use foglight_rules::{Color, Game, Move, Observation, Role};
use rand::seq::IndexedRandom;

use crate::eval::piece_value;
use foglight_play::{Agent, Budget, Entry, OptionInfo, Rng, Values, seeded};

pub const ENTRY: Entry = Entry {
    name: "greedy",
    about: "captures the king, else the most valuable piece, else moves at random (Ermlick 2023)",
    options: &[
        OptionInfo::new(
            "preset",
            Values::Choice(&["paper"]),
            "paper",
            "paper: as published; the only preset",
        ).open(),
        OptionInfo::new(
            "style",
            Values::Choice(&["plain", "conservative", "preservative"]),
            "plain",
            "conservative: never captures with a more valuable piece; preservative: prefers capturing with attacked pieces",
        ).open(),
        OptionInfo::new(
            "ties",
            Values::Choice(&["random", "last"]),
            "random",
            "among equal captures: any, or the one that the paper's code generates last",
        ).open(),
    ],
    plays: |_| true,
    build: |options, _| {
        let style = match options.text("style") {
            "conservative" => Style::Conservative,
            "preservative" => Style::Preservative,
            _ => Style::Plain,
        };
        Ok(Box::new(Greedy {
            last: options.text("ties") == "last",
            ..Greedy::new(style)
        }))
    },
};

/// The variants that the paper describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Scores a capture by the value of the captured piece alone.
    Plain,
    /// Never captures with a piece more valuable than the captured one, and
    /// scores a capture by the difference.
    Conservative,
    /// Adds the value of the capturing piece if it is attacked, since the capture
    /// moves it out of danger.
    Preservative,
}

/// The greedy agent; other agents fall back on it.
pub struct Greedy {
    style: Style,
    /// Takes the last of several equal captures, see [`Greedy::last_capture`].
    last: bool,
    rng: Rng,
}

impl Greedy {
    /// Creates an agent with a fixed seed, which [`Agent::start`] replaces.
    pub fn new(style: Style) -> Greedy {
        Greedy {
            style,
            last: false,
            rng: seeded(0),
        }
    }

    /// The score of a capture; `None` for moves that do not capture and captures
    /// that the style rejects.
    fn worth(&self, observation: &Observation, m: Move) -> Option<i32> {
        let taken = piece_value(observation.captures(m)?);
        let board = &observation.view().board;
        let taker = board.role_at(m.from()).map_or(0, piece_value);
        match self.style {
            _ if taken >= piece_value(Role::King) => Some(taken),
            Style::Plain => Some(taken),
            Style::Conservative => (taken >= taker).then_some(taken - taker),
            Style::Preservative => {
                let enemy = !observation.side();
                let attacked = board.attackers(m.from(), enemy, board.occupied()).any();
                Some(taken + if attacked { taker } else { 0 })
            }
        }
    }

    /// All captures with the highest score; empty if there is no capture.
    pub(crate) fn best_captures(&self, observation: &Observation) -> Vec<Move> {
        let moves = observation.legal_moves().iter();
        let worths: Vec<(Move, i32)> = moves
            .filter_map(|&m| Some((m, self.worth(observation, m)?)))
            .collect();
        let best = worths.iter().map(|(_, worth)| *worth).max();
        let best = worths.iter().filter(|(_, worth)| Some(*worth) == best);
        best.map(|(m, _)| *m).collect()
    }
}

/// The place of a capture in the order in which python-chess generates moves,
/// as the paper's code does: pieces before pawns, squares from h8 to a1, queens
/// first among promotions, en passant at the end.
fn generated(observation: &Observation, m: &Move) -> impl Ord + use<> {
    let board = &observation.view().board;
    let pawn = board.role_at(m.from()) == Some(Role::Pawn);
    let backwards = |square| std::cmp::Reverse(square as u8);
    let promotion = std::cmp::Reverse(m.promotion().map(|role| role as u8));
    (
        pawn && board.role_at(m.to()).is_none(),
        pawn,
        backwards(m.from()),
        backwards(m.to()),
        promotion,
    )
}

impl Greedy {
    /// Of the captures with the highest score the one that the paper's code
    /// takes, which is the last that it generates.
    pub(crate) fn last_capture(&self, observation: &Observation) -> Option<Move> {
        let captures = self.best_captures(observation).into_iter();
        captures.max_by_key(|m| generated(observation, m))
    }
}

impl Agent for Greedy {
    fn start(&mut self, _: &Game, _: Color, seed: u64) {
        self.rng = seeded(seed);
    }

    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
        if self.last
            && let Some(capture) = self.last_capture(observation)
        {
            return capture;
        }
        let captures = self.best_captures(observation);
        let choice = if captures.is_empty() {
            observation.legal_moves()
        } else {
            &captures
        };
        *choice.choose(&mut self.rng).expect("a move to choose")
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::State;

    use super::*;

    fn choice(fen: &str, style: Style) -> Vec<String> {
        let game = Game::fog();
        let state = State::new(game, game.parse_fen(fen).expect("a position"));
        let observation = state.observe(state.position().turn());
        let mut moves: Vec<String> = Greedy::new(style)
            .best_captures(&observation)
            .iter()
            .map(Move::to_string)
            .collect();
        moves.sort();
        moves
    }

    #[test]
    fn takes_the_king_before_the_queen() {
        let fen = "3k4/8/8/q2R4/8/8/8/4K3 w - - 0 1";
        for style in [Style::Plain, Style::Conservative, Style::Preservative] {
            assert_eq!(choice(fen, style), ["d5d8"]);
        }
    }

    #[test]
    fn styles_differ_where_the_source_says() {
        // The knight can capture the queen; the attacked rook its attacker.
        let fen = "4k3/8/8/2q5/N3p3/4R2r/8/4K3 w - - 0 1";
        assert_eq!(choice(fen, Style::Plain), ["a4c5"]);
        assert_eq!(choice(fen, Style::Conservative), ["a4c5"]);
        assert_eq!(choice(fen, Style::Preservative), ["e3h3"]);
        // Only the rook can capture, and only a pawn: conservative declines.
        let fen = "4k3/8/8/8/4p3/4R3/8/4K3 w - - 0 1";
        assert_eq!(choice(fen, Style::Plain), ["e3e4"]);
        assert!(choice(fen, Style::Conservative).is_empty());
    }

    #[test]
    fn the_last_of_equal_captures_is_the_sources() {
        // Rook and pawns may take a knight; pawns come last, and e4 after g4.
        let game = Game::fog();
        let fen = "4k3/8/8/3n1n2/4P1P1/8/5R2/4K3 w - - 0 1";
        let state = State::new(game, game.parse_fen(fen).expect("a position"));
        let observation = state.observe(Color::White);
        let greedy = Greedy::new(Style::Plain);
        assert_eq!(greedy.best_captures(&observation).len(), 4);
        let last = greedy.last_capture(&observation).expect("a capture");
        assert_eq!(last.to_string(), "e4d5");
    }
}
