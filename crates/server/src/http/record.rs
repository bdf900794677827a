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

use super::{ApiError, ApiResult, App, id, read};
use crate::{
    domain::{
        Network,
        commit_reveal::{KnownBefore, Reveal},
    },
    game::{Closed, match_record, session::MAX_PLIES},
    wire::{
        GameInfo, LostPieceDto, MoveLogEntry, ResultText, ReviewAnswer, ReviewDto, side_name,
        spectator::ReplayRow,
    },
    workers::{Share, Work},
};

/// The game with an id, if it is over; 403 while it runs.
pub async fn closed(app: &App, text: &str) -> ApiResult<Closed> {
    let loaded = app.store.load_game(id(text)?).await?;
    let loaded = loaded.ok_or_else(|| ApiError::missing("game"))?;
    Ok(Closed::open(loaded)?)
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
) -> ApiResult<Json<RecordAnswer>> {
    let Closed {
        loaded,
        table,
        finished,
    } = closed(&app, &id).await?;
    let clocks = table.clock_history();
    let info = table.info();
    Ok(Json(RecordAnswer {
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
    }))
}

fn file(kind: &'static str, name: &str, text: String) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    (headers, text).into_response()
}

pub async fn pgn(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Response> {
    let closed = closed(&app, &id).await?;
    let text = arena_pgn::text(&match_record(&closed));
    Ok(file(
        "application/x-chess-pgn",
        &format!("{}.pgn", closed.loaded.terms.id),
        text,
    ))
}

pub async fn json(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Response> {
    let closed = closed(&app, &id).await?;
    let text = match_record(&closed).to_json() + "\n";
    Ok(file(
        "application/json",
        &format!("{}.json", closed.loaded.terms.id),
        text,
    ))
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
    let closed = closed(app, game).await?;
    let record = closed.finished.record().clone();
    let progress = app.reviews.ask(game, side, record, network);
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
    let share = Share::of_request(network);
    let problems = app.pool.run(&share, Work::Request, work).await??;
    let ok = problems.is_empty();
    Ok(Json(DiceCheck { ok, problems }))
}
