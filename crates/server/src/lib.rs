//! The web app: HTTP and WebSocket, and the only crate with async.
//!
//! One actor a game keeps the truth ([`game`]); what leaves it is made of
//! observations by type ([`wire`]); the truth of a game is served when nobody
//! can be harmed by it ([`truth`]). Agents think in threads of their own
//! ([`think`]), and nothing is acknowledged before it is stored ([`store`]).

mod app;
pub mod game;
mod http;
pub mod leak;
mod listen;
pub mod rules_pages;
mod source;
mod store;
mod study;
pub mod think;
mod tournament;
pub mod truth;
mod user_test;
pub mod wire;

pub use app::{App, Config};
pub use game::GameError;
pub use http::router;
pub use listen::{ServeError, Server};
pub use source::{Chance, Time};
pub use store::{Store, StoreError};
