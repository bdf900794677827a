//! Viewers of a game and the events they may have missed.

use std::collections::VecDeque;

use tokio::sync::mpsc;

use crate::wire::{Event, Frame, Online};

/// Number of recent events stored for reconnecting sockets.
const KEPT: usize = 20;

/// One group of viewers: White, Black or the spectators. All sockets of a group
/// get the same events with the same versions.
#[derive(Debug)]
pub(crate) struct Viewers {
    version: u64,
    kept: VecDeque<(u64, Frame)>,
    sockets: Vec<(u64, mpsc::Sender<Frame>)>,
    online: Option<Online>,
}

impl Viewers {
    /// Starts at `version`. A restarted server starts higher, so that a version
    /// of the previous run never matches one of this run.
    pub fn new(version: u64) -> Viewers {
        Viewers {
            version,
            kept: VecDeque::new(),
            sockets: Vec::new(),
            online: None,
        }
    }

    /// Version of the last event.
    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn any(&self) -> bool {
        !self.sockets.is_empty()
    }

    /// The events after version `seen`, or `None` if some are no longer stored
    /// and the viewer needs the full state.
    pub fn missed(&self, seen: Option<u64>) -> Option<Vec<Frame>> {
        let seen = seen.filter(|&seen| seen <= self.version)?;
        let missing = self.version - seen;
        if missing > self.kept.len() as u64 {
            return None;
        }
        let later = self.kept.iter().filter(|(version, _)| *version > seen);
        Some(later.map(|(_, frame)| frame.clone()).collect())
    }

    pub fn add(&mut self, id: u64, socket: mpsc::Sender<Frame>) {
        self.sockets.push((id, socket));
    }

    pub fn remove(&mut self, id: u64) {
        self.sockets.retain(|(known, _)| *known != id);
    }

    /// Sends the connection status if it has changed.
    pub(crate) fn tell_if_new(&mut self, online: &Online) {
        if self.online.replace(*online) != Some(*online) && self.any() {
            self.tell(online);
        }
    }

    /// Sends an event to all sockets and stores it. A socket with a full queue
    /// is dropped; it may reconnect and get the events it missed.
    pub fn tell<P: Event>(&mut self, data: &P) {
        self.version += 1;
        let frame = Frame::event(data, self.version);
        self.kept.push_back((self.version, frame.clone()));
        if self.kept.len() > KEPT {
            self.kept.pop_front();
        }
        self.sockets
            .retain(|(_, socket)| socket.try_send(frame.clone()).is_ok());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_to_twenty_events_are_replayed() {
        let mut viewers = Viewers::new(100);
        assert_eq!(viewers.missed(Some(100)).map(|m| m.len()), Some(0));
        for _ in 0..25 {
            viewers.tell(&Online {
                white: true,
                black: false,
            });
        }
        assert_eq!(viewers.missed(Some(105)).map(|m| m.len()), Some(20));
        assert_eq!(viewers.missed(Some(104)), None, "too long ago");
        assert_eq!(viewers.missed(Some(126)), None, "from another life");
        assert_eq!(viewers.missed(None), None);
    }
}
