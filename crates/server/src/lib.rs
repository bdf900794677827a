//! The web app: HTTP and WebSocket, and the only crate with async.
//!
//! One actor a game keeps the truth ([`game`]); what leaves it is made of
//! observations by type ([`wire`]); the truth of a game is served when nobody
//! can be harmed by it ([`wire::spectator`]). Agents think in threads of their own
//! ([`think`]), and nothing is acknowledged before it is stored ([`store`]).

mod domain;
mod game;
mod http;
pub mod noninterference;
mod rules_pages;
mod source;
mod store;
mod study;
mod tournament;
mod user_study;
mod wire;
mod workers;

pub use http::{Config, Server};
pub use store::Store;
