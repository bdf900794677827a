//! Who asks: a token in the header, or nobody.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Json,
    body::Bytes,
    extract::{FromRequestParts, State},
    http::{header, request::Parts},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, ApiError, games::listed, limits, read};
use crate::{app::App, store::Person};

/// Who asks, if they say so. A token that nobody has is an error.
pub struct Asker(pub Option<Person>);

/// Somebody with a token.
pub struct Me(pub Person);

impl FromRequestParts<Arc<App>> for Asker {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Answer<Asker> {
        let Some(value) = parts.headers.get(header::AUTHORIZATION) else {
            return Ok(Asker(None));
        };
        let token = value.to_str().ok().and_then(|v| v.strip_prefix("Bearer "));
        let token = token.ok_or_else(ApiError::unknown_token)?;
        let person = app.store.person(token).await?;
        person
            .map(|person| Asker(Some(person)))
            .ok_or_else(ApiError::unknown_token)
    }
}

impl FromRequestParts<Arc<App>> for Me {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Answer<Me> {
        let Asker(person) = Asker::from_request_parts(parts, app).await?;
        person.map(Me).ok_or_else(ApiError::unknown_token)
    }
}

/// Somebody new, with the token that only it knows.
pub async fn newcomer(app: &App, name: &str) -> Answer<(Person, String)> {
    let person = Person {
        id: app.chance.text(12),
        name: name.to_owned(),
    };
    let token = app.chance.text(32);
    app.store
        .add_person(&person, &token, app.time.now())
        .await?;
    Ok((person, token))
}

/// What people without a name are called.
pub const NAMELESS: &str = "Anonymous";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenRequest {
    name: Option<String>,
}

/// `POST /api/token`
pub async fn token(
    State(app): State<Arc<App>>,
    Asker(asker): Asker,
    body: Bytes,
) -> Answer<Json<Value>> {
    let request: TokenRequest = match body.is_empty() {
        true => TokenRequest { name: None },
        false => read(&body)?,
    };
    let name = request.name.as_deref().map(limits::name).transpose()?;
    if let Some(person) = asker {
        let name = name.unwrap_or(person.name);
        app.store.rename(&person.id, &name).await?;
        return Ok(Json(json!({ "id": person.id, "name": name })));
    }
    let (person, token) = newcomer(&app, name.as_deref().unwrap_or(NAMELESS)).await?;
    Ok(Json(
        json!({ "token": token, "id": person.id, "name": person.name }),
    ))
}

/// `GET /api/me`
pub async fn me(State(app): State<Arc<App>>, Me(person): Me) -> Answer<Json<Value>> {
    let ladders = app.store.ladders(Some(person.id.clone())).await?;
    let ratings: BTreeMap<String, Value> = ladders
        .into_iter()
        .map(|(ladder, row)| (ladder, json!({ "rating": row.rating, "games": row.games })))
        .collect();
    let games = app.store.recent_games(Some(person.id.clone()), 50).await?;
    let games: Vec<_> = games.iter().filter_map(listed).collect();
    Ok(Json(json!({
        "id": person.id,
        "name": person.name,
        "ratings": ratings,
        "games": games,
    })))
}
