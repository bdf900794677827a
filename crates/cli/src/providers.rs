//! External resources for agents: files, endgame tables, and Stockfish if
//! installed.

use std::sync::Arc;

use foglight_engine::tablebase::Syzygy;
use foglight_play::{Analyser, Endgames, Providers};
use foglight_uci::MONOTONIC;
use foglight_uci::client::stockfish::{Stockfish, StockfishSetup};

/// All resources that this program can provide.
pub(crate) fn all() -> Providers {
    Providers {
        read: Some(Arc::new(|path: &str| std::fs::read(path))),
        stockfish: Some(Arc::new(stockfish)),
        tables: Some(Arc::new(|folder: &str| {
            Ok(Arc::new(Syzygy::open(folder)?) as Arc<dyn Endgames>)
        })),
        time: MONOTONIC,
        tree: None,
    }
}

/// Starts Stockfish: the program named by `FOGLIGHT_STOCKFISH`, or the one in
/// `PATH`, or Debian's.
fn stockfish() -> Result<Arc<dyn Analyser>, String> {
    let named = std::env::var("FOGLIGHT_STOCKFISH").ok();
    let usual = ["stockfish", "/usr/games/stockfish"].map(str::to_owned);
    let commands = named.map_or(usual.to_vec(), |command| vec![command]);
    for command in &commands {
        let setup = StockfishSetup {
            command: command.clone(),
            ..StockfishSetup::default()
        };
        if let Ok(pool) = Stockfish::start(&setup) {
            return Ok(Arc::new(pool));
        }
    }
    Err(format!(
        "Stockfish is missing: expected '{}' to answer (Debian: apt-get install stockfish; \
         FOGLIGHT_STOCKFISH names another program)",
        commands.join("' or '")
    ))
}
