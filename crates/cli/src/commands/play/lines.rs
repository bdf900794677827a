//! Lines typed by a person.

use std::io::{self, BufRead, Read};

/// Maximum length of a line; no move or command has a hundredth of it.
const MAX_BYTES: u64 = 4096;

/// Line reader over any input.
pub(crate) struct Lines<R>(pub R);

impl<R: BufRead> Lines<R> {
    /// The next line, trimmed; `None` at the end of the input. Invalid UTF-8
    /// and overlong lines do not stop a game: they arrive as text that is no
    /// move.
    pub(crate) fn next(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        let read = (&mut self.0)
            .take(MAX_BYTES)
            .read_until(b'\n', &mut bytes)?;
        if read == 0 {
            return Ok(None);
        }
        if bytes.last() != Some(&b'\n') && read as u64 == MAX_BYTES {
            self.skip_rest()?;
        }
        Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
    }

    fn skip_rest(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.0.fill_buf()?;
            let (used, done) = match buffer.iter().position(|&byte| byte == b'\n') {
                Some(end) => (end + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            };
            self.0.consume(used);
            if done {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_broken_lines_are_lines() {
        let mut text = vec![b'x'; 3 * MAX_BYTES as usize];
        text.extend(b"\n e2e4 \r\n\xff\xfe\n\nlast");
        let mut lines = Lines(&text[..]);
        let mut next = || lines.next().expect("no error");
        assert_eq!(next().map(|line| line.len()), Some(MAX_BYTES as usize));
        assert_eq!(next().as_deref(), Some("e2e4"));
        assert_eq!(next().as_deref(), Some("\u{fffd}\u{fffd}"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
    }
}
