//! Routes for spectators: lists of games, games between agents, tournaments,
//! leaderboards.

use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

use axum::{
    Json,
    body::Bytes,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};

use super::{
    ApiError, ApiResult, App,
    games::{sight_of, start_of},
    id, read,
};
use crate::{
    domain::{Network, Seat, game_of},
    game::listed,
    store::LeaderboardRow,
    tournament::{self, RunningTournament, TournamentInfo, TournamentPlan},
    wire::{Clocks, GameInfo, Status},
    workers::{self, Payer},
};

/// Maximum number of games in a list.
const MAX_LISTED: usize = 50;

/// A running game with its clocks.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RunningGame {
    #[serde(flatten)]
    info: GameInfo,
    clocks: Option<Clocks>,
}

/// The games that can be watched.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Watched {
    running: Vec<RunningGame>,
    recent: Vec<GameInfo>,
    tournaments: Vec<TournamentInfo>,
}

pub async fn list(State(app): State<Arc<App>>) -> ApiResult<Json<Watched>> {
    let mut running = Vec::new();
    for handle in app.games.all() {
        let Ok((info, clocks)) = handle.info().await else {
            continue;
        };
        if info.status == Status::Running {
            running.push(RunningGame { info, clocks });
        }
    }
    running.sort_by_cached_key(|game| (Reverse(game.info.created), game.info.id.clone()));
    running.truncate(MAX_LISTED);
    let recent = app.store.recent_games(None, MAX_LISTED as u32).await?;
    Ok(Json(Watched {
        running,
        recent: recent.iter().filter_map(listed).collect(),
        tournaments: tournament::list(&app.store).await?,
    }))
}

/// Request for a game between agents.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(rename = "WatchRequest", optional_fields = nullable))]
pub(crate) struct ShowRequest {
    game: String,
    rules: Option<String>,
    white: String,
    black: String,
    fen: Option<String>,
    sight: Option<String>,
    #[serde(default)]
    pause: u64,
}

/// Id of a started game or tournament.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Begun {
    id: String,
}

pub async fn show(
    State(app): State<Arc<App>>,
    network: Network,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<Begun>)> {
    let request: ShowRequest = read(&body)?;
    if request.pause > 10_000 {
        return Err(ApiError::input("pause: expected at most 10000"));
    }
    let game = game_of(&request.game, request.rules.as_deref())?;
    let game = sight_of(game, request.sight.as_deref(), None)?;
    let (start, _) = start_of(&game, request.fen.as_deref())?;
    let mut terms = app.games.terms(&game, start);
    for agent in [&request.white, &request.black] {
        workers::check(agent, &game)?;
    }
    let chair = |agent: &String| Seat::Agent {
        name: agent.clone(),
        spec: agent.clone(),
        rating: None,
    };
    (terms.white, terms.black) = (chair(&request.white), chair(&request.black));
    terms.pause = request.pause;
    let id = terms.id.clone();
    app.may_store(network)?;
    app.games.create(terms, Payer::Network(network)).await?;
    Ok((StatusCode::CREATED, Json(Begun { id })))
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Tournaments {
    tournaments: Vec<TournamentInfo>,
}

pub async fn tournaments(State(app): State<Arc<App>>) -> ApiResult<Json<Tournaments>> {
    let tournaments = tournament::list(&app.store).await?;
    Ok(Json(Tournaments { tournaments }))
}

pub(crate) async fn new_tournament(
    State(app): State<Arc<App>>,
    network: Network,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<Begun>)> {
    let plan: TournamentPlan = read(&body)?;
    let id = tournament::begin(&app.games, plan, Payer::Network(network)).await?;
    Ok((StatusCode::CREATED, Json(Begun { id })))
}

pub async fn tournament(
    State(app): State<Arc<App>>,
    Path(text): Path<String>,
) -> ApiResult<Json<RunningTournament>> {
    let stored = app.store.tournament(id(&text)?).await?;
    let stored = stored.ok_or_else(|| ApiError::missing("tournament"))?;
    Ok(Json(tournament::standing(&app.store, &stored).await?))
}

/// Every leaderboard, best player first.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Leaderboards {
    ladders: BTreeMap<String, Vec<LeaderboardRow>>,
}

pub(crate) async fn leaderboard(State(app): State<Arc<App>>) -> ApiResult<Json<Leaderboards>> {
    let mut ladders: BTreeMap<String, Vec<LeaderboardRow>> = BTreeMap::new();
    for (ladder, row) in app.store.ladders(None).await? {
        ladders.entry(ladder).or_default().push(row);
    }
    Ok(Json(Leaderboards { ladders }))
}
