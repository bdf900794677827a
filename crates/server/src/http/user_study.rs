//! Routes of the user study.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    Json,
    body::Bytes,
    extract::{ConnectInfo, Path, Request, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use super::{
    ApiError, ApiResult, App,
    auth::{OptionalUser, newcomer},
    games::{self, GameRequest, Made},
    read,
};
use crate::{
    store::{Account, Participant},
    user_study::{self, After, Before, StudyState},
};

/// A participant and the answers given before the games.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(rename = "TestRequest"))]
pub(crate) struct BeginRequest {
    participant: u32,
    before: Before,
}

/// Largest number of a participant.
const MAX_SCORE: u32 = 99_999;

async fn find(app: &App, number: &str) -> ApiResult<Participant> {
    let missing = || ApiError::missing("participant");
    let number: u32 = number.parse().map_err(|_| missing())?;
    let found = app.store.participants(Some(number)).await?;
    found.into_iter().next().ok_or_else(missing)
}

async fn state_of(app: &App, participant: &Participant) -> ApiResult<StudyState> {
    let games = app.store.test_games(Some(participant.number)).await?;
    Ok(user_study::state(participant, &games))
}

pub async fn begin(
    State(app): State<Arc<App>>,
    OptionalUser(asker): OptionalUser,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<StudyState>)> {
    let request: BeginRequest = read(&body)?;
    request.before.check()?;
    if !(1..=MAX_SCORE).contains(&request.participant) {
        return Err(ApiError::input(format!(
            "participant: expected 1 to {MAX_SCORE}"
        )));
    }
    let name = format!("Participant {}", request.participant);
    let (person, token) = match asker {
        Some(person) => (person, None),
        None => {
            let (person, token) = newcomer(&app, &name).await?;
            (person, Some(token))
        }
    };
    let before = serde_json::to_string(&request.before).map_err(crate::store::StoreError::from)?;
    let participant = Participant {
        number: request.participant,
        before,
        after: None,
        player: person.id,
    };
    if !app
        .store
        .add_participant(&participant, app.time.now())
        .await?
    {
        return Err(ApiError::conflict("this participant has begun already"));
    }
    let mut state = state_of(&app, &participant).await?;
    state.token = token;
    Ok((StatusCode::CREATED, Json(state)))
}

pub async fn state(
    State(app): State<Arc<App>>,
    Path(number): Path<String>,
) -> ApiResult<Json<StudyState>> {
    let participant = find(&app, &number).await?;
    Ok(Json(state_of(&app, &participant).await?))
}

pub async fn game(
    State(app): State<Arc<App>>,
    Path(number): Path<String>,
) -> ApiResult<(StatusCode, Json<Made>)> {
    let participant = find(&app, &number).await?;
    let games = app.store.test_games(Some(participant.number)).await?;
    if games.iter().any(|game| game.outcome.is_none()) {
        return Err(ApiError::conflict("a game of this participant is running"));
    }
    let next = games.len() as u32 + 1;
    if next > user_study::GAMES {
        return Err(ApiError::conflict("this participant has played both games"));
    }
    let side = user_study::side(participant.number, next);
    let request = GameRequest::default()
        .by("fog", user_study::RULES)
        .playing(side)
        .against(user_study::AGENT);
    let person = Account {
        id: participant.player.clone(),
        name: format!("Participant {}", participant.number),
    };
    games::make(
        &app,
        &request,
        Some(person),
        Some((participant.number, next)),
    )
    .await
}

pub async fn after(
    State(app): State<Arc<App>>,
    Path(number): Path<String>,
    body: Bytes,
) -> ApiResult<Json<StudyState>> {
    let after: After = read(&body)?;
    after.check()?;
    let participant = find(&app, &number).await?;
    let text = serde_json::to_string(&after).map_err(crate::store::StoreError::from)?;
    app.store.answer_after(participant.number, &text).await?;
    let participant = find(&app, &number).await?;
    Ok(Json(state_of(&app, &participant).await?))
}

fn download(kind: &'static str, name: &'static str, text: String) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    (headers, text).into_response()
}

/// Only the local machine may export answers, which are personal data.
fn only_here(request: &Request) -> ApiResult<()> {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    match peer {
        Some(ConnectInfo(address)) if !address.ip().is_loopback() => Err(ApiError::forbidden(
            "the export is served to the machine that the server runs on",
        )),
        _ => Ok(()),
    }
}

pub async fn csv(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    only_here(&request)?;
    let participants = app.store.participants(None).await?;
    let games = app.store.test_games(None).await?;
    let text = user_study::csv(&participants, &games);
    Ok(download("text/csv; charset=utf-8", "user-test.csv", text))
}

pub async fn pgn(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    only_here(&request)?;
    let mut games = Vec::new();
    for game in app.store.test_games(None).await? {
        if game.outcome.is_some() {
            games.extend(app.store.load_game(&game.terms.id).await?);
        }
    }
    let text = user_study::pgn(games);
    Ok(download("application/x-chess-pgn", "user-test.pgn", text))
}
