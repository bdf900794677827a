//! Routes that create and join games.

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{Path, State},
    http::StatusCode,
};
use foglight_rules::{Color, Game, Position, Sight};
use serde::{Deserialize, Serialize};

use super::{
    ApiError, ApiResult, App,
    auth::{self, OptionalUser},
    id, limits, read,
};
use crate::{
    domain::{ClockTerms, GameSettings, Network, Seat, commit_reveal::commit, game_of},
    game::{Handle, listed},
    store::Account,
    wire::{GameInfo, SideColor, side_name},
    workers::{self, Payer},
};

/// A requested clock, in seconds.
#[derive(Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct ClockRequest {
    base: f64,
    #[serde(default)]
    increment: f64,
}

impl ClockRequest {
    fn terms(self) -> ApiResult<ClockTerms> {
        let whole = |seconds: f64| (seconds * 1000.0).round() as u64;
        if (1.0..=86_400.0).contains(&self.base) && (0.0..=600.0).contains(&self.increment) {
            return Ok(ClockTerms {
                base: whole(self.base),
                increment: whole(self.increment),
            });
        }
        Err(ApiError::input(
            "clock: expected base 1 to 86400 and increment 0 to 600 seconds",
        ))
    }
}

/// Opponent of a requested game.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged, deny_unknown_fields)]
pub(crate) enum Opponent {
    /// The agent of a level.
    Level {
        level: u32,
    },
    Agent {
        agent: String,
    },
    /// Anyone who follows the link.
    Person {
        person: bool,
    },
}

/// Request for a game.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub(crate) struct GameRequest {
    game: String,
    rules: Option<String>,
    fen: Option<String>,
    sight: Option<String>,
    color: String,
    clock: Option<ClockRequest>,
    opponent: Option<Opponent>,
    rated: bool,
    practice: bool,
    name: Option<String>,
}

impl Default for GameRequest {
    fn default() -> GameRequest {
        GameRequest {
            game: "fog".into(),
            rules: None,
            fen: None,
            sight: None,
            color: "white".into(),
            clock: None,
            opponent: None,
            rated: false,
            practice: false,
            name: None,
        }
    }
}

impl GameRequest {
    /// The same request against an agent.
    pub fn against(mut self, agent: &str) -> GameRequest {
        self.opponent = Some(Opponent::Agent {
            agent: agent.to_owned(),
        });
        self
    }

    /// The same request, playing this side.
    pub fn playing(mut self, side: Color) -> GameRequest {
        self.color = side_name(side).to_owned();
        self
    }

    /// The same request with these rules.
    pub fn by(mut self, game: &str, rules: &str) -> GameRequest {
        (self.game, self.rules) = (game.to_owned(), Some(rules.to_owned()));
        self
    }
}

/// The start of a game: a FEN, or the usual position for none and `startpos`.
pub fn start_of(game: &Game, fen: Option<&str>) -> ApiResult<(String, Position)> {
    match fen {
        None | Some("startpos") => Ok(("startpos".into(), game.start())),
        Some(text) if text.len() > limits::MAX_FEN => Err(ApiError::input(format!(
            "a FEN of {} bytes; expected at most {}",
            text.len(),
            limits::MAX_FEN
        ))),
        Some(text) => {
            let position = game.parse_fen(text);
            let position = position.map_err(|e| ApiError::input(format!("in the FEN: {e}")))?;
            Ok((game.fen(&position), position))
        }
    }
}

/// The game with the requested sight, if any; `me` is the side of the
/// requesting player.
pub(crate) fn sight_of(game: Game, text: Option<&str>, me: Option<Color>) -> ApiResult<Game> {
    let seer = match (text, me) {
        (None, _) => return Ok(game),
        (Some("me"), Some(me)) => me,
        (Some("opponent"), Some(me)) => !me,
        (Some("white"), _) => Color::White,
        (Some("black"), _) => Color::Black,
        _ => {
            return Err(ApiError::input(
                "sight: expected me, opponent, white or black, who then sees everything",
            ));
        }
    };
    match game.fog_rules() {
        Some(_) => Ok(game.with_sight(seer, Sight::Full)),
        None => Err(ApiError::input(
            "sight: expected fog, where it means something",
        )),
    }
}

fn agent_of(opponent: &Opponent, game: &Game) -> ApiResult<Option<(String, String)>> {
    let (name, spec) = match opponent {
        Opponent::Person { person: true } => return Ok(None),
        Opponent::Person { person: false } => {
            return Err(ApiError::input("opponent: expected person true"));
        }
        Opponent::Agent { agent } => (agent.clone(), agent.clone()),
        Opponent::Level { level } => {
            let levels = workers::levels(game);
            let found = levels.iter().find(|known| known.level == *level);
            let found = found.ok_or_else(|| {
                ApiError::input(format!("level {level}; expected 1 to {}", levels.len()))
            })?;
            (found.name.to_owned(), found.agent.to_owned())
        }
    };
    workers::check(&spec, game)?;
    Ok(Some((name, spec)))
}

/// The rating of a player, if any.
async fn rating(app: &App, terms: &GameSettings, player: &str) -> ApiResult<Option<f64>> {
    let (rating, games) = app.store.rating(&terms.ladder(), player).await?;
    Ok((games > 0).then_some(rating))
}

async fn terms_of(
    app: &App,
    request: &GameRequest,
    person: &Account,
) -> ApiResult<(GameSettings, Color)> {
    let game = game_of(&request.game, request.rules.as_deref())?;
    let (start, _) = start_of(&game, request.fen.as_deref())?;
    let side = match request.color.as_str() {
        "white" => Color::White,
        "black" => Color::Black,
        "random" => Color::from_white(app.chance.number().is_multiple_of(2)),
        _ => return Err(ApiError::input("color: expected white, black or random")),
    };
    let game = sight_of(game, request.sight.as_deref(), Some(side))?;
    let opponent = request.opponent.clone();
    let opponent = opponent.unwrap_or(Opponent::Level { level: 1 });
    let agent = agent_of(&opponent, &game)?;
    if request.practice && agent.is_none() {
        return Err(ApiError::input("practice: expected an agent as opponent"));
    }
    if request.rated && (request.practice || start != "startpos" || request.sight.is_some()) {
        return Err(ApiError::input(
            "rated: expected the usual start, normal sight and no practice",
        ));
    }
    if let Some((_, spec)) = &agent
        && request.rated
        && !workers::is_listed(spec, &game)
    {
        return Err(ApiError::input(
            "rated: expected the bot of a level with its own settings, as in 'levels' of /api/agents",
        ));
    }
    let mut terms = app.games.terms(&game, start);
    terms.clock = request.clock.map(ClockRequest::terms).transpose()?;
    (terms.rated, terms.practice) = (request.rated, request.practice);
    *terms.chair_mut(side) = Seat::Person {
        player: person.id.clone(),
        name: person.name.clone(),
        rating: rating(app, &terms, &person.id).await?,
    };
    if let Some((name, spec)) = agent {
        let rating = rating(app, &terms, &format!("agent {spec}")).await?;
        *terms.chair_mut(!side) = Seat::Agent { name, spec, rating };
    }
    Ok((terms, side))
}

/// Response to the creation of a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Made {
    id: String,
    you: SideColor,
    /// Address of the game on the page.
    link: String,
    /// Commitment to the dice.
    commit: Option<String>,
    info: GameInfo,
    /// Token of a newly created account.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    token: Option<String>,
}

/// Creates the requested game, and an account if the request has none.
pub async fn make(
    app: &Arc<App>,
    request: &GameRequest,
    asker: Option<Account>,
    participant: Option<(u32, u32)>,
    network: Network,
) -> ApiResult<(StatusCode, Json<Made>)> {
    let asker = auth::asker(app, asker, request.name.as_deref())?;
    app.may_store(network)?;
    let token = asker.token().map(str::to_owned);
    let (mut terms, side) = terms_of(app, request, asker.account()).await?;
    terms.participant = participant;
    let promise = terms.dice_seed.as_deref().map(commit);
    let id = terms.id.clone();
    let payer = Payer::Network(network);
    let handle = app.games.create_for(terms, payer, Some(asker)).await?;
    let (info, _) = handle.info().await?;
    let made = Made {
        link: format!("/game/{id}"),
        id,
        you: side.into(),
        commit: promise,
        info,
        token,
    };
    Ok((StatusCode::CREATED, Json(made)))
}

pub async fn create(
    State(app): State<Arc<App>>,
    OptionalUser(asker): OptionalUser,
    network: Network,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<Made>)> {
    let request: GameRequest = read(&body)?;
    make(&app, &request, asker, None, network).await
}

/// The game with an id, at the cost of who asks.
pub async fn find(app: &Arc<App>, text: &str, network: Network) -> ApiResult<Handle> {
    let found = app
        .games
        .get_for(id(text)?, Payer::Network(network))
        .await?;
    found.ok_or_else(|| ApiError::missing("game"))
}

/// A game as shown to the requesting user.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AskedGame {
    #[serde(flatten)]
    info: GameInfo,
    /// The user's side if the request has a token; `null` for a spectator.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    you: Option<Option<SideColor>>,
}

pub async fn info(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    OptionalUser(asker): OptionalUser,
    network: Network,
) -> ApiResult<Json<AskedGame>> {
    let stored = app.games.stored(super::id(&id)?).await?;
    if let Some((info, game)) = stored.and_then(|game| Some((listed(&game)?, game))) {
        let side = |person: Account| game.terms.side_of(&person.id).map(SideColor::from);
        let you = asker.map(side);
        return Ok(Json(AskedGame { info, you }));
    }
    let handle = find(&app, &id, network).await?;
    let (info, _) = handle.info().await?;
    let you = match asker {
        Some(person) => Some(handle.side_of(&person.id).await?.map(SideColor::from)),
        None => None,
    };
    Ok(Json(AskedGame { info, you }))
}

#[derive(Deserialize, Default)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub(crate) struct JoinRequest {
    name: Option<String>,
}

/// Response to joining a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Seated {
    you: SideColor,
    /// Token of a newly created account.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    token: Option<String>,
}

pub async fn join(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    OptionalUser(asker): OptionalUser,
    network: Network,
    body: Bytes,
) -> ApiResult<Json<Seated>> {
    let request: JoinRequest = match body.is_empty() {
        true => JoinRequest::default(),
        false => read(&body)?,
    };
    let handle = find(&app, &id, network).await?;
    let (info, _) = handle.info().await?;
    let asker = auth::asker(&app, asker, request.name.as_deref())?;
    let token = asker.token().map(str::to_owned);
    let ladder = match info.rules {
        Some(rules) => format!("{}:{rules}", info.game.name()),
        None => info.game.name().to_owned(),
    };
    let (rating, games) = app.store.rating(&ladder, &asker.account().id).await?;
    let side = handle.join(asker, (games > 0).then_some(rating)).await?;
    let you = side.into();
    Ok(Json(Seated { you, token }))
}
