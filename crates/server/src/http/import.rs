//! The route that imports finished games.

use std::sync::Arc;

use axum::{Json, body::Bytes, extract::State as Shared, http::StatusCode};
use foglight_rules::{Outcome, PgnGame, Replay, ReplayError, State, Termination, notation::pgn};
use serde::Serialize;

use super::{ApiError, ApiResult, App};
use crate::{
    domain::{ActionText, Network, Seat, foreign_name},
    game::session::MAX_PLIES,
    store::{ImportedGame, StoredEnd},
    workers::pause,
};

/// Maximum number of games in one import.
const MAX_GAMES: usize = 100;
/// KiB that reading an import needs.
const MEMORY: u64 = 8 << 10;
/// Maximum number of imported games on a server.
const MAX_STORED: u64 = 50_000;

/// Ids of the imported games.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Imported {
    games: Vec<String>,
}

pub async fn import(
    Shared(app): Shared<Arc<App>>,
    network: Network,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<Imported>)> {
    let text = std::str::from_utf8(&body)
        .map_err(|_| ApiError::input("expected PGN text in UTF-8"))?
        .to_owned();
    let games = app.work(network, MEMORY, move |_| read_pgn(&text));
    let games = games.await??;
    if !app.limits.imports.takes(network, games.len()) {
        let text = "too many imported games from one address; expected at most 500 a day";
        return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, text));
    }
    let games: Vec<ImportedGame> = games.iter().map(|game| imported(&app, game)).collect();
    let ids = games.iter().map(|game| game.terms.id.clone()).collect();
    if !app.store.import_games(games, MAX_STORED).await? {
        let text = format!("the server holds {MAX_STORED} imported games, as many as it takes");
        return Err(ApiError::new(StatusCode::INSUFFICIENT_STORAGE, text));
    }
    Ok((StatusCode::CREATED, Json(Imported { games: ids })))
}

fn read_pgn(text: &str) -> ApiResult<Vec<PgnGame>> {
    let mut games = Vec::new();
    for game in pgn::read(text) {
        let game = game.map_err(|e| ApiError::input(format!("in the PGN: {e}")))?;
        if game.actions.len() > MAX_PLIES as usize {
            let text = format!("in the PGN: expected games of at most {MAX_PLIES} single moves");
            return Err(ApiError::input(text));
        }
        replays(&game).map_err(|e| {
            let number = games.len() + 1;
            ApiError::input(format!("in the PGN, game {number}: {e}"))
        })?;
        games.push(game);
        pause();
        if games.len() > MAX_GAMES {
            let text = format!("expected at most {MAX_GAMES} games at once");
            return Err(ApiError::input(text));
        }
    }
    if games.is_empty() {
        return Err(ApiError::input("expected at least one game in PGN"));
    }
    Ok(games)
}

/// Whether the game can be replayed by its rules. A PGN may go on where they end
/// it, by repetition or the 50-move rule.
fn replays(game: &PgnGame) -> Result<(), ReplayError> {
    let start = State::new(game.game, game.start);
    Replay::new(start, &game.actions).finish().map(drop)
}

fn imported(app: &App, game: &PgnGame) -> ImportedGame {
    let start = match game.start == game.game.start() {
        true => "startpos".to_owned(),
        false => game.game.fen(&game.start),
    };
    let mut terms = app.games.terms(&game.game, start);
    terms.dice_seed = None;
    let chair = |tag: &str| Seat::Person {
        player: String::new(),
        name: foreign_name(game.tag(tag).unwrap_or_default()),
        rating: None,
    };
    (terms.white, terms.black) = (chair("White"), chair("Black"));
    let result = game.result;
    let winner = result.and_then(|result| result.winner);
    // What PGN calls a normal end, and the board does not decide.
    let usual = match winner {
        Some(_) => Termination::Resign,
        None => Termination::Agreement,
    };
    let outcome = Outcome {
        winner,
        reason: result.and_then(|result| result.reason).unwrap_or(usual),
    };
    ImportedGame {
        terms,
        actions: game.actions.iter().copied().map(ActionText::new).collect(),
        end: StoredEnd {
            outcome,
            at: app.time.now(),
            telemetry: Vec::new(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Config;

    /// Running games are stored while a large import is: an acknowledgement waits
    /// for a part of it only.
    #[tokio::test]
    async fn imports_leave_room_for_moves() {
        let folder = tempfile::tempdir().expect("a folder");
        let config = Config {
            data: Some(folder.path().to_owned()),
            ..Config::default()
        };
        let app = App::open(config).await.expect("an app");
        let moves = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(24);
        let tags = "[Variant \"Fog of War\"]\n[RuleSet \"thesis-v1\"]\n\n";
        let games = read_pgn(&format!("{tags}{moves}*\n\n").repeat(100));
        let Ok(games) = games else {
            panic!("expected games by the rules");
        };
        let games: Vec<_> = games.iter().map(|game| imported(&app, game)).collect();
        let id = games[99].terms.id.clone();
        let store = app.store.clone();
        let importing = tokio::spawn(async move { store.import_games(games, 1000).await });
        let mut beats = 0;
        while !importing.is_finished() {
            app.store.heartbeat(beats).await.expect("a write");
            beats += 1;
        }
        assert!(matches!(importing.await, Ok(Ok(true))));
        assert!(beats > 20, "{beats} moves during an import");
        let stored = app.store.load_game(&id).await.expect("storage");
        assert_eq!(stored.expect("the game").actions.len(), 96);
    }
}
