//! Types of the server's games, shared by storage, protocol and play.

pub(crate) mod commit_reveal;
mod input;
mod names;
mod network;
mod ratings;
mod settings;
pub mod text;

pub(crate) use input::InputError;
pub(crate) use input::foreign_name;
pub use input::{game_of, name};
pub(crate) use names::GameKind;
pub(crate) use names::ResultText;
pub(crate) use names::SideColor;
pub(crate) use names::VisibilityName;
pub use names::side_name;
pub(crate) use network::Network;
pub(crate) use ratings::RatingChange;
pub use ratings::Ratings;
pub(crate) use settings::ClockTerms;
pub(crate) use settings::GameSettings;
pub(crate) use settings::GameSettingsError;
pub(crate) use settings::Sights;
pub use settings::{Seat, Status};
pub(crate) use text::ActionText;
