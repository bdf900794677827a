//! `foglight draw`: a board as a picture.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use anyhow::Context;
use clap::Args;
use foglight_rules::{Color, FenError, Sight, View};

use crate::{
    draw,
    failure::Failure,
    options::{PositionOptions, SideName},
};

/// Draws a board, the whole of it or as one side sees it. Unseen squares are
/// hatched. The FEN may also be a fog FEN.
#[derive(Args)]
#[command(after_help = "Example:\n  foglight draw --game fog --side black --out board.png")]
pub struct Draw {
    #[command(flatten)]
    position: PositionOptions,

    /// Who looks; that side is at the bottom [default: the truth, White below]
    #[arg(long, value_enum)]
    side: Option<SideName>,

    /// Width of a square in pixels
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u16).range(8..=400))]
    size: u16,

    /// The file to write, .svg or .png [default: SVG on standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The kinds of picture.
enum Format {
    Svg,
    Png,
}

impl Draw {
    pub fn run(&self) -> Result<(), Failure> {
        let format = self.format()?;
        let bottom = self.side.map_or(Color::White, Color::from);
        let svg = draw::svg(&self.view(bottom)?, bottom, self.size.into());
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

    fn format(&self) -> Result<Format, Failure> {
        let Some(path) = &self.out else {
            return Ok(Format::Svg);
        };
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            _ => Err(Failure::input(format!(
                "--out {}: expected a name that ends with .svg or .png",
                path.display()
            ))),
        }
    }

    fn view(&self, looker: Color) -> Result<View, Failure> {
        let game = self.position.game.game()?;
        if let Err(FenError::Fog(_)) = game.parse_fen(&self.position.fen) {
            let view = game.parse_fog_fen(&self.position.fen, looker);
            return view.map_err(|error| Failure::input(format!("in the fog FEN: {error}")));
        }
        let (game, position) = self.position.read()?;
        let game = match self.side {
            Some(_) => game,
            None => game.with_sight(looker, Sight::Full),
        };
        Ok(View::new(&game, &position, looker))
    }
}
