//! The pieces: outlines drawn for this project, in a box of 100 by 100.

use std::fmt::Write;

use foglight_rules::{Color, Piece, Role, View};

/// Fill of the white pieces.
pub(crate) const WHITE: &str = "#fbf9f4";
/// Fill of the black pieces.
pub(crate) const BLACK: &str = "#2f2f36";

/// One piece type: closed outlines, and the lines inside them.
struct Shape {
    outline: &'static str,
    lines: &'static str,
}

const fn shape(role: Role) -> Shape {
    match role {
        Role::Pawn => Shape {
            outline: "M42 47A15 15 0 1 1 58 47L63 50V56H58C59 66 64 72 72 77V87H28V77C36 72 41 66 42 56H37V50Z",
            lines: "M42 56H58M30 77H70",
        },
        Role::Knight => Shape {
            outline: "M28 87C27 69 47 64 48 46C42 53 36 52 31 60C26 65 17 58 20 50C27 41 28 30 38 24L37 12L48 19C68 22 78 44 76 87Z",
            lines: "M38 36L42 34M26 54L29 52M53 25C66 33 69 52 68 78M30 78H75",
        },
        Role::Bishop => Shape {
            outline: "M46 21A6.5 6.5 0 1 1 54 21C66 31 70 44 64 55L59 62H64V69H59C60 74 66 76 77 77V87H23V77C34 76 40 74 41 69H36V62H41L36 55C30 44 34 31 46 21Z",
            lines: "M50 34V51M42 42H58M41 62H59M41 69H59M25 77H75",
        },
        Role::Rook => Shape {
            outline: "M26 17H38V25H44V17H56V25H62V17H74V35L66 42V66L74 77V87H26V77L34 66V42L26 35Z",
            lines: "M28 35H72M34 42H66M34 66H66M27 77H73",
        },
        Role::Queen => Shape {
            outline: "M26 64L14 35A6 6 0 1 1 20 33L34 50L31 26A6 6 0 1 1 38 25L50 47L62 25A6 6 0 1 1 69 26L66 50L80 33A6 6 0 1 1 86 35L74 64L71 77V87H29V77Z",
            lines: "M27 65C42 60 58 60 73 65M29 77C43 73 57 73 71 77",
        },
        Role::King => Shape {
            outline: "M46 11H54V17H60V24H54V31C58 33 59 37 58 42C66 34 84 35 84 50C84 59 76 63 72 69L71 77V87H29V77L28 69C24 63 16 59 16 50C16 35 34 34 42 42C41 37 42 33 46 31V24H40V17H46Z",
            lines: "M42 42L50 61L58 42M29 68C42 63 58 63 71 68M29 77C43 73 57 73 71 77",
        },
    }
}

/// Identifier of a piece's drawing within a picture.
pub(crate) fn id(piece: Piece) -> String {
    format!("{}{}", piece.color.char(), piece.role.char())
}

/// Drawings of the pieces in a view, or of all pieces.
pub(crate) fn definitions(view: &View, all: bool) -> String {
    let mut svg = String::new();
    for color in Color::ALL {
        for role in Role::ALL {
            if all || view.board.pieces(color, role).any() {
                define(&mut svg, Piece { color, role });
            }
        }
    }
    svg
}

/// Drawings of all pieces, for pages that place them themselves.
pub(crate) fn sprites() -> String {
    let mut svg = String::new();
    for color in Color::ALL {
        for role in Role::ALL {
            define(&mut svg, Piece { color, role });
        }
    }
    svg
}

fn define(svg: &mut String, piece: Piece) {
    let Shape { outline, lines } = shape(piece.role);
    let (fill, edge, inner) = match piece.color {
        Color::White => (WHITE, "#26262c", "#26262c"),
        Color::Black => (BLACK, "#0e0e12", "#d8d3c7"),
    };
    let _ = write!(
        svg,
        "<g id=\"{}\" stroke-width=\"3.5\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\
         <path d=\"{outline}\" fill=\"{fill}\" stroke=\"{edge}\"/>\
         <path d=\"{lines}\" fill=\"none\" stroke=\"{inner}\" stroke-width=\"3\"/></g>",
        id(piece),
    );
}
