//! The server from outside: real sockets, plain requests.

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
