//! Our side as an engine: commands in, replies out, a search on a thread of
//! its own so that `stop`, `isready` and `quit` are heard while it runs.
//!
//! Every `go` is answered by exactly one `bestmove`. What comes during a search
//! and is not one of those three, `uci` or `ponderhit` waits for its end.

mod report;
mod seat;
mod server;
mod settings;
mod table;

use std::{
    io::{self, BufRead, Write},
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError, SyncSender},
    },
    thread,
};

use foglight_play::{Agent, Providers, Spec, SpecError};
use foglight_rules::Game;

use crate::{
    Protocol, ProtocolError, UciCommand, lines::read_line, reply::SearchInfo, text::quoted,
};
use server::{Thought, UciServer};

/// The longest line that is read: a `position` of ten thousand moves fits.
const MAX_LINE: usize = 1 << 20;

/// Events that may wait to be heard.
const EVENTS: usize = 1024;

pub type BuildEngineAgent = dyn Fn(&Spec, &Game) -> Result<Box<dyn Agent>, SpecError> + Send + Sync;

#[derive(Clone, Default)]
pub struct ServerSetup {
    pub protocol: Protocol,
    /// Who plays; else the strongest of the game.
    pub agent: Option<Spec>,
    /// What agents of the registry may need from outside.
    pub providers: Providers,
    /// Makes the players, in the place of the registry.
    pub build: Option<Arc<BuildEngineAgent>>,
}

/// What the server waits for.
enum Event {
    Heard(Result<UciCommand, ProtocolError>),
    End,
    Thought(Box<Thought>),
    /// What a search has found so far.
    News(Box<SearchInfo>),
}

/// Speaks until `quit` or the end of the input. Fails only if the output does.
pub fn run(
    input: impl BufRead + Send,
    output: impl Write + Send,
    setup: ServerSetup,
) -> io::Result<()> {
    let protocol = setup.protocol;
    thread::scope(|scope| {
        let (sender, events) = mpsc::sync_channel(EVENTS);
        let ears = sender.clone();
        scope.spawn(move || listen(input, protocol, &ears));
        let mut server = UciServer::new(output, setup, sender);
        while !server.is_finished() {
            let event = match server.time_left() {
                Some(time) => events.recv_timeout(time),
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(Event::Heard(heard)) => server.hear(heard)?,
                Ok(Event::End) => server.end_of_input(),
                Ok(Event::Thought(thought)) => server.thought(*thought)?,
                Ok(Event::News(info)) => server.news(*info)?,
                Err(RecvTimeoutError::Timeout) => server.stop(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
            server.catch_up()?;
        }
        Ok(())
    })
}

/// Reads commands up to `quit` or the end.
fn listen(mut input: impl BufRead, protocol: Protocol, events: &SyncSender<Event>) {
    loop {
        let heard = match read_line(&mut input, MAX_LINE) {
            Ok(Some(line)) if line.cut => Err(ProtocolError::new(
                format_args!("a line that begins with {}", quoted(&line.text)),
                format!("at most {MAX_LINE} bytes"),
            )),
            Ok(Some(line)) if line.text.trim().is_empty() => continue,
            Ok(Some(line)) => protocol.read_command(&line.text),
            Ok(None) | Err(_) => break,
        };
        let last = heard == Ok(UciCommand::Quit);
        if events.send(Event::Heard(heard)).is_err() || last {
            return;
        }
    }
    // Nobody to tell if the server has gone already.
    let _ = events.send(Event::End);
}
