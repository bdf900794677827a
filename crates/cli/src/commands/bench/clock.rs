//! Processor time, so that other load on the machine does not distort a
//! comparison.

use std::{fs, time::Instant};

/// Processor time used by a process since the clock was started.
pub(crate) struct Clock {
    process: u32,
    wall: Instant,
    used: Option<u64>,
}

impl Clock {
    /// A clock for this process.
    pub(crate) fn own() -> Clock {
        Clock::of(std::process::id())
    }

    /// A clock for another process.
    pub(crate) fn of(process: u32) -> Clock {
        Clock {
            process,
            wall: Instant::now(),
            used: nanoseconds(process),
        }
    }

    /// Seconds of processor time; wall time if the system does not report it.
    pub(crate) fn seconds(&self) -> f64 {
        match (self.used, nanoseconds(self.process)) {
            (Some(before), Some(now)) if now > before => (now - before) as f64 / 1e9,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// Processor time of all threads of a process on Linux: the first number in
/// `schedstat`.
fn nanoseconds(process: u32) -> Option<u64> {
    let mut sum = 0;
    for thread in fs::read_dir(format!("/proc/{process}/task")).ok()? {
        let text = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        sum += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    Some(sum)
}
