#![doc = include_str!("../README.md")]

mod action;
mod board;
mod castling;
mod dice;
mod fog_rules;
mod games;
mod legal;
mod movegen;
mod moves;
pub mod notation;
mod observation;
mod outcome;
mod packed;
mod perft;
mod position;
mod record;
#[cfg(feature = "serde")]
mod serialize;
mod sight;
mod sighting;
mod size;
mod state;
mod view;
mod zobrist;

pub use shakmaty::{Bitboard, ByColor, Color, Piece, Role, Square, attacks};

pub use action::{Action, MoveError, Turn};
pub use board::{Board, piece_attacks};
pub use castling::{Castling, Rights};
pub use dice::Dice;
pub use fog_rules::FogRules;
pub use games::{Game, PositionError, QUIET_PLIES, Sight, Variant};
pub use movegen::RoleSet;
pub use moves::{Kind, MAX_MOVES, Move, MoveList, PROMOTIONS, en_passant_pawn};
pub use notation::{
    fen::FenError,
    pgn::{PgnError, PgnGame, PgnResult},
};
pub use observation::{News, Observation};
pub use outcome::{Outcome, Reason};
pub use packed::Packed;
pub use perft::{divide, perft, roots, under};
pub use position::{Position, Setup};
pub use record::{Record, Replay, ReplayError, walk};
pub use sighting::Sighting;
pub use size::Size;
pub use state::{Ply, State};
pub use view::View;
