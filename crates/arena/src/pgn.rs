//! Game records as PGN of the truth.

use foglight_rules::{
    Color,
    notation::pgn::{Note, PgnGame},
};

use crate::record::GameRecord;

