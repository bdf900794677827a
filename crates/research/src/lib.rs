//! The experiments of the papers: matches, tables and figures, and the
//! statistics and file formats that only they use.

pub mod complexity;
pub mod csv;
pub mod dmu;
pub mod experiments;
pub mod game_stats;
pub mod play_stats;
pub mod stats;
pub mod thesis;
