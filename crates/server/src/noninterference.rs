//! Noninterference test: plays pairs of games in which one player's
//! observations are equal although the true states differ, and compares every
//! byte that the server sends to that player or to a spectator: over the
//! socket, over HTTP, and over both streams of the bot API, until the game
//! ends.
//!
//! Clock and ids are injected and the two servers run in lockstep, so that only
//! hidden information can cause a difference.

use std::sync::{Arc, atomic::AtomicU64};

use axum::{
    Router,
    body::{Body, BodyDataStream, to_bytes},
    http::Request,
    response::Response,
};
use foglight_play::{Rng, Session, seeded};
use foglight_rules::{Action, Color, Game, Observation, State, Turn};
use futures_util::{FutureExt as _, StreamExt as _};
use rand::{Rng as _, seq::IndexedRandom as _};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::{
    game::{Attached, GameError, Handle},
    http::{App, Config, router},
    source::WallClock,
    wire::{Frame, side_name},
};

/// Two games that are indistinguishable to one side.
#[derive(Clone, Debug)]
pub struct Twins {
    pub game: Game,
    /// The observer, who cannot tell the games apart.
    pub side: Color,
    /// The actions of both games, ply by ply.
    pub actions: Vec<[Action; 2]>,
}

/// Plays two games side by side with equal observations for `side`. `None` if
/// the true states never differ.
pub fn twins(game: Game, side: Color, plies: usize, rng: &mut Rng) -> Option<Twins> {
    let mut states = [State::start(game), State::start(game)];
    let mut actions = Vec::new();
    while actions.len() < plies && states.iter().all(|state| state.outcome().is_none()) {
        let Some((pair, next)) = step(&states, side, rng) else {
            break;
        };
        states = next;
        actions.push(pair);
    }
    let parted = states[0].position() != states[1].position();
    parted.then_some(Twins {
        game,
        side,
        actions,
    })
}

fn after(state: &State, action: Action) -> State {
    let mut session = Session::resume(state.clone(), None);
    session.apply(action);
    session.state().clone()
}

/// One ply of both games after which the observations of `side` are still
/// equal.
fn step(states: &[State; 2], side: Color, rng: &mut Rng) -> Option<([Action; 2], [State; 2])> {
    let mine = states[0].turn() == Turn::Player(side);
    for _ in 0..8 {
        let first = *states[0].legal_actions().choose(rng)?;
        let one = after(&states[0], first);
        let seen = one.observe(side);
        let fits = |action: &Action| -> Option<State> {
            let other = after(&states[1], *action);
            (other.observe(side) == seen && other.outcome().is_none()).then_some(other)
        };
        if one.outcome().is_some() {
            continue;
        }
        if mine {
            if let Some(other) = fits(&first) {
                return Some(([first, first], [one, other]));
            }
            continue;
        }
        let mut choices: Vec<(Action, State)> = states[1]
            .legal_actions()
            .into_iter()
            .filter_map(|action| fits(&action).map(|state| (action, state)))
            .collect();
        let apart = |(_, state): &(Action, State)| state.position() != one.position();
        if choices.iter().any(apart) {
            choices.retain(apart);
        }
        if let Some((second, other)) = choices.choose(rng).cloned() {
            return Some(([first, second], [one, other]));
        }
    }
    None
}

/// Channels over which the observer and a spectator receive one game.
struct Ears {
    seat: Attached,
    watcher: Attached,
    bot: BodyDataStream,
}

/// One of the two servers.
struct Bench {
    app: Arc<App>,
    router: Router,
    tokens: [String; 2],
    /// The observer's event stream of the bot API.
    events: Option<BodyDataStream>,
    /// Everything that the observer has received.
    sent: Vec<String>,
}

impl Bench {
    async fn new() -> Result<Bench, GameError> {
        let app = App::open(Config {
            seed: Some(1),
            threads: 1,
            time: WallClock::Fixed(Arc::new(AtomicU64::new(1_000_000))),
            ..Config::default()
        })
        .await?;
        let mut bench = Bench {
            router: router(Arc::clone(&app)),
            app,
            tokens: Default::default(),
            events: None,
            sent: Vec::new(),
        };
        let one = bench.ask("POST", "/api/token", None, "{}").await;
        let other = bench.ask("POST", "/api/token", None, "{}").await;
        bench.tokens = [field(&one, "token"), field(&other, "token")];
        bench.events = Some(bench.listen("/api/stream/event").await);
        Ok(bench)
    }

    /// Opens a stream of the bot API as the observer.
    async fn listen(&self, path: &str) -> BodyDataStream {
        let response = self.answer("GET", path, Some(&self.tokens[0]), "").await;
        response.into_body().into_data_stream()
    }

    async fn answer(&self, method: &str, path: &str, token: Option<&str>, body: &str) -> Response {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.body(Body::from(body.to_owned()));
        let request = request.expect("a request of our own");
        let response = self.router.clone().oneshot(request).await;
        response.expect("a router always answers")
    }

    async fn ask(&self, method: &str, path: &str, token: Option<&str>, body: &str) -> String {
        let response = self.answer(method, path, token, body).await;
        let head = format!("{} {:?}\n", response.status(), response.headers());
        let body = to_bytes(response.into_body(), 16 << 20).await;
        head + &String::from_utf8_lossy(&body.unwrap_or_default())
    }

    /// Sends a request as the observer and records the whole response.
    async fn probe(&mut self, method: &str, path: &str, as_watcher: bool) {
        let token = self.tokens[0].clone();
        let token = (!as_watcher).then_some(token.as_str());
        let answer = self.ask(method, path, token, "").await;
        self.sent.push(format!("{method} {path} {answer}"));
    }

    fn note(&mut self, frames: impl IntoIterator<Item = Frame>) {
        let texts = frames.into_iter().map(|frame| frame.text().to_owned());
        self.sent.extend(texts);
    }

    /// Records everything received on every channel.
    fn drain(&mut self, ears: &mut Ears) {
        for attached in [&mut ears.seat, &mut ears.watcher] {
            while let Ok(frame) = attached.frames.try_recv() {
                self.note([frame]);
            }
        }
        self.drain_stream("bot", &mut ears.bot);
        if let Some(mut events) = self.events.take() {
            self.drain_stream("events", &mut events);
            self.events = Some(events);
        }
    }

    /// Records the lines already in a stream: a game sends a move before it
    /// acknowledges it.
    fn drain_stream(&mut self, name: &str, stream: &mut BodyDataStream) {
        // Outside Tokio's cooperative budget: a stream that yields has not
        // ended.
        while let Some(Some(Ok(bytes))) = tokio::task::unconstrained(stream.next()).now_or_never() {
            let line = String::from_utf8_lossy(&bytes);
            self.sent.push(format!("{name} {line}"));
        }
    }

    /// Plays one of the twins and records everything that the observer and a
    /// spectator receive.
    async fn play(&mut self, twins: &Twins, which: usize, probes: &[usize]) -> Result<(), String> {
        let body = json!({
            "game": twins.game.name(), "rules": twins.game.rules_name(),
            "color": side_name(twins.side), "opponent": { "person": true },
            "clock": { "base": 300, "increment": 1 },
        });
        let me = self.tokens[0].clone();
        let made = self
            .ask("POST", "/api/games", Some(&me), &body.to_string())
            .await;
        let id = field(&made, "id");
        self.sent.push(made);
        let other = self.tokens[1].clone();
        let join = format!("/api/games/{id}/join");
        self.ask("POST", &join, Some(&other), "").await;
        let handle = self.handle(&id).await?;
        let mut ears = Ears {
            seat: self.attach(&handle, Some(twins.side)).await?,
            watcher: self.attach(&handle, None).await?,
            bot: self.listen(&format!("/api/bot/game/stream/{id}")).await,
        };
        for (ply, pair) in twins.actions.iter().enumerate() {
            let text = pair[which].to_string();
            let mover = if ply % 2 == 0 {
                Color::White
            } else {
                Color::Black
            };
            let played = handle.play(mover, ply as u32, &text, "t").await;
            played.map_err(|e| format!("ply {ply}, {text}: {e}"))?;
            self.drain(&mut ears);
            if probes.contains(&ply) {
                self.look_around(&id, &handle, twins).await?;
                self.drain(&mut ears);
            }
        }
        // Draw offers and the end are also sent, without any board.
        for path in ["draw/yes", "draw/no", "resign"] {
            let path = format!("/api/bot/game/{id}/{path}");
            self.probe("POST", &path, false).await;
            self.drain(&mut ears);
        }
        handle.detach(Some(twins.side), ears.seat.socket).await;
        handle.detach(None, ears.watcher.socket).await;
        Ok(())
    }

    async fn handle(&self, id: &str) -> Result<Handle, String> {
        let found = self.app.games.get(id).await;
        let found = found.map_err(|e| e.to_string())?;
        found.ok_or_else(|| format!("no game {id}"))
    }

    async fn attach(&mut self, handle: &Handle, viewer: Option<Color>) -> Result<Attached, String> {
        let attached = handle.attach(viewer, None).await;
        let mut attached = attached.map_err(|e| e.to_string())?;
        self.note(std::mem::take(&mut attached.first));
        Ok(attached)
    }

    /// Sends every request that a curious player might try during a game.
    async fn look_around(
        &mut self,
        id: &str,
        handle: &Handle,
        twins: &Twins,
    ) -> Result<(), String> {
        for path in ["", "/record", "/pgn", "/json", "/review", "/why"] {
            self.probe("GET", &format!("/api/games/{id}{path}"), false)
                .await;
            self.probe("GET", &format!("/api/games/{id}{path}"), true)
                .await;
        }
        self.probe("GET", &format!("/game/{id}"), true).await;
        for path in ["/api/watch", "/api/ladder", "/api/me", "/api/tournaments"] {
            self.probe("GET", path, false).await;
        }
        let seen = handle
            .observation(twins.side)
            .await
            .map_err(|e| e.to_string())?;
        let legal = serde_json::to_value(&seen).unwrap_or_default()["moves"].clone();
        let legal = legal.as_array().cloned().unwrap_or_default();
        for uci in ["a1h8", "e7e5", "e2e9", "0000", "e1g1x", "d8d1", "roll"] {
            if legal.iter().any(|text| text == uci) {
                continue; // a legal move is not a probe
            }
            let path = format!("/api/bot/game/{id}/move/{uci}");
            self.probe("POST", &path, false).await;
        }
        // Moves of hidden pieces, from various squares: the answers must be
        // equal.
        for (i, uci) in ["a7a6", "b8c6", "g8f6", "d8h4", "e8e7", "h7h5"]
            .iter()
            .enumerate()
        {
            let refused = handle.play(twins.side, 9999 + i as u32, uci, "probe").await;
            self.sent.push(format!("{refused:?}"));
            let ply = handle.info().await.map_err(|e| e.to_string())?.0.ply;
            let turn = handle
                .observation(twins.side)
                .await
                .map_err(|e| e.to_string())?;
            if !is_mine(&turn, twins.side) {
                let refused = handle.play(twins.side, ply, uci, "probe").await;
                self.sent.push(format!("{refused:?}"));
            }
        }
        let past = handle.past(twins.side).await.map_err(|e| e.to_string())?;
        self.note([Frame::answer(&past)]);
        let again = self.attach(handle, Some(twins.side)).await?;
        handle.detach(Some(twins.side), again.socket).await;
        let watcher = self.attach(handle, None).await?;
        handle.detach(None, watcher.socket).await;
        Ok(())
    }
}

fn is_mine(seen: &crate::wire::ObservationDto, side: Color) -> bool {
    let value = serde_json::to_value(seen).unwrap_or_default();
    value["turn"] == side_name(side)
}

/// A field of the JSON body after an answer's head.
fn field(answer: &str, name: &str) -> String {
    let body = answer.split_once('\n').map_or("", |(_, body)| body);
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    value[name].as_str().unwrap_or_default().to_owned()
}

/// Result of a run.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    pub pairs: usize,
    /// Number of plies in these pairs.
    pub plies: usize,
    /// Bytes compared per server.
    pub bytes: usize,
    /// Lines received over the streams of the bot API.
    pub lines: usize,
    /// The first difference of each pair that has one.
    pub differences: Vec<String>,
}

/// Compares `pairs` pairs and reports the number done to `progress`.
pub async fn run(
    pairs: usize,
    seed: u64,
    mut progress: impl FnMut(usize),
) -> Result<Difference, String> {
    let mut rng = seeded(seed);
    let mut found = Difference::default();
    let trouble = |e: GameError| e.to_string();
    let mut benches = [
        Bench::new().await.map_err(trouble)?,
        Bench::new().await.map_err(trouble)?,
    ];
    let fog: Vec<Game> = Game::ALL
        .into_iter()
        .filter(|g| g.fog_rules().is_some())
        .collect();
    while found.pairs < pairs {
        let game = fog[found.pairs % fog.len()];
        let side = Color::from_white(rng.random());
        let plies = rng.random_range(6..60);
        let Some(twins) = twins(game, side, plies, &mut rng) else {
            continue;
        };
        let probes = [rng.random_range(0..twins.actions.len())];
        for (which, bench) in benches.iter_mut().enumerate() {
            bench.sent.clear();
            bench.play(&twins, which, &probes).await?;
        }
        let [one, other] = &benches;
        if one.sent != other.sent {
            let differing = one.sent.iter().zip(&other.sent).find(|(a, b)| a != b);
            found.differences.push(format!("{differing:?}"));
        }
        found.pairs += 1;
        found.plies += twins.actions.len();
        found.bytes += one.sent.iter().map(String::len).sum::<usize>();
        let streamed = |text: &&String| text.starts_with("bot {") || text.starts_with("events {");
        found.lines += one.sent.iter().filter(streamed).count();
        progress(found.pairs);
        if found.pairs.is_multiple_of(20) {
            for bench in &benches {
                bench.app.close(); // frees the memory of finished games
            }
        }
    }
    Ok(found)
}

/// Searches everything that a side received in a game for information it cannot
/// have: boards it did not observe, moves it did not make.
pub fn unknown_to(side: Color, seen: &[Observation], sent: &[String]) -> Vec<String> {
    let boards: Vec<String> = seen.iter().map(|o| o.view().rows()).collect();
    let fens: Vec<String> = seen.iter().map(|o| o.view().to_string()).collect();
    let own: Vec<String> = seen
        .iter()
        .flat_map(|o| o.legal_moves().iter().copied().chain(o.news().own_move))
        .map(|m| m.to_string())
        .collect();
    let mut strange = Vec::new();
    for text in sent {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        for leaf in leaves(&value) {
            let known = match leaf {
                text if is_board(text) => boards.iter().chain(&fens).any(|known| known == text),
                text if is_move(text) => own.iter().any(|known| known == text),
                _ => true,
            };
            if !known {
                strange.push(format!("{side:?} was sent {leaf}"));
            }
        }
    }
    strange
}

fn is_board(text: &str) -> bool {
    text.matches('/').count() >= 3 && !text.starts_with('/') && !text.contains(':')
}

fn is_move(text: &str) -> bool {
    let bytes = text.as_bytes();
    (4..=5).contains(&bytes.len())
        && bytes[..4]
            .chunks(2)
            .all(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_digit())
}

/// All strings in a JSON value.
fn leaves(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(leaves).collect(),
        Value::Object(fields) => fields.values().flat_map(leaves).collect(),
        _ => Vec::new(),
    }
}
