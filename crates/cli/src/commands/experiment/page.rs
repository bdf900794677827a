//! The page of all experiments that were run: every table and figure, the effects
//! coloured, the command under each.

use std::fmt::Write as _;

use foglight_arena::report::{Figure, text::escape};

/// A finished experiment.
pub(crate) struct Section {
    pub(super) name: String,
    /// The command that repeats it.
    pub(super) command: String,
    /// Its text with tables, in Markdown.
    pub(super) table: String,
    pub(super) figures: Vec<Figure>,
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#222;background:#fff}\
table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}\
th,td{border:1px solid #ccc;padding:.2rem .6rem;text-align:left;vertical-align:top}\
th{background:#eee}tr.yes td:last-child{background:#cdeccd}tr.near td:last-child{background:#fdf0c4}\
tr.no td:last-child{background:#f6cfcf}code{background:#f3f3f3;padding:.1rem .3rem}\
figure{display:inline-block;margin:.5rem}svg{max-width:100%}\
@media (prefers-color-scheme: dark){figure{background:#fff}}";

/// The page of these experiments, without scripts and outside resources.
pub(super) fn html(sections: &[Section]) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Papers and Foglight</title>\
         <style>{STYLE}</style></head><body>\n<h1>Papers and Foglight</h1>\n\
         <p>Published results and ours. The last cell of a row is green if its effect is there, yellow if it is near, \
         red if it is not.</p>\n<ul>"
    );
    for section in sections {
        let name = escape(&section.name);
        let _ = write!(page, "<li><a href=\"#{name}\">{name}</a></li>");
    }
    page.push_str("</ul>\n");
    for section in sections {
        let (name, command) = (escape(&section.name), escape(&section.command));
        let _ = writeln!(page, "<h2 id=\"{name}\">{name}</h2>");
        page.push_str(&content(&section.table));
        for figure in &section.figures {
            let _ = writeln!(page, "<figure>{}</figure>", figure.svg);
        }
        let _ = writeln!(page, "<p><code>{command}</code></p>");
    }
    page.push_str("</body></html>\n");
    page
}

/// Paragraphs and tables of a text in Markdown.
fn content(text: &str) -> String {
    let mut html = String::new();
    let mut open = false;
    for line in text.lines() {
        let row = line.starts_with('|');
        if row && line.trim_matches(['|', '-', ' ']).is_empty() {
            continue;
        }
        match (row, open) {
            (true, false) => html.push_str("<table>\n"),
            (false, true) => html.push_str("</table>\n"),
            _ => {}
        }
        if row {
            html.push_str(&table_row(line, !open));
        } else if !line.trim().is_empty() {
            let _ = writeln!(html, "<p>{}</p>", escape(line));
        }
        open = row;
    }
    if open {
        html.push_str("</table>\n");
    }
    html
}

fn table_row(line: &str, head: bool) -> String {
    let cells: Vec<&str> = line
        .trim()
        .trim_matches('|')
        .split(" | ")
        .map(str::trim)
        .collect();
    let effect = cells.last().copied().unwrap_or("");
    let tag = if head { "th" } else { "td" };
    let class = match ["no", "near", "yes"]
        .into_iter()
        .find(|word| effect.contains(word))
    {
        Some(word) if !head => format!(" class=\"{word}\""),
        _ => String::new(),
    };
    let cells = cells
        .iter()
        .map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
    format!("<tr{class}>{}</tr>\n", cells.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_are_coloured_and_text_stays_text() {
        let section = Section {
            name: "ermlick".to_owned(),
            command: "foglight experiment ermlick".to_owned(),
            table: "a < b\n\n| pairing | effect |\n|---|---|\n| one | yes |\n| two & | no |\n"
                .to_owned(),
            figures: Vec::new(),
        };
        let page = html(&[section]);
        assert!(page.contains("<p>a &lt; b</p>"), "{page}");
        assert!(
            page.contains("<tr><th>pairing</th><th>effect</th></tr>"),
            "{page}"
        );
        assert!(
            page.contains("<tr class=\"yes\"><td>one</td><td>yes</td></tr>"),
            "{page}"
        );
        assert!(
            page.contains("<tr class=\"no\"><td>two &amp;</td>"),
            "{page}"
        );
    }
}
