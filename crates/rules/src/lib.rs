#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod action;
mod board;
mod castling;
mod dice;
mod fog_rules;
mod games;
mod legal;
mod move_visibility;
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
mod size;
mod state;
mod view;
mod zobrist;

pub use shakmaty::{Bitboard, ByColor, Color, Piece, Role, Square, attacks};

pub use action::{Action, MoveError, Turn};
pub use board::{Board, piece_attacks};
pub use castling::{Castling, CastlingRights};
pub use dice::Dice;
pub use fog_rules::FogRules;
pub use games::{Game, HALFMOVE_LIMIT, PositionError, Sight, Variant};
pub use move_visibility::MoveVisibility;
pub use movegen::RoleSet;
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList, PROMOTIONS, en_passant_pawn};
pub use notation::{
    fen::FenError,
    pgn::{PgnError, PgnGame, PgnResult},
};
pub use observation::{Announcement, Observation};
pub use outcome::{Outcome, Termination};
pub use packed::PackedPosition;
pub use perft::{divide, perft, roots, under};
pub use position::{Position, Setup};
pub use record::{Record, Replay, ReplayError, walk};
pub use size::Size;
pub use state::{Ply, State};
pub use view::View;
