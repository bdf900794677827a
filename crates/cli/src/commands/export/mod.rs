//! `foglight export`: a game as a page that can be stepped through, with both
//! players' views and beliefs.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;
use foglight_arena::journal;
use foglight_engine::belief::{AnyBelief, BeliefKind};
use foglight_play::Marginals;
use foglight_rules::{Bitboard, Color, Record, Role, State, View};
use serde::Serialize;

use super::draw::BeliefModel;
use crate::{
    draw,
    failure::CliError,
    files,
    options::{GameOptions, read_position},
};

const PAGE: &str = include_str!("page.html");

/// Makes one HTML page of a fog game: the full board in the middle, and on
/// either side each player's view, glowing where it believed enemy pieces. The
/// game comes from a journal, or from moves.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  foglight export out.jsonl --number 3 --html game.html\n  foglight export --moves 'e2e4 d7d5 e4d5 g8f6' --html game.html"
)]
pub(crate) struct Export {
    /// A journal of a match (JSON lines, as -jsonout writes them)
    #[arg(value_name = "FILE", conflicts_with_all = ["moves", "fen"])]
    file: Option<PathBuf>,

    /// Number of the game in the journal
    #[arg(long, default_value_t = 1)]
    number: u64,

    #[command(flatten)]
    game: GameOptions,

    /// The start of the game, as FEN or `startpos`
    #[arg(long, default_value = "startpos")]
    fen: String,

    /// The moves, as a UCI list
    #[arg(long, default_value = "")]
    moves: String,

    /// Model of the belief
    #[arg(long, value_enum, default_value_t = BeliefModel::Exact)]
    belief_model: BeliefModel,

    /// Maximum size of the exact belief: a uniform subset beyond
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    cap: u64,

    /// Seed of the belief's random choices
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// The page to write; `-` for standard output
    #[arg(long, value_name = "FILE", default_value = "game.html", num_args = 0..=1, default_missing_value = "game.html")]
    html: PathBuf,
}

/// The game to export.
struct Shown {
    title: String,
    record: Record,
}

/// Data of the page.
#[derive(Serialize)]
struct Data {
    title: String,
    files: usize,
    ranks: usize,
    result: String,
    frames: Vec<Frame>,
}

/// One position of the game.
#[derive(Serialize)]
struct Frame {
    /// The move that led here.
    played: String,
    /// Pieces by square from a1, `.` for none.
    truth: String,
    white: Seen,
    black: Seen,
}

/// View and belief of one side.
#[derive(Serialize)]
struct Seen {
    /// `1` for each visible square.
    seen: String,
    /// Probabilities of the enemy's P N B R Q K on each square, encoded as
    /// letters.
    heat: String,
    /// Size of its belief, with a mark if a cap applied.
    count: String,
}

impl Export {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let shown = self.shown()?;
        if shown.record.game.fog_rules().is_none() {
            let message = "the page shows what is hidden; expected a game of fog";
            return Err(CliError::input(message));
        }
        let data =
            serde_json::to_string(&self.data(&shown)).map_err(|e| CliError::Run(e.into()))?;
        // Only `<` could end the script element.
        let data = data.replace('<', "\\u003c");
        let page = PAGE
            .replace("/*PIECES*/", &draw::sprites())
            .replace("/*DATA*/", &data);
        if self.html.as_os_str() == "-" {
            io::stdout().write_all(page.as_bytes())?;
            return Ok(());
        }
        files::write(&self.html, page.as_bytes())?;
        writeln!(io::stdout(), "{}", self.html.display())?;
        Ok(())
    }

    fn shown(&self) -> Result<Shown, CliError> {
        let Some(path) = &self.file else {
            return self.typed();
        };
        let records = journal::read(path).map_err(CliError::input)?;
        let wanted = |number: u64| number == self.number;
        let found = records.into_iter().find(|record| wanted(record.number));
        let record = found.ok_or_else(|| {
            let (path, number) = (path.display(), self.number);
            CliError::input(format!(
                "{path}: no game {number}; expected one of its numbers"
            ))
        })?;
        let (white, black) = (&record.players.white.name, &record.players.black.name);
        Ok(Shown {
            title: format!("{white} v {black}"),
            record: record.record,
        })
    }

    fn typed(&self) -> Result<Shown, CliError> {
        let game = self.game.game()?;
        let start = read_position(&game, &self.fen).map_err(CliError::Input)?;
        let record = Record::parse(game, start, self.moves.split_whitespace());
        let record = record.map_err(|error| {
            let (ply, error) = (error.number, error.error);
            CliError::input(format!("--moves, ply {ply}: {error}"))
        })?;
        Ok(Shown {
            title: "White v Black".to_owned(),
            record,
        })
    }

    fn data(&self, shown: &Shown) -> Data {
        let kind: BeliefKind = self.belief_model.into();
        let record = &shown.record;
        let mut replay = record.replay();
        let mut watches = [Color::White, Color::Black].map(|side| {
            let (game, start, cap) = (&record.game, &record.start, self.cap as usize);
            AnyBelief::new(kind, game, side, start, cap, self.seed)
        });
        let mut frames = vec![frame(replay.state(), &watches, String::new())];
        while let Some(Ok(action)) = replay.step() {
            let state = replay.state();
            for (watch, side) in watches.iter_mut().zip([Color::White, Color::Black]) {
                watch.see(&state.observe(side));
            }
            frames.push(frame(state, &watches, action.to_string()));
        }
        let size = record.start.size();
        let result = replay.state().outcome().map_or(String::new(), |outcome| {
            let reason = outcome.reason.name().replace('_', " ");
            format!("{} ({reason})", outcome.result())
        });
        Data {
            title: shown.title.clone(),
            files: size.files(),
            ranks: size.ranks(),
            result,
            frames,
        }
    }
}

fn frame(state: &State, watches: &[AnyBelief; 2], played: String) -> Frame {
    let board = state.position().board();
    let squares = state.position().size().mask();
    let piece = |square| board.piece_at(square).map_or('.', |piece| piece.char());
    let seen = |side: Color, watch: &AnyBelief| {
        let view = View::new(state.game(), state.position(), side);
        let flags = squares.into_iter();
        Seen {
            seen: flags
                .map(|square| {
                    if view.visible.contains(square) {
                        '1'
                    } else {
                        '0'
                    }
                })
                .collect(),
            heat: letters(&watch.marginals(), squares & !view.visible, squares),
            count: watch.count().map_or(String::new(), |(count, exact)| {
                let mark = if exact { "" } else { " kept" };
                format!("{count}{mark}")
            }),
        }
    };
    Frame {
        played,
        truth: squares.into_iter().map(piece).collect(),
        white: seen(Color::White, &watches[0]),
        black: seen(Color::Black, &watches[1]),
    }
}

/// Encodes probabilities as letters: the square root in 64 steps, so that small
/// ones differ.
fn letters(heat: &Marginals, dark: Bitboard, squares: Bitboard) -> String {
    const LETTERS: &[u8; 64] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
    let mut text = String::new();
    for square in squares {
        for role in Role::ALL {
            let chance = match dark.contains(square) {
                true => heat.get(role, square).clamp(0.0, 1.0),
                false => 0.0,
            };
            text.push(char::from(LETTERS[(63.0 * chance.sqrt()).round() as usize]));
        }
    }
    text
}
