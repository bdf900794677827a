//! Games: one actor each, behind a small handle.

mod actor;
pub mod fair;
mod handle;
mod pooled;
mod practice;
mod registry;
mod seat;
pub mod table;
pub mod terms;
#[cfg(test)]
mod tests;
mod viewers;

pub use handle::{Answer, Attached, Draw, Handle, Moment, PracticeWish, Viewer};
pub use registry::{GameError, Games, GamesConfig, Notice, NoticeKind};
