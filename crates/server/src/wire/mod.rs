//! Messages to clients, and the types that decide what may be sent.
//!
//! **Nothing reaches a socket but a [`Frame`], and a frame is built from a
//! [`Payload`] only.** Payloads that show a board are built from observations
//! ([`ObservationDto`], [`MoveLogEntry`]) or from a game whose true state is
//! public ([`spectator`]). No payload can be built from a position, so that no
//! route has to redact anything by hand.

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
pub(crate) use observation::PastEvent;
pub(crate) use payload::Ack;
pub(crate) use payload::DrawEvent;
pub(crate) use payload::DrawState;
pub use payload::Empty;
pub(crate) use payload::EndEvent;
pub(crate) use payload::Joined;
pub(crate) use payload::KINDS;
pub(crate) use payload::MoveEvent;
pub(crate) use payload::Online;
pub(crate) use payload::ProblemEvent;
pub(crate) use payload::QueueEvent;
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
    /// Restricts [`Payload`] to the types listed in this module.
    pub(crate) trait Sealed {}
}

pub(crate) use sealed::Sealed;

/// Data that may be sent to the viewer it was built for.
pub(crate) trait Payload: Serialize + Sealed {
    /// The message type on the wire.
    const TYPE: &'static str;
}

/// A payload with a version, stored and sent again after a reconnection.
pub trait Event: Payload {}

/// One message in wire format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame(Arc<str>);

impl Frame {
    /// An event with its version.
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

    /// The JSON text of the message.
    pub fn text(&self) -> &str {
        &self.0
    }
}
