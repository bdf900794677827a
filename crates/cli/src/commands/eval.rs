//! `foglight eval`: what each evaluator says of a position.

use std::io::{self, Write};

use clap::Args;
use foglight_engine::{
    eval::{
        Classic,
        ensemble::{Ensemble, EvalContext, EvaluatorKind, Phase},
    },
    search::{EVALUATORS, Searcher, alphabeta::plies_to_end},
};
use foglight_play::Budget;
use foglight_rules::{Game, Position};
use serde_json::json;

use super::eval_dice;
use crate::failure::CliError;

/// Shows what each evaluator of the ensemble contributes, what every other
/// evaluator says, the networks too, and what a short search finds. Values are
/// for White.
#[derive(Args)]
#[command(
    after_help = "Example:\n  foglight eval --fen \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\""
)]
pub(crate) struct Eval {
    /// The position [default: the start]
    #[arg(long)]
    fen: Option<String>,

    /// `chess`, `fog` for king capture, or dice chess for its eight parts
    #[arg(long, default_value = "chess", value_parser = ["chess", "fog", "dice1", "dice3"])]
    game: String,

    /// Nodes of the search at the end
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Eval {
    /// Evaluates the position and prints the table.
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let game =
            Game::from_name(&self.game, None).ok_or_else(|| CliError::input("no such game"))?;
        let position = match &self.fen {
            Some(fen) => game.parse_fen(fen).map_err(CliError::input)?,
            None => game.start(),
        };
        if game.has_dice() {
            return eval_dice::run(&game, &position, self.json);
        }
        let told = Told::of(&game, &position, self.nodes);
        let mut out = io::stdout().lock();
        match self.json {
            true => writeln!(out, "{}", told.json())?,
            false => told.print(&mut out)?,
        }
        Ok(())
    }
}

/// All that is said of a position, for White.
struct Told {
    /// Raw score, squeezed score and weight of each evaluator of the ensemble.
    parts: Vec<(EvaluatorKind, f64, f64, f64)>,
    ensemble: f64,
    /// Centipawns by each of [`EVALUATORS`].
    values: Vec<(&'static str, i32)>,
    search: i32,
    depth: u32,
    nodes: u64,
    line: Vec<String>,
}

impl Told {
    fn of(game: &Game, position: &Position, nodes: u64) -> Told {
        let sign = if position.turn().is_white() { 1 } else { -1 };
        let values = EVALUATORS.iter().map(|known| {
            let value = (known.make)().evaluate(position);
            (known.name, sign * value)
        });
        let budget = Budget::nodes(nodes);
        let mut searcher = Searcher::new(16);
        let found = searcher.search(game, position, &[], &mut Classic::default(), &budget);
        let line = found.report().pv;
        Told {
            parts: contributions(game, position),
            ensemble: Ensemble::tuned().value(&mut EvalContext::new(game, position, &[])),
            values: values.collect(),
            search: sign * found.score,
            depth: found.depth,
            nodes: found.nodes,
            line: line.iter().map(ToString::to_string).collect(),
        }
    }

    fn json(&self) -> serde_json::Value {
        let parts = self.parts.iter().map(|(kind, raw, value, weight)| {
            // JSON has no infinity: a mate is told by the squeezed value.
            let raw = raw.is_finite().then_some(*raw);
            json!({ "name": kind.name(), "raw": raw, "value": value, "weight": weight })
        });
        let mut object = json!({
            "evaluators": parts.collect::<Vec<_>>(), "ensemble": self.ensemble,
            "search": self.search, "depth": self.depth, "nodes": self.nodes, "line": self.line,
        });
        for (name, value) in &self.values {
            object[name] = json!(value);
        }
        object
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let head = ["evaluator", "raw", "0..1", "weight"];
        writeln!(
            out,
            "{:<12}{:>9}{:>9}{:>9}",
            head[0], head[1], head[2], head[3]
        )?;
        for (kind, raw, value, weight) in &self.parts {
            let name = kind.name();
            writeln!(out, "{name:<12}{raw:>9.2}{value:>9.3}{weight:>9.3}")?;
        }
        writeln!(out, "{:<12}{:>18.3}", "ensemble", self.ensemble)?;
        for (name, value) in &self.values {
            writeln!(out, "{name:<12}{:>9.2} pawns", f64::from(*value) / 100.0)?;
        }
        let told = match plies_to_end(self.search) {
            Some(plies) => format!("end in {plies} single moves"),
            None => format!("{:.2} pawns", f64::from(self.search) / 100.0),
        };
        let line = self.line.join(" ");
        writeln!(out, "search: {told}, depth {}, {line}", self.depth)
    }
}

/// Raw score, squeezed score and learnt weight of each evaluator.
fn contributions(game: &Game, position: &Position) -> Vec<(EvaluatorKind, f64, f64, f64)> {
    let weights = Ensemble::tuned().weights[Phase::of(position) as usize];
    let mut scene = EvalContext::new(game, position, &[]);
    let kinds = EvaluatorKind::ALL.into_iter().zip(weights);
    kinds
        .map(|(kind, weight)| (kind, scene.raw(kind), scene.squeezed(kind), weight))
        .collect()
}
