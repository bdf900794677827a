//! Authentication by a token in the header.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Json,
    body::Bytes,
    extract::{FromRequestParts, State},
    http::{StatusCode, header, request::Parts},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{ApiError, ApiResult, App, read};
use crate::{
    domain::{self, Network},
    game::listed,
    store::{Account, Asker, Newcomer},
    wire::GameInfo,
};

/// The user of a request, if it carries a token. An unknown token is an error.
pub(crate) struct OptionalUser(pub Option<Account>);

/// The authenticated user of a request.
pub struct User(pub Account);

/// The operator of the server: whoever knows the secret in its data folder.
pub struct Operator;

/// The token of a request, if it has the header for one.
fn bearer(parts: &Parts) -> ApiResult<Option<&str>> {
    let Some(value) = parts.headers.get(header::AUTHORIZATION) else {
        return Ok(None);
    };
    let token = value.to_str().ok().and_then(|v| v.strip_prefix("Bearer "));
    token.map(Some).ok_or_else(ApiError::unknown_token)
}

impl FromRequestParts<Arc<App>> for Operator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> ApiResult<Operator> {
        let digest = |text: &str| Sha256::digest(text.as_bytes());
        // Digests take as long to compare wherever two secrets differ.
        let same = |token: &&str| digest(token) == digest(&app.operator);
        let status = match bearer(parts)? {
            Some(token) if same(&token) => return Ok(Operator),
            Some(_) => StatusCode::FORBIDDEN,
            None => StatusCode::UNAUTHORIZED,
        };
        Err(ApiError::new(
            status,
            "expected 'Authorization: Bearer SECRET' with the text of the file 'operator' in \
             the server's data folder",
        ))
    }
}

impl FromRequestParts<Arc<App>> for OptionalUser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> ApiResult<OptionalUser> {
        let Some(token) = bearer(parts)? else {
            return Ok(OptionalUser(None));
        };
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

/// An account and its token, to be stored with what it is for.
pub fn newcomer(app: &App, name: &str) -> Newcomer {
    Newcomer {
        account: Account {
            id: app.chance.text(12),
            name: name.to_owned(),
        },
        token: app.chance.text(32),
        at: app.time.now(),
    }
}

/// The user of a request, or a newcomer with the name that it gives.
pub(crate) fn asker(app: &App, user: Option<Account>, name: Option<&str>) -> ApiResult<Asker> {
    let name = name.map(domain::name).transpose()?;
    if let Some(account) = user {
        return Ok(Asker::Known(account));
    }
    let newcomer = newcomer(app, name.as_deref().unwrap_or(NAMELESS));
    Ok(Asker::New(newcomer))
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
    network: Network,
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
    app.may_store(network)?;
    let new = newcomer(&app, name.as_deref().unwrap_or(NAMELESS));
    app.store.add_person(new.clone()).await?;
    Ok(Json(NewAccount {
        token: Some(new.token),
        id: new.account.id,
        name: new.account.name,
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
