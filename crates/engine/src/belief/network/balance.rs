//! Normalises marginals: layers to the number of pieces left, squares to one.

use foglight_rules::Square;

use super::{
    features::{InputField, KINDS},
    floats::FieldTable,
};

/// Sinkhorn iterations; more make no visible difference.
const ROUNDS: usize = 8;

/// Scales layers and squares in turn until both sums match (Sinkhorn). Layers
/// come last, so that each sums exactly to its number of pieces.
pub fn balance(table: &mut FieldTable, field: &InputField) {
    let hidden: u32 = field.men.iter().map(|men| u32::from(men.count)).sum();
    let empty = (field.hidden_squares.count() as u32).saturating_sub(hidden);
    for _ in 0..ROUNDS {
        squares_to_one(table, field);
        layer_to(table, 0, field.hidden_squares, empty as f32);
        for men in &field.men {
            layer_to(table, men.role as usize, men.squares, f32::from(men.count));
        }
    }
}

fn squares_to_one(table: &mut FieldTable, field: &InputField) {
    for square in field.hidden_squares {
        let of = &mut table[square as usize];
        let total: f32 = of.iter().sum();
        if total > 0.0 {
            of.iter_mut().for_each(|chance| *chance /= total);
        }
    }
}

fn layer_to(
    table: &mut FieldTable,
    kind: usize,
    squares: impl IntoIterator<Item = Square> + Copy,
    wanted: f32,
) {
    debug_assert!(kind < KINDS);
    let total: f32 = (squares.into_iter())
        .map(|square| table[square as usize][kind])
        .sum();
    if total > 0.0 {
        for square in squares {
            table[square as usize][kind] *= wanted / total;
        }
    }
}
