//! Socket messages about a running game.

use foglight_rules::Outcome;
use serde::Serialize;

use super::{
    Clocks, Event, GameInfo, MoveLogEntry, ObservationDto, OutcomeDto, PastEvent, Payload,
    PracticeEvent, Ratings, Sealed, SideColor, spectator::LiveGame,
};
use crate::domain::commit_reveal::Reveal;

macro_rules! messages {
    ($($kind:ident $name:literal $type:ty,)*) => {
        $(
            impl Sealed for $type {}
            impl Payload for $type {
                const TYPE: &'static str = $name;
            }
            messages!(@$kind $type);
        )*

        /// The types of all messages.
        pub(crate) const KINDS: &[&str] = &[$($name),*];

        /// Visits every message: its TypeScript type and its data types.
        #[cfg(test)]
        pub(crate) fn messages(
            config: &ts_rs::Config,
            visitor: &mut impl ts_rs::TypeVisitor,
        ) -> Vec<String> {
            $(visitor.visit::<$type>();)*
            let version = |kind| if kind == "event" { " v: number;" } else { "" };
            vec![$(format!(
                "{{ t: '{}';{} d: {} }}",
                $name, version(stringify!($kind)), <$type as ts_rs::TS>::name(config),
            )),*]
        }
    };
    (@event $type:ty) => {
        impl Event for $type {}
    };
    (@answer $type:ty) => {};
}

// The wire type of each message. Events have a version; answers have none.
messages! {
    event "state" StateEvent,
    event "move" MoveEvent,
    event "roll" RollEvent,
    event "draw" DrawEvent,
    event "joined" Joined,
    event "online" Online,
    event "end" EndEvent,
    event "rematch" RematchEvent,
    event "queue" QueueEvent,
    event "watch" WatchEvent,
    event "live" LiveGame,
    answer "ack" Ack,
    answer "error" ProblemEvent,
    answer "practice" PracticeEvent,
    answer "past" PastEvent,
    answer "pong" Empty,
}

/// The full state for a viewer, sent on connection or after too many missed
/// events.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct StateEvent {
    pub info: GameInfo,
    /// The viewer's side; `null` for a spectator.
    pub you: Option<SideColor>,
    /// The viewer's current observation.
    pub observation: Option<ObservationDto>,
    /// The viewer's move list so far.
    pub log: Vec<MoveLogEntry>,
    pub clocks: Option<Clocks>,
    /// The side with an open draw offer.
    pub draw: Option<SideColor>,
    /// Commitment to the dice.
    pub commit: Option<String>,
    /// The viewer's own seed of the dice, once it is named.
    pub seed: Option<String>,
    pub online: Online,
    pub end: Option<OutcomeDto>,
    /// For spectators of a game with a person in it.
    pub watch: Option<WatchEvent>,
    /// For spectators of a game between agents.
    pub live: Option<LiveGame>,
    /// The dice, once the game is over.
    pub reveal: Option<Reveal>,
}

/// A ply was played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MoveEvent {
    /// The viewer's new observation.
    pub observation: ObservationDto,
    /// The move list entry of the ply.
    pub entry: MoveLogEntry,
    pub clocks: Option<Clocks>,
}

/// The agent to move waits for a processor, or starts again after a failure.
/// Its clock stands meanwhile.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct QueueEvent {
    pub by: SideColor,
    /// Number of jobs that came earlier and wait too; `null` after a failure.
    pub place: Option<usize>,
    pub clocks: Option<Clocks>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RollEvent {
    /// The viewer's new observation.
    pub observation: ObservationDto,
    pub roll: String,
    /// Index of the roll in the game, from 0.
    pub number: u64,
    pub by: SideColor,
    pub clocks: Option<Clocks>,
}

/// A draw was offered or declined.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct DrawEvent {
    pub by: SideColor,
    /// Status of the draw offer.
    pub state: DrawState,
}

/// Status of a draw offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum DrawState {
    /// Open for the other side to accept.
    Offered,
    /// The other side declined it.
    Declined,
}

/// A player joined the game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Joined {
    pub info: GameInfo,
}

/// Connected sides; agents always are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Online {
    pub white: bool,
    pub black: bool,
}

/// The game is over.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EndEvent {
    #[serde(flatten)]
    pub verdict: OutcomeDto,
    /// The final observation; `null` for spectators.
    pub observation: Option<ObservationDto>,
    pub clocks: Option<Clocks>,
    /// Rating changes, if the game is rated.
    pub ratings: Option<Ratings>,
    /// The dice, for verification.
    pub reveal: Option<Reveal>,
}

impl EndEvent {
    /// The end message for a spectator.
    pub fn new(outcome: Outcome) -> EndEvent {
        EndEvent {
            verdict: outcome.into(),
            observation: None,
            clocks: None,
            ratings: None,
            reveal: None,
        }
    }
}

/// A rematch was offered or started.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RematchEvent {
    pub by: SideColor,
    /// Status of the rematch offer.
    pub state: RematchState,
    pub game: Option<String>,
}

/// Status of a rematch offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum RematchState {
    /// One side offers a rematch.
    Offered,
    Started,
}

/// Information for spectators of a game with a person in it.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WatchEvent {
    pub ply: u32,
    /// The side to act.
    pub turn: SideColor,
    pub clocks: Option<Clocks>,
}

/// A move is stored.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Ack {
    /// The ply of the acknowledged message.
    pub ply: u32,
    pub token: String,
}

/// A message was refused.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ProblemEvent {
    pub error: String,
    /// The ply of the message, if given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub ply: Option<u32>,
    /// The token of the message, if given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub token: Option<String>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Empty {}
