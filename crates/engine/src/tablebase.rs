//! Endgame tablebases: the result of a position and a move that preserves it.
//!
//! This crate opens no files by itself. An option names a folder, and the
//! program that fills [`foglight_play::Providers`] decides whether
//! [`Syzygy::open`] may read it.

use std::path::Path;

use foglight_play::{Endgames, TablebaseResult};
use foglight_rules::{Game, Move, Position};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase};

/// Syzygy tablebases (Ronald de Man's format, up to seven pieces).
pub struct Syzygy {
    tables: Tablebase<Chess>,
}

impl Syzygy {
    /// Opens all tables in a folder; fails if it contains none.
    pub fn open(folder: &str) -> std::io::Result<Syzygy> {
        let mut tables = Tablebase::new();
        let found = tables.add_directory(Path::new(folder))?;
        if found == 0 {
            let message = format!("no Syzygy tables (*.rtbw, *.rtbz) in '{folder}'");
            return Err(std::io::Error::new(std::io::ErrorKind::NotFound, message));
        }
        Ok(Syzygy { tables })
    }
}

impl Endgames for Syzygy {
    fn pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    fn best(&self, position: &Position) -> Option<(Move, TablebaseResult)> {
        if position.board().occupied().count() > self.pieces() || !position.castling().is_empty() {
            return None;
        }
        let game = Game::chess();
        let fen: Fen = game.fen(position).parse().ok()?;
        let chess: Chess = fen.into_position(CastlingMode::Standard).ok()?;
        let (best, _) = self.tables.best_move(&chess).ok()??;
        let mut after = chess.clone();
        after.play_unchecked(best);
        let text = best.to_uci(CastlingMode::Standard).to_string();
        let legal = game.legal_moves(position);
        let m = *legal.iter().find(|m| m.to_string() == text)?;
        Some((m, self.verdict_after(&after)?))
    }
}

impl Syzygy {
    /// The tablebase result for the side that has just moved.
    fn verdict_after(&self, after: &Chess) -> Option<TablebaseResult> {
        if after.is_checkmate() {
            return Some(TablebaseResult::Win);
        }
        if after.is_stalemate() || after.is_insufficient_material() {
            return Some(TablebaseResult::Draw);
        }
        Some(match self.tables.probe_wdl(after).ok()? {
            AmbiguousWdl::Loss | AmbiguousWdl::MaybeLoss => TablebaseResult::Win,
            AmbiguousWdl::Win | AmbiguousWdl::MaybeWin => TablebaseResult::Loss,
            _ => TablebaseResult::Draw,
        })
    }
}
