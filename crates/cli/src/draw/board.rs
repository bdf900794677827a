//! The board: squares, fog, pieces, coordinates, and the side to move.

use std::fmt::Write;

use foglight_rules::{Color, Square, View};

use super::{Overlay, letters, pieces};

/// Width of a square in the units of the picture.
const UNIT: usize = 100;
/// Margin for the coordinates.
const MARGIN: usize = 40;

const LIGHT: &str = "#e9e2d0";
const DARK: &str = "#a89f8c";
const FRAME: &str = "#2b303b";
const INK: &str = "#c9cedb";

/// Pattern of diagonal strokes for hidden squares.
const FOG: &str = "\
<pattern id=\"fog\" width=\"20\" height=\"20\" patternUnits=\"userSpaceOnUse\">\
<rect width=\"20\" height=\"20\" fill=\"#59606f\"/>\
<path d=\"M-5 5L5 -5M0 20L20 0M15 25L25 15\" stroke=\"#6c7484\" stroke-width=\"5\"/>\
</pattern>\
<pattern id=\"deep\" width=\"20\" height=\"20\" patternUnits=\"userSpaceOnUse\">\
<rect width=\"20\" height=\"20\" fill=\"#4d5462\"/>\
<path d=\"M-5 5L5 -5M0 20L20 0M15 25L25 15\" stroke=\"#606877\" stroke-width=\"5\"/>\
</pattern>";

/// The picture of a view with `bottom` at the bottom, and the belief over the
/// fog, if given. A square is `pixels` wide.
pub(crate) fn svg(view: &View, bottom: Color, belief: Option<&Overlay>, pixels: usize) -> String {
    let canvas = Canvas {
        view,
        bottom,
        belief,
    };
    let (width, height) = canvas.extent();
    let scale = |extent: usize| extent * pixels / UNIT;
    let mut svg = String::with_capacity(16 << 10);
    let head = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\">",
        scale(width),
        scale(height),
    );
    svg.push_str(&head);
    svg.push_str("<defs>");
    svg.push_str(FOG);
    svg.push_str(&pieces::definitions(view, belief.is_some()));
    svg.push_str("</defs>");
    svg.push_str(&rect(0, 0, width, height, FRAME));
    canvas.squares(&mut svg);
    canvas.glow(&mut svg);
    canvas.pieces(&mut svg);
    canvas.coordinates(&mut svg);
    canvas.turn(&mut svg);
    svg.push_str("</svg>\n");
    svg
}

fn rect(x: usize, y: usize, width: usize, height: usize, fill: &str) -> String {
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>")
}

/// A view and its orientation.
struct Canvas<'a> {
    view: &'a View,
    bottom: Color,
    belief: Option<&'a Overlay>,
}

impl Canvas<'_> {
    fn extent(&self) -> (usize, usize) {
        let size = self.view.size;
        (
            size.files() * UNIT + 2 * MARGIN,
            size.ranks() * UNIT + 2 * MARGIN,
        )
    }

    /// Left edge of a file.
    fn x(&self, file: usize) -> usize {
        let column = match self.bottom {
            Color::White => file,
            Color::Black => self.view.size.files() - 1 - file,
        };
        MARGIN + column * UNIT
    }

    /// Upper edge of a rank.
    fn y(&self, rank: usize) -> usize {
        let row = match self.bottom {
            Color::White => self.view.size.ranks() - 1 - rank,
            Color::Black => rank,
        };
        MARGIN + row * UNIT
    }

    fn corner(&self, square: Square) -> (usize, usize) {
        (
            self.x(square.file() as usize),
            self.y(square.rank() as usize),
        )
    }

    fn squares(&self, svg: &mut String) {
        for square in self.view.size.reading_order() {
            let (x, y) = self.corner(square);
            let fill = match (self.view.visible.contains(square), square.is_light()) {
                (true, true) => LIGHT,
                (true, false) => DARK,
                (false, true) => "url(#fog)",
                (false, false) => "url(#deep)",
            };
            svg.push_str(&rect(x, y, UNIT, UNIT, fill));
        }
    }

    /// Draws the belief over the hidden squares.
    fn glow(&self, svg: &mut String) {
        let Some(belief) = self.belief else {
            return;
        };
        let dark = self.view.size.mask() & !self.view.visible;
        for square in dark {
            svg.push_str(&belief.mark(square, self.corner(square)));
        }
    }

    fn pieces(&self, svg: &mut String) {
        for (square, piece) in self.view.board.iter() {
            let (x, y) = self.corner(square);
            let id = pieces::id(piece);
            let _ = write!(svg, "<use href=\"#{id}\" x=\"{x}\" y=\"{y}\"/>");
        }
    }

    fn coordinates(&self, svg: &mut String) {
        let size = self.view.size;
        let (_, height) = self.extent();
        let middle = UNIT / 2;
        for (file, letter) in letters::FILES.iter().enumerate().take(size.files()) {
            let x = self.x(file) + middle;
            svg.push_str(&glyph(letter, x, height - MARGIN / 2));
        }
        for (rank, digit) in letters::RANKS.iter().enumerate().take(size.ranks()) {
            let y = self.y(rank) + middle;
            svg.push_str(&glyph(digit, MARGIN / 2, y));
        }
    }

    /// Draws a disc at the right edge, on the side of the player to move.
    fn turn(&self, svg: &mut String) {
        let (width, height) = self.extent();
        let y = match self.view.turn == self.bottom {
            true => height - MARGIN - UNIT / 2,
            false => MARGIN + UNIT / 2,
        };
        let fill = match self.view.turn {
            Color::White => pieces::WHITE,
            Color::Black => pieces::BLACK,
        };
        let x = width - MARGIN / 2;
        let _ = write!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"10\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"3\"/>"
        );
    }
}

/// A letter or digit centred at a point.
fn glyph(path: &str, x: usize, y: usize) -> String {
    const SCALE: f64 = 2.2;
    let left = x as f64 - letters::WIDTH / 2.0 * SCALE;
    let top = y as f64 - letters::HEIGHT / 2.0 * SCALE;
    format!(
        "<path transform=\"translate({left:.1} {top:.1}) scale({SCALE})\" d=\"{path}\" fill=\"none\" \
         stroke=\"{INK}\" stroke-width=\"1.3\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>"
    )
}
