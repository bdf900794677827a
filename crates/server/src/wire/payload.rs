//! The messages of the socket that speak of a running game.

use foglight_rules::Outcome;
use serde::Serialize;

use super::{
    Clocks, Event, GameInfo, MoveLogEntry, ObservationDto, OutcomeDto, Payload, PracticeEvent,
    Ratings, Sealed, SideColor, spectator::LiveGame,
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

        /// Every message as TypeScript, and its data to a visitor.
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

// The type of each message. Events have a version; answers have none.
messages! {
    event "state" StateEvent,
    event "move" MoveEvent,
    event "roll" RollEvent,
    event "draw" DrawEvent,
    event "joined" Joined,
    event "online" Online,
    event "end" EndEvent,
    event "rematch" RematchEvent,
    event "watch" WatchEvent,
    event "live" LiveGame,
    answer "ack" Ack,
    answer "error" ProblemEvent,
    answer "practice" PracticeEvent,
    answer "pong" Empty,
}

/// Everything that a viewer may know: sent to who has missed too much.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct StateEvent {
    pub info: GameInfo,
    /// The viewer's side; nobody's for a watcher.
    pub you: Option<SideColor>,
    /// What the viewer sees.
    pub observation: Option<ObservationDto>,
    /// What it could tell of the moves so far.
    pub log: Vec<MoveLogEntry>,
    pub clocks: Option<Clocks>,
    /// Whose draw offer stands.
    pub draw: Option<SideColor>,
    /// The promise about the dice.
    pub commit: Option<String>,
    pub online: Online,
    pub end: Option<OutcomeDto>,
    /// For watchers of a game with a person in it.
    pub watch: Option<WatchEvent>,
    /// For watchers of a game between agents.
    pub live: Option<LiveGame>,
    /// The dice, once the game is over.
    pub reveal: Option<Reveal>,
}

/// After a single move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MoveEvent {
    /// What is seen now.
    pub observation: ObservationDto,
    /// What could be told of the move.
    pub entry: MoveLogEntry,
    pub clocks: Option<Clocks>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RollEvent {
    /// What is seen now.
    pub observation: ObservationDto,
    pub roll: String,
    /// Which roll of the game, from 0.
    pub number: u64,
    pub by: SideColor,
    pub clocks: Option<Clocks>,
}

/// A draw was offered or declined.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct DrawEvent {
    pub by: SideColor,
    /// What became of it.
    pub state: DrawState,
}

/// What became of a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum DrawState {
    /// The other side may accept it.
    Offered,
    /// The other side does not want it.
    Declined,
}

/// A seat was taken.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Joined {
    pub info: GameInfo,
}

/// Who is connected; agents always are.
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
    /// What the viewer sees at the end; nothing for watchers.
    pub observation: Option<ObservationDto>,
    pub clocks: Option<Clocks>,
    /// Changes on the ladder: White's, Black's.
    pub ratings: Option<Ratings>,
    /// The dice, to be checked.
    pub reveal: Option<Reveal>,
}

impl EndEvent {
    /// The end of a game for a watcher.
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

/// Somebody wants to play again.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RematchEvent {
    pub by: SideColor,
    /// What became of it.
    pub state: RematchState,
    pub game: Option<String>,
}

/// What became of a rematch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum RematchState {
    /// One side wants it.
    Offered,
    Started,
}

/// All that a watcher of a game with a person in it is told.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WatchEvent {
    pub ply: u32,
    /// Whose turn it is.
    pub turn: SideColor,
    pub clocks: Option<Clocks>,
}

/// A move is on disk.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Ack {
    /// The ply that it was sent for.
    pub ply: u32,
    pub token: String,
}

/// A message that could not be done.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ProblemEvent {
    pub error: String,
    /// The ply of the message, if it named one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub ply: Option<u32>,
    /// The token of the message, if it had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub token: Option<String>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Empty {}
