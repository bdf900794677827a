//! `foglight draw`: a board as a picture.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use anyhow::Context;
use clap::{Args, ValueEnum};
use foglight_engine::belief::{AnyBelief, BeliefKind};
use foglight_rules::{Color, FenError, Replay, Role, Sight, State, View};

use crate::{
    draw::{self, Overlay},
    failure::CliError,
    options::{PositionOptions, SideName},
};

/// Draws a board, complete or as one side sees it. Hidden squares are hatched.
/// The FEN may also be a fog FEN. With --belief the fog glows where that side
/// believes enemy pieces.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  foglight draw --game fog --side black --out board.png\n  foglight draw --side white --moves 'e2e4 d7d5 e4d5 g8f6' --belief all --out belief.png\n  foglight draw --side white --moves 'e2e4 d7d5 e4d5 g8f6' --belief king --belief-model tensor --out king.svg"
)]
pub(crate) struct Draw {
    #[command(flatten)]
    position: PositionOptions,

    /// Moves to play first, as a UCI list
    #[arg(long, default_value = "")]
    moves: String,

    /// Observing side, drawn at the bottom [default: the full board, White
    /// below]
    #[arg(long, value_enum)]
    side: Option<SideName>,

    /// Show the probability of this enemy piece, or of all of them
    #[arg(long, value_enum, requires = "side")]
    belief: Option<Believed>,

    /// Model of the belief
    #[arg(long, value_enum, default_value_t = BeliefModel::Exact, requires = "belief")]
    belief_model: BeliefModel,

    /// Maximum size of the exact belief: a uniform subset beyond
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    cap: u64,

    /// Seed of the belief's random choices
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Width of a square in pixels
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u16).range(8..=400))]
    size: u16,

    /// The file to write, .svg or .png [default: SVG on standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Enemy pieces shown in the fog.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Believed {
    /// Every piece
    All,
    /// Pawns
    Pawn,
    /// Knights
    Knight,
    /// Bishops
    Bishop,
    /// Rooks
    Rook,
    /// Queens
    Queen,
    /// The king
    King,
}

impl Believed {
    fn role(self) -> Option<Role> {
        match self {
            Believed::All => None,
            Believed::Pawn => Some(Role::Pawn),
            Believed::Knight => Some(Role::Knight),
            Believed::Bishop => Some(Role::Bishop),
            Believed::Rook => Some(Role::Rook),
            Believed::Queen => Some(Role::Queen),
            Believed::King => Some(Role::King),
        }
    }
}

/// Models of a belief.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BeliefModel {
    /// Every position consistent with the observations
    Exact,
    /// Uniform over the hidden squares: UBSA
    Uniform,
    /// Probabilities updated from turn to turn: PBSA as in its paper
    Tensor,
    /// Probabilities by the belief network
    Network,
    /// Every consistent position, weighted by the belief network
    Weighed,
}

impl From<BeliefModel> for BeliefKind {
    fn from(by: BeliefModel) -> BeliefKind {
        match by {
            BeliefModel::Exact => BeliefKind::Exact,
            BeliefModel::Uniform => BeliefKind::Uniform,
            BeliefModel::Tensor => BeliefKind::Tensor,
            BeliefModel::Network => BeliefKind::Network,
            BeliefModel::Weighed => BeliefKind::Weighted,
        }
    }
}

/// File formats of pictures.
enum Format {
    Svg,
    Png,
}

impl Draw {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let format = self.format()?;
        let bottom = self.side.map_or(Color::White, Color::from);
        let (view, overlay) = self.scene(bottom)?;
        let svg = draw::svg(&view, bottom, overlay.as_ref(), self.size.into());
        let bytes = match format {
            Format::Svg => svg.into_bytes(),
            Format::Png => draw::png(&svg)?,
        };
        match &self.out {
            None => io::stdout().write_all(&bytes)?,
            Some(path) => {
                fs::write(path, bytes).with_context(|| format!("writing {}", path.display()))?;
            }
        }
        Ok(())
    }

    fn format(&self) -> Result<Format, CliError> {
        let Some(path) = &self.out else {
            return Ok(Format::Svg);
        };
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            _ => Err(CliError::input(format!(
                "--out {}: expected a name that ends with .svg or .png",
                path.display()
            ))),
        }
    }

    /// The view to draw, and the belief beyond it.
    fn scene(&self, looker: Color) -> Result<(View, Option<Overlay>), CliError> {
        let game = self.position.game.game()?;
        let plain = self.moves.trim().is_empty() && self.belief.is_none();
        if let (Err(FenError::Fog(_)), true) = (game.parse_fen(&self.position.fen), plain) {
            let view = game.parse_fog_fen(&self.position.fen, looker);
            let view = view.map_err(|error| CliError::input(format!("in the fog FEN: {error}")));
            return Ok((view?, None));
        }
        let (game, position) = self.position.read()?;
        if self.belief.is_some() && game.fog_rules().is_none() {
            let message = "--belief is about what is hidden; expected --game fog";
            return Err(CliError::input(message));
        }
        let mut replay = Replay::new(State::new(game, position), &[]);
        let (cap, kind) = (self.cap as usize, self.belief_model.into());
        let mut watch = self
            .belief
            .map(|_| AnyBelief::new(kind, &game, looker, &position, cap, self.seed));
        for text in self.moves.split_whitespace() {
            let ply = replay.state().plies() + 1;
            let played = replay.play_text(text);
            played.map_err(|error| CliError::input(format!("--moves, ply {ply}: {error}")))?;
            if let Some(watch) = &mut watch {
                watch.see(&replay.state().observe(looker));
            }
        }
        let shown = match self.side {
            Some(_) => game,
            None => game.with_sight(looker, Sight::Full),
        };
        let view = View::new(&shown, replay.state().position(), looker);
        let role = self.belief.and_then(Believed::role);
        let overlay = watch.map(|watch| Overlay::new(watch.marginals(), !looker, role));
        Ok((view, overlay))
    }
}
