//! The luck of the dice in a result, used as a control variate.
//!
//! At each roll a fixed evaluation changes from the expectation over rolls to
//! the value of the roll. These changes have mean 0 whoever plays, so that
//! subtracting them from the score keeps its mean and reduces its variance.

use foglight_rules::{Action, Color, Dice, Game, Position, Record, Role, Turn, Variant};

use super::{
    reference::for_white,
    rolls::{Rolled, roles_attacking_king},
    turns::{PartialTurn, Reach, Worth},
    value::{DiceNode, PieceSquareValues},
};

/// The value of each possible roll to the side that rolls, with its
/// probability, by the best immediate move.
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

/// White's luck in a game: the sum over all rolls of the roll's value less its
/// expectation, in expected points.
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

/// The value of a roll to the side that rolled, less its expectation.
fn surprise(game: &Game, position: &Position, dice: Dice) -> f64 {
    let values = roll_values(game, position);
    let expected: f64 = values.iter().map(|(_, p, value)| p * value).sum();
    let found = values.iter().find(|(roll, _, _)| *roll == dice);
    found.map_or(0.0, |(_, _, value)| value - expected)
}

/// A game's score and luck for one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scored {
    /// Points of the game: 1, 0.5 or 0.
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

/// A match's mean score, raw and luck-adjusted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adjusted {
    pub raw: f64,
    pub raw_error: f64,
    /// The mean score less the part that luck explains.
    pub adjusted: f64,
    pub error: f64,
    /// The share of the luck that was subtracted: the regression of score on
    /// luck.
    pub share: f64,
}

/// Fewest games from which the share of luck is estimated.
const MIN_GAMES: usize = 20;

/// Adjusts the games of a match for luck; `None` if there are too few of them
/// to estimate the regression.
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

/// The fixed evaluation of a position before its roll, for White.
pub fn expected(game: &Game, position: &Position) -> f64 {
    let values = roll_values(game, position);
    let own: f64 = values.iter().map(|(_, p, value)| p * value).sum();
    for_white(position.turn(), own)
}

/// The fixed evaluation of a board of three-dice chess before its roll, without
/// enumerating rolls, for White.
pub fn standing(position: &Position) -> f64 {
    let values = PieceSquareValues::of_size(position.size());
    let sum = PartialTurn::new(position, values).sum;
    for_white(
        position.turn(),
        f64::from(values.quiet(sum, position.turn())),
    )
}
