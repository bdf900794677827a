//! Engines that die with this program, however it ends.
//!
//! A program that is killed cannot end its engines. On Linux a process can ask
//! for a signal at the death of its parent, but only for itself, before it
//! becomes the engine. So engines are started through a small launcher, a
//! hidden command of this program, which asks for the signal and then executes
//! the engine. Processes that an engine starts get no such signal: they outlive
//! a runner that was killed by SIGKILL, unless they end with their engine.

use std::{
    io,
    path::PathBuf,
    process::{Child, Command},
    sync::{
        OnceLock,
        mpsc::{self, Sender},
    },
    thread,
};

type Order = (Command, Sender<io::Result<Child>>);

struct Launcher {
    program: PathBuf,
    arguments: Vec<String>,
    /// The thread that starts all engines. The signal comes at the death of the
    /// thread that started a process, so that thread must live as long as the
    /// program.
    spawner: Sender<Order>,
}

static LAUNCHER: OnceLock<Launcher> = OnceLock::new();

/// Starts all later engines of this program through `program`, which gets these
/// arguments, the id of this process, and the command of the engine, and must
/// call [`become_engine`]. The first call counts.
pub fn install(program: PathBuf, arguments: &[&str]) {
    LAUNCHER.get_or_init(|| {
        let (spawner, orders) = mpsc::channel::<Order>();
        thread::spawn(move || {
            for (mut command, reply) in orders {
                let _ = reply.send(command.spawn()); // the caller waits for it
            }
        });
        Launcher {
            program,
            arguments: arguments.iter().map(|&text| text.to_owned()).collect(),
            spawner,
        }
    });
}

/// The command that starts an engine.
pub(super) fn command(engine: PathBuf, args: &[String]) -> io::Result<Command> {
    let Some(launcher) = LAUNCHER.get() else {
        let mut command = Command::new(engine);
        command.args(args);
        return Ok(command);
    };
    let mut command = Command::new(&launcher.program);
    command
        .args(&launcher.arguments)
        .arg(std::process::id().to_string())
        .arg(find(engine)?)
        .args(args);
    Ok(command)
}

/// Starts a command made by [`command`].
pub(super) fn spawn(mut command: Command) -> io::Result<Child> {
    let Some(launcher) = LAUNCHER.get() else {
        return command.spawn();
    };
    let (reply, started) = mpsc::channel();
    let gone = |_| io::Error::other("the thread that starts engines has ended");
    let order = (command, reply);
    launcher
        .spawner
        .send(order)
        .map_err(|_| gone(mpsc::RecvError))?;
    started.recv().map_err(gone)?
}

/// The file of a program: a path, or a name looked up in `PATH`. The launcher
/// could not tell this program that there is none.
fn find(program: PathBuf) -> io::Result<PathBuf> {
    if program.components().count() > 1 {
        return program.metadata().map(|_| program);
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut files = std::env::split_paths(&folders).map(|folder| folder.join(&program));
    let file = files.find(|file| file.is_file());
    file.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such program in PATH"))
}

/// Makes this process the engine: returns only with an error.
#[cfg(unix)]
pub fn become_engine(runner: u32, engine: &str, args: &[String]) -> io::Error {
    use std::os::unix::process::CommandExt as _;
    #[cfg(target_os = "linux")]
    if let Err(error) = linux::die_with(runner) {
        return error;
    }
    Command::new(engine).args(args).exec()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io;

    use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};

    /// Asks for SIGKILL at the death of the runner, which may have died already.
    pub(super) fn die_with(runner: u32) -> io::Result<()> {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        let parent = getppid().map(Pid::as_raw_pid);
        if parent != i32::try_from(runner).ok() {
            return Err(io::Error::other("the runner of this engine has ended"));
        }
        Ok(())
    }
}

/// Without `exec` the launcher waits for the engine.
#[cfg(not(unix))]
pub fn become_engine(_: u32, engine: &str, args: &[String]) -> io::Error {
    match Command::new(engine).args(args).status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}
