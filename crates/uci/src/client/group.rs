//! A child process and its descendants, killed together where the system
//! supports it.

#[cfg(not(unix))]
pub(crate) use lone::ProcessGroup;
#[cfg(unix)]
pub(crate) use unix::ProcessGroup;

#[cfg(unix)]
mod unix {
    use std::{
        io,
        os::unix::process::CommandExt,
        process::{Child, Command, ExitStatus},
    };

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

    use crate::client::launcher;

    /// A child in a process group of its own.
    pub(crate) struct ProcessGroup {
        /// The direct child; its descendants are in its group.
        pub child: Child,
        id: Pid,
    }

    impl ProcessGroup {
        pub fn spawn(mut command: Command) -> io::Result<ProcessGroup> {
            command.process_group(0);
            let child = launcher::spawn(command)?;
            let id = Pid::from_child(&child);
            Ok(ProcessGroup { child, id })
        }

        /// Whether the child itself has exited. Does not reap it, so that its
        /// id stays reserved until the group is killed.
        pub(crate) fn has_exited(&mut self) -> bool {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            !matches!(waitid(WaitId::Pid(self.id), options), Ok(None))
        }

        /// Kills the child and its descendants. Must be called only once:
        /// afterwards the id may belong to another process.
        pub fn kill(&mut self) -> Option<ExitStatus> {
            // Fails only if no process of the group is left.
            let _ = kill_process_group(self.id, Signal::KILL);
            self.child.wait().ok()
        }
    }
}

/// For systems without process groups: descendants of the child survive. Its
/// tests run on every system.
#[cfg(any(not(unix), test))]
mod lone {
    use std::{
        io,
        process::{Child, Command, ExitStatus},
    };

    use crate::client::launcher;

    pub(crate) struct ProcessGroup {
        pub child: Child,
    }

    impl ProcessGroup {
        pub fn spawn(command: Command) -> io::Result<ProcessGroup> {
            let child = launcher::spawn(command)?;
            Ok(ProcessGroup { child })
        }

        /// Whether the child has exited.
        pub(crate) fn has_exited(&mut self) -> bool {
            !matches!(self.child.try_wait(), Ok(None))
        }

        pub fn kill(&mut self) -> Option<ExitStatus> {
            let _ = self.child.kill(); // fails only if the child has exited
            self.child.wait().ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        process::{Command, Stdio},
        thread::sleep,
        time::{Duration, Instant},
    };

    /// This test program again: it lists its tests and exits, or runs `waits`.
    fn program(argument: &str) -> Command {
        let own = std::env::current_exe().expect("the path of this program");
        let mut command = Command::new(own);
        command.args([argument, "--exact", "--ignored", "--nocapture"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    #[test]
    #[ignore = "the child of the tests below"]
    fn waits() {
        sleep(Duration::from_secs(60));
    }

    macro_rules! laws {
        ($group:ident, $module:ident) => {
            mod $group {
                use super::*;
                use crate::client::group::$module::ProcessGroup;

                #[test]
                fn an_exit_is_noticed_and_its_status_kept() {
                    let mut group = ProcessGroup::spawn(program("--list")).expect("a child");
                    let deadline = Instant::now() + Duration::from_secs(30);
                    while !group.has_exited() {
                        assert!(Instant::now() < deadline, "it lists its tests and exits");
                        sleep(Duration::from_millis(1));
                    }
                    assert!(group.has_exited(), "still");
                    assert!(group.kill().expect("a status").success());
                }

                #[test]
                fn a_child_that_waits_is_killed() {
                    let waits = "client::group::tests::waits";
                    let mut group = ProcessGroup::spawn(program(waits)).expect("a child");
                    sleep(Duration::from_millis(50));
                    assert!(!group.has_exited());
                    let before = Instant::now();
                    assert!(!group.kill().expect("a status").success());
                    assert!(before.elapsed() < Duration::from_secs(30));
                }
            }
        };
    }

    laws!(without_process_groups, lone);
    #[cfg(unix)]
    laws!(with_process_groups, unix);
}
