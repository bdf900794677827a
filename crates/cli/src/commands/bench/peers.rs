//! Speed on one core against other programs, measured in the same run by
//! processor time.

use std::{
    hint::black_box,
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use anyhow::{Context, bail};
use foglight_rules::{Color, Game, Role, View, perft};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use serde_json::json;
use shakmaty::{CastlingMode, Chess, fen::Fen};

use super::clock::Clock;
use crate::failure::CliError;

/// Start and depth of each perft.
const COUNTS: [(&str, &str, u32); 2] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        6,
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
    ),
];

/// King-capture chess as a variant of Fairy-Stockfish.
const VARIANT: &str = "\
[kingcapture:chess]
king = -
commoner = k
castlingKingPiece = k
extinctionValue = loss
extinctionPieceTypes = k
";

/// Target ratio to Fairy-Stockfish's speed.
const FAIRY_BAR: f64 = 8.0;
const SHAKMATY_BAR: f64 = 1.5;
const PLIES_BAR: f64 = 3e6;

/// Plies of random fog games measured.
const PLIES: u64 = 6_000_000;

/// One measured number and its target.
#[derive(Serialize)]
struct Line {
    name: String,
    /// Own nodes or plies per second.
    ours: f64,
    /// The other program's nodes per second, if it is installed.
    theirs: Option<f64>,
    /// Value compared with the target: a ratio, or a speed.
    reached: Option<f64>,
    bar: f64,
}

/// Runs every comparison and prints each result at once.
pub(crate) fn run(json: bool) -> Result<(), CliError> {
    let mut lines = Vec::new();
    let fairy = Fairy::find();
    if fairy.is_none() {
        let mut err = io::stderr();
        writeln!(
            err,
            "skipped: fairy-stockfish is not installed; get it with 'apt-get install fairy-stockfish'"
        )?;
    }
    for (name, fen, depth) in COUNTS {
        let (nodes, ours) = our_speed(fen, depth)?;
        let theirs = fairy
            .as_ref()
            .map(|path| Fairy::speed(path, fen, depth, nodes));
        let theirs = theirs.transpose()?;
        let shakmaty = shakmaty_speed(fen, depth)?;
        let against = |peer: &str| format!("perft {depth} {name} / {peer}");
        let fairy_line = Line::ratio(against("fairy-stockfish"), ours, theirs, FAIRY_BAR);
        let shakmaty_line = Line::ratio(against("shakmaty"), ours, Some(shakmaty), SHAKMATY_BAR);
        lines.extend([fairy_line, shakmaty_line]);
    }
    let plies = random_plies_speed();
    lines.push(Line {
        name: "random fog games, both views".to_owned(),
        ours: plies,
        theirs: None,
        reached: Some(plies),
        bar: PLIES_BAR,
    });
    print(&lines, json)?;
    Ok(())
}

fn print(lines: &[Line], json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        return writeln!(out, "{:#}", json!({ "rows": lines }));
    }
    for line in lines {
        writeln!(out, "{}", line.text())?;
    }
    Ok(())
}

impl Line {
    fn ratio(name: String, ours: f64, theirs: Option<f64>, bar: f64) -> Line {
        Line {
            name,
            ours,
            theirs,
            reached: theirs.map(|theirs| ours / theirs),
            bar,
        }
    }

    fn text(&self) -> String {
        let million = |speed: f64| format!("{:.1} M/s", speed / 1e6);
        let verdict = match self.reached {
            None => "skipped".to_owned(),
            Some(reached) if reached >= self.bar => "reached".to_owned(),
            Some(_) => "MISSED".to_owned(),
        };
        let comparison = match (self.theirs, self.reached) {
            (Some(theirs), Some(ratio)) => {
                format!(
                    "{} to {}, {ratio:.2} times",
                    million(self.ours),
                    million(theirs)
                )
            }
            _ => million(self.ours),
        };
        let bar = match self.theirs.is_none() && self.reached.is_some() {
            true => million(self.bar),
            false => format!("{} times", self.bar),
        };
        format!("{:38} {comparison}; bar {bar}: {verdict}", self.name)
    }
}

/// Nodes, and nodes per second, of the king-capture perft.
fn our_speed(fen: &str, depth: u32) -> anyhow::Result<(u64, f64)> {
    let game = Game::fog();
    let position = game.parse_fen(fen).context("a position of the benchmark")?;
    let start = Clock::own();
    let nodes = black_box(perft(&game, &position, depth));
    Ok((nodes, nodes as f64 / start.seconds()))
}

/// Nodes per second of shakmaty's legal perft, in plain chess.
fn shakmaty_speed(fen: &str, depth: u32) -> anyhow::Result<f64> {
    let fen: Fen = fen.parse().context("a FEN of the benchmark")?;
    let position: Chess = fen
        .into_position(CastlingMode::Standard)
        .context("a position of the benchmark")?;
    let start = Clock::own();
    let nodes = black_box(shakmaty::perft(&position, depth));
    Ok(nodes as f64 / start.seconds())
}

/// Plies per second of random fog games in which both sides get a new view
/// after every ply.
fn random_plies_speed() -> f64 {
    let game = Game::fog();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let start = Clock::own();
    let mut plies = 0;
    while plies < PLIES {
        let mut position = game.start();
        loop {
            let moves = game.legal_moves(&position);
            if moves.is_empty() || position.halfmoves() >= 100 {
                break;
            }
            let m = moves[rng.random_range(0..moves.len())];
            let taken = game.play_unchecked(&mut position, m);
            for side in Color::ALL {
                black_box(&View::new(&game, &position, side));
            }
            plies += 1;
            if taken == Some(Role::King) {
                break;
            }
        }
    }
    plies as f64 / start.seconds()
}

/// Fairy-Stockfish as a child process.
struct Fairy;

impl Fairy {
    /// Path of the program, if installed. Debian has it outside of `PATH`.
    fn find() -> Option<PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path)
            .chain([PathBuf::from("/usr/games")])
            .map(|folder| folder.join("fairy-stockfish"))
            .find(|file| file.is_file())
    }

    /// Nodes per second of its perft, whose count must equal ours.
    fn speed(program: &Path, fen: &str, depth: u32, expected: u64) -> anyhow::Result<f64> {
        let mut variants = tempfile::NamedTempFile::new().context("a file for the variant")?;
        variants.write_all(VARIANT.as_bytes())?;
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("starting {}", program.display()))?;
        let counted = Fairy::count(&mut child, variants.path(), fen, depth);
        let _ = child.kill();
        child.wait()?;
        let (nodes, seconds) = counted.context("counting with fairy-stockfish")?;
        if nodes != expected {
            bail!("fairy-stockfish counted {nodes} nodes; expected {expected} like ours");
        }
        Ok(nodes as f64 / seconds)
    }

    /// Nodes and seconds of one perft, without the start of the program.
    fn count(
        child: &mut Child,
        variants: &Path,
        fen: &str,
        depth: u32,
    ) -> anyhow::Result<(u64, f64)> {
        let mut input = child.stdin.take().context("it has no input")?;
        let output = BufReader::new(child.stdout.take().context("it has no output")?);
        let mut lines = output.lines();
        writeln!(
            input,
            "setoption name VariantPath value {}",
            variants.display()
        )?;
        writeln!(input, "setoption name UCI_Variant value kingcapture")?;
        writeln!(input, "position fen {fen}\nisready")?;
        while lines.next().context("it went away")?? != "readyok" {}
        let start = Clock::of(child.id());
        writeln!(input, "go perft {depth}")?;
        loop {
            let line = lines.next().context("it went away")??;
            if let Some(nodes) = line.strip_prefix("Nodes searched: ") {
                let seconds = start.seconds();
                return Ok((nodes.trim().parse().context("a number of nodes")?, seconds));
            }
        }
    }
}
