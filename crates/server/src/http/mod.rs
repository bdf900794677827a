//! Routes. `docs/http.md` is the contract.

mod access;
mod agents;
mod app;
mod auth;
mod bot;
mod error;
mod games;
mod health;
mod import;
mod limits;
mod listen;
mod page;
mod patient;
mod places;
mod preview;
mod record;
mod routes;
mod socket;
mod study;
mod traffic;
#[cfg(test)]
mod typescript;
mod user_study;
mod watch;

use std::sync::Arc;

use axum::{Router, middleware};
use serde::de::DeserializeOwned;
use tower_http::compression::{
    CompressionLayer, DefaultPredicate, Predicate as _, predicate::NotForContentType,
};

pub use access::PublicOrigin;
pub(crate) use app::App;
pub use app::Config;
pub(crate) use error::ApiError;
pub use listen::Server;
pub(crate) use socket::Connection;
pub(crate) use socket::reads_message;

pub(crate) type ApiResult<T> = Result<T, ApiError>;

pub(crate) fn router(app: Arc<App>) -> Router {
    let guard = middleware::from_fn_with_state(Arc::clone(&app), limits::guard);
    // Streams are sent line by line: compression would hold lines back.
    let lines = NotForContentType::const_new("application/x-ndjson");
    let compression = CompressionLayer::new().compress_when(DefaultPredicate::new().and(lines));
    let carry = middleware::from_fn_with_state(Arc::clone(&app), traffic::carry);
    routes::router()
        .layer(carry)
        .fallback(page::serve)
        .layer(compression)
        .layer(guard)
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
