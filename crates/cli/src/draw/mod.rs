//! Pictures of boards: a view in, an SVG text out, and from there a PNG.
//!
//! Pictures contain paths only, no text, so that they look the same without any
//! font.

mod board;
mod letters;
mod overlay;
mod pieces;
mod png;

pub(crate) use board::svg;
pub(crate) use overlay::Overlay;
pub(crate) use pieces::sprites;
pub(crate) use png::png;
