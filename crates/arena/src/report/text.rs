//! Formatting of text and numbers for the page. Names are untrusted input and
//! reach the page only through [`escape`].

/// Escapes a text for HTML and XML. Control characters, direction marks and
/// zero-width characters become `\u{fffd}`.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if c.is_control() || unseen(c) => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

fn unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
        | '\u{fffe}' | '\u{ffff}')
}

/// The text truncated to `most` characters.
pub fn short(text: &str, most: usize) -> String {
    match text.chars().nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let cut: String = text.chars().take(most - 1).collect();
            format!("{cut}…")
        }
    }
}

/// A file name of letters, digits and single dashes, never empty.
pub(crate) fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in text.chars().take(60) {
        match c.is_ascii_alphanumeric() {
            true => slug.push(c.to_ascii_lowercase()),
            false if !slug.ends_with('-') && !slug.is_empty() => slug.push('-'),
            false => {}
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() {
        "x".to_owned()
    } else {
        slug.to_owned()
    }
}

/// The number with `digits` decimals and a true minus sign; `∞` if unbounded.
pub fn number(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "–".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "\u{2212}∞" }.to_owned();
    }
    let text = format!("{value:.digits$}");
    match text
        .trim_start_matches('-')
        .chars()
        .all(|c| matches!(c, '0' | '.'))
    {
        true => text.trim_start_matches('-').to_owned(),
        false => text.replace('-', "\u{2212}"),
    }
}

/// The same with an explicit sign.
pub fn signed(value: f64, digits: usize) -> String {
    let text = number(value, digits);
    match value > 0.0 {
        true => format!("+{text}"),
        false => text,
    }
}

pub fn with_error(value: f64, error: f64) -> String {
    format!("{} ± {}", signed(value, 0), number(error, 0))
}

/// A p-value in short form, never a bare 0.
pub fn p_value(p: f64) -> String {
    if p < 1e-15 {
        "p < 1e\u{2212}15".to_owned()
    } else if p < 0.001 {
        format!("p = {p:.1e}").replace('-', "\u{2212}")
    } else {
        format!("p = {}", number(p, 3))
    }
}

/// Formats a share as a percentage.
pub fn percent(share: f64) -> String {
    format!("{} %", number(100.0 * share, 1))
}

/// Formats points: one decimal for a half, none for a whole number.
pub fn points(points: f64) -> String {
    number(points, if points.fract() == 0.0 { 0 } else { 1 })
}

/// A count with thin spaces between thousands.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_markup() {
        assert_eq!(
            escape("<img onerror='a'>&\""),
            "&lt;img onerror=&#39;a&#39;&gt;&amp;&quot;"
        );
        assert_eq!(
            escape("a\0b\u{202e}c\u{200b}d\n"),
            "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}"
        );
        assert_eq!(slug("../../A b<c>"), "a-b-c");
        assert_eq!(slug("♔"), "x");
    }

    #[test]
    fn numbers_are_short_and_never_lie() {
        assert_eq!(number(-0.04, 1), "0.0");
        assert_eq!(number(-1.26, 1), "\u{2212}1.3");
        assert_eq!(with_error(f64::INFINITY, f64::INFINITY), "+∞ ± ∞");
        assert_eq!(p_value(0.0), "p < 1e\u{2212}15");
        assert_eq!(p_value(0.0301), "p = 0.030");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(short("abcdef", 4), "abc…");
    }
}
