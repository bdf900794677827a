//! Charts of named values, one row each, with error bars.

use super::{
    WIDTH,
    scale::{Scale, ScaleKind, Tick},
    svg::{Anchor, Ink, Stroke, Svg, fitted, text_width},
};

/// Mark that shows a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum BarMark {
    /// A bar from zero.
    #[default]
    Bar,
    /// A dot, for values without a natural zero.
    Dot,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    pub label: String,
    pub value: f64,
    /// Ends of the error bar.
    pub interval: Option<(f64, f64)>,
    /// Text of the value, at the right.
    pub words: String,
    pub ink: Ink,
}

/// A chart with one row per value.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Bars {
    pub title: String,
    /// Label of the horizontal axis.
    pub(crate) axis: String,
    /// Lines of text below the title.
    pub notes: Vec<String>,
    pub rows: Vec<Bar>,
    /// Ends of the axis; computed from the data by default.
    pub ends: Option<(f64, f64)>,
    /// Position of a reference line.
    pub reference: Option<f64>,
    pub mark: BarMark,
}

const ROW: f64 = 30.0;
const LINE: f64 = 18.0;

struct Columns {
    left: f64,
    width: f64,
    top: f64,
    scale: Scale,
}

impl Columns {
    fn x(&self, value: f64) -> f64 {
        self.left + self.width * self.scale.place(value)
    }
}

impl Bars {
    pub fn svg(&self) -> Svg {
        let columns = self.columns();
        let bottom = columns.top + self.rows.len() as f64 * ROW;
        let mut svg = Svg::new(WIDTH, bottom + 2.0 * LINE + 12.0);
        svg.heading((4.0, 16.0), &fitted(&self.title, WIDTH - 20.0));
        for (i, note) in self.notes.iter().enumerate() {
            let y = 16.0 + (i + 1) as f64 * LINE;
            svg.text(
                (4.0, y),
                Anchor::Start,
                Ink::Faint,
                &fitted(note, WIDTH - 8.0),
            );
        }
        self.draw_axis(&mut svg, &columns, bottom);
        for (i, row) in self.rows.iter().enumerate() {
            self.draw_row(&mut svg, &columns, row, columns.top + i as f64 * ROW);
        }
        svg
    }

    /// Width of the labels at the left and of the texts at the right.
    fn columns(&self) -> Columns {
        let widest = |text: fn(&Bar) -> &str, most: f64| {
            let widths = self.rows.iter().map(|row| text_width(text(row)));
            widths.fold(0.0, f64::max).min(most)
        };
        let left = widest(|row| &row.label, 150.0) + 12.0;
        let right = widest(|row| &row.words, 150.0) + 14.0;
        let values = self.rows.iter().flat_map(|row| {
            let (low, high) = row.interval.unwrap_or((row.value, row.value));
            [row.value, low, high]
        });
        let zero = (self.mark == BarMark::Bar).then_some(0.0);
        Columns {
            left,
            width: WIDTH - left - right,
            top: 28.0 + self.notes.len() as f64 * LINE,
            scale: match self.ends {
                Some((low, high)) => Scale::exactly(low, high),
                None => Scale::over(values.chain(zero), ScaleKind::Linear),
            },
        }
    }

    fn draw_axis(&self, svg: &mut Svg, columns: &Columns, bottom: f64) {
        let mut free = 0.0;
        let most = (columns.width / 55.0) as usize;
        let most = most.clamp(2, 6);
        let enough = |ticks: &Vec<Tick>| ticks.len() > 1;
        let ticks = (most..most + 4).map(|most| columns.scale.ticks(most));
        for tick in ticks.into_iter().find(enough).unwrap_or_default() {
            let x = columns.left + columns.width * tick.place;
            svg.path(
                &[(x, columns.top), (x, bottom)],
                Stroke::solid(Ink::Grid, 1.0),
            );
            let half = text_width(&tick.label) / 2.0;
            if x - half >= free && x + half <= WIDTH {
                svg.text((x, bottom + 16.0), Anchor::Middle, Ink::Faint, &tick.label);
                free = x + half + 6.0;
            }
        }
        let axis = fitted(&self.axis, WIDTH - 8.0);
        let half = text_width(&axis) / 2.0;
        let middle = (columns.left + columns.width / 2.0)
            .clamp(half + 2.0, (WIDTH - half - 2.0).max(half + 2.0));
        svg.text(
            (middle, bottom + 16.0 + LINE),
            Anchor::Middle,
            Ink::Faint,
            &axis,
        );
        if let Some(value) = self.reference {
            let x = columns.x(value);
            let dashed = Stroke {
                dash: "4 3",
                ..Stroke::solid(Ink::Faint, 1.2)
            };
            svg.path(&[(x, columns.top), (x, bottom)], dashed);
        }
    }

    fn draw_row(&self, svg: &mut Svg, columns: &Columns, row: &Bar, top: f64) {
        let middle = top + ROW / 2.0;
        let label = fitted(&row.label, columns.left - 12.0);
        svg.text(
            (columns.left - 8.0, middle + 4.5),
            Anchor::End,
            Ink::Text,
            &label,
        );
        let x = columns.x(row.value);
        if self.mark == BarMark::Bar {
            let zero = columns.x(0.0);
            svg.rect(
                (zero.min(x), top + 6.0),
                ((x - zero).abs(), ROW - 12.0),
                row.ink,
                0.8,
            );
        }
        if let Some((low, high)) = row.interval {
            let (low, high) = (columns.x(low), columns.x(high));
            let stroke = Stroke::solid(Ink::Text, 1.4);
            svg.path(&[(low, middle), (high, middle)], stroke);
            for end in [low, high] {
                svg.path(&[(end, middle - 5.0), (end, middle + 5.0)], stroke);
            }
        }
        if self.mark == BarMark::Dot {
            svg.dot((x, middle), 5.0, row.ink, 1.0);
        }
        let words = fitted(&row.words, 150.0);
        svg.text((WIDTH - 4.0, middle + 4.5), Anchor::End, Ink::Text, &words);
    }
}
