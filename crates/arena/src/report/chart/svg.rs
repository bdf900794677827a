//! Builder of SVG text, with the shapes that charts need.

use std::fmt::Write;

use crate::report::text::escape;

/// Colour of a shape. The file contains the colours of a light page, so that
/// any viewer shows them; a style sheet replaces them on a dark one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    Text,
    Faint,
    Grid,
    /// Data, by the index of the series.
    Series(usize),
}

/// Series colours on a light page: Okabe and Ito's palette, distinguishable
/// with every type of colour blindness.
const SERIES: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56708a",
];

/// The same palette for a dark page.
const SERIES_DARK: [&str; 6] = [
    "#5db5ea", "#ff8f57", "#2cc79a", "#e6a3cb", "#f0b93a", "#a9bccd",
];

impl Ink {
    const FIXED: [(Ink, &str, &str); 3] = [
        (Ink::Text, "#1f2328", "#e6edf3"),
        (Ink::Faint, "#57606a", "#9aa7b3"),
        (Ink::Grid, "#d8dee4", "#343b44"),
    ];

    fn light(self) -> &'static str {
        match self {
            Ink::Text => Ink::FIXED[0].1,
            Ink::Faint => Ink::FIXED[1].1,
            Ink::Grid => Ink::FIXED[2].1,
            Ink::Series(i) => SERIES[i % SERIES.len()],
        }
    }

    fn class(self) -> String {
        match self {
            Ink::Text => "t".to_owned(),
            Ink::Faint => "w".to_owned(),
            Ink::Grid => "g".to_owned(),
            Ink::Series(i) => format!("s{}", i % SERIES.len()),
        }
    }
}

/// Style rules that replace the colours on a dark page.
pub(crate) fn dark_style() -> String {
    let fixed = Ink::FIXED.map(|(ink, _, dark)| (ink.class(), dark));
    let series = SERIES_DARK.iter().enumerate();
    let series = series.map(|(i, &dark)| (Ink::Series(i).class(), dark));
    let rules: String = fixed
        .into_iter()
        .chain(series)
        .map(|(class, dark)| {
            format!(".fig .f{class}{{fill:{dark}}}.fig .l{class}{{stroke:{dark}}}")
        })
        .collect();
    format!("@media(prefers-color-scheme:dark){{.fig .paper{{fill:#161b22}}{rules}}}")
}

/// Horizontal alignment of a text relative to its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// Style of a line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stroke {
    pub ink: Ink,
    pub width: f64,
    /// Dash pattern in SVG notation; empty for a solid line.
    pub dash: &'static str,
    pub opacity: f64,
}

impl Stroke {
    pub const fn solid(ink: Ink, width: f64) -> Stroke {
        Stroke {
            ink,
            width,
            dash: "",
            opacity: 1.0,
        }
    }
}

/// Size of every text, in pixels.
pub(crate) const FONT: f64 = 13.0;

/// Upper estimate of the width of a text: no font is available to measure.
pub(crate) fn text_width(text: &str) -> f64 {
    let wide = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ' ' | '\'' | '|' | ':' | '\u{202f}' => 0.34,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.92,
        c if c.is_ascii_uppercase() => 0.70,
        c if c.is_ascii() => 0.59,
        _ => 1.0,
    };
    text.chars().map(wide).sum::<f64>() * FONT
}

/// A text truncated to at most `width` pixels.
pub fn fitted(text: &str, width: f64) -> String {
    if text_width(text) <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    for c in text.chars() {
        if text_width(&cut) + text_width(&c.to_string()) + FONT > width {
            break;
        }
        cut.push(c);
    }
    cut.push('…');
    cut
}

/// SVG picture under construction.
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    pub fn new(width: f64, height: f64) -> Svg {
        Svg {
            width,
            height,
            body: String::new(),
        }
    }

    fn push(&mut self, shape: std::fmt::Arguments<'_>) {
        self.body
            .write_fmt(shape)
            .expect("writing to a string cannot fail");
    }

    /// Draws a path through points, in pixels.
    pub fn path(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        if points.is_empty() {
            return;
        }
        let line = line_to(points);
        let Stroke {
            ink,
            width,
            dash,
            opacity,
        } = stroke;
        let dash = match dash {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        };
        let (class, colour) = (ink.class(), ink.light());
        self.push(format_args!(
            "<path class=\"l{class}\" d=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-opacity=\"{opacity}\"{dash}/>"
        ));
    }

    /// Draws a filled polygon with these corners.
    pub(crate) fn area(&mut self, corners: &[(f64, f64)], ink: Ink, opacity: f64) {
        if corners.is_empty() {
            return;
        }
        let (line, class, colour) = (line_to(corners), ink.class(), ink.light());
        self.push(format_args!(
            "<path class=\"f{class}\" d=\"{line}Z\" fill=\"{colour}\" fill-opacity=\"{opacity}\"/>"
        ));
    }

    /// Draws a filled box from its upper left corner.
    pub fn rect(&mut self, at: (f64, f64), size: (f64, f64), ink: Ink, opacity: f64) {
        let (class, colour) = (ink.class(), ink.light());
        let ((x, y), (width, height)) = (at, size);
        self.push(format_args!(
            "<rect class=\"f{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\" fill-opacity=\"{opacity}\"/>"
        ));
    }

    pub fn dot(&mut self, (x, y): (f64, f64), radius: f64, ink: Ink, opacity: f64) {
        let (class, colour) = (ink.class(), ink.light());
        self.push(format_args!(
            "<circle class=\"f{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\" fill-opacity=\"{opacity}\"/>"
        ));
    }

    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, ink: Ink, text: &str) {
        self.words((x, y), anchor, ink, "", text);
    }

    /// Draws a text in bold.
    pub(crate) fn heading(&mut self, at: (f64, f64), text: &str) {
        self.words(at, Anchor::Start, Ink::Text, " font-weight=\"600\"", text);
    }

    /// Draws a text that runs upwards, centred at the point.
    pub(crate) fn upright(&mut self, (x, y): (f64, f64), text: &str) {
        let turn = format!(" transform=\"rotate(-90 {x:.1} {y:.1})\"");
        self.words((x, y), Anchor::Middle, Ink::Faint, &turn, text);
    }

    fn words(&mut self, (x, y): (f64, f64), anchor: Anchor, ink: Ink, more: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (class, colour, text) = (ink.class(), ink.light(), escape(text));
        self.push(format_args!(
            "<text class=\"f{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\"{more}>{text}</text>"
        ));
    }

    /// The complete picture; `about` is its text alternative. Colours for dark
    /// pages come from the page's style sheet, or with `own_style` from the
    /// picture.
    pub fn finish(&self, about: &str, own_style: bool) -> String {
        let Svg {
            width,
            height,
            body,
        } = self;
        let about = escape(about);
        let (style, paper) = match own_style {
            true => (
                format!("<style>{}</style>", dark_style()),
                format!(
                    "<rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"
                ),
            ),
            false => (String::new(), String::new()),
        };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fig\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" font-family=\"system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif\" font-size=\"{FONT}\"><title>{about}</title>{style}{paper}{body}</svg>"
        )
    }
}

fn line_to(points: &[(f64, f64)]) -> String {
    let mut line = String::with_capacity(12 * points.len());
    for (i, (x, y)) in points.iter().enumerate() {
        let mark = if i == 0 { 'M' } else { 'L' };
        write!(line, "{mark}{x:.1} {y:.1}").expect("writing to a string cannot fail");
    }
    line
}
