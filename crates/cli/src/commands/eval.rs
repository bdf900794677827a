//! `foglight eval`: what each evaluator says of a position.

use std::io::{self, Write};

use clap::Args;
use foglight_engine::{
    eval::{
        Classic,
        seed::{Ensemble, Kind, Phase, Scene},
    },
    search::{Searcher, alphabeta::plies_to_end},
};
use foglight_play::Budget;
use foglight_rules::{Game, Position};
use serde_json::json;

use super::eval_dice;
use crate::failure::Failure;

/// Shows what each evaluator contributes, what the classic evaluation says,
/// and what a short search finds. Values are for White.
#[derive(Args)]
#[command(
    after_help = "Example:\n  foglight eval --fen \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\""
)]
pub struct Eval {
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
    /// Judges the position and prints the table.
    pub fn run(&self) -> Result<(), Failure> {
        let game =
            Game::from_name(&self.game, None).ok_or_else(|| Failure::input("no such game"))?;
        let position = match &self.fen {
            Some(fen) => game.parse_fen(fen).map_err(Failure::input)?,
            None => game.start(),
        };
        if game.has_dice() {
            return eval_dice::run(&game, &position, self.json);
        }
        let rows = contributions(&game, &position);
        let ensemble = Ensemble::learnt().value(&mut Scene::new(&game, &position, &[]));
        let sign = if position.turn().is_white() { 1 } else { -1 };
        let mut leaf = Classic::default();
        let classic = sign * leaf.judge(&position);
        let mut searcher = Searcher::new(16);
        let budget = Budget::nodes(self.nodes);
        let found = searcher.search(&game, &position, &[], &mut leaf, &budget);
        let line: Vec<String> = found
            .report()
            .line
            .iter()
            .map(ToString::to_string)
            .collect();
        let score = sign * found.score;
        let mut out = io::stdout().lock();
        if self.json {
            let evaluators: Vec<_> = rows
                .iter()
                .map(|(kind, raw, value, weight)| {
                    // JSON has no infinity: a mate is told by the squeezed value.
                    let raw = raw.is_finite().then_some(*raw);
                    json!({ "name": kind.name(), "raw": raw, "value": value, "weight": weight })
                })
                .collect();
            let object = json!({
                "evaluators": evaluators, "ensemble": ensemble, "classic": classic,
                "search": score, "depth": found.depth, "nodes": found.nodes, "line": line,
            });
            writeln!(out, "{object}")?;
            return Ok(());
        }
        writeln!(
            out,
            "{:<12}{:>9}{:>9}{:>9}",
            "evaluator", "raw", "0..1", "weight"
        )?;
        for (kind, raw, value, weight) in rows {
            writeln!(
                out,
                "{:<12}{raw:>9.2}{value:>9.3}{weight:>9.3}",
                kind.name()
            )?;
        }
        writeln!(out, "{:<12}{:>18.3}", "ensemble", ensemble)?;
        writeln!(
            out,
            "{:<12}{:>9.2} pawns",
            "classic",
            f64::from(classic) / 100.0
        )?;
        let told = match plies_to_end(score) {
            Some(plies) => format!("end in {plies} single moves"),
            None => format!("{:.2} pawns", f64::from(score) / 100.0),
        };
        writeln!(
            out,
            "search: {told}, depth {}, {}",
            found.depth,
            line.join(" ")
        )?;
        Ok(())
    }
}

/// Raw score, squeezed score and learnt weight of each evaluator.
fn contributions(game: &Game, position: &Position) -> Vec<(Kind, f64, f64, f64)> {
    let weights = Ensemble::learnt().weights[Phase::of(position) as usize];
    let mut scene = Scene::new(game, position, &[]);
    let kinds = Kind::ALL.into_iter().zip(weights);
    kinds
        .map(|(kind, weight)| (kind, scene.raw(kind), scene.squeezed(kind), weight))
        .collect()
}
