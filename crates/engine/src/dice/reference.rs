//! Plain expectiminimax (equation 5 of Chakrian et al.): max, chance, min,
//! chance ... over the rules themselves, without pruning or tables.

use foglight_rules::{Color, Game, Move, Position, Turn};

use foglight_play::Budget;

use super::search::Stopped;

pub struct ReferenceExpectiminimax<'a> {
    pub game: Game,
    /// The win probability of the side to roll at a leaf where the game goes
    /// on.
    pub evaluate: &'a dyn Fn(&Position) -> f64,
    /// Limit of the search.
    pub budget: &'a Budget,
    pub nodes: u64,
}

impl ReferenceExpectiminimax<'_> {
    /// White's win probability at a node with `depth` plies to go.
    pub fn value(&mut self, position: &Position, depth: u32) -> Result<f64, Stopped> {
        if !self.budget.allows(self.nodes) || (self.nodes % 256 == 255 && self.budget.out_of_time())
        {
            return Err(Stopped);
        }
        self.nodes += 1;
        match turn(&self.game, position) {
            Turn::Over(outcome) => Ok(outcome.score(Color::White)),
            Turn::Player(side) => self.best(position, side, depth),
            Turn::Chance if depth == 0 => Ok(for_white(position.turn(), (self.evaluate)(position))),
            Turn::Chance => {
                let mut sum = 0.0;
                for (dice, probability) in self.game.chance_outcomes(position) {
                    let mut rolled = *position;
                    self.game.roll_unchecked(&mut rolled, dice);
                    sum += probability * self.value(&rolled, depth)?;
                }
                Ok(sum)
            }
        }
    }

    fn best(&mut self, position: &Position, side: Color, depth: u32) -> Result<f64, Stopped> {
        let mut best: Option<f64> = None;
        for m in self.game.legal_moves(position) {
            let own = for_white(side, self.move_value(position, m, depth)?);
            best = Some(best.map_or(own, |known| known.max(own)));
        }
        Ok(for_white(side, best.unwrap_or(0.5)))
    }

    /// White's win probability after a move; `depth` counts its turn.
    pub fn move_value(&mut self, position: &Position, m: Move, depth: u32) -> Result<f64, Stopped> {
        let mut next = *position;
        self.game.play_unchecked(&mut next, m);
        let same = !next.dice().is_none();
        self.value(&next, if same { depth } else { depth - 1 })
    }
}

/// Converts a win probability of `side` to White's, and back.
pub fn for_white(side: Color, value: f64) -> f64 {
    if side.is_white() { value } else { 1.0 - value }
}

/// The turn in a position of a dice game, with draws by the halfmove limit.
pub fn turn(game: &Game, position: &Position) -> Turn {
    use foglight_rules::{Outcome, Termination};
    if let Some(outcome) = game.outcome(position) {
        return Turn::Over(outcome);
    }
    if game
        .halfmove_limit()
        .is_some_and(|limit| position.halfmoves() >= limit)
    {
        return Turn::Over(Outcome::draw(Termination::FiftyMoves));
    }
    if position.dice().is_none() {
        Turn::Chance
    } else {
        Turn::Player(position.turn())
    }
}
