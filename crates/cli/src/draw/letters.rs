//! Letters and digits for the coordinates, as strokes in a box.

/// Width of the box.
pub(crate) const WIDTH: f64 = 6.0;
/// Height of the box; the tail of the g hangs below it.
pub(crate) const HEIGHT: f64 = 10.0;

/// The files from a to h.
pub(crate) const FILES: [&str; 8] = [
    "M6 4V10M6 7A3 3 0 1 1 0 7A3 3 0 1 1 6 7",
    "M0 0V10M0 7A3 3 0 1 1 6 7A3 3 0 1 1 0 7",
    "M5.4 5.2A3 3 0 1 0 5.4 8.8",
    "M6 0V10M6 7A3 3 0 1 1 0 7A3 3 0 1 1 6 7",
    "M0 7H6A3 3 0 1 0 5.2 9.1",
    "M5 .7C3 -.5 2 .8 2 3V10M0 4.2H4.5",
    "M6 4V11C6 13.5 1.5 13.6 .6 12.2M6 7A3 3 0 1 1 0 7A3 3 0 1 1 6 7",
    "M0 0V10M0 7C.5 3 6 3 6 7V10",
];

/// The ranks from 1 to 8.
pub(crate) const RANKS: [&str; 8] = [
    "M1 2L3.5 0V10",
    "M.5 2.5C1 -1 6 -.6 5.6 3C5.4 5 2 7 .5 10H6",
    "M.5 1.2C2 -.8 5.6 0 5.4 2.6C5.2 4.6 3.4 4.8 2.4 4.8C4 4.8 6 5.4 6 7.4C6 10.4 1.6 10.8 .2 8.8",
    "M4.6 10V0L0 7H6",
    "M5.4 0H1.2L.7 4.6C2.6 3.2 6 4 6 6.8C6 10.4 1.6 10.8 .2 8.8",
    "M5 .2C2 .8 0 3.6 0 6.9A3 3 0 1 0 6 6.9A3 3 0 1 0 0 6.9",
    "M.2 0H6L2.2 10",
    "M3 0A2.3 2.4 0 1 1 2.99 0ZM3 4.8A2.9 2.6 0 1 1 2.99 4.8Z",
];
