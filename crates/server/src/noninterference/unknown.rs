//! A search of a game's traffic for what one side cannot know.

use foglight_rules::{Color, Observation};
use serde_json::Value;

/// Searches everything that a side received in a game for information it cannot
/// have: boards it did not observe, moves it did not make.
pub fn unknown_to(side: Color, seen: &[Observation], sent: &[String]) -> Vec<String> {
    let boards: Vec<String> = seen.iter().map(|o| o.view().rows()).collect();
    let fens: Vec<String> = seen.iter().map(|o| o.view().to_string()).collect();
    let own: Vec<String> = seen
        .iter()
        .flat_map(|o| o.legal_moves().iter().copied().chain(o.news().own_move))
        .map(|m| m.to_string())
        .collect();
    let mut strange = Vec::new();
    for text in sent {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        for leaf in leaves(&value) {
            let known = match leaf {
                text if is_board(text) => boards.iter().chain(&fens).any(|known| known == text),
                text if is_move(text) => own.iter().any(|known| known == text),
                _ => true,
            };
            if !known {
                strange.push(format!("{side:?} was sent {leaf}"));
            }
        }
    }
    strange
}

fn is_board(text: &str) -> bool {
    text.matches('/').count() >= 3 && !text.starts_with('/') && !text.contains(':')
}

fn is_move(text: &str) -> bool {
    let bytes = text.as_bytes();
    (4..=5).contains(&bytes.len())
        && bytes[..4]
            .chunks(2)
            .all(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_digit())
}

/// All strings in a JSON value.
fn leaves(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(leaves).collect(),
        Value::Object(fields) => fields.values().flat_map(leaves).collect(),
        _ => Vec::new(),
    }
}
