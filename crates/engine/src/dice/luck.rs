//! How much of a result was the dice: a control variate.
//!
//! At each roll a frozen evaluation changes from what it expected of the roll
//! to what the roll is worth. These changes have mean 0 whoever plays, so that
//! subtracting them from the score leaves its mean and takes out noise.

use foglight_rules::{Action, Color, Dice, Game, Position, Record, Role, Turn, Variant};

use super::{
    reference::for_white,
    rolls::{Rolled, roles_attacking_king},
    turns::{PartialTurn, Reach, Worth},
    value::{DiceNode, PieceSquareValues},
};

/// What each possible roll is worth to the side that rolls, with its
/// probability, by the best that it allows at once.
pub fn roll_values(game: &Game, position: &Position) -> Vec<(Dice, f64, f64)> {
    let values = PieceSquareValues::of_size(position.size());
    if game.variant() == Variant::Dice3 {
        let reach = Reach::new(&PartialTurn::new(position, values), values);
        let value = |worth| match worth {
            Worth::King => 1.0,
            Worth::Board(mid) => 1.0 - f64::from(values.quiet(mid.sum, !mid.side)),
        };
        let rolls = reach.rolls();
        return rolls
            .map(|(dice, ways, worth)| (dice, f64::from(ways) / 216.0, value(worth)))
            .collect();
    }
    let node = DiceNode::new(*position, values);
    let rolled = Rolled::new(position);
    let takes = roles_attacking_king(position.board(), position.turn(), position.size());
    let best = |role: Role| {
        if takes.has(role) {
            return 1.0;
        }
        let after = |m| node.value_after(m, values).map_or(0.5, f64::from);
        rolled.of(role).map(after).fold(0.0, f64::max)
    };
    let chance = game.chance_outcomes(position).into_iter();
    chance
        .map(|(dice, share)| (dice, share, dice.roles().next().map_or(0.5, best)))
        .collect()
}

/// White's luck in a game: the sum over all rolls of what the roll was worth
/// less what was expected, in expected points.
pub fn luck(record: &Record) -> f64 {
    let mut sum = 0.0;
    // The luck of a record that cannot be replayed is that of its legal part.
    let _ = record.replay().each(|state, action| {
        if let (Turn::Chance, Action::Roll(dice)) = (state.turn(), action) {
            let side = state.position().turn();
            sum += surprise(&record.game, state.position(), dice)
                * if side.is_white() { 1.0 } else { -1.0 };
        }
    });
    sum
}

/// What a roll was worth to the side that had it, less what was expected.
fn surprise(game: &Game, position: &Position, dice: Dice) -> f64 {
    let values = roll_values(game, position);
    let expected: f64 = values.iter().map(|(_, p, value)| p * value).sum();
    let found = values.iter().find(|(roll, _, _)| *roll == dice);
    found.map_or(0.0, |(_, _, value)| value - expected)
}

/// A game's score and luck for one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scored {
    /// 1, 0.5 or 0.
    pub score: f64,
    pub luck: f64,
}

impl Scored {
    /// A game for the player of `side`; `None` if it has no result.
    pub fn of(record: &Record, side: Color) -> Option<Scored> {
        let score = record.outcome?.score(side);
        let white = luck(record);
        Some(Scored {
            score,
            luck: if side.is_white() { white } else { -white },
        })
    }
}

/// A match's mean score, as played and with the luck taken out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adjusted {
    pub raw: f64,
    pub raw_error: f64,
    /// The mean score less what the luck explains.
    pub adjusted: f64,
    pub error: f64,
    /// The share of the luck that was subtracted: the regression of score on luck.
    pub share: f64,
}

/// The fewest games from which the share of luck is estimated.
const MIN_GAMES: usize = 20;

/// Takes the luck out of the games of a match; `None` for too few of them, from
/// which the share that goes with the score cannot be told.
pub fn adjust(games: &[Scored]) -> Option<Adjusted> {
    if games.len() < MIN_GAMES {
        return None;
    }
    let n = games.len() as f64;
    let mean = |of: &dyn Fn(&Scored) -> f64| games.iter().map(of).sum::<f64>() / n;
    let raw = mean(&|game| game.score);
    let luck = mean(&|game| game.luck);
    let spread = mean(&|game| (game.luck - luck).powi(2));
    let common = mean(&|game| (game.luck - luck) * (game.score - raw));
    let share = if spread > 0.0 { common / spread } else { 0.0 };
    let rest = mean(&|game| (game.score - raw - share * (game.luck - luck)).powi(2));
    Some(Adjusted {
        raw,
        raw_error: (mean(&|game| (game.score - raw).powi(2)) / (n - 1.0)).sqrt(),
        adjusted: raw - share * luck,
        error: (rest / (n - 2.0)).sqrt(),
        share,
    })
}

/// The frozen evaluation of a position before its roll, for White.
pub fn expected(game: &Game, position: &Position) -> f64 {
    let values = roll_values(game, position);
    let own: f64 = values.iter().map(|(_, p, value)| p * value).sum();
    for_white(position.turn(), own)
}

/// The frozen evaluation of a board of three-dice chess before its roll, which
/// it does not look at, for White.
pub fn standing(position: &Position) -> f64 {
    let values = PieceSquareValues::of_size(position.size());
    let sum = PartialTurn::new(position, values).sum;
    for_white(
        position.turn(),
        f64::from(values.quiet(sum, position.turn())),
    )
}
