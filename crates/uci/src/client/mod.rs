//! An external engine as a player.
//!
//! The engine receives only the information of a player: in fog its own
//! observations, in open games the public moves and rolls. Whatever the engine
//! does, every call ends in time with an answer or a [`Fault`], and no process
//! of its group outlives [`UciEngine`].

mod group;
mod info;
pub mod launcher;
mod player;
pub mod process;
pub mod stockfish;
mod tracker;

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use foglight_play::{Budget, Fault};
use foglight_rules::{Color, Game};

pub use crate::Protocol;
use crate::{
    Reply, UciCommand,
    command::GoLimits,
    reply::{Declared, Id, OptionKind},
    text::quoted,
    variant,
};
use info::InfoCollector;
use process::{Heard, Process};
use tracker::GameTracker;

/// How to start an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineConfig {
    /// The program: a name looked up in `PATH`, or a path.
    pub command: String,
    pub args: Vec<String>,
    /// Working directory of the engine.
    pub dir: Option<PathBuf>,
    pub proto: Protocol,
    /// Options to set, before those of the game.
    pub options: Vec<(String, String)>,
    /// Time allowed for `uciok`, and for each `readyok`.
    pub startup: Duration,
}

/// UCI without arguments or options, and ten seconds for each readiness; the
/// command is empty.
impl Default for EngineConfig {
    fn default() -> EngineConfig {
        EngineConfig {
            command: String::new(),
            args: Vec::new(),
            dir: None,
            proto: Protocol::Uci,
            options: Vec::new(),
            startup: Duration::from_secs(10),
        }
    }
}

/// Time for a move if the budget has none.
pub(crate) const UNTIMED: Duration = Duration::from_secs(60);

/// Time in which an engine must exit after `quit`.
const FAREWELL: Duration = Duration::from_millis(500);

/// A running engine.
///
/// The order of calls is that of [`foglight_play::Agent`]. After a `Disconnect`
/// or `Stall` the engine is terminated and must be launched again.
pub struct UciEngine {
    process: Process,
    launch: EngineConfig,
    name: String,
    options: Vec<Declared>,
    threads: usize,
    sheet: Option<GameTracker>,
    /// Number of `bestmove` replies still outstanding.
    owed: u32,
}

impl UciEngine {
    /// Starts an engine and waits until it is ready.
    pub fn launch(launch: &EngineConfig) -> Result<UciEngine, Fault> {
        let process = Process::start(&launch.command, &launch.args, launch.dir.as_deref());
        let process = process.map_err(|error| {
            let command = quoted(&launch.command);
            Fault::Disconnect(format!("{command} could not be started: {error}"))
        })?;
        let mut outside = UciEngine {
            process,
            launch: launch.clone(),
            name: launch.command.clone(),
            options: Vec::new(),
            threads: 1,
            sheet: None,
            owed: 0,
        };
        outside.shake_hands()?;
        for (name, value) in &launch.options {
            outside.set(name, value);
        }
        outside.wait_until_ready()?;
        Ok(outside)
    }

    /// The engine's name, from `id name`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The options that it declares.
    pub fn options(&self) -> &[Declared] {
        &self.options
    }

    /// Id of its process and process group.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Sends `quit`, then terminates the engine.
    pub fn quit(mut self) {
        self.tell(&UciCommand::Quit);
        self.process.end_after(FAREWELL);
    }

    fn tell(&self, command: &UciCommand) {
        let mut line = self.launch.proto.write_command(command);
        line.push('\n');
        self.process.send(line);
    }

    fn set(&self, name: &str, value: &str) {
        self.tell(&UciCommand::SetOption {
            name: name.to_owned(),
            value: Some(value.to_owned()),
        });
    }

    fn declared(&self, name: &str) -> Option<&Declared> {
        let mut options = self.options.iter();
        options.find(|option| option.name.eq_ignore_ascii_case(name))
    }

    fn declares(&self, name: &str) -> bool {
        self.declared(name).is_some()
    }

    /// Sends the game and its rules to an engine with the options for them.
    /// Every engine plays plain chess by default.
    fn choose_game(&mut self, game: &Game) -> Result<(), Fault> {
        let name = variant::name(game);
        match self.declared("UCI_Variant").map(|option| &option.kind) {
            Some(OptionKind::Combo { vars, .. }) if !vars.iter().any(|var| var == name) => {
                return Err(Fault::Disconnect(format!(
                    "it does not play {name}; its UCI_Variant knows {}",
                    vars.join(", ")
                )));
            }
            None if name == "chess" => {}
            _ => self.set("UCI_Variant", name),
        }
        let rules = game.rules_name().map(str::to_owned);
        let quiet = game.halfmove_limit().unwrap_or(0).to_string();
        let sight = match (
            game.has_full_view(Color::White),
            game.has_full_view(Color::Black),
        ) {
            _ if rules.is_none() => None,
            (true, true) => Some("both"),
            (true, false) => Some("white"),
            (false, true) => Some("black"),
            (false, false) => Some("normal"),
        };
        let facts = [
            ("Rules", rules),
            ("Sight", sight.map(str::to_owned)),
            ("HalfmoveLimit", Some(quiet)),
        ];
        for (option, value) in facts {
            if let (true, Some(value)) = (self.declares(option), value) {
                self.set(option, &value);
            }
        }
        Ok(())
    }

    fn shake_hands(&mut self) -> Result<(), Fault> {
        self.tell(&UciCommand::Uci);
        let deadline = Instant::now() + self.launch.startup;
        loop {
            match self.next(deadline)? {
                None => return Err(self.stall("no uciok")),
                Some((Reply::UciOk, _)) => return Ok(()),
                Some((Reply::Id(Id::Name(name)), _)) => self.name = name,
                Some((Reply::Option(option), _)) if self.options.len() < MAX_OPTIONS => {
                    self.options.push(option);
                }
                Some(_) => {}
            }
        }
    }

    /// Waits until the engine has processed everything sent, and discards
    /// earlier output: late and duplicate answers.
    fn wait_until_ready(&mut self) -> Result<(), Fault> {
        self.tell(&UciCommand::IsReady);
        let deadline = Instant::now() + self.launch.startup;
        loop {
            match self.next(deadline)? {
                None => return Err(self.stall("no readyok")),
                Some((Reply::ReadyOk, _)) => return Ok(()),
                Some((Reply::BestMove { .. }, _)) => self.owed = self.owed.saturating_sub(1),
                Some(_) => {}
            }
        }
    }

    fn await_move(
        &mut self,
        deadline: Instant,
        hearing: &mut InfoCollector,
    ) -> Result<(Option<String>, Instant), Fault> {
        loop {
            match self.next(deadline)? {
                None => return Err(self.probe()),
                Some((Reply::BestMove { .. }, _)) if self.owed > 0 => self.owed -= 1,
                Some((Reply::BestMove { .. }, at)) if at > deadline => return Err(Fault::Timeout),
                Some((Reply::BestMove { best, .. }, at)) => return Ok((best, at)),
                Some((Reply::Info(info), _)) => hearing.add(info),
                Some(_) => {}
            }
        }
    }

    /// Distinguishes a late engine, which loses on time, from one that has
    /// stalled: it has as long to respond as for any other readiness.
    fn probe(&mut self) -> Fault {
        self.tell(&UciCommand::Stop);
        self.tell(&UciCommand::IsReady);
        let deadline = Instant::now() + self.launch.startup;
        loop {
            match self.next(deadline) {
                Err(fault) => return fault,
                Ok(Some((Reply::BestMove { .. }, _))) => return Fault::Timeout,
                Ok(Some((Reply::ReadyOk, _))) => {
                    self.owed += 1;
                    return Fault::Timeout;
                }
                Ok(Some(_)) => {}
                Ok(None) => return self.stall("no bestmove, and no word after stop"),
            }
        }
    }

    /// The next reply before the deadline, `None` if there is none. Other
    /// output is ignored.
    fn next(&mut self, deadline: Instant) -> Result<Option<(Reply, Instant)>, Fault> {
        loop {
            match self.process.hear(deadline) {
                Heard::Line(line, at) => {
                    let reply = self.launch.proto.read_reply(&line.text);
                    let reply = reply.ok().filter(|_| !line.cut);
                    let late = at > deadline;
                    match reply {
                        Some(reply) if !late || matches!(reply, Reply::BestMove { .. }) => {
                            return Ok(Some((reply, at)));
                        }
                        // A child that writes without end must not defeat the
                        // deadline.
                        _ if late => return Ok(None),
                        _ => {}
                    }
                }
                Heard::Nothing => return Ok(None),
                Heard::Closed => return Err(Fault::Disconnect(self.process.end_closed())),
            }
        }
    }

    fn stall(&mut self, what: &str) -> Fault {
        self.process.kill();
        Fault::Stall(what.to_owned())
    }
}

/// Maximum number of stored options of one engine.
const MAX_OPTIONS: usize = 1000;

/// Time limit of a budget.
fn time_limit(budget: &Budget) -> Option<Duration> {
    let clock = budget.clock.map(|clock| clock.left);
    match (budget.movetime, clock) {
        (Some(movetime), Some(clock)) => Some(movetime.min(clock)),
        (movetime, clock) => movetime.or(clock),
    }
}

/// A budget as limits of `go`. A player knows its own clock only; engines
/// expect both, so the other side gets the same values.
fn limits(budget: &Budget) -> GoLimits {
    let millis = |time: Duration| time.as_millis() as u64;
    let left = budget.clock.map(|clock| millis(clock.left));
    let increment = budget.clock.map(|clock| millis(clock.increment));
    GoLimits {
        wtime: left,
        btime: left,
        winc: increment,
        binc: increment,
        movetime: budget.movetime.map(millis),
        nodes: budget.nodes,
        depth: budget.depth.map(u64::from),
        infinite: false,
        ponder: false,
    }
}
