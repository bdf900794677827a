//! Reading of lines with bounded memory.

use std::io::{self, BufRead};

/// A line that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Text without its terminator; invalid UTF-8 is replaced.
    pub text: String,
    /// Whether the line exceeded the limit. The rest was discarded.
    pub cut: bool,
}

/// Reads the next line, `None` at the end of the input. Stores at most `most`
/// bytes.
pub fn read_line(input: &mut impl BufRead, most: usize) -> io::Result<Option<Line>> {
    let mut kept: Vec<u8> = Vec::new();
    let mut cut = false;
    let mut any = false;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        if chunk.is_empty() {
            break;
        }
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        let room = most - kept.len();
        cut |= part.len() > room;
        kept.extend_from_slice(&part[..part.len().min(room)]);
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if kept.last() == Some(&b'\r') {
        kept.pop();
    }
    Ok(any.then(|| Line {
        text: String::from_utf8_lossy(&kept).into_owned(),
        cut,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_the_next_one_is_whole() {
        let mut input = io::BufReader::with_capacity(7, &b"0123456789abcdef\nok\r\n\nend"[..]);
        let mut next = || read_line(&mut input, 10).expect("memory can be read");
        let line = |text: &str, cut| {
            Some(Line {
                text: text.to_owned(),
                cut,
            })
        };
        assert_eq!(next(), line("0123456789", true));
        assert_eq!(next(), line("ok", false));
        assert_eq!(next(), line("", false));
        assert_eq!(next(), line("end", false));
        assert_eq!(next(), None);
    }
}
