//! What a server's games are made of, whoever stores, sends or plays them.

pub mod fair;
mod input;
mod names;
mod ratings;
mod terms;
pub mod text;

pub use input::{InputError, game_of, name};
pub use names::{GameName, GameResult, Side, Sighting, side_name};
pub use ratings::{RatingChange, Ratings};
pub use terms::{Chair, ClockTerms, Sights, Status, Terms, TermsError};
pub use text::ActionText;
