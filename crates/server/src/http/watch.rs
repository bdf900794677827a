//! Watching: lists of games, games between agents, tournaments, the ladder.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Json,
    body::Bytes,
    extract::{Path, State},
    http::StatusCode,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Answer, ApiError,
    games::{bare_terms, game_of, listed, sight_of, start_of},
    id, read,
};
use crate::{
    app::App,
    game::terms::Chair,
    store::LadderRow,
    think,
    tournament::{self, Plan},
    wire::Status,
};

/// The most games in a list.
const MOST: usize = 50;

/// `GET /api/watch`
pub async fn list(State(app): State<Arc<App>>) -> Answer<Json<Value>> {
    let mut running = Vec::new();
    for handle in app.games.all() {
        let Ok((info, clocks)) = handle.info().await else {
            continue;
        };
        if info.status == Status::Running {
            let order = (std::cmp::Reverse(info.created), info.id.clone());
            let mut value = json!(info);
            value["clocks"] = json!(clocks);
            running.push((order, value));
        }
    }
    running.sort_by(|(one, _), (other, _)| one.cmp(other));
    running.truncate(MOST);
    let running: Vec<Value> = running.into_iter().map(|(_, value)| value).collect();
    let recent = app.store.recent_games(None, MOST as u32).await?;
    let recent: Vec<_> = recent.iter().filter_map(listed).collect();
    let tournaments = app.store.tournaments(None).await?;
    let tournaments: Vec<_> = tournaments.iter().filter_map(tournament::summary).collect();
    Ok(Json(json!({
        "running": running,
        "recent": recent,
        "tournaments": tournaments,
    })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShowRequest {
    game: String,
    rules: Option<String>,
    white: String,
    black: String,
    fen: Option<String>,
    sight: Option<String>,
    #[serde(default)]
    pause: u64,
}

/// Games between agents that may run at once.
const MOST_SHOWS: usize = 16;

/// `POST /api/watch`
pub async fn show(State(app): State<Arc<App>>, body: Bytes) -> Answer<(StatusCode, Json<Value>)> {
    let request: ShowRequest = read(&body)?;
    if request.pause > 10_000 {
        return Err(ApiError::input("pause: expected at most 10000"));
    }
    let game = game_of(&request.game, request.rules.as_deref())?;
    let game = sight_of(game, request.sight.as_deref(), None)?;
    let (start, _) = start_of(&game, request.fen.as_deref())?;
    if app.moves.load() >= MOST_SHOWS {
        return Err(crate::think::Busy.into());
    }
    let mut terms = bare_terms(&app, &game, start);
    for agent in [&request.white, &request.black] {
        think::build(agent, &game, &app.providers)?;
    }
    let chair = |agent: &String| Chair::Agent {
        name: agent.clone(),
        spec: agent.clone(),
        rating: None,
    };
    (terms.white, terms.black) = (chair(&request.white), chair(&request.black));
    terms.pause = request.pause;
    let id = terms.id.clone();
    app.games.create(&app, terms).await?;
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))))
}

/// `GET /api/tournaments`
pub async fn tournaments(State(app): State<Arc<App>>) -> Answer<Json<Value>> {
    let list = app.store.tournaments(None).await?;
    let list: Vec<_> = list.iter().filter_map(tournament::summary).collect();
    Ok(Json(json!({ "tournaments": list })))
}

/// `POST /api/tournaments`
pub async fn new_tournament(
    State(app): State<Arc<App>>,
    body: Bytes,
) -> Answer<(StatusCode, Json<Value>)> {
    let plan: Plan = read(&body)?;
    let id = tournament::begin(&app, plan).await?;
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))))
}

/// `GET /api/tournaments/{id}`
pub async fn tournament(
    State(app): State<Arc<App>>,
    Path(text): Path<String>,
) -> Answer<Json<Value>> {
    let found = app.store.tournaments(Some(id(&text)?.to_owned())).await?;
    let stored = found
        .first()
        .ok_or_else(|| ApiError::missing("tournament"))?;
    Ok(Json(tournament::standing(&app, stored).await?))
}

/// `GET /api/ladder`
pub async fn ladder(State(app): State<Arc<App>>) -> Answer<Json<Value>> {
    let mut ladders: BTreeMap<String, Vec<LadderRow>> = BTreeMap::new();
    for (ladder, row) in app.store.ladders(None).await? {
        ladders.entry(ladder).or_default().push(row);
    }
    Ok(Json(json!({ "ladders": ladders })))
}
