//! The messages of the socket that speak of a running game.

use foglight_rules::Outcome;
use serde::Serialize;

use super::{Clocks, Entry, Info, Payload, Sealed, Seen, Verdict};
use crate::{game::fair::Reveal, truth::Live};

macro_rules! payload {
    ($type:ty, $name:literal) => {
        impl Sealed for $type {}
        impl Payload for $type {
            const TYPE: &'static str = $name;
        }
    };
}

/// Everything that a viewer may know: sent to who has missed too much.
#[derive(Clone, Debug, Serialize)]
pub struct StateNews {
    /// The game.
    pub info: Info,
    /// The viewer's side; nobody's for a watcher.
    pub you: Option<&'static str>,
    /// What the viewer sees.
    pub observation: Option<Seen>,
    /// What it could tell of the moves so far.
    pub log: Vec<Entry>,
    /// The clocks.
    pub clocks: Option<Clocks>,
    /// Whose draw offer stands.
    pub draw: Option<&'static str>,
    /// The promise about the dice.
    pub commit: Option<String>,
    /// Who is connected.
    pub online: Online,
    /// How it ended.
    pub end: Option<Verdict>,
    /// For watchers of a game with a person in it.
    pub watch: Option<WatchNews>,
    /// For watchers of a game between agents.
    pub live: Option<Live>,
    /// The dice, once the game is over.
    pub reveal: Option<Reveal>,
}
payload!(StateNews, "state");

/// After a single move.
#[derive(Clone, Debug, Serialize)]
pub struct MoveNews {
    /// What is seen now.
    pub observation: Seen,
    /// What could be told of the move.
    pub entry: Entry,
    /// The clocks.
    pub clocks: Option<Clocks>,
}
payload!(MoveNews, "move");

/// After a roll.
#[derive(Clone, Debug, Serialize)]
pub struct RollNews {
    /// What is seen now.
    pub observation: Seen,
    /// The dice.
    pub roll: String,
    /// Which roll of the game, from 0.
    pub number: u64,
    /// Who threw.
    pub by: &'static str,
    /// The clocks.
    pub clocks: Option<Clocks>,
}
payload!(RollNews, "roll");

/// A draw was offered or declined.
#[derive(Clone, Debug, Serialize)]
pub struct DrawNews {
    /// By whom.
    pub by: &'static str,
    /// `offered` or `declined`.
    pub state: &'static str,
}
payload!(DrawNews, "draw");

/// A seat was taken.
#[derive(Clone, Debug, Serialize)]
pub struct Joined {
    /// The game now.
    pub info: Info,
}
payload!(Joined, "joined");

/// Who is connected; agents always are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Online {
    /// White.
    pub white: bool,
    /// Black.
    pub black: bool,
}
payload!(Online, "online");

/// What a rated game did to a rating.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RatingChange {
    /// Before the game.
    pub before: f64,
    /// After it.
    pub after: f64,
}

/// The game is over.
#[derive(Clone, Debug, Serialize)]
pub struct EndNews {
    /// How.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What the viewer sees at the end; nothing for watchers.
    pub observation: Option<Seen>,
    /// The clocks.
    pub clocks: Option<Clocks>,
    /// Changes on the ladder: White's, Black's.
    pub ratings: Option<Ratings>,
    /// The dice, to be checked.
    pub reveal: Option<Reveal>,
}
payload!(EndNews, "end");

/// Changes on the ladder.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Ratings {
    /// White's.
    pub white: RatingChange,
    /// Black's.
    pub black: RatingChange,
}

impl EndNews {
    /// The end of a game for a watcher.
    pub fn new(outcome: Outcome) -> EndNews {
        EndNews {
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
pub struct RematchNews {
    /// Who.
    pub by: &'static str,
    /// `offered` or `started`.
    pub state: &'static str,
    /// The new game.
    pub game: Option<String>,
}
payload!(RematchNews, "rematch");

/// All that a watcher of a game with a person in it is told.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct WatchNews {
    /// Single moves played.
    pub ply: u32,
    /// Whose turn it is.
    pub turn: &'static str,
    /// The clocks.
    pub clocks: Option<Clocks>,
}
payload!(WatchNews, "watch");

/// A move is on disk.
#[derive(Clone, Debug, Serialize)]
pub struct Ack {
    /// The ply that it was sent for.
    pub ply: u32,
    /// The sender's token.
    pub token: String,
}
payload!(Ack, "ack");

/// A message that could not be done.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    /// What was expected.
    pub error: String,
    /// The ply of the message, if it named one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<u32>,
    /// The token of the message, if it had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}
payload!(Problem, "error");

/// Still there.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Empty {}
payload!(Empty, "pong");

payload!(Live, "live");
