//! The foglight program.
fn main() {}
