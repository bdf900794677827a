//! Charts as SVG: axes, lines, bands, points and bars with error bars.
//!
//! Every chart is 440 wide, so that its text is legible on a phone, and texts
//! never overlap: labels stand in margins as wide as they need, legends in rows
//! below, and text that does not fit is cut with an ellipsis.

mod bars;
mod plot;
mod scale;
mod svg;

pub use bars::Bar;
pub(crate) use bars::BarMark;
pub(crate) use bars::Bars;
pub use plot::{Plot, PlotLayer};
pub(crate) use scale::ScaleKind;
pub(crate) use svg::dark_style;
pub use svg::{Ink, Stroke, Svg};

/// Width of every chart.
pub const WIDTH: f64 = 440.0;
