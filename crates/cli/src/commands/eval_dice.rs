//! `foglight eval` in dice chess: the eight evaluation terms of the Maastricht
//! paper, their win probability, and the value of each roll to `dice`.

use std::io::{self, Write};

use foglight_engine::dice::{
    EVALUATORS, EvalTerm, EvalTerms,
    luck::{expected, roll_values},
    reference::for_white,
};
use foglight_rules::{Color, Dice, Game, Position};
use serde_json::json;

use crate::failure::CliError;

/// Evaluation of a position, for White.
struct Told {
    terms: Vec<(&'static str, f64, f64)>,
    pawns: f64,
    win: f64,
    /// Win probability with one die by each of [`EVALUATORS`]; empty without
    /// both kings or with a roll on the board.
    one_die: Vec<(&'static str, f64)>,
    /// Expected value before the roll.
    expected: Option<f64>,
    /// Each roll with its probability and its value for the side to roll.
    rolls: Vec<(Dice, f64, f64)>,
}

/// Prints the evaluation of a position; values are for White.
pub(crate) fn run(game: &Game, position: &Position, as_json: bool) -> Result<(), CliError> {
    let told = Told::of(game, position);
    let mut out = io::stdout().lock();
    match as_json {
        true => writeln!(out, "{}", told.json())?,
        false => told.print(&mut out)?,
    }
    Ok(())
}

impl Told {
    fn of(game: &Game, position: &Position) -> Told {
        let terms = EvalTerms::default();
        let scores = terms.scores(position, Color::White);
        let rows = EvalTerm::ALL.iter().zip(scores).zip(terms.weights);
        let rolls = position.both_kings() && position.dice().is_none();
        let value = |by: fn(&Position) -> f64| for_white(position.turn(), by(position));
        Told {
            terms: rows
                .map(|((term, score), weight)| (term.name(), score, weight))
                .collect(),
            pawns: terms.evaluate(position, Color::White),
            win: terms.win_probability(position, Color::White),
            one_die: match rolls {
                true => EVALUATORS.map(|(name, by)| (name, value(by))).to_vec(),
                false => Vec::new(),
            },
            expected: rolls.then(|| expected(game, position)),
            rolls: match rolls {
                true => roll_values(game, position),
                false => Vec::new(),
            },
        }
    }

    fn json(&self) -> serde_json::Value {
        let terms = self.terms.iter();
        let terms = terms
            .map(|(name, score, weight)| json!({"name": name, "score": score, "weight": weight}));
        let rolls = self.rolls.iter().map(|(dice, share, value)| {
            json!({"roll": dice.to_string(), "probability": share, "value": value})
        });
        let one_die = self.one_die.iter();
        let one_die: serde_json::Map<_, _> = one_die
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect();
        json!({
            "parts": terms.collect::<Vec<_>>(), "pawns": self.pawns, "win": self.win,
            "one_die": one_die, "rolls": rolls.collect::<Vec<_>>(),
        })
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{:<16}{:>9}{:>9}", "part", "score", "weight")?;
        for (name, score, weight) in &self.terms {
            writeln!(out, "{name:<16}{score:>9.2}{weight:>9.2}")?;
        }
        let (pawns, win) = (self.pawns, 100.0 * self.win);
        writeln!(out, "together {pawns:.2} pawns, win probability {win:.1} %")?;
        for (name, value) in &self.one_die {
            writeln!(out, "{name:<16}{:>8.1} % with one die", 100.0 * value)?;
        }
        if let Some(expected) = self.expected {
            writeln!(out, "dice: {:.1} % before the roll", 100.0 * expected)?;
        }
        for (dice, share, value) in &self.rolls {
            let (share, value) = (100.0 * share, 100.0 * value);
            writeln!(
                out,
                "  {dice:<4} {share:>5.1} %: {value:.1} % for the side to roll"
            )?;
        }
        Ok(())
    }
}
