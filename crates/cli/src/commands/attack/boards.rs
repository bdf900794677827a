//! `foglight attack boards`: exploitability as an agent plays, on small boards.

use std::io::{self, Write};

use clap::Args;
use foglight_arena::{attack::SmallBoard, tournament::MatchEntrant};
use foglight_engine::solve::{FogSettings, solve_fog};
use foglight_play::rng;
use foglight_rules::{Color, Game, Position};
use serde::Serialize;
use serde_json::json;

use super::{count::failure, engine::EngineOptions, table::progress};
use crate::{
    failure::CliError,
    options::{GameOptions, read_position},
};

/// Computes the best response to an agent that is an even mixture of its seeds,
/// with both sides, on boards with a horizon at which the game is drawn. The
/// upper figure is what the response wins above the equilibrium against the seeds
/// that it was computed against, which it fits too well; the lower one is what
/// the same response wins against fresh seeds. Both are means of the two sides,
/// for results from -1 to +1.
#[derive(Args)]
#[command(
    after_help = "Example:\n  foglight attack boards --agent foglight:nodes=2000 --fen 'k3/r3/3R/3K w - - 0 1' --plies 4\n  foglight attack boards --agent foglight:nodes=2000 --seeds 4,8,16\n  foglight attack boards --cmd './other uci --agent foglight:plies={plies}' --nodes 2000\n\nThe agent foglight is told the horizon as its option plies; in the arguments of --cmd\nthe horizon replaces {plies}."
)]
pub(super) struct Boards {
    #[command(flatten)]
    engine: EngineOptions,

    /// A board; needs --plies [default: six boards of 4x4 and three of 5x5, with 3 to 6 plies]
    #[arg(long, requires = "plies")]
    fen: Option<String>,

    /// Plies until the horizon
    #[arg(long, requires = "fen", value_parser = clap::value_parser!(u32).range(1..=12))]
    plies: Option<u32>,

    /// Numbers of seeds in the mixture
    #[arg(long, value_delimiter = ',', default_values_t = [4, 8, 16], value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: Vec<u64>,

    /// Fresh seeds of the lower figure
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u64).range(2..=1000))]
    fresh: u64,

    /// Seed of all
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    game: GameOptions,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Boards with their horizons, small enough for an exact solution.
const BOARDS: [(&str, u32); 9] = [
    ("k3/r3/3R/3K w - - 0 1", 4),
    ("kr2/p3/3P/2RK w - - 0 1", 4),
    ("1k2/p2p/P2P/2K1 w - - 0 1", 6),
    ("k1n1/4/4/1N1K w - - 0 1", 5),
    ("kq2/4/4/2QK w - - 0 1", 3),
    ("1k2/3n/2QK/4 w - - 0 1", 4),
    ("kr3/p4/5/4P/3RK w - - 0 1", 4),
    ("kr3/5/4R/K4/5 w - - 0 1", 4),
    ("3kr/5/2K2/4P/2Q2 w - - 0 1", 4),
];

/// Figures of one board and one number of seeds.
#[derive(Serialize)]
struct BoardRow {
    board: String,
    plies: u32,
    /// Value of the equilibrium for White.
    equilibrium: f64,
    /// The equilibrium is known within this.
    equilibrium_error: f64,
    seeds: u64,
    upper: f64,
    lower: f64,
    /// Standard error of the lower figure over the fresh seeds.
    lower_error: f64,
}

impl Boards {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let game = self.game.game()?;
        let boards = self.boards(&game)?;
        let bar = progress((boards.len() * self.seeds.len()) as u64, 0, "figures");
        let mut rows = Vec::new();
        for (start, plies) in boards {
            let engine = self.on_board(game, plies)?;
            let board = SmallBoard {
                game,
                start,
                plies,
                engine: &engine,
            };
            let settings = FogSettings {
                plies,
                ..FogSettings::default()
            };
            let solved = solve_fog(&game, &start, settings, |_, _| {}).map_err(CliError::input)?;
            for &seeds in &self.seeds {
                rows.push(self.row(&board, (solved.value, solved.error), seeds)?);
                if let Some(bar) = &bar {
                    bar.inc(1);
                }
            }
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        self.print(&rows)
    }

    fn boards(&self, game: &Game) -> Result<Vec<(Position, u32)>, CliError> {
        let read = |fen: &str| read_position(game, fen).map_err(CliError::Input);
        match (&self.fen, self.plies) {
            (Some(fen), Some(plies)) => Ok(vec![(read(fen)?, plies)]),
            _ => BOARDS
                .iter()
                .map(|(fen, plies)| Ok((read(fen)?, *plies)))
                .collect(),
        }
    }

    /// The engine on a board with this horizon. Our own agent is told of it.
    fn on_board(&self, game: Game, plies: u32) -> Result<MatchEntrant, CliError> {
        self.engine.with_horizon(plies).entrant(game)
    }

    fn row(
        &self,
        board: &SmallBoard<'_>,
        (equilibrium, equilibrium_error): (f64, f64),
        seeds: u64,
    ) -> Result<BoardRow, CliError> {
        let seeds_from = |first: u64, count: u64| -> Vec<u64> {
            (first..first + count)
                .map(|i| rng::derive(self.seed, i))
                .collect()
        };
        let (mut upper, mut lower) = (0.0, vec![0.0; self.fresh as usize]);
        for side in Color::ALL {
            let value = side.fold_wb(equilibrium, -equilibrium);
            let response = board.best_response(side, &seeds_from(0, seeds));
            let response = response.map_err(failure)?;
            upper += (response.value - value) / 2.0;
            let fresh = seeds_from(1 << 32, self.fresh);
            let won = board.replay(&response, &fresh, rng::derive(self.seed, u64::MAX));
            for (gain, won) in lower.iter_mut().zip(won.map_err(failure)?) {
                *gain += (won - value) / 2.0;
            }
        }
        let mean = lower.iter().sum::<f64>() / self.fresh as f64;
        let spread: f64 = lower.iter().map(|gain| (gain - mean).powi(2)).sum();
        Ok(BoardRow {
            board: board.game.fen(&board.start),
            plies: board.plies,
            equilibrium,
            equilibrium_error,
            seeds,
            upper,
            lower: mean,
            lower_error: (spread / (self.fresh - 1) as f64 / self.fresh as f64).sqrt(),
        })
    }

    fn print(&self, rows: &[BoardRow]) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        if self.json {
            writeln!(out, "{}", json!({"seed": self.seed, "rows": rows}))?;
            return Ok(());
        }
        writeln!(
            out,
            "{:<28} {:>5} {:>11} {:>5} {:>6}  lower",
            "board", "plies", "equilibrium", "seeds", "upper"
        )?;
        for row in rows {
            writeln!(
                out,
                "{:<28} {:>5} {:>11.3} {:>5} {:>6.3}  {:.3} +/- {:.3}",
                row.board,
                row.plies,
                row.equilibrium,
                row.seeds,
                row.upper,
                row.lower,
                1.96 * row.lower_error
            )?;
        }
        Ok(())
    }
}
