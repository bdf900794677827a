//! `foglight solve`: exact solutions of small games.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
    time::Instant,
};

use anyhow::Context;
use clap::{Args, Subcommand};
use foglight_engine::solve::{FogSettings, Qmdp, QmdpSettings, solve_fog};
use foglight_rules::{Color, Game, Position};
use serde::Serialize;

use crate::{
    failure::CliError,
    options::{PositionOptions, SideName},
};

/// Solves small games exactly.
#[derive(Args)]
pub(crate) struct Solve {
    #[command(subcommand)]
    what: SolveCommand,
}

#[derive(Subcommand)]
enum SolveCommand {
    /// QMDP alpha vectors of all placements of a few pieces, by value iteration
    Qmdp(SolveQmdp),
    /// The equilibrium of a tiny fog game, by CFR+ on its whole tree
    Fog(SolveFog),
}

impl Solve {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match &self.what {
            SolveCommand::Qmdp(command) => command.run(),
            SolveCommand::Fog(command) => command.run(),
        }
    }
}

/// Numbers every placement of the pieces of the position, any of them missing,
/// and solves them for one side.
#[derive(Args)]
#[command(after_help = "Example:\n  foglight solve qmdp --fen 'kb2/4/4/2QK w - - 0 1'")]
struct SolveQmdp {
    #[command(flatten)]
    position: PositionOptions,

    /// Side to solve for [default: the side to move]
    #[arg(long, value_enum)]
    side: Option<SideName>,

    /// Discount for each pair of moves
    #[arg(long, default_value_t = 0.99)]
    gamma: f64,

    /// Reward of capturing the king; losing one's own is its negative
    #[arg(long, default_value_t = 1000.0)]
    reward: f64,

    /// Value of an action that is not legal in a state
    #[arg(long, default_value_t = -10_000.0, allow_hyphen_values = true)]
    illegal: f64,

    /// Rounds of value iteration
    #[arg(long, default_value_t = 60)]
    iterations: usize,

    /// Minimum weight of every reply of the opponent
    #[arg(long, default_value_t = 0.01)]
    floor: f64,

    /// Save the alpha vectors here
    #[arg(long)]
    out: Option<PathBuf>,

    /// Load saved alpha vectors instead of solving
    #[arg(long, conflicts_with = "out")]
    load: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    states: usize,
    actions: usize,
    seconds: f64,
    best: Option<String>,
    value: Option<f64>,
}

impl SolveQmdp {
    fn run(&self) -> Result<(), CliError> {
        let (game, position) = self.position.read()?;
        let clock = Instant::now();
        let solution = match &self.load {
            Some(path) => {
                let bytes = fs::read(path)
                    .map_err(|error| CliError::input(format!("{}: {error}", path.display())))?;
                Qmdp::from_bytes(&bytes).map_err(CliError::input)?
            }
            None => self.solve(&game, &position)?,
        };
        let seconds = clock.elapsed().as_secs_f64();
        if let Some(path) = &self.out {
            fs::write(path, solution.to_bytes())
                .with_context(|| format!("writing {}", path.display()))?;
        }
        let mine = position.turn() == solution.side();
        let best = mine.then(|| solution.best(&position)).flatten();
        let answer = Answer {
            states: solution.states(),
            actions: solution.actions(),
            seconds,
            best: best.map(|(m, _)| m.to_string()),
            value: best.map(|(_, value)| value),
        };
        self.print(&answer)
    }

    fn solve(&self, game: &Game, position: &Position) -> Result<Qmdp, CliError> {
        let settings = QmdpSettings {
            gamma: self.gamma,
            reward: self.reward,
            illegal: self.illegal,
            iterations: self.iterations,
            floor: self.floor,
        };
        let side = self.side.map_or(position.turn(), Color::from);
        Qmdp::solve(game, position, side, settings, |_, _| {}).map_err(CliError::input)
    }

    fn print(&self, answer: &Answer) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, answer).map_err(io::Error::from)?;
            writeln!(out)?;
            return Ok(());
        }
        writeln!(
            out,
            "{} states, {} actions, {:.2} s",
            answer.states, answer.actions, answer.seconds
        )?;
        if let (Some(best), Some(value)) = (&answer.best, answer.value) {
            writeln!(out, "best {best}, value {value:.1}")?;
        }
        Ok(())
    }
}

/// Solves a fog game from a position known to both sides, up to a horizon at
/// which it is drawn.
#[derive(Args)]
#[command(after_help = "Example:\n  foglight solve fog --fen 'k3/r3/3R/3K w - - 0 1' --plies 4")]
struct SolveFog {
    #[command(flatten)]
    position: PositionOptions,

    /// Plies until the horizon
    #[arg(long, default_value_t = 4)]
    plies: u32,

    /// Stop when both sides together can gain no more than this
    #[arg(long, default_value_t = 0.005)]
    tolerance: f64,

    /// Maximum number of iterations
    #[arg(long, default_value_t = 2000)]
    iterations: usize,

    /// Evaluate material at the horizon
    #[arg(long)]
    material: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Equilibrium {
    value: f64,
    error: f64,
    nodes: usize,
    sets: [usize; 2],
    iterations: usize,
    mix: Vec<(String, f64)>,
}

impl SolveFog {
    fn run(&self) -> Result<(), CliError> {
        let (game, position) = self.position.read()?;
        let settings = FogSettings {
            plies: self.plies,
            error: self.tolerance,
            iterations: self.iterations,
            material: self.material,
            ..FogSettings::default()
        };
        let solved = solve_fog(&game, &position, settings, |_, _| {}).map_err(CliError::input)?;
        let mut mix: Vec<(String, f64)> = solved
            .mix
            .iter()
            .map(|(m, share)| (m.to_string(), *share))
            .collect();
        mix.sort_by(|a, b| b.1.total_cmp(&a.1));
        self.print(&Equilibrium {
            value: solved.value,
            error: solved.error,
            nodes: solved.nodes,
            sets: solved.sets,
            iterations: solved.iterations,
            mix,
        })
    }

    fn print(&self, answer: &Equilibrium) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, answer).map_err(io::Error::from)?;
            writeln!(out)?;
            return Ok(());
        }
        let [white, black] = answer.sets;
        writeln!(
            out,
            "value {:.4} for White, within {:.4} after {} rounds",
            answer.value, answer.error, answer.iterations
        )?;
        writeln!(
            out,
            "{} positions, {white} information sets of White, {black} of Black",
            answer.nodes
        )?;
        for (m, share) in answer.mix.iter().filter(|(_, share)| *share >= 0.0005) {
            writeln!(out, "{m} {share:.3}")?;
        }
        Ok(())
    }
}
