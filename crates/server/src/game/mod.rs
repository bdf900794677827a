//! Games: one actor each, behind a small handle.

mod actor;
mod closed;
mod handle;
mod pooled;
mod practice;
mod refusal;
mod registry;
mod seat;
pub mod session;
#[cfg(test)]
mod tests;
mod viewers;

pub use closed::{Closed, ClosedError, listed, match_record, record_text};
pub use handle::{Attached, DrawAction, Handle, PracticeSettings, Viewer};
pub use refusal::Refusal;
pub use registry::{GameError, Games, GamesConfig, Notice, NoticeKind};
