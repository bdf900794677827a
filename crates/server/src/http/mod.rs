//! Routes. `docs/http.md` is the contract.

mod agents;
mod app;
mod auth;
mod bot;
mod error;
mod games;
mod limits;
mod listen;
mod page;
mod record;
mod socket;
mod study;
#[cfg(test)]
mod typescript;
mod user_study;
mod watch;

use std::sync::Arc;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{any, get, post},
};
use serde::de::DeserializeOwned;

pub(crate) use app::App;
pub use app::Config;
pub(crate) use error::ApiError;
pub(crate) use limits::Limiter;
pub use listen::Server;

pub(crate) type ApiResult<T> = Result<T, ApiError>;

pub(crate) fn router(app: Arc<App>) -> Router {
    let api = Router::new()
        .route("/api/token", post(auth::token))
        .route("/api/me", get(auth::me))
        .route("/api/agents", get(agents::agents))
        .route("/api/games", post(games::create))
        .route("/api/games/{id}", get(games::info))
        .route("/api/games/{id}/join", post(games::join))
        .route("/api/games/{id}/record", get(record::record))
        .route("/api/games/{id}/pgn", get(record::pgn))
        .route("/api/games/{id}/json", get(record::json))
        .route("/api/games/{id}/review", get(record::review))
        .route("/api/games/{id}/why", get(record::why))
        .route("/api/dice/check", post(record::check_dice))
        .route("/api/watch", get(watch::list).post(watch::show))
        .route(
            "/api/tournaments",
            get(watch::tournaments).post(watch::new_tournament),
        )
        .route("/api/tournaments/{id}", get(watch::tournament))
        .route("/api/ladder", get(watch::leaderboard))
        .route("/api/study", post(study::ask))
        .route("/api/study/belief", post(study::belief))
        .route("/api/position", post(study::position))
        .route("/api/rules", get(study::rules))
        .route("/api/test", post(user_study::begin))
        .route("/api/test/export.csv", get(user_study::csv))
        .route("/api/test/export.pgn", get(user_study::pgn))
        .route("/api/test/{number}", get(user_study::state))
        .route("/api/test/{number}/games", post(user_study::game))
        .route("/api/test/{number}/after", post(user_study::after))
        .route("/api/challenge/{agent}", post(bot::challenge))
        .route("/api/stream/event", get(bot::events))
        .route("/api/bot/game/stream/{id}", get(bot::stream))
        .route("/api/bot/game/{id}/move/{uci}", post(bot::play))
        .route("/api/bot/game/{id}/resign", post(bot::resign))
        .route("/api/bot/game/{id}/draw/{answer}", post(bot::draw))
        .layer(DefaultBodyLimit::max(limits::MAX_BODY))
        .merge(
            Router::new()
                .route("/api/import", post(record::import))
                .layer(DefaultBodyLimit::max(limits::MAX_PGN)),
        )
        .route("/api/{*rest}", any(no_route));
    let guarded = Router::new()
        .route("/ws/{id}", get(socket::connect))
        .merge(api)
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            limits::guard,
        ));
    guarded
        .fallback_service(page::service())
        .layer(middleware::from_fn(limits::headers))
        .with_state(app)
}

/// Unknown paths under `/api` get an error, not the page.
async fn no_route() -> ApiError {
    ApiError::missing("address")
}

/// Parses a JSON body. The error message names the place and what was expected.
fn read<T: DeserializeOwned>(body: &[u8]) -> ApiResult<T> {
    serde_json::from_slice(body).map_err(|e| ApiError::input(format!("in the body: {e}")))
}

/// Accepts the form of our ids only: letters and digits.
fn id(text: &str) -> ApiResult<&str> {
    let valid = (1..=32).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric());
    valid
        .then_some(text)
        .ok_or_else(|| ApiError::missing("game"))
}
