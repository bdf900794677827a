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
    ],
    plays: |_| true,
    build: |options, _| {
        let style = match options.text("style") {
            "conservative" => Style::Conservative,
            "preservative" => Style::Preservative,
            _ => Style::Plain,
        };
        Ok(Box::new(Greedy::new(style)))
    },
};

/// The variants that the paper describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Scores a capture by the value of the captured piece alone.
    Plain,
    /// Never captures with a piece more valuable than the captured one.
    Conservative,
    /// Adds the value of the capturing piece if it is attacked, since the capture
    /// moves it out of danger.
    Preservative,
}

/// The greedy agent; other agents fall back on it.
pub struct Greedy {
    style: Style,
    rng: Rng,
}

impl Greedy {
    /// Creates an agent with a fixed seed, which [`Agent::start`] replaces.
    pub fn new(style: Style) -> Greedy {
        Greedy {
            style,
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
            Style::Conservative => (taken >= taker).then_some(taken),
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

impl Agent for Greedy {
    fn start(&mut self, _: &Game, _: Color, seed: u64) {
        self.rng = seeded(seed);
    }

    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
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
}
