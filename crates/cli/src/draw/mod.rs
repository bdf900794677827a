//! Pictures of boards: a view in, an SVG text out, and from there a PNG.
//!
//! Nothing but paths is drawn, no text, so that a picture looks the same
//! without any font.

mod board;
mod letters;
mod overlay;
mod pieces;
mod png;

pub use board::svg;
pub use overlay::Overlay;
pub use pieces::sprites;
pub use png::png;
