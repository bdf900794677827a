//! Charts over two axes: lines, bands, points and histograms.

use super::{
    WIDTH,
    scale::{Scale, ScaleKind},
    svg::{Anchor, FONT, Ink, Stroke, Svg, fitted, text_width},
};

/// One graphical element of a plot.
#[derive(Clone, PartialEq, Debug)]
pub enum PlotLayer {
    /// A line through points.
    Line {
        points: Vec<(f64, f64)>,
        stroke: Stroke,
    },
    /// A band: x, lower and upper edge.
    Band {
        points: Vec<(f64, f64, f64)>,
        ink: Ink,
    },
    Dots {
        points: Vec<(f64, f64)>,
        ink: Ink,
    },
    /// Columns of a histogram: from, to, height.
    Columns {
        columns: Vec<(f64, f64, f64)>,
        ink: Ink,
    },
}

/// A chart over two axes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plot {
    pub title: String,
    /// Label of the horizontal axis.
    pub x: String,
    pub y: String,
    /// Scale of the vertical axis.
    pub y_kind: ScaleKind,
    /// Elements from back to front.
    pub layers: Vec<PlotLayer>,
    /// Line samples and their names, below the plot.
    pub legend: Vec<(Stroke, String)>,
    /// Lines of text below the title.
    pub notes: Vec<String>,
}

/// Height of the plot area.
const DEPTH: f64 = 210.0;
/// Height of a line of text.
const LINE: f64 = 18.0;

/// Plot area with its axes.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    x: Scale,
    y: Scale,
}

impl Frame {
    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (
            self.left + self.width * self.x.place(x),
            self.top + DEPTH * (1.0 - self.y.place(y)),
        )
    }

    fn bottom(&self) -> f64 {
        self.top + DEPTH
    }
}

impl PlotLayer {
    /// All points that the layer needs room for.
    fn reach(&self) -> Vec<(f64, f64)> {
        match self {
            PlotLayer::Line { points, .. } | PlotLayer::Dots { points, .. } => points.clone(),
            PlotLayer::Band { points, .. } => {
                let edges = points.iter();
                edges
                    .flat_map(|&(x, low, high)| [(x, low), (x, high)])
                    .collect()
            }
            PlotLayer::Columns { columns, .. } => {
                let corners = columns.iter();
                corners
                    .flat_map(|&(from, to, height)| [(from, 0.0), (to, height)])
                    .collect()
            }
        }
    }

    fn draw(&self, svg: &mut Svg, frame: &Frame) {
        match self {
            PlotLayer::Line { points, stroke } => {
                let points: Vec<_> = points.iter().map(|&p| frame.at(p)).collect();
                svg.path(&points, *stroke);
            }
            PlotLayer::Band { points, ink } => {
                let above = points.iter().map(|&(x, _, high)| frame.at((x, high)));
                let below = points.iter().rev().map(|&(x, low, _)| frame.at((x, low)));
                let corners: Vec<_> = above.chain(below).collect();
                svg.area(&corners, *ink, 0.16);
            }
            PlotLayer::Dots { points, ink } => {
                for &point in points {
                    svg.dot(frame.at(point), 2.2, *ink, 0.75);
                }
            }
            PlotLayer::Columns { columns, ink } => {
                for &(from, to, height) in columns {
                    let ((left, top), (right, bottom)) =
                        (frame.at((from, height)), frame.at((to, 0.0)));
                    let width = (right - left - 1.0).max(0.8);
                    svg.rect((left, top), (width, bottom - top), *ink, 0.85);
                }
            }
        }
    }
}

impl Plot {
    pub fn svg(&self) -> Svg {
        let frame = self.frame();
        let samples = self.samples();
        let rows = samples.last().map_or(0, |(_, row, ..)| row + 1);
        let below = 2.0 * LINE + 18.0 + rows as f64 * LINE;
        let mut svg = Svg::new(WIDTH, frame.bottom() + below);
        self.draw_words(&mut svg);
        self.draw_axes(&mut svg, &frame);
        for layer in &self.layers {
            layer.draw(&mut svg, &frame);
        }
        let top = frame.bottom() + 3.0 * LINE + 4.0;
        for (x, row, stroke, label) in samples {
            let y = top + row as f64 * LINE;
            svg.path(&[(x, y - 4.0), (x + SAMPLE, y - 4.0)], stroke);
            svg.text((x + SAMPLE + 5.0, y), Anchor::Start, Ink::Text, &label);
        }
        svg
    }

    fn frame(&self) -> Frame {
        let reach: Vec<(f64, f64)> = self.layers.iter().flat_map(PlotLayer::reach).collect();
        let x = reach.iter().map(|p| p.0).filter(|x| x.is_finite());
        let (low, high) = x.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        });
        let x = match low <= high {
            true => Scale::exactly(low, high),
            false => Scale::exactly(0.0, 1.0),
        };
        let y = Scale::over(reach.iter().map(|p| p.1), self.y_kind);
        let labels = y.ticks(6);
        let widest = labels
            .iter()
            .map(|tick| text_width(&tick.label))
            .fold(0.0, f64::max);
        let left = LINE + widest + 12.0;
        Frame {
            left,
            top: 30.0 + self.notes.len() as f64 * LINE,
            width: WIDTH - left - 16.0,
            x,
            y,
        }
    }

    fn draw_words(&self, svg: &mut Svg) {
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
    }

    fn draw_axes(&self, svg: &mut Svg, frame: &Frame) {
        let grid = Stroke::solid(Ink::Grid, 1.0);
        let (left, right) = (frame.left, frame.left + frame.width);
        let counted = |layer: &PlotLayer| matches!(layer, PlotLayer::Columns { .. });
        let whole = self.layers.iter().all(counted);
        let ticks = frame.y.ticks(6).into_iter();
        for tick in ticks.filter(|tick| !whole || tick.is_whole()) {
            let y = frame.top + DEPTH * (1.0 - tick.place);
            svg.path(&[(left, y), (right, y)], grid);
            svg.text((left - 6.0, y + 4.5), Anchor::End, Ink::Faint, &tick.label);
        }
        let mut free = 0.0;
        for tick in frame.x.ticks(6) {
            let x = left + frame.width * tick.place;
            svg.path(
                &[(x, frame.bottom()), (x, frame.bottom() + 4.0)],
                Stroke::solid(Ink::Faint, 1.0),
            );
            let half = text_width(&tick.label) / 2.0;
            if x - half >= free && x + half <= WIDTH {
                svg.text(
                    (x, frame.bottom() + 18.0),
                    Anchor::Middle,
                    Ink::Faint,
                    &tick.label,
                );
                free = x + half + 6.0;
            }
        }
        let base = [(left, frame.bottom()), (right, frame.bottom())];
        svg.path(&base, Stroke::solid(Ink::Faint, 1.0));
        let middle = (left + frame.width / 2.0, frame.bottom() + 2.0 * LINE);
        svg.text(
            middle,
            Anchor::Middle,
            Ink::Faint,
            &fitted(&self.x, frame.width),
        );
        svg.upright((FONT, frame.top + DEPTH / 2.0), &fitted(&self.y, DEPTH));
    }

    /// Positions of the legend's samples: x and row.
    fn samples(&self) -> Vec<(f64, usize, Stroke, String)> {
        let (mut x, mut row) = (4.0, 0);
        let mut placed = Vec::with_capacity(self.legend.len());
        for (stroke, label) in &self.legend {
            let label = fitted(label, WIDTH / 2.0);
            let width = SAMPLE + 5.0 + text_width(&label) + 14.0;
            if x > 4.0 && x + width > WIDTH {
                (x, row) = (4.0, row + 1);
            }
            placed.push((x, row, *stroke, label));
            x += width;
        }
        placed
    }
}

/// Length of a line sample in the legend.
const SAMPLE: f64 = 22.0;
