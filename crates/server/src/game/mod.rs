//! Games: one actor each, behind a small handle.

mod actor;
pub mod clock;
pub mod fair;
mod handle;
mod practice;
mod registry;
mod seat;
pub mod table;
pub mod terms;
mod viewers;

pub use handle::{Answer, Attached, Draw, Handle, Moment, PracticeWish, Viewer};
pub use registry::{GameError, Games, Notice, NoticeKind};
