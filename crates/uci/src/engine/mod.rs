//! This program as an engine: commands in, replies out, and a search on its own
//! thread so that `stop`, `isready` and `quit` are processed while it runs.
//!
//! Every `go` is answered by exactly one `bestmove`. During a search only these
//! three, `uci` and `ponderhit` are processed; other commands wait for its end.

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

/// Maximum length of an input line: a `position` of ten thousand moves fits.
const MAX_LINE: usize = 1 << 20;

/// Capacity of the event queue.
const EVENTS: usize = 1024;

pub type BuildEngineAgent = dyn Fn(&Spec, &Game) -> Result<Box<dyn Agent>, SpecError> + Send + Sync;

#[derive(Clone, Default)]
pub struct ServerSetup {
    pub protocol: Protocol,
    /// The agent; by default the strongest of the game.
    pub agent: Option<Spec>,
    /// External resources for the agents of the registry.
    pub providers: Providers,
    /// Builds the agents instead of the registry.
    pub build: Option<Arc<BuildEngineAgent>>,
}

/// Event of the server loop.
enum Event {
    Heard(Result<UciCommand, ProtocolError>),
    End,
    Thought(Box<Thought>),
    /// Intermediate result of a search.
    News(Box<SearchInfo>),
}

/// Runs the engine until `quit` or the end of the input. Fails only if writing
/// the output fails.
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

/// Reads commands up to `quit` or the end of the input.
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
    // The receiver may be gone if the server has ended.
    let _ = events.send(Event::End);
}
