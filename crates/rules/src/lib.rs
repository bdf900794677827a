//! Boards, moves, games, observations and notation of chess under uncertainty.
//!
//! The crate is a referee without a clock: no input or output, no threads, and
//! no randomness that was not passed in. A [`Game`] is the rules as a value, a
//! [`State`] is one game being played by them and the only keeper of the truth,
//! and an [`Observation`] is all that one side may know of it.
//!
//! ```
//! use foglight_rules::{Color, Game, State};
//!
//! let mut state = State::start(Game::fog());
//! for text in ["e2e4", "d7d5"] {
//!     let action = state.parse_action(text).expect("a legal move");
//!     state.play(action).expect("a legal move");
//! }
//! let white = state.observe(Color::White);
//! assert_eq!(
//!     white.view().to_string(),
//!     "????????/????????/1???????/?1?p1??1/4P3/4?3/PPPP1PPP/RNBQKBNR w KQ - - -",
//! );
//! ```

mod board;
mod castling;
mod dice;
mod games;
mod legal;
mod movegen;
mod moves;
pub mod notation;
mod observation;
mod outcome;
mod packed;
mod perft;
pub mod playthrough;
mod position;
mod record;
mod sight;
mod sighting;
mod size;
mod state;
mod view;
mod zobrist;

pub use shakmaty::{Bitboard, ByColor, Color, Piece, Role, Square, attacks};

pub use board::Board;
pub use castling::{Castling, Rights};
pub use dice::Dice;
pub use games::{FogRules, Game, PositionError, QUIET_PLIES, Sight, Variant};
pub use movegen::RoleSet;
pub use moves::{Kind, MAX_MOVES, Move, MoveList, PROMOTIONS};
pub use notation::{
    fen::FenError,
    pgn::{PgnError, PgnGame, PgnResult},
    uci::MoveError,
};
pub use observation::{News, Observation};
pub use outcome::{Outcome, Reason};
pub use packed::Packed;
pub use perft::{divide, perft, roots, under};
pub use position::{Position, Setup};
pub use record::{Record, Replay, ReplayError, walk};
pub use sighting::Sighting;
pub use size::Size;
pub use state::{Action, Ply, State, Turn};
pub use view::View;
