//! Integration tests of the server over real sockets.

mod bots;
mod client;
mod disk;
mod floods;
mod games;
mod hostile;
mod leak;
mod pages;
mod people;
mod sight;
mod visitors;
