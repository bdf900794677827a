//! The handle of a game: the requests that the rest of the server may send.

use foglight_rules::Color;
use tokio::sync::{mpsc, oneshot};

use super::{refusal::Refusal, seat::AgentReply};
use crate::{
    domain::commit_reveal::client_seed,
    store::Asker,
    wire::{Clocks, Frame, GameInfo, ObservationDto, PastEvent},
};

/// Answer of a game to a request.
pub(crate) type CommandResult<T> = Result<T, Refusal>;

/// Perspective of a viewer: a side, or `None` for a spectator.
pub(crate) type Viewer = Option<Color>;

/// A player's action concerning a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DrawAction {
    /// Offers a draw, or accepts the opponent's offer.
    Offer,
    Accept,
    Decline,
}

/// Hints that a player requests in practice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PracticeSettings {
    pub on: bool,
    /// Sends the heat map of enemy pieces.
    pub heat: bool,
    /// Sends the mixed strategy of an agent.
    pub mix: bool,
}

/// A socket attached to a game.
#[derive(Debug)]
pub(crate) struct Attached {
    /// Frames to send first.
    pub first: Vec<Frame>,
    pub frames: mpsc::Receiver<Frame>,
    /// Socket number, needed to detach.
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
        /// The move and the client's token for it.
        text: [String; 2],
        reply: oneshot::Sender<CommandResult<()>>,
    },
    Roll {
        side: Color,
        ply: u32,
        reply: oneshot::Sender<CommandResult<()>>,
    },
    Seed {
        side: Color,
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
        person: Asker,
        rating: Option<f64>,
        reply: oneshot::Sender<CommandResult<Color>>,
    },
    Ask(Question),
    Practice {
        side: Color,
        wish: PracticeSettings,
        frames: mpsc::Sender<Frame>,
        reply: oneshot::Sender<CommandResult<()>>,
    },
    Thought(Box<AgentReply>),
    /// The number of jobs before that of the agent to move.
    Queued(usize),
    /// Time to try again what failed.
    Retry,
}

/// A request that changes nothing.
pub(super) enum Question {
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
    Past {
        side: Color,
        reply: oneshot::Sender<CommandResult<PastEvent>>,
    },
}

/// A handle on one game.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    pub(super) commands: mpsc::Sender<Command>,
}

macro_rules! ask {
    ($handle:expr, $variant:ident { $($field:ident),* }) => {
        $handle.ask(|reply| Command::$variant { $($field,)* reply }).await
    };
    ($handle:expr, ? $variant:ident { $($field:ident),* }) => {
        $handle.ask(|reply| Command::Ask(Question::$variant { $($field,)* reply })).await
    };
}

impl Handle {
    async fn ask<T>(
        &self,
        command: impl FnOnce(oneshot::Sender<T>) -> Command,
    ) -> CommandResult<T> {
        let (reply, answer) = oneshot::channel();
        let sent = self.commands.send(command(reply)).await;
        sent.map_err(|_| Refusal::Closing)?;
        answer.await.map_err(|_| Refusal::Closing)
    }

    /// Whether the game has left memory.
    pub(crate) fn is_closed(&self) -> bool {
        self.commands.is_closed()
    }

    pub async fn attach(&self, viewer: Viewer, seen: Option<u64>) -> CommandResult<Attached> {
        ask!(self, Attach { viewer, seen })
    }

    pub(crate) async fn detach(&self, viewer: Viewer, socket: u64) {
        let gone = Command::Detach { viewer, socket };
        let _ = self.commands.send(gone).await; // the game may be gone too
    }

    /// Plays a move. Answered when it is stored.
    pub async fn play(&self, side: Color, ply: u32, text: &str, token: &str) -> CommandResult<()> {
        let text = [text, token].map(str::to_owned);
        ask!(self, Move { side, ply, text })?
    }

    pub async fn roll(&self, side: Color, ply: u32) -> CommandResult<()> {
        ask!(self, Roll { side, ply })?
    }

    /// Names a player's seed of the dice. Answered when it is stored; only the
    /// first counts.
    pub(crate) async fn seed(&self, side: Color, seed: &str) -> CommandResult<()> {
        let seed = client_seed(seed)?.to_owned();
        ask!(self, Seed { side, seed })?
    }

    pub async fn resign(&self, side: Color) -> CommandResult<()> {
        ask!(self, Resign { side })?
    }

    /// Offers, accepts or declines a draw.
    pub async fn draw(&self, side: Color, draw: DrawAction) -> CommandResult<()> {
        ask!(self, Draw { side, draw })?
    }

    /// Offers or accepts a rematch.
    pub async fn rematch(&self, side: Color) -> CommandResult<()> {
        ask!(self, Rematch { side })?
    }

    /// Takes the free seat.
    pub async fn join(&self, person: Asker, rating: Option<f64>) -> CommandResult<Color> {
        ask!(self, Join { person, rating })?
    }

    /// The public information and the clocks.
    pub async fn info(&self) -> CommandResult<(GameInfo, Option<Clocks>)> {
        ask!(self, ? Info {})
    }

    /// The side of a player.
    pub async fn side_of(&self, player: &str) -> CommandResult<Viewer> {
        let player = player.to_owned();
        ask!(self, ? SideOf { player })
    }

    /// The current observation of a side.
    pub async fn observation(&self, side: Color) -> CommandResult<ObservationDto> {
        ask!(self, ? Observation { side })
    }

    /// What a side saw after each ply so far.
    pub async fn past(&self, side: Color) -> CommandResult<PastEvent> {
        ask!(self, ? Past { side })?
    }

    /// Sets the hints of a player in practice and the socket that gets them.
    pub async fn practice(
        &self,
        side: Color,
        wish: PracticeSettings,
        frames: mpsc::Sender<Frame>,
    ) -> CommandResult<()> {
        ask!(self, Practice { side, wish, frames })?
    }
}
