//! Routes for finished games.

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{Path, Query, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use foglight_arena::{pgn as arena_pgn, record::Telemetry};
use foglight_rules::{Color, Outcome, PgnGame, Termination, notation::pgn as notation};
use serde::{Deserialize, Serialize};

use super::{ApiError, ApiResult, App, id, read};
use crate::{
    domain::{ActionText, GameSettings, Seat, commit_reveal::Reveal},
    game::{Closed, match_record, session::MAX_PLIES},
    store::{StoredAction, StoredEnd},
    wire::{
        GameInfo, LostPieceDto, MoveLogEntry, ResultText, ReviewAnswer, ReviewDto, side_name,
        spectator::ReplayRow,
    },
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
        reveal: table.fair().map(|fair| fair.reveal()),
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

async fn reviewed(app: &Arc<App>, id: &str, side: Color) -> ApiResult<ReviewAnswer> {
    let game = super::id(id)?;
    if let Some(text) = app.store.review(game, side_name(side)).await? {
        let review = serde_json::from_str(&text).map(ReviewAnswer::Done);
        return review.map_err(|_| ApiError::missing("review"));
    }
    let closed = closed(app, game).await?;
    let record = closed.finished.record().clone();
    let progress = app.reviews.ask(game, side, record);
    Ok(ReviewAnswer::Working(progress))
}

pub async fn review(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(query): Query<SideQuery>,
) -> ApiResult<Response> {
    let answer = reviewed(&app, &id, query.side()?).await?;
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
    Query(query): Query<SideQuery>,
) -> ApiResult<Response> {
    Ok(match reviewed(&app, &id, query.side()?).await? {
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

pub async fn check_dice(body: Bytes) -> ApiResult<Json<DiceCheck>> {
    let reveal: Reveal = read(&body)?;
    let problems = reveal.problems();
    let ok = problems.is_empty();
    Ok(Json(DiceCheck { ok, problems }))
}

/// Maximum number of games in one import.
const MAX_GAMES: usize = 100;

/// Ids of the imported games.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Imported {
    games: Vec<String>,
}

pub async fn import(
    State(app): State<Arc<App>>,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<Imported>)> {
    let text = std::str::from_utf8(&body)
        .map_err(|_| ApiError::input("expected PGN text in UTF-8"))?
        .to_owned();
    let games = app.study.run(move || read_pgn(&text)).await??;
    let mut ids = Vec::new();
    for game in games {
        let (mut terms, actions, outcome) = imported(&app, game);
        terms.rated = false;
        let end = StoredEnd {
            outcome,
            at: app.time.now(),
            telemetry: Vec::new(),
        };
        app.store.import_game(&terms, actions, end).await?;
        ids.push(terms.id);
    }
    Ok((StatusCode::CREATED, Json(Imported { games: ids })))
}

fn read_pgn(text: &str) -> ApiResult<Vec<PgnGame>> {
    let mut games = Vec::new();
    for game in notation::read(text) {
        let game = game.map_err(|e| ApiError::input(format!("in the PGN: {e}")))?;
        if game.actions.len() > MAX_PLIES as usize {
            let text = format!("in the PGN: expected games of at most {MAX_PLIES} single moves");
            return Err(ApiError::input(text));
        }
        games.push(game);
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

fn imported(app: &App, game: PgnGame) -> (GameSettings, Vec<StoredAction>, Outcome) {
    let start = match game.start == game.game.start() {
        true => "startpos".to_owned(),
        false => game.game.fen(&game.start),
    };
    let mut terms = app.games.terms(&game.game, start);
    terms.dice_seed = None;
    let chair = |tag: &str| Seat::Person {
        player: String::new(),
        name: game.tag(tag).unwrap_or("?").chars().take(30).collect(),
        rating: None,
    };
    (terms.white, terms.black) = (chair("White"), chair("Black"));
    let now = app.time.now();
    let actions = game.actions.iter().map(|action| StoredAction {
        action: ActionText::new(*action),
        token: String::new(),
        at: now,
        left: None,
    });
    let result = game.result;
    let outcome = Outcome {
        winner: result.and_then(|result| result.winner),
        reason: result
            .and_then(|result| result.reason)
            .unwrap_or(Termination::Agreement),
    };
    (terms, actions.collect(), outcome)
}
