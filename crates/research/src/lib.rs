//! The experiments of the papers: their studies, tables and figures, and the
//! statistics and files that only they use.

pub mod complexity;
pub mod csv;
pub mod dmu;
pub mod events;
pub mod habits;
pub mod stats;
pub mod studies;
pub mod thesis;
