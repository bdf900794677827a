//! The web app: HTTP and WebSocket.
//!
//! One actor per game owns the true state ([`game`]). Everything it sends is
//! built from observations, by type ([`wire`]); the true state is served only
//! when the game is over or played by agents alone ([`wire::spectator`]).
//! Agents think in worker threads ([`workers`]), and nothing is acknowledged
//! before it is stored ([`store`]).

mod domain;
mod game;
mod http;
pub mod noninterference;
mod rules_pages;
mod source;
mod store;
mod study;
pub mod timing;
mod tournament;
mod user_study;
mod wire;
mod workers;

pub use http::{Config, PublicOrigin, Server};
pub use store::Store;

/// Whether a text is a message that clients may send on a socket: the reader of
/// sockets, for those who test it from outside.
pub fn reads_message(text: &str) -> bool {
    http::reads_message(text)
}
