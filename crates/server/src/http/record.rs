//! Routes for finished games.

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{Path, Query, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use foglight_arena::{
    pgn as arena_pgn,
    record::{GameRecord, Telemetry},
};
use foglight_rules::Color;
use serde::{Deserialize, Serialize};

use super::{ApiError, ApiResult, App, id, read, study::memory_of_states};
use crate::{
    domain::{
        Network,
        commit_reveal::{KnownBefore, Reveal},
    },
    game::{Closed, ClosedError, match_record, session::MAX_PLIES},
    wire::{
        GameInfo, LostPieceDto, MoveLogEntry, ResultText, ReviewAnswer, ReviewDto, side_name,
        spectator::ReplayRow,
    },
    workers::pause,
};

/// Does work on the game with an id, if it is over; 403 while it runs.
async fn with_closed<T: Send + 'static>(
    app: &App,
    text: &str,
    network: Network,
    work: impl FnOnce(Closed) -> T + Send + 'static,
) -> ApiResult<T> {
    let loaded = app.store.load_game(id(text)?).await?;
    let loaded = loaded.ok_or_else(|| ApiError::missing("game"))?;
    if loaded.outcome.is_none() {
        return Err(ClosedError::Running.into());
    }
    let memory = memory_of_states(loaded.actions.len());
    let opened = app.work(network, memory, move |_| Closed::open(loaded).map(work));
    Ok(opened.await??)
}

/// A finished game: the true position and both views at every ply.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RecordAnswer {
    info: GameInfo,
    rows: Vec<ReplayRow>,
    logs: Logs,
    reveal: Option<Reveal>,
    result: Option<ResultText>,
    reason: Option<&'static str>,
    /// Reports of the agents, in the record format of matches.
    #[cfg_attr(test, ts(type = "unknown[]"))]
    telemetry: Vec<Telemetry>,
}

/// The move list of each side, as far as it could see the moves.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Logs {
    white: Vec<MoveLogEntry>,
    black: Vec<MoveLogEntry>,
}

pub async fn record(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    network: Network,
) -> ApiResult<Response> {
    // The answer is written in the pool too: of a long game it is a megabyte.
    with_closed(&app, &id, network, |closed| {
        Json(answer(closed)).into_response()
    })
    .await
}

fn answer(closed: Closed) -> RecordAnswer {
    let Closed {
        loaded,
        table,
        finished,
    } = closed;
    let clocks = table.clock_history();
    let info = table.info();
    pause();
    RecordAnswer {
        result: info.result,
        reason: info.reason,
        info,
        rows: finished.rows(clocks),
        logs: Logs {
            white: finished.log(Color::White, clocks),
            black: finished.log(Color::Black, clocks),
        },
        reveal: table.fair().and_then(|fair| fair.reveal()),
        telemetry: loaded.telemetry,
    }
}

fn file(kind: &'static str, name: &str, text: String) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    (headers, text).into_response()
}

pub async fn pgn(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    network: Network,
) -> ApiResult<Response> {
    let text = |closed: Closed| arena_pgn::text(&match_record(&closed));
    let text = with_closed(&app, &id, network, text).await?;
    Ok(file("application/x-chess-pgn", &format!("{id}.pgn"), text))
}

pub async fn json(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    network: Network,
) -> ApiResult<Response> {
    let text = |closed: Closed| match_record(&closed).to_json() + "\n";
    let text = with_closed(&app, &id, network, text).await?;
    Ok(file("application/json", &format!("{id}.json"), text))
}

#[derive(Deserialize)]
pub(crate) struct SideQuery {
    side: Option<String>,
}

impl SideQuery {
    fn side(&self) -> ApiResult<Color> {
        match self.side.as_deref() {
            None | Some("white") => Ok(Color::White),
            Some("black") => Ok(Color::Black),
            Some(_) => Err(ApiError::input("side: expected white or black")),
        }
    }
}

async fn reviewed(
    app: &Arc<App>,
    id: &str,
    side: Color,
    network: Network,
) -> ApiResult<ReviewAnswer> {
    let game = super::id(id)?;
    if let Some(text) = app.store.review(game, side_name(side)).await? {
        let review = serde_json::from_str(&text).map(ReviewAnswer::Done);
        return review.map_err(|_| ApiError::missing("review"));
    }
    if let Some(progress) = app.reviews.progress(game, side, network)? {
        return Ok(ReviewAnswer::Working(progress));
    }
    let record = |closed: Closed| closed.finished.record().clone();
    let record = with_closed(app, game, network, record).await?;
    let progress = app.reviews.begin(game, side, record, network)?;
    Ok(ReviewAnswer::Working(progress))
}

pub async fn review(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    network: Network,
    Query(query): Query<SideQuery>,
) -> ApiResult<Response> {
    let answer = reviewed(&app, &id, query.side()?, network).await?;
    let status = match answer {
        ReviewAnswer::Working(_) => StatusCode::ACCEPTED,
        ReviewAnswer::Done(_) => StatusCode::OK,
    };
    Ok((status, Json(answer)).into_response())
}

/// Explanations of lost pieces.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Why {
    losses: Vec<LostPieceDto>,
}

pub async fn why(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    network: Network,
    Query(query): Query<SideQuery>,
) -> ApiResult<Response> {
    Ok(match reviewed(&app, &id, query.side()?, network).await? {
        ReviewAnswer::Done(ReviewDto { losses, .. }) => Json(Why { losses }).into_response(),
        working => (StatusCode::ACCEPTED, Json(working)).into_response(),
    })
}

/// Result of the check of the dice.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct DiceCheck {
    ok: bool,
    problems: Vec<String>,
}

/// A reveal, the game it belongs to, and what a player knew before.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct DiceCheckRequest {
    reveal: Reveal,
    /// The line of `GET /api/games/{id}/json`.
    #[cfg_attr(test, ts(type = "unknown"))]
    record: serde_json::Value,
    known: KnownBefore,
}

/// KiB that a check of the dice needs.
const DICE: u64 = 8 << 10;

pub async fn check_dice(
    State(app): State<Arc<App>>,
    network: Network,
    body: Bytes,
) -> ApiResult<Json<DiceCheck>> {
    let DiceCheckRequest {
        reveal,
        record,
        known,
    } = read(&body)?;
    let work = move |_: &_| {
        let game = GameRecord::from_json(&record.to_string());
        let game = game.map_err(|e| ApiError::input(format!("in the record: {e}")))?;
        if game.record.actions.len() > 3 * MAX_PLIES as usize {
            return Err(ApiError::input(
                "record: a longer game than any of this server",
            ));
        }
        Ok(reveal.problems(&game.record, &known))
    };
    let problems = app.work(network, DICE, work).await??;
    let ok = problems.is_empty();
    Ok(Json(DiceCheck { ok, problems }))
}
