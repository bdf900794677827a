//! The memory of requests and answers on their way. Without a bound, clients that
//! send slowly or do not read would keep a megabyte each.
//!
//! A network may have half as much as is free (dynamic thresholds, Choudhury &
//! Hahne 1998), so that there is room for one more however many have theirs.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use axum::{
    body::{Body, Bytes, HttpBody as _, to_bytes},
    extract::{Request, State},
    http::StatusCode,
    middleware::Next,
    response::{IntoResponse as _, Response},
};

use super::{ApiError, App};
use crate::domain::Network;

/// Bytes on their way, of all networks.
const ALL: usize = 64 << 20;
/// What is not counted: the number of connections bounds it.
const SMALL: usize = 4 << 10;

/// The bytes on their way.
#[derive(Default)]
pub(crate) struct Traffic(Mutex<HashMap<Network, usize>>);

/// Room for bytes, until it is dropped.
pub(crate) struct Load {
    traffic: Arc<Traffic>,
    network: Network,
    bytes: usize,
}

impl Traffic {
    /// Room for so many bytes of a network, if there is any.
    pub fn take(self: &Arc<Traffic>, network: Network, bytes: usize) -> Result<Load, ApiError> {
        let bytes = if bytes > SMALL { bytes } else { 0 };
        let mut held = self.0.lock().expect("no panic holds it");
        let own = held.get(&network).copied().unwrap_or(0);
        let free = ALL - held.values().sum::<usize>();
        if bytes > 0 && 2 * (own + bytes) > free {
            let text = "too much is on its way already; expected you to send less at a time, \
                        and to read what was answered";
            return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, text));
        }
        if bytes > 0 {
            held.insert(network, own + bytes);
        }
        Ok(Load {
            traffic: Arc::clone(self),
            network,
            bytes,
        })
    }

    /// Bytes that count until the last of them is written to the client.
    pub fn load(self: &Arc<Traffic>, network: Network, bytes: Bytes) -> Result<Bytes, ApiError> {
        let load = self.take(network, bytes.len())?;
        Ok(match load.bytes {
            0 => bytes,
            _ => Bytes::from_owner(Loaded(bytes, load)),
        })
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        let mut held = self.traffic.0.lock().expect("no panic holds it");
        if let Some(own) = held.get_mut(&self.network) {
            *own -= self.bytes;
            if *own == 0 {
                held.remove(&self.network);
            }
        }
    }
}

struct Loaded(Bytes, #[expect(dead_code, reason = "held")] Load);

impl AsRef<[u8]> for Loaded {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Counts the answers of known size.
pub(super) async fn carry(
    State(app): State<Arc<App>>,
    network: Network,
    request: Request,
    next: Next,
) -> Response {
    let response = next.run(request).await;
    let size = response.body().size_hint().exact();
    let Some(size) = size.and_then(|size| usize::try_from(size).ok()) else {
        return response; // a stream, which counts its lines
    };
    if size <= SMALL {
        return response;
    }
    let (head, body) = response.into_parts();
    let bytes = to_bytes(body, size).await.unwrap_or_default();
    match app.traffic.load(network, bytes) {
        Ok(bytes) => Response::from_parts(head, Body::from(bytes)),
        Err(error) => error.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn network(last: u8) -> Network {
        Network::from(IpAddr::from([127, 0, 0, last]))
    }

    #[test]
    fn bytes_count_until_the_last_copy_is_gone() {
        let traffic = Arc::new(Traffic::default());
        let large = || Bytes::from(vec![0; ALL / 3]);
        let held = traffic.load(network(1), large()).expect("room");
        let part = held.slice(7..9);
        drop(held);
        assert!(traffic.load(network(1), large()).is_err(), "a part is left");
        assert!(traffic.take(network(1), SMALL).is_ok());
        drop(part);
        assert!(traffic.load(network(1), large()).is_ok());
        assert!(traffic.0.lock().expect("a lock").is_empty());
    }

    #[test]
    fn there_is_room_for_one_more() {
        let traffic = Arc::new(Traffic::default());
        let mut held = Vec::new();
        for last in 1..=30 {
            held.extend((0..).map_while(|_| traffic.take(network(last), 1 << 20).ok()));
        }
        assert!(held.len() > 50, "{}", held.len());
        assert!(traffic.take(network(99), 256 << 10).is_ok());
        assert!(held.iter().map(|load| load.bytes).sum::<usize>() < ALL);
    }
}
