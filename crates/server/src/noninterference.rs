//! Noninterference test: plays pairs of games in which one player's
//! observations are equal although the true states differ, and compares every
//! byte that the server sends to that player or to a spectator: over the
//! socket, over HTTP, and over both streams of the bot API, until the game
//! ends.
//!
//! Clock and ids are injected and the two servers run in lockstep, so that only
//! hidden information can cause a difference.

mod twins;
mod unknown;

use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, BodyDataStream, to_bytes},
    http::Request,
    response::Response,
};
use foglight_play::seeded;
use foglight_rules::{Color, Game};
use futures_util::{FutureExt as _, StreamExt as _, stream::Fuse};
use rand::Rng as _;
use serde_json::{Value, json};
use tokio::{sync::mpsc, time::timeout};
use tower::ServiceExt as _;

use crate::{
    domain::Seat,
    game::{Attached, GameError, Handle},
    http::{App, Config, Connection, router},
    source::WallClock,
    wire::{Frame, KINDS, side_name},
    workers::Payer,
};

pub use twins::{Twins, twins};
pub use unknown::unknown_to;

/// Messages that are not compared: dice hide nothing, `live` is sent where nothing is
/// hidden, and `queue` is about agents, which the observer does not play here.
const ELSEWHERE: [&str; 3] = ["roll", "live", "queue"];
/// Plies of a game with hints: its adviser follows many positions.
const HINTED: usize = 12;
/// Timeout of a hint, generous for a busy machine.
const AGES: Duration = Duration::from_secs(300);

/// Channels over which the observer and a spectator receive one game.
struct Ears {
    seat: Attached,
    watcher: Attached,
    bot: Fuse<BodyDataStream>,
    /// The sockets' answers.
    talk: Connection,
    gossip: Connection,
    hints: mpsc::Receiver<Frame>,
}

/// One of the two servers.
struct Bench {
    app: Arc<App>,
    router: Router,
    tokens: [String; 2],
    /// The observer's event stream of the bot API.
    events: Option<Fuse<BodyDataStream>>,
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
    async fn listen(&self, path: &str) -> Fuse<BodyDataStream> {
        let response = self.answer("GET", path, Some(&self.tokens[0]), "").await;
        response.into_body().into_data_stream().fuse()
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
    fn drain_stream(&mut self, name: &str, stream: &mut Fuse<BodyDataStream>) {
        // Outside Tokio's cooperative budget: a stream that yields has not
        // ended.
        while let Some(Some(Ok(bytes))) = tokio::task::unconstrained(stream.next()).now_or_never() {
            let line = String::from_utf8_lossy(&bytes);
            self.sent.push(format!("{name} {line}"));
        }
    }

    /// Plays one of the twins and records everything that the observer and a
    /// spectator receive.
    async fn play(
        &mut self,
        twins: &Twins,
        which: usize,
        probes: &[usize],
        hints: bool,
    ) -> Result<(), String> {
        let id = match hints {
            true => self.practice(twins).await?,
            false => self.create(twins).await,
        };
        let handle = self.handle(&id).await?;
        let mut ears = self.ears(&id, &handle, twins.side).await?;
        if hints {
            let wish = json!({ "t": "practice", "d": { "on": true, "heat": true } });
            self.say(&mut ears.talk, wish).await;
            self.hint(&mut ears, 0).await?;
        } else {
            let join = format!("/api/games/{id}/join");
            self.ask("POST", &join, Some(&self.tokens[1]), "").await;
        }
        for (ply, pair) in twins.actions.iter().enumerate() {
            let text = pair[which].to_string();
            let mover = Color::from_white(ply % 2 == 0);
            if mover == twins.side {
                let played = json!({ "game": id, "ply": ply, "move": text, "token": "t" });
                let said = json!({ "t": "move", "d": played });
                self.say(&mut ears.talk, said).await;
            } else {
                let played = handle.play(mover, ply as u32, &text, "t").await;
                played.map_err(|e| format!("ply {ply}, {text}: {e}"))?;
            }
            if hints {
                self.hint(&mut ears, ply + 1).await?;
            }
            self.drain(&mut ears);
            if probes.contains(&ply) {
                self.look_around(&id, &handle, twins).await?;
                self.interrupt(&mut ears).await;
                self.drain(&mut ears);
            }
        }
        self.finish(&id, &mut ears).await;
        handle.detach(Some(twins.side), ears.seat.socket).await;
        handle.detach(None, ears.watcher.socket).await;
        Ok(())
    }

    /// A game that waits for a second person, as pages make it.
    async fn create(&mut self, twins: &Twins) -> String {
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
        id
    }

    /// A game of two people with hints, which pages make against agents only: an
    /// agent would not play the moves of the twins.
    async fn practice(&mut self, twins: &Twins) -> Result<String, String> {
        let mut terms = self.app.games.terms(&twins.game, "startpos".into());
        let mut people = Vec::new();
        for token in &self.tokens {
            let found = self.app.store.person(token).await;
            let found = found.map_err(|e| e.to_string())?.ok_or("no account")?;
            people.push(Seat::Person {
                player: found.id,
                name: found.name,
                rating: None,
            });
        }
        if !twins.side.is_white() {
            people.reverse();
        }
        [terms.white, terms.black] = people.try_into().expect("two accounts");
        terms.practice = true;
        let id = terms.id.clone();
        let made = self.app.games.create(terms, Payer::Server).await;
        made.map_err(|e| e.to_string())?;
        Ok(id)
    }

    async fn ears(&mut self, id: &str, handle: &Handle, side: Color) -> Result<Ears, String> {
        let (talk, hints) = Connection::new(id.to_owned(), handle.clone(), Some(side));
        let (gossip, _) = Connection::new(id.to_owned(), handle.clone(), None);
        Ok(Ears {
            seat: self.attach(handle, Some(side)).await?,
            watcher: self.attach(handle, None).await?,
            bot: self.listen(&format!("/api/bot/game/stream/{id}")).await,
            talk,
            gossip,
            hints,
        })
    }

    /// Says something over a socket and records the answer.
    async fn say(&mut self, talk: &mut Connection, said: Value) {
        let answer = talk.answer(&said.to_string()).await;
        self.note(answer);
    }

    /// Records the hints up to that of this ply.
    async fn hint(&mut self, ears: &mut Ears, ply: usize) -> Result<(), String> {
        loop {
            let frame = timeout(AGES, ears.hints.recv()).await;
            let frame = frame.ok().flatten();
            let frame = frame.ok_or_else(|| format!("no hint at ply {ply}"))?;
            let now: Value = serde_json::from_str(frame.text()).unwrap_or_default();
            self.note([frame]);
            if now["d"]["ply"] == ply {
                return Ok(());
            }
        }
    }

    /// Says over both sockets what is neither a move nor the end.
    async fn interrupt(&mut self, ears: &mut Ears) {
        for said in [
            json!({ "t": "past", "d": {} }),
            json!({ "t": "ping", "d": {} }),
            json!({ "t": "draw", "d": { "answer": "offer" } }),
            json!({ "t": "roll", "d": { "ply": 0 } }),
            json!({ "t": "seed", "d": { "seed": "0" } }),
            json!({ "t": "nonsense" }),
        ] {
            self.say(&mut ears.gossip, said.clone()).await;
            self.say(&mut ears.talk, said).await;
        }
        let wish = json!({ "t": "practice", "d": { "on": true } });
        self.say(&mut ears.gossip, wish).await;
        self.drain(ears);
    }

    /// Ends the game: offers and the end are sent without any board.
    async fn finish(&mut self, id: &str, ears: &mut Ears) {
        for path in ["draw/yes", "draw/no", "resign"] {
            let path = format!("/api/bot/game/{id}/{path}");
            self.probe("POST", &path, false).await;
            self.drain(ears);
        }
        self.say(&mut ears.talk, json!({ "t": "rematch", "d": {} }))
            .await;
        self.drain(ears);
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
    /// Messages of the socket of which not one was compared.
    pub missing: BTreeSet<&'static str>,
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
    let mut found = Difference {
        missing: BTreeSet::from_iter(KINDS.iter().copied()),
        ..Difference::default()
    };
    found.missing.retain(|kind| !ELSEWHERE.contains(kind));
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
        // Each rule set once with hints.
        let hints = found.pairs < fog.len();
        let plies = if hints {
            HINTED
        } else {
            rng.random_range(6..60)
        };
        let Some(twins) = twins(game, side, plies, &mut rng) else {
            continue;
        };
        let probes = [rng.random_range(0..twins.actions.len())];
        for (which, bench) in benches.iter_mut().enumerate() {
            bench.sent.clear();
            bench.play(&twins, which, &probes, hints).await?;
        }
        let [one, other] = &benches;
        if one.sent != other.sent {
            let differing = one.sent.iter().zip(&other.sent).find(|(a, b)| a != b);
            found.differences.push(format!("{differing:?}"));
        }
        let kind = |kind: &str| format!("{{\"t\":\"{kind}\",");
        let compared = |name: &&str| one.sent.iter().any(|text| text.starts_with(&kind(name)));
        found.missing.retain(|name| !compared(&&**name));
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
