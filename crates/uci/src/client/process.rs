//! A child process in its own process group, with threads that read and write
//! its pipes, so that the child cannot block this program.

use std::{
    io::{self, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    thread,
    time::{Duration, Instant},
};

use super::{group::ProcessGroup, launcher};
use crate::lines::{Line, read_line};

/// Maximum stored length of a line of a child's output.
pub const MAX_LINE: usize = 64 * 1024;

/// Lines that may be queued; beyond that the child blocks on writing.
const LINES: usize = 256;

/// Time in which a child that has closed its pipe must exit.
const PARTING: Duration = Duration::from_millis(100);

/// Output of the child.
pub(crate) enum Heard {
    /// A line, with its time of arrival.
    Line(Line, Instant),
    /// The pipe is closed.
    Closed,
    /// No output before the deadline.
    Nothing,
}

/// A running child and its descendants within its group.
pub(crate) struct Process {
    group: ProcessGroup,
    input: Option<Sender<String>>,
    output: Receiver<(Line, Instant)>,
    ended: bool,
}

impl Process {
    pub fn start(command: &str, args: &[String], dir: Option<&Path>) -> io::Result<Process> {
        let mut program = launcher::command(resolved(command), args)?;
        program
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if let Some(dir) = dir {
            program.current_dir(dir);
        }
        let mut group = ProcessGroup::spawn(program)?;
        let (input, to_write) = mpsc::channel();
        let (heard, output) = mpsc::sync_channel(LINES);
        if let Some(pipe) = group.child.stdin.take() {
            thread::spawn(move || write_all(pipe, &to_write));
        }
        if let Some(pipe) = group.child.stdout.take() {
            thread::spawn(move || read_all(pipe, &heard));
        }
        Ok(Process {
            group,
            input: Some(input),
            output,
            ended: false,
        })
    }

    /// Id of the process and of its group.
    pub fn id(&self) -> u32 {
        self.group.child.id()
    }

    /// Sends text. A failure shows in the output.
    pub fn send(&self, text: String) {
        if let Some(input) = &self.input {
            // If the writer thread has ended, the pipe is closed, which the
            // reader reports.
            let _ = input.send(text);
        }
    }

    /// Waits for the next line until `deadline`.
    pub fn hear(&self, deadline: Instant) -> Heard {
        let time = deadline.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(time) {
            Ok((line, at)) => Heard::Line(line, at),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::Closed,
        }
    }

    fn wait_for_exit(&mut self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        while !self.group.has_exited() {
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// Kills the remaining processes after the pipe was closed, and returns how
    /// the child ended.
    pub(crate) fn end_closed(&mut self) -> String {
        if self.ended {
            return "is gone".to_owned();
        }
        let exited = self.wait_for_exit(PARTING);
        let status = self.kill();
        match (exited, status) {
            (true, Some(status)) => format!("ended with {status}"),
            (true, None) => "ended".to_owned(),
            (false, _) => "closed its output and went on".to_owned(),
        }
    }

    /// Gives the child `time` to exit, then kills the whole group.
    pub(crate) fn end_after(&mut self, time: Duration) {
        self.input = None;
        if !self.ended {
            self.wait_for_exit(time);
        }
        self.kill();
    }

    /// Kills the whole group at once.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        if self.ended {
            return None;
        }
        self.ended = true;
        self.input = None;
        self.group.kill()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Resolves a program path relative to this process, not to the child's working
/// directory.
fn resolved(command: &str) -> PathBuf {
    let path = PathBuf::from(command);
    match path.components().count() {
        0 | 1 => path,
        _ => path.canonicalize().unwrap_or(path),
    }
}

fn write_all(mut pipe: impl Write, lines: &Receiver<String>) {
    for text in lines {
        if pipe
            .write_all(text.as_bytes())
            .and_then(|()| pipe.flush())
            .is_err()
        {
            return;
        }
    }
}

fn read_all(pipe: impl Read, heard: &SyncSender<(Line, Instant)>) {
    let mut pipe = BufReader::with_capacity(MAX_LINE, pipe);
    while let Ok(Some(line)) = read_line(&mut pipe, MAX_LINE) {
        if heard.send((line, Instant::now())).is_err() {
            return;
        }
    }
}
