//! The thesis's presentation of its sets of games (Mellemseter 2017, chapters 5
//! and 6): a table of its tests, and its figures.

mod figures;
mod sets;
mod trend;

pub use figures::figures;
pub use sets::{head, row};

/// Level of the thesis's error bars.
const LEVEL: f64 = 0.999;
