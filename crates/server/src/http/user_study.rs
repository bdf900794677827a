//! Routes of the user study.

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use super::{
    ApiError, ApiResult, App,
    auth::{Operator, OptionalUser, User, newcomer},
    games::{self, GameRequest, Made},
    read,
};
use crate::{
    domain::Network,
    store::{Account, Asker, Participant},
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

/// The participant with a number, for its own account.
async fn find(app: &App, number: &str, asker: &Account) -> ApiResult<Participant> {
    let missing = || ApiError::missing("participant of this token");
    let number: u32 = number.parse().map_err(|_| missing())?;
    let found = app.store.participants(Some(number)).await?;
    let own = found.into_iter().find(|found| found.player == asker.id);
    own.ok_or_else(missing)
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
    let asker = match asker {
        Some(account) => Asker::Known(account),
        None => Asker::New(newcomer(&app, &name)),
    };
    let token = asker.token().map(str::to_owned);
    let before = serde_json::to_string(&request.before).expect("answers are JSON");
    let participant = Participant {
        number: request.participant,
        before,
        after: None,
        player: asker.account().id.clone(),
    };
    if !app
        .store
        .add_participant(&participant, asker, app.time.now())
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
    User(asker): User,
) -> ApiResult<Json<StudyState>> {
    let participant = find(&app, &number, &asker).await?;
    Ok(Json(state_of(&app, &participant).await?))
}

pub async fn game(
    State(app): State<Arc<App>>,
    Path(number): Path<String>,
    network: Network,
    User(asker): User,
) -> ApiResult<(StatusCode, Json<Made>)> {
    let participant = find(&app, &number, &asker).await?;
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
        network,
    )
    .await
}

pub async fn after(
    State(app): State<Arc<App>>,
    Path(number): Path<String>,
    User(asker): User,
    body: Bytes,
) -> ApiResult<Json<StudyState>> {
    let participant = find(&app, &number, &asker).await?;
    let after: After = read(&body)?;
    after.check()?;
    let text = serde_json::to_string(&after).expect("answers are JSON");
    app.store.answer_after(participant.number, &text).await?;
    let participant = find(&app, &number, &asker).await?;
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

pub async fn csv(State(app): State<Arc<App>>, _: Operator) -> ApiResult<Response> {
    let participants = app.store.participants(None).await?;
    let games = app.store.test_games(None).await?;
    let text = user_study::csv(&participants, &games);
    Ok(download("text/csv; charset=utf-8", "user-test.csv", text))
}

pub async fn pgn(State(app): State<Arc<App>>, _: Operator) -> ApiResult<Response> {
    let mut games = Vec::new();
    for game in app.store.test_games(None).await? {
        if game.outcome.is_some() {
            games.extend(app.store.load_game(&game.terms.id).await?);
        }
    }
    let text = user_study::pgn(games);
    Ok(download("application/x-chess-pgn", "user-test.pgn", text))
}
