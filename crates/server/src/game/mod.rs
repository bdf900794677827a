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

pub(crate) use closed::ClosedError;
pub(crate) use closed::match_record;
pub(crate) use closed::record_text;
pub use closed::{Closed, listed};
pub(crate) use handle::Attached;
pub(crate) use handle::DrawAction;
pub(crate) use handle::Handle;
pub(crate) use handle::PracticeSettings;
pub(crate) use handle::Viewer;
pub(crate) use refusal::Refusal;
pub(crate) use registry::GameError;
pub use registry::Games;
pub(crate) use registry::GamesConfig;
pub(crate) use registry::Notice;
pub(crate) use registry::NoticeKind;
pub(crate) use registry::{TOURNAMENTS, TOURNAMENTS_OF_ONE};
