//! The page's socket: one viewer of one game.

use std::{sync::Arc, time::Duration};

use axum::{
    Extension,
    body::Bytes,
    extract::{
        Path, State,
        ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade},
    },
    response::Response,
};
use foglight_rules::Color;
use serde::Deserialize;
use tokio::{
    sync::mpsc,
    time::{Instant, interval_at, sleep, sleep_until, timeout},
};

use super::{App, games, limits::Window, places::Place};
use crate::{
    domain::Network,
    game::{DrawAction, Handle, PracticeSettings, Refusal, Viewer},
    wire::{Ack, Empty, Frame, ProblemEvent},
};

const MAX_MESSAGE: usize = 4 << 10;
/// Maximum length of a move's token.
const MAX_TOKEN: usize = 40;
/// Message limits per time window: for players, and for spectators.
const MAX_MESSAGES: (u32, u32) = (100, 50);
const SPAN: Duration = Duration::from_secs(20);
/// Pause of a socket whose address has sent too many messages.
const BUSY: Duration = Duration::from_millis(250);
/// Timeout for sending a message to a client.
const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes read from a socket at once. Each socket holds such a buffer.
const READ_BUFFER: usize = 4 << 10;
/// Intervals of server pings, in client timeouts; and the number of intervals
/// after which a socket that sent nothing is closed.
const PING: u32 = 2;
const SILENT: u32 = 2;

const RULES: u16 = 1008;
const TOO_LARGE: u16 = 1009;
const BUSY_NOW: u16 = 1013;
const NO_HELLO: u16 = 4000;
const NO_GAME: u16 = 4004;

/// A message from a client.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "t", content = "d", rename_all = "lowercase")]
pub(crate) enum ClientMessage {
    Hello {
        token: Option<String>,
        v: Option<u64>,
    },
    Move {
        game: Option<String>,
        ply: u32,
        #[serde(rename = "move")]
        played: String,
        token: String,
    },
    Roll {
        game: Option<String>,
        ply: u32,
    },
    Seed {
        seed: String,
    },
    Resign {},
    Draw {
        answer: DrawAnswer,
    },
    Rematch {},
    Practice {
        on: bool,
        #[serde(default)]
        heat: bool,
        #[serde(default)]
        mix: bool,
    },
    /// Requests the player's own views since the start.
    Past {},
    Ping {},
}

/// A client's action concerning a draw.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum DrawAnswer {
    Offer,
    Accept,
    Decline,
}

/// Whether a text is a message from a client.
pub(crate) fn reads_message(text: &str) -> bool {
    serde_json::from_str::<ClientMessage>(text).is_ok()
}

pub async fn connect(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    network: Network,
    place: Option<Extension<Arc<Place>>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade
        .max_message_size(MAX_MESSAGE)
        .max_frame_size(MAX_MESSAGE)
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 20)
        .on_upgrade(move |socket| async move {
            match place {
                // Held until the socket closes: it counts as a connection.
                Some(Extension(place)) => tokio::select! {
                    () = visit(app, id, network, socket, Some(&place)) => {}
                    () = place.called_up() => {}
                },
                None => visit(app, id, network, socket, None).await,
            }
        })
}

async fn visit(
    app: Arc<App>,
    id: String,
    network: Network,
    mut socket: WebSocket,
    place: Option<&Place>,
) {
    match games::find(&app, &id, network).await {
        Ok(handle) => serve(app, (id, network), handle, socket, place).await,
        Err(error) if error.is_missing() => close(&mut socket, NO_GAME, "no such game").await,
        Err(_) => close(&mut socket, BUSY_NOW, "the server is busy; connect again").await,
    }
}

async fn close(socket: &mut WebSocket, code: u16, reason: &'static str) {
    let frame = CloseFrame {
        code,
        reason: reason.into(),
    };
    // The client may already be gone.
    let _ = timeout(PATIENCE, socket.send(Message::Close(Some(frame)))).await;
}

/// Sends a frame; false if the client does not accept it in time, or reads too
/// little of what is on its way.
async fn send(socket: &mut WebSocket, frame: &Frame, to: (&App, Network)) -> bool {
    let (app, network) = to;
    let Ok(_load) = app.traffic.take(network, frame.text().len()) else {
        close(socket, BUSY_NOW, "too much is on its way; connect again").await;
        return false;
    };
    let message = Message::Text(frame.text().into());
    matches!(timeout(PATIENCE, socket.send(message)).await, Ok(Ok(())))
}

/// Sends a ping; false if the client does not accept it in time.
async fn ping(socket: &mut WebSocket) -> bool {
    let ping = socket.send(Message::Ping(Bytes::new()));
    matches!(timeout(PATIENCE, ping).await, Ok(Ok(())))
}

/// Parses the hello: the viewer and the last version it has.
async fn hello(app: &App, handle: &Handle, text: &str) -> Option<(Viewer, Option<u64>)> {
    let Ok(ClientMessage::Hello { token, v }) = serde_json::from_str(text) else {
        return None;
    };
    let Some(token) = token else {
        return Some((None, v));
    };
    let person = app.store.person(&token).await.ok()??;
    let side = handle.side_of(&person.id).await.ok()?;
    Some((side, v))
}

async fn serve(
    app: Arc<App>,
    (id, network): (String, Network),
    handle: Handle,
    mut socket: WebSocket,
    place: Option<&Place>,
) {
    let deadline = Instant::now() + app.patience;
    let first = tokio::select! {
        message = socket.recv() => message,
        () = sleep_until(deadline) => None,
    };
    let said = match &first {
        Some(Ok(Message::Text(text))) => hello(&app, &handle, text.as_str()).await,
        _ => None,
    };
    let Some((viewer, seen)) = said else {
        return close(&mut socket, NO_HELLO, "expected hello with a valid token").await;
    };
    let Ok(mut attached) = handle.attach(viewer, seen).await else {
        return close(&mut socket, NO_GAME, "the game has gone; connect again").await;
    };
    let (mut talk, mut own) = Connection::new(id, handle.clone(), viewer);
    if let Some(place) = place.filter(|_| viewer.is_some()) {
        place.play();
    }
    let mut pings = interval_at(Instant::now() + PING * app.patience, PING * app.patience);
    let (mut well, mut silent, to) = (true, 0, (&*app, network));
    for frame in std::mem::take(&mut attached.first) {
        well = well && send(&mut socket, &frame, to).await;
    }
    while well {
        tokio::select! {
            frame = attached.frames.recv() => match frame {
                Some(frame) => well = send(&mut socket, &frame, to).await,
                None => { close(&mut socket, RULES, "too slow; connect again").await; break }
            },
            Some(frame) = own.recv() => well = send(&mut socket, &frame, to).await,
            _ = pings.tick() => {
                silent += 1;
                well = silent <= SILENT && ping(&mut socket).await;
            }
            message = socket.recv() => {
                silent = 0;
                take_turn(&app, network).await;
                well = react(&mut socket, talk.hear(message).await, to).await;
            }
        }
    }
    handle.detach(viewer, attached.socket).await;
}

/// Waits while the sockets of an address have said much.
async fn take_turn(app: &App, network: Network) {
    while !app.limits.messages.takes(network, 1) {
        sleep(BUSY).await;
    }
}

/// Does what a message asks for; false if the socket is to be closed.
async fn react(socket: &mut WebSocket, control: Control, to: (&App, Network)) -> bool {
    match control {
        Control::Answer(frame) => send(socket, &frame, to).await,
        Control::Nothing => true,
        Control::Gone => false,
        Control::Broken(code, reason) => {
            close(socket, code, reason).await;
            false
        }
    }
}

/// State of one socket connection.
pub(crate) struct Connection {
    id: String,
    handle: Handle,
    viewer: Viewer,
    window: Window,
    answers: mpsc::Sender<Frame>,
}

/// Reaction to a message.
enum Control {
    Answer(Frame),
    Nothing,
    Gone,
    Broken(u16, &'static str),
}

fn problem(error: impl ToString) -> Control {
    Control::Answer(Frame::answer(&ProblemEvent {
        error: error.to_string(),
        ply: None,
        token: None,
    }))
}

/// Matches the library's error text, since it has no error code. If the text
/// changes, the socket closes without a close code.
fn is_too_large(error: &axum::Error) -> bool {
    error.to_string().contains("too long")
}

impl Connection {
    /// A connection, and what it is sent besides events and direct answers.
    pub(crate) fn new(
        id: String,
        handle: Handle,
        viewer: Viewer,
    ) -> (Connection, mpsc::Receiver<Frame>) {
        let (answers, own) = mpsc::channel(16);
        let talk = Connection {
            id,
            handle,
            viewer,
            window: Window::new(),
            answers,
        };
        (talk, own)
    }

    /// The direct answer to a message.
    pub(crate) async fn answer(&mut self, text: &str) -> Option<Frame> {
        match self.heard(text).await {
            Control::Answer(frame) => Some(frame),
            _ => None,
        }
    }

    async fn hear(&mut self, message: Option<Result<Message, axum::Error>>) -> Control {
        let message = match message {
            Some(Ok(message)) => message,
            Some(Err(error)) if is_too_large(&error) => {
                return Control::Broken(TOO_LARGE, "expected at most 4096 bytes");
            }
            _ => return Control::Gone,
        };
        let most = if self.viewer.is_some() {
            MAX_MESSAGES.0
        } else {
            MAX_MESSAGES.1
        };
        if !self.window.allows(most, SPAN) {
            return Control::Broken(RULES, "too many messages");
        }
        match message {
            Message::Text(text) => self.heard(text.as_str()).await,
            Message::Binary(_) => Control::Broken(RULES, "expected text"),
            Message::Ping(_) | Message::Pong(_) => Control::Nothing,
            Message::Close(_) => Control::Gone,
        }
    }

    async fn heard(&mut self, text: &str) -> Control {
        let said: ClientMessage = match serde_json::from_str(text) {
            Ok(said) => said,
            Err(_) => return problem("expected {\"t\":…,\"d\":…} as in docs/http.md"),
        };
        if let ClientMessage::Ping {} = said {
            return Control::Answer(Frame::answer(&Empty {}));
        }
        let Some(side) = self.viewer else {
            return problem(Refusal::Watcher);
        };
        match self.act(side, said).await {
            Ok(heard) => heard,
            Err(refusal) => problem(refusal),
        }
    }

    async fn act(&mut self, side: Color, said: ClientMessage) -> Result<Control, Refusal> {
        let handle = &self.handle;
        match said {
            ClientMessage::Move {
                game,
                ply,
                played,
                token,
            } => return Ok(self.play(side, game, ply, &played, token).await),
            ClientMessage::Roll { game, ply } => {
                if self.is_other(game) {
                    return Ok(problem("this socket is of another game"));
                }
                handle.roll(side, ply).await?;
            }
            ClientMessage::Seed { seed } => handle.seed(side, &seed).await?,
            ClientMessage::Resign {} => handle.resign(side).await?,
            ClientMessage::Draw { answer } => {
                let draw = match answer {
                    DrawAnswer::Offer => DrawAction::Offer,
                    DrawAnswer::Accept => DrawAction::Accept,
                    DrawAnswer::Decline => DrawAction::Decline,
                };
                handle.draw(side, draw).await?;
            }
            ClientMessage::Rematch {} => handle.rematch(side).await?,
            ClientMessage::Practice { on, heat, mix } => {
                let wish = PracticeSettings { on, heat, mix };
                handle.practice(side, wish, self.answers.clone()).await?;
            }
            ClientMessage::Past {} => {
                let past = handle.past(side).await?;
                return Ok(Control::Answer(Frame::answer(&past)));
            }
            ClientMessage::Hello { .. } => return Ok(problem("expected hello once only")),
            ClientMessage::Ping {} => {}
        }
        Ok(Control::Nothing)
    }

    fn is_other(&self, game: Option<String>) -> bool {
        game.is_some_and(|game| game != self.id)
    }

    async fn play(
        &self,
        side: Color,
        game: Option<String>,
        ply: u32,
        played: &str,
        token: String,
    ) -> Control {
        let error = if self.is_other(game) {
            "this socket is of another game".to_owned()
        } else if token.is_empty() || token.chars().count() > MAX_TOKEN {
            "token: expected 1 to 40 characters".to_owned()
        } else {
            match self.handle.play(side, ply, played, &token).await {
                Ok(()) => return Control::Answer(Frame::answer(&Ack { ply, token })),
                Err(refusal) => refusal.to_string(),
            }
        };
        Control::Answer(Frame::answer(&ProblemEvent {
            error,
            ply: Some(ply),
            token: Some(token.chars().take(MAX_TOKEN).collect()),
        }))
    }
}
