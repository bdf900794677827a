//! What a server's games are made of, whoever stores, sends or plays them.

pub mod commit_reveal;
mod input;
mod names;
mod ratings;
mod settings;
pub mod text;

pub use input::{InputError, game_of, name};
pub use names::{GameKind, ResultText, SideColor, VisibilityName, side_name};
pub use ratings::{RatingChange, Ratings};
pub use settings::{ClockTerms, GameSettings, GameSettingsError, Seat, Sights, Status};
pub use text::ActionText;
