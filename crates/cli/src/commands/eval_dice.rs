//! `foglight eval` in dice chess: the eight parts of the Maastricht paper, the
//! win probability that they make, and what each roll would be worth to `dice`.

use std::io::{self, Write};

use foglight_engine::dice::{
    EVALUATORS, EvalTerm, EvalTerms,
    luck::{expected, roll_values},
    reference::for_white,
};
use foglight_rules::{Color, Game, Position};
use serde_json::json;

use crate::failure::CliError;

/// Prints what is said of a position; values are for White.
pub(crate) fn run(game: &Game, position: &Position, as_json: bool) -> Result<(), CliError> {
    let parts = EvalTerms::default();
    let scores = parts.scores(position, Color::White);
    let sum = parts.evaluate(position, Color::White);
    let win = parts.win_probability(position, Color::White);
    let both = position.both_kings() && position.dice().is_none();
    let rolls = match both {
        true => roll_values(game, position),
        false => Vec::new(),
    };
    let values: Vec<(&str, f64)> = match both {
        true => {
            let value = |by: fn(&Position) -> f64| for_white(position.turn(), by(position));
            EVALUATORS.map(|(name, by)| (name, value(by))).to_vec()
        }
        false => Vec::new(),
    };
    let mut out = io::stdout().lock();
    if as_json {
        let parts: Vec<_> = EvalTerm::ALL
            .iter()
            .zip(scores)
            .zip(parts.weights)
            .map(|((part, score), weight)| json!({"name": part.name(), "score": score, "weight": weight}))
            .collect();
        let rolls: Vec<_> = rolls
            .iter()
            .map(|(dice, share, value)| {
                json!({"roll": dice.to_string(), "probability": share, "value": value})
            })
            .collect();
        let values: serde_json::Map<_, _> = values
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect();
        let object =
            json!({"parts": parts, "pawns": sum, "win": win, "one_die": values, "rolls": rolls});
        writeln!(out, "{object}")?;
        return Ok(());
    }
    writeln!(out, "{:<16}{:>9}{:>9}", "part", "score", "weight")?;
    for ((part, score), weight) in EvalTerm::ALL.iter().zip(scores).zip(parts.weights) {
        writeln!(out, "{:<16}{score:>9.2}{weight:>9.2}", part.name())?;
    }
    writeln!(
        out,
        "together {sum:.2} pawns, win probability {:.1} %",
        100.0 * win
    )?;
    for (name, value) in values {
        writeln!(out, "{name:<16}{:>8.1} % with one die", 100.0 * value)?;
    }
    if both {
        let value = expected(game, position);
        writeln!(out, "dice: {:.1} % before the roll", 100.0 * value)?;
        for (dice, share, value) in rolls {
            writeln!(
                out,
                "  {dice:<4} {:>5.1} %: {:.1} % for the side to roll",
                100.0 * share,
                100.0 * value
            )?;
        }
    }
    Ok(())
}
