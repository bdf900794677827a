//! Parsing and writing: FEN with its fog and dice forms, UCI moves, SAN, PGN.

pub mod fen;
pub mod pgn;
pub mod san;
pub mod uci;
