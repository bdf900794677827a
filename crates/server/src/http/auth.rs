//! Authentication by a token in the header.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Json,
    body::Bytes,
    extract::{FromRequestParts, State},
    http::{header, request::Parts},
};
use serde::{Deserialize, Serialize};

use super::{ApiError, ApiResult, App, read};
use crate::{domain, game::listed, store::Account, wire::GameInfo};

/// The user of a request, if it carries a token. An unknown token is an error.
pub(crate) struct OptionalUser(pub Option<Account>);

/// The authenticated user of a request.
pub struct User(pub Account);

impl FromRequestParts<Arc<App>> for OptionalUser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> ApiResult<OptionalUser> {
        let Some(value) = parts.headers.get(header::AUTHORIZATION) else {
            return Ok(OptionalUser(None));
        };
        let token = value.to_str().ok().and_then(|v| v.strip_prefix("Bearer "));
        let token = token.ok_or_else(ApiError::unknown_token)?;
        let person = app.store.person(token).await?;
        person
            .map(|person| OptionalUser(Some(person)))
            .ok_or_else(ApiError::unknown_token)
    }
}

impl FromRequestParts<Arc<App>> for User {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> ApiResult<User> {
        let OptionalUser(person) = OptionalUser::from_request_parts(parts, app).await?;
        person.map(User).ok_or_else(ApiError::unknown_token)
    }
}

/// Creates an account and its token, which is not stored in clear.
pub async fn newcomer(app: &App, name: &str) -> ApiResult<(Account, String)> {
    let person = Account {
        id: app.chance.text(12),
        name: name.to_owned(),
    };
    let token = app.chance.text(32);
    app.store
        .add_person(&person, &token, app.time.now())
        .await?;
    Ok((person, token))
}

/// Name of accounts without a name.
pub(crate) const NAMELESS: &str = "Anonymous";

/// Request for a token or for another name.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub(crate) struct TokenRequest {
    name: Option<String>,
}

/// The user's account after the request.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct NewAccount {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    token: Option<String>,
    id: String,
    name: String,
}

pub async fn token(
    State(app): State<Arc<App>>,
    OptionalUser(asker): OptionalUser,
    body: Bytes,
) -> ApiResult<Json<NewAccount>> {
    let request: TokenRequest = match body.is_empty() {
        true => TokenRequest { name: None },
        false => read(&body)?,
    };
    let name = request.name.as_deref().map(domain::name).transpose()?;
    if let Some(person) = asker {
        let name = name.unwrap_or(person.name);
        app.store.rename(&person.id, &name).await?;
        return Ok(Json(NewAccount {
            token: None,
            id: person.id,
            name,
        }));
    }
    let (person, token) = newcomer(&app, name.as_deref().unwrap_or(NAMELESS)).await?;
    Ok(Json(NewAccount {
        token: Some(token),
        id: person.id,
        name: person.name,
    }))
}

/// Information about the user's account.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Me"))]
pub(crate) struct AccountInfo {
    id: String,
    name: String,
    ratings: BTreeMap<String, Rating>,
    games: Vec<GameInfo>,
}

/// A rating and its number of games.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rating {
    rating: f64,
    games: u32,
}

pub async fn me(State(app): State<Arc<App>>, User(person): User) -> ApiResult<Json<AccountInfo>> {
    let ladders = app.store.ladders(Some(person.id.clone())).await?;
    let ratings = ladders.into_iter().map(|(ladder, row)| {
        let (rating, games) = (row.rating, row.games);
        (ladder, Rating { rating, games })
    });
    let games = app.store.recent_games(Some(person.id.clone()), 50).await?;
    Ok(Json(AccountInfo {
        id: person.id,
        name: person.name,
        ratings: ratings.collect(),
        games: games.iter().filter_map(listed).collect(),
    }))
}
