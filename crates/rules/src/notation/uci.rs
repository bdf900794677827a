//! UCI moves: `e2e4`, `e7e8q`, castling as the king's move; and rolls.

use shakmaty::{Role, Square};

use crate::{
    action::{Action, MoveError},
    dice::Dice,
    moves::Move,
    state::State,
};

impl State {
    /// Parses an action that is legal now. The error does not depend on hidden
    /// information.
    pub fn parse_action(&self, text: &str) -> Result<Action, MoveError> {
        if let Some(letters) = text.strip_prefix("roll:") {
            let roll = Dice::parse(letters).filter(|roll| {
                letters == roll.to_string()
                    && self.chance_outcomes().iter().any(|(dice, _)| dice == roll)
            });
            return roll.map(Action::Roll).ok_or_else(|| MoveError::roll(text));
        }
        find(text, &self.legal_moves()).map(Action::Move)
    }
}

/// Finds the legal move with exactly this text.
pub fn find(text: &str, legal: &[Move]) -> Result<Move, MoveError> {
    let named = read(text).and_then(|named| {
        let mut legal = legal.iter().copied();
        legal.find(|m| (m.from(), m.to(), m.promotion()) == named)
    });
    named.ok_or_else(|| MoveError::illegal(text))
}

/// Parses origin, destination and promotion.
fn read(text: &str) -> Option<(Square, Square, Option<Role>)> {
    let (from, to) = (text.get(0..2)?.parse().ok()?, text.get(2..4)?.parse().ok()?);
    let promotion = match text.get(4..)? {
        "" => None,
        letter => {
            let role = Role::ALL.into_iter();
            let mut role = role.filter(|role| letter.chars().eq([role.char()]));
            Some(role.next()?)
        }
    };
    Some((from, to, promotion))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    /// Only canonical text is accepted.
    #[test]
    fn only_the_exact_text_names_a_move() {
        let game = Game::chess();
        let fen = "r3k2r/1P6/8/2pP4/8/8/8/R3K2R w KQkq c6 0 1";
        let position = game.parse_fen(fen).expect("a FEN");
        let legal = game.legal_moves(&position).to_vec();
        for m in &legal {
            assert_eq!(find(&m.to_string(), &legal), Ok(*m));
        }
        for text in [
            "", "e1", "e1g", "E1G1", "e1g1 ", "b7b8", "b7b8Q", "b7b8k", "b7b8qq", "b7b8é", "é1g1",
        ] {
            assert_eq!(find(text, &legal), Err(MoveError::illegal(text)));
        }
    }
}
