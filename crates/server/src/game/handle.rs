//! The handle of a game: what the rest of the server may ask of it.

use foglight_rules::{Color, Move};
use tokio::sync::{mpsc, oneshot};

use super::{refusal::Refusal, seat::AgentReply};
use crate::{
    store::Account,
    wire::{Clocks, Frame, GameInfo, ObservationDto},
};

/// What is answered to a request.
pub(crate) type CommandResult<T> = Result<T, Refusal>;

/// As whom somebody looks at a game: a side, or a watcher.
pub(crate) type Viewer = Option<Color>;

/// What is done about a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DrawAction {
    /// Offers one, or accepts the other's offer.
    Offer,
    Accept,
    Decline,
}

/// What a player in practice wants to be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PracticeSettings {
    pub on: bool,
    /// Where the enemy may be.
    pub heat: bool,
    /// What an agent would do.
    pub mix: bool,
}

/// A socket that was let in.
#[derive(Debug)]
pub(crate) struct Attached {
    /// What it is sent first.
    pub first: Vec<Frame>,
    pub frames: mpsc::Receiver<Frame>,
    /// Its number, to leave again.
    pub socket: u64,
}

/// A request to a game.
pub(super) enum Command {
    Attach {
        viewer: Viewer,
        seen: Option<u64>,
        reply: oneshot::Sender<Attached>,
    },
    Detach {
        viewer: Viewer,
        socket: u64,
    },
    Move {
        side: Color,
        ply: u32,
        text: String,
        token: String,
        reply: oneshot::Sender<CommandResult<()>>,
    },
    Roll {
        side: Color,
        ply: u32,
        seed: String,
        reply: oneshot::Sender<CommandResult<()>>,
    },
    Resign {
        side: Color,
        reply: oneshot::Sender<CommandResult<()>>,
    },
    Draw {
        side: Color,
        draw: DrawAction,
        reply: oneshot::Sender<CommandResult<()>>,
    },
    Rematch {
        side: Color,
        reply: oneshot::Sender<CommandResult<()>>,
    },
    Join {
        person: Account,
        rating: Option<f64>,
        reply: oneshot::Sender<CommandResult<Color>>,
    },
    Info {
        reply: oneshot::Sender<(GameInfo, Option<Clocks>)>,
    },
    SideOf {
        player: String,
        reply: oneshot::Sender<Viewer>,
    },
    Observation {
        side: Color,
        reply: oneshot::Sender<ObservationDto>,
    },
    Practice {
        side: Color,
        wish: PracticeSettings,
        frames: mpsc::Sender<Frame>,
        reply: oneshot::Sender<CommandResult<()>>,
    },
    Thought(Box<AgentReply>),
}

/// A handle on one game.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    pub(super) commands: mpsc::Sender<Command>,
}

macro_rules! ask {
    ($handle:expr, $variant:ident { $($field:ident),* }) => {{
        let (reply, answer) = oneshot::channel();
        let sent = $handle.commands.send(Command::$variant { $($field,)* reply }).await;
        match sent {
            Ok(()) => answer.await.map_err(|_| Refusal::Closing),
            Err(_) => Err(Refusal::Closing),
        }
    }};
}

impl Handle {
    /// Has the game left memory?
    pub(crate) fn is_closed(&self) -> bool {
        self.commands.is_closed()
    }

    /// Lets a socket in.
    pub async fn attach(&self, viewer: Viewer, seen: Option<u64>) -> CommandResult<Attached> {
        ask!(self, Attach { viewer, seen })
    }

    /// A socket has gone.
    pub(crate) async fn detach(&self, viewer: Viewer, socket: u64) {
        let gone = Command::Detach { viewer, socket };
        let _ = self.commands.send(gone).await; // the game may be gone too
    }

    /// A move. Answered when it is on disk.
    pub async fn play(&self, side: Color, ply: u32, text: &str, token: &str) -> CommandResult<()> {
        let (text, token) = (text.to_owned(), token.to_owned());
        ask!(
            self,
            Move {
                side,
                ply,
                text,
                token
            }
        )?
    }

    /// A throw of the dice.
    pub async fn roll(&self, side: Color, ply: u32, seed: &str) -> CommandResult<()> {
        let seed = seed.to_owned();
        ask!(self, Roll { side, ply, seed })?
    }

    pub async fn resign(&self, side: Color) -> CommandResult<()> {
        ask!(self, Resign { side })?
    }

    /// Offers, accepts or declines a draw.
    pub async fn draw(&self, side: Color, draw: DrawAction) -> CommandResult<()> {
        ask!(self, Draw { side, draw })?
    }

    /// Wants to play again.
    pub async fn rematch(&self, side: Color) -> CommandResult<()> {
        ask!(self, Rematch { side })?
    }

    /// Takes the free seat.
    pub async fn join(&self, person: Account, rating: Option<f64>) -> CommandResult<Color> {
        ask!(self, Join { person, rating })?
    }

    /// What everybody may know.
    pub async fn info(&self) -> CommandResult<(GameInfo, Option<Clocks>)> {
        ask!(self, Info {})
    }

    /// The side of a player.
    pub async fn side_of(&self, player: &str) -> CommandResult<Viewer> {
        let player = player.to_owned();
        ask!(self, SideOf { player })
    }

    /// What a side may know now.
    pub async fn observation(&self, side: Color) -> CommandResult<ObservationDto> {
        ask!(self, Observation { side })
    }

    /// What a player in practice wants to be told, and where.
    pub async fn practice(
        &self,
        side: Color,
        wish: PracticeSettings,
        frames: mpsc::Sender<Frame>,
    ) -> CommandResult<()> {
        ask!(self, Practice { side, wish, frames })?
    }
}

/// A move that an agent chose, or how it failed.
pub(super) type Chosen = Result<Move, foglight_rules::Termination>;
