//! Who watches a game, and what they have missed.

use std::collections::VecDeque;

use tokio::sync::mpsc;

use crate::wire::{Event, Frame, Online};

/// Events that are kept for those who come back.
const KEPT: usize = 20;

/// One kind of viewer: White, Black or the watchers. All sockets of a kind get
/// the same events with the same versions.
#[derive(Debug)]
pub(crate) struct Viewers {
    version: u64,
    kept: VecDeque<(u64, Frame)>,
    sockets: Vec<(u64, mpsc::Sender<Frame>)>,
    online: Option<Online>,
}

impl Viewers {
    /// Versions start here. A server that was started again starts higher, so
    /// that a version of an earlier life is never taken for one of this.
    pub fn new(version: u64) -> Viewers {
        Viewers {
            version,
            kept: VecDeque::new(),
            sockets: Vec::new(),
            online: None,
        }
    }

    /// The version of the last event.
    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn any(&self) -> bool {
        !self.sockets.is_empty()
    }

    /// Somebody came. The events after `seen`, if they are all still kept;
    /// else a fresh start is needed.
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

    /// Tells who is connected, if that has changed.
    pub(crate) fn tell_if_new(&mut self, online: &Online) {
        if self.online.replace(*online) != Some(*online) && self.any() {
            self.tell(online);
        }
    }

    /// Sends an event to all and keeps it. A socket that does not keep up is
    /// dropped: it may come back and be told what it missed.
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
