//! `foglight belief`: games in, one side's belief at every ply out.

use std::{
    collections::BTreeMap,
    io::{self, BufWriter, Write},
};

use clap::Args;
use foglight_engine::belief::{BeliefReplay, Evidence, tensor};
use foglight_play::Marginals;
use foglight_rules::{Color, Game, Replay, Role, State};
use serde::Serialize;

use super::replay::{End, Row, next_line, write_row};
use crate::{
    failure::CliError,
    options::{GameOptions, SideName, read_position},
};

/// Reads games from standard input as `foglight replay` does. Prints its rows
/// with `count` (positions consistent with the side's observations), `exact`
/// (false from the ply on at which the cap applied) and `truth` (whether the
/// true position is among them).
#[derive(Args)]
#[command(
    after_help = "Example:\n  echo 'startpos ; e2e4 d7d5' | foglight belief --game fog --side white"
)]
pub(crate) struct Belief {
    #[command(flatten)]
    game: GameOptions,

    /// Side whose belief is printed
    #[arg(long, value_enum)]
    side: SideName,

    /// Also print the probability of each enemy piece on each square
    #[arg(long)]
    heat: bool,

    /// Also print it as the 23 layers of 64 squares of Ermlick 2023, for a
    /// network: ranks from the side's own on, the last layer its visible
    /// squares
    #[arg(long)]
    tensor: bool,

    /// Keep a uniform subset of at most this many positions; 0 keeps all
    #[arg(long, default_value_t = 5_000_000)]
    cap: usize,

    /// Threads to use
    #[arg(long, default_value_t = 2)]
    threads: usize,

    /// Seed of the subset that a cap keeps
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

impl Belief {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let game = self.game.game()?;
        if game.fog_rules().is_none() {
            let message = "beliefs are about what is hidden; expected --game fog";
            return Err(CliError::input(message));
        }
        let mut input = io::stdin().lock();
        let mut out = BufWriter::new(io::stdout().lock());
        let mut number = 0;
        while let Some(line) = next_line(&mut input, number + 1)? {
            number += 1;
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let result = self.follow(&game, line, number, &mut out);
            out.flush()?;
            result?;
        }
        Ok(())
    }

    /// Prints the rows of one game.
    fn follow(
        &self,
        game: &Game,
        line: &str,
        number: usize,
        out: &mut impl Write,
    ) -> Result<(), CliError> {
        let (start, actions) = line.split_once(';').unwrap_or((line, ""));
        let position = read_position(game, start)
            .map_err(|error| CliError::Input(format!("line {number}: {error}")))?;
        let mut replay = Replay::new(State::new(*game, position), &[]);
        let cap = (self.cap > 0).then_some(self.cap);
        let mut trace = BeliefReplay::new(replay.state(), self.side.into(), cap, self.seed)
            .with_threads(self.threads);
        for text in actions.split_whitespace() {
            write_row(out, &self.row(replay.state(), &trace))?;
            let ply = replay.state().plies() + 1;
            let played = replay.play_text(text);
            played
                .map_err(|error| CliError::Input(format!("line {number}, ply {ply}: {error}")))?;
            trace
                .follow(replay.state())
                .map_err(|error| CliError::Run(error.into()))?;
        }
        write_row(out, &self.row(replay.state(), &trace))?;
        write_row(out, &End::of(replay.state()))
    }

    fn row(&self, state: &State, trace: &BeliefReplay) -> Believed {
        let row = trace.row(state);
        let side = Color::from(self.side);
        let layers = || {
            let evidence = Evidence::new(state.game(), state.observe(side).view());
            let layers = tensor::layers(&trace.marginals(), &evidence);
            layers.iter().map(|layer| layer.to_vec()).collect()
        };
        Believed {
            row: Row::of(state),
            count: row.count,
            exact: row.exact,
            truth: row.truth,
            heat: self.heat.then(|| heat_map(&trace.marginals(), !side)),
            tensor: self.tensor.then(layers),
        }
    }
}

/// A row of `replay` with the belief there.
#[derive(Serialize)]
struct Believed {
    #[serde(flatten)]
    row: Row,
    count: usize,
    exact: bool,
    truth: bool,
    /// Probabilities by piece letter, then by square, without zeros.
    #[serde(skip_serializing_if = "Option::is_none")]
    heat: Option<BTreeMap<char, BTreeMap<String, f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tensor: Option<Vec<Vec<f32>>>,
}

fn heat_map(heat: &Marginals, enemy: Color) -> BTreeMap<char, BTreeMap<String, f64>> {
    let squares = |role| {
        let squares = foglight_rules::Bitboard::FULL.into_iter();
        let shares = squares.map(|square| (square.to_string(), heat.get(role, square)));
        shares.filter(|(_, share)| *share > 0.0).collect()
    };
    Role::ALL
        .into_iter()
        .map(|role| (role.of(enemy).char(), squares(role)))
        .filter(|(_, map): &(char, BTreeMap<String, f64>)| !map.is_empty())
        .collect()
}
