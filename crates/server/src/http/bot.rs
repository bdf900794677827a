//! The bot API: NDJSON streams and plain requests, modelled on Lichess's Bot
//! API. A bot gets the same information as a page in its seat: its streams are
//! built from the same frames.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    body::{Body, Bytes},
    extract::{Path, Query, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use foglight_rules::Color;
use futures_util::{Stream, stream};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    sync::broadcast,
    time::{sleep, timeout},
};

use super::{
    ApiError, ApiResult, App,
    auth::{OptionalUser, User},
    games::{self, GameRequest, Made},
    read,
};
use crate::{
    domain::Network,
    game::{Attached, DrawAction, Handle, Notice, NoticeKind, Refusal},
    wire::side_name,
};

/// Interval of the empty lines that keep an idle stream alive.
const KEEP_ALIVE: Duration = Duration::from_secs(7);

pub async fn challenge(
    State(app): State<Arc<App>>,
    Path(agent): Path<String>,
    OptionalUser(asker): OptionalUser,
    network: Network,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<Made>)> {
    let request: GameRequest = match body.is_empty() {
        true => GameRequest::default(),
        false => read(&body)?,
    };
    games::make(&app, &request.against(&agent), asker, None, network).await
}

/// A stream of lines. It ends when too much is on its way to its network.
fn lines(
    app: &App,
    network: Network,
    stream: impl Stream<Item = String> + Send + 'static,
) -> Response {
    use futures_util::StreamExt as _;
    let traffic = Arc::clone(&app.traffic);
    let bytes = stream.map(move |line| {
        let line = traffic.load(network, Bytes::from(line + "\n"));
        line.map_err(|_| std::io::Error::other("too much is on its way"))
    });
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, Body::from_stream(bytes)).into_response()
}

fn event(notice: &Notice, player: &str) -> Option<String> {
    let side = notice.side_of(player)?;
    let kind = match notice.kind {
        NoticeKind::Start => "gameStart",
        NoticeKind::Finish => "gameFinish",
    };
    let game = json!({
        "gameId": notice.info.id,
        "color": side_name(side),
        "info": notice.info,
    });
    Some(json!({ "type": kind, "game": game }).to_string())
}

pub async fn events(State(app): State<Arc<App>>, User(person): User, network: Network) -> Response {
    let notices = app.games.notices.subscribe();
    let lived = stream::unfold((notices, person.id), |(mut notices, player)| async move {
        loop {
            match timeout(KEEP_ALIVE, notices.recv()).await {
                Err(_) => return Some((String::new(), (notices, player))),
                Ok(Ok(notice)) => {
                    if let Some(line) = event(&notice, &player) {
                        return Some((line, (notices, player)));
                    }
                }
                Ok(Err(broadcast::error::RecvError::Lagged(_))) => {}
                Ok(Err(broadcast::error::RecvError::Closed)) => return None,
            }
        }
    });
    lines(&app, network, lived)
}

/// A game and the side of a player in it.
async fn seat(
    app: &Arc<App>,
    id: &str,
    player: &str,
    network: Network,
) -> ApiResult<(Handle, Color)> {
    let handle = games::find(app, id, network).await?;
    let side = handle.side_of(player).await?;
    let side = side.ok_or(Refusal::Watcher)?;
    Ok((handle, side))
}

/// The seed of the dice of a bot that names none: bots that play other games need
/// not know of it.
const NO_SEED: &str = "none";

/// How long after it opens the stream of a game a bot may name its seed.
const SEED_GRACE: Duration = Duration::from_secs(5);

/// A bot's subscription to a game. Detaches when the stream is dropped.
struct Subscription {
    handle: Handle,
    side: Color,
    attached: Attached,
    first: Option<Vec<String>>,
    over: bool,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let (handle, side) = (self.handle.clone(), self.side);
        let socket = self.attached.socket;
        tokio::spawn(async move { handle.detach(Some(side), socket).await });
    }
}

pub async fn stream(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    User(person): User,
    network: Network,
) -> ApiResult<Response> {
    let (handle, side) = seat(&app, &id, &person.id, network).await?;
    let attached = handle.attach(Some(side), None).await?;
    let silent = handle.clone();
    tokio::spawn(async move {
        sleep(SEED_GRACE).await;
        let _ = silent.seed(side, NO_SEED).await; // refused where nobody rolls
    });
    let first = attached.first.iter();
    let first = first.filter_map(|frame| full(frame.text())).collect();
    let ear = Subscription {
        handle,
        side,
        attached,
        first: Some(first),
        over: false,
    };
    let heard = stream::unfold(ear, |mut ear| async move {
        if let Some(first) = ear.first.take() {
            ear.over = first
                .iter()
                .any(|line| line.contains("\"status\":\"over\""));
            return Some((first.join("\n"), ear));
        }
        while !ear.over {
            match timeout(KEEP_ALIVE, ear.attached.frames.recv()).await {
                Err(_) => return Some((String::new(), ear)),
                Ok(None) => return None,
                Ok(Some(frame)) => {
                    let Some((line, over)) = state_line(frame.text()) else {
                        continue;
                    };
                    ear.over = over;
                    return Some((line, ear));
                }
            }
        }
        None
    });
    Ok(lines(&app, network, heard))
}

/// The first line of a game's stream, built from a `state` message.
fn full(text: &str) -> Option<String> {
    let message: Value = serde_json::from_str(text).ok()?;
    let data = &message["d"];
    let state = game_state(data, data["log"].as_array().and_then(|log| log.last()));
    let line = json!({
        "type": "gameFull",
        "id": data["info"]["id"],
        "info": data["info"],
        "color": data["you"],
        "commit": data["commit"],
        "seed": data["seed"],
        "state": state,
    });
    Some(line.to_string())
}

fn game_state(data: &Value, entry: Option<&Value>) -> Value {
    let result = &data["observation"]["result"];
    let over = !result.is_null();
    json!({
        "type": "gameState",
        "observation": data["observation"],
        "entry": entry,
        "clocks": data["clocks"],
        "status": if over { "over" } else { "started" },
        "winner": result["winner"],
        "draw": data["draw"],
    })
}

/// A later line of the stream, built from a message, and whether it is the
/// last. A move that ends the game appears only in the end message.
fn state_line(text: &str) -> Option<(String, bool)> {
    let message: Value = serde_json::from_str(text).ok()?;
    let data = &message["d"];
    match message["t"].as_str()? {
        "move" | "roll" => Some((game_state(data, data.get("entry")).to_string(), false)),
        "end" => Some((game_state(data, None).to_string(), true)),
        "draw" => {
            let line = json!({ "type": "drawOffer", "by": data["by"], "state": data["state"] });
            Some((line.to_string(), false))
        }
        "joined" => {
            let line = json!({ "type": "joined", "info": data["info"] });
            Some((line.to_string(), false))
        }
        _ => None,
    }
}

#[derive(Deserialize)]
pub(crate) struct MoveQuery {
    ply: Option<u32>,
    token: Option<String>,
}

pub async fn play(
    State(app): State<Arc<App>>,
    Path((id, uci)): Path<(String, String)>,
    Query(query): Query<MoveQuery>,
    User(person): User,
    network: Network,
) -> ApiResult<Json<Value>> {
    let (handle, side) = seat(&app, &id, &person.id, network).await?;
    let ply = match query.ply {
        Some(ply) => ply,
        None => handle.info().await?.0.ply,
    };
    if uci == "roll" {
        let _ = handle.seed(side, NO_SEED).await; // only the first that it names counts
        handle.roll(side, ply).await?;
    } else {
        let token = query.token.unwrap_or_else(|| app.chance.text(12));
        if token.chars().count() > 40 {
            return Err(ApiError::input("token: expected at most 40 characters"));
        }
        handle.play(side, ply, &uci, &token).await?;
    }
    Ok(Json(json!({ "ok": true })))
}

/// Names the bot's seed of the dice.
pub(crate) async fn seed(
    State(app): State<Arc<App>>,
    Path((id, seed)): Path<(String, String)>,
    User(person): User,
    network: Network,
) -> ApiResult<Json<Value>> {
    let (handle, side) = seat(&app, &id, &person.id, network).await?;
    handle.seed(side, &seed).await?;
    Ok(Json(json!({ "ok": true })))
}

pub async fn resign(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    User(person): User,
    network: Network,
) -> ApiResult<Json<Value>> {
    let (handle, side) = seat(&app, &id, &person.id, network).await?;
    handle.resign(side).await?;
    Ok(Json(json!({ "ok": true })))
}

pub async fn draw(
    State(app): State<Arc<App>>,
    Path((id, answer)): Path<(String, String)>,
    User(person): User,
    network: Network,
) -> ApiResult<Json<Value>> {
    let (handle, side) = seat(&app, &id, &person.id, network).await?;
    let draw = match answer.as_str() {
        "yes" => DrawAction::Offer,
        "no" => DrawAction::Decline,
        _ => return Err(ApiError::input("draw: expected yes or no")),
    };
    handle.draw(side, draw).await?;
    Ok(Json(json!({ "ok": true })))
}
