//! Integration tests of the server over real sockets.

mod bots;
mod client;
mod crowds;
mod disk;
mod floods;
mod games;
mod hostile;
mod leak;
mod pages;
mod people;
mod sight;
mod storage;
mod told;
mod visitors;
