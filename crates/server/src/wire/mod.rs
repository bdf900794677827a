//! What is written to clients, and the types that decide what may be.
//!
//! **Nothing reaches a socket but a [`Frame`], and a frame is made of a
//! [`Payload`] only.** The payloads that speak of a board are made of
//! observations ([`Seen`], [`Entry`]) or of a game whose truth is public
//! ([`spectator`]). No payload can be made of a position, so that no exit
//! has to redact anything by hand.

mod info;
mod move_log;
mod observation;
mod payload;
mod practice;
mod review;
pub mod spectator;

use std::sync::Arc;

use serde::Serialize;

pub(crate) use crate::domain::GameKind;
pub(crate) use crate::domain::ResultText;
pub(crate) use crate::domain::SideColor;
pub(crate) use crate::domain::VisibilityName;
pub use crate::domain::{Ratings, Status, side_name};
pub use info::{Clocks, GameInfo};
pub(crate) use move_log::MoveLogEntry;
pub(crate) use observation::ObservationDto;
pub(crate) use observation::OutcomeDto;
pub(crate) use payload::Ack;
pub(crate) use payload::DrawEvent;
pub(crate) use payload::DrawState;
pub use payload::Empty;
pub(crate) use payload::EndEvent;
pub(crate) use payload::Joined;
pub(crate) use payload::MoveEvent;
pub(crate) use payload::Online;
pub(crate) use payload::ProblemEvent;
pub(crate) use payload::RematchEvent;
pub(crate) use payload::RematchState;
pub(crate) use payload::RollEvent;
pub(crate) use payload::StateEvent;
pub(crate) use payload::WatchEvent;
#[cfg(test)]
pub(crate) use payload::messages;
pub(crate) use practice::EngineMove;
pub(crate) use practice::HeatMap;
pub(crate) use practice::PracticeEvent;
pub(crate) use review::LostPieceDto;
pub(crate) use review::ReviewAnswer;
pub(crate) use review::ReviewDto;
pub(crate) use review::ReviewProgress;

mod sealed {
    /// Only this module says what may be sent.
    pub(crate) trait Sealed {}
}

pub(crate) use sealed::Sealed;

/// Data that may be sent to whoever it was made for.
pub(crate) trait Payload: Serialize + Sealed {
    /// The type of the message.
    const TYPE: &'static str;
}

/// A payload that is counted, kept, and sent again after a reconnection.
pub trait Event: Payload {}

/// One message as it goes over the wire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame(Arc<str>);

impl Frame {
    /// An event with its number.
    pub fn event<P: Event>(data: &P, version: u64) -> Frame {
        Frame::new(P::TYPE, data, Some(version))
    }

    /// An answer to one message of one socket.
    pub fn answer<P: Payload>(data: &P) -> Frame {
        Frame::new(P::TYPE, data, None)
    }

    fn new<P: Payload>(t: &'static str, d: &P, v: Option<u64>) -> Frame {
        #[derive(Serialize)]
        struct Message<'a, P> {
            t: &'static str,
            d: &'a P,
            #[serde(skip_serializing_if = "Option::is_none")]
            v: Option<u64>,
        }
        let text = serde_json::to_string(&Message { t, d, v });
        Frame(text.expect("payloads are always JSON").into())
    }

    /// The text of the message.
    pub fn text(&self) -> &str {
        &self.0
    }
}
