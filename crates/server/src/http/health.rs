//! The route by which an operator's monitor asks whether the server works.

use std::sync::Arc;

use axum::{Json, extract::State};
use serde::Serialize;

use super::{ApiResult, App};

#[derive(Serialize)]
pub(crate) struct Health {
    ok: bool,
}

/// Answers once the storage has: by way of the thread that stores moves, and
/// without writing.
pub(crate) async fn health(State(app): State<Arc<App>>) -> ApiResult<Json<Health>> {
    app.store.ping().await?;
    Ok(Json(Health { ok: true }))
}
