//! Random positions and choices for tests, from a seeded generator.
#![allow(dead_code, reason = "each test binary uses a part")]

use foglight_rules::{Game, Position};
use rand::{Rng, SeedableRng};
pub use rand_xoshiro::Xoshiro256PlusPlus as Random;

pub fn random(seed: u64) -> Random {
    Random::seed_from_u64(seed)
}

pub fn pick<T: Copy>(rng: &mut Random, from: &[T]) -> T {
    from[rng.random_range(0..from.len())]
}

/// A random placement as a FEN with empty counters: both kings, up to 14 other
/// pieces a side, pawns between the edges. On 8x8 often with castling rights,
/// pawns about to promote and pawns that have just made a double step.
pub fn placement(rng: &mut Random, files: usize, ranks: usize, several: bool) -> String {
    let mut cells = vec![vec!['.'; files]; ranks];
    let full = files == 8 && ranks == 8;
    let mut rights = String::new();
    for (rank, king, rook) in [(0, 'K', 'R'), (ranks - 1, 'k', 'r')] {
        if full && rng.random_bool(0.5) {
            cells[rank][4] = king;
            for (file, letter) in [(7, 'K'), (0, 'Q')] {
                if rng.random_bool(0.7) {
                    cells[rank][file] = rook;
                    let white = rook == 'R';
                    rights.push(if white {
                        letter
                    } else {
                        letter.to_ascii_lowercase()
                    });
                }
            }
        } else {
            // Leaves the last rank free for Black's king.
            put(rng, &mut cells, king, 0..ranks - 1);
        }
    }
    let white = rng.random_bool(0.5);
    let passed = if full {
        step_twice(rng, &mut cells, white, several)
    } else {
        String::new()
    };
    for letters in ["PPPNBRQ", "pppnbrq"] {
        for _ in 0..rng.random_range(0..files.min(ranks) + 3) {
            let letter = pick(rng, letters.as_bytes()) as char;
            let pawn = letter.eq_ignore_ascii_case(&'p');
            let between = if pawn { 1..ranks - 1 } else { 0..ranks };
            put(rng, &mut cells, letter, between);
        }
    }
    let rows: Vec<String> = cells.iter().rev().map(|row| compress(row)).collect();
    let or_dash = |text: String| if text.is_empty() { "-".into() } else { text };
    format!(
        "{} {} {} {} 0 1",
        rows.join("/"),
        if white { 'w' } else { 'b' },
        or_dash(rights),
        or_dash(passed)
    )
}

fn compress(row: &[char]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for &cell in row.iter().chain(&['/']) {
        if cell == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        empty = 0;
        text.push(cell);
    }
    text.trim_end_matches('/').to_owned()
}

fn put(rng: &mut Random, cells: &mut [Vec<char>], letter: char, ranks: std::ops::Range<usize>) {
    for _ in 0..20 {
        let rank = rng.random_range(ranks.clone());
        let file = rng.random_range(0..cells[0].len());
        if cells[rank][file] == '.' {
            cells[rank][file] = letter;
            return;
        }
    }
    if letter.eq_ignore_ascii_case(&'k') {
        let free = cells.iter_mut().flatten().find(|cell| **cell == '.');
        *free.expect("a free square") = letter;
    }
}

/// Places pawns of the side not to move on their fourth rank, often with
/// capturers beside them; returns their en passant squares.
fn step_twice(rng: &mut Random, cells: &mut [Vec<char>], white: bool, several: bool) -> String {
    let (pawn, taker, rank, passed) = if white {
        ('p', 'P', 4, "6")
    } else {
        ('P', 'p', 3, "3")
    };
    let behind = if white { [5, 6] } else { [2, 1] };
    let wanted = if several {
        rng.random_range(0..4)
    } else {
        rng.random_range(0..2)
    };
    let mut files = Vec::new();
    for _ in 0..wanted {
        let file = rng.random_range(0..8);
        let free = [rank, behind[0], behind[1]];
        if free.into_iter().any(|r| cells[r][file] != '.') {
            continue;
        }
        cells[rank][file] = pawn;
        files.push(file);
        let beside = if file == 0 { 1 } else { file - 1 };
        if rng.random_bool(0.6) && cells[rank][beside] == '.' {
            cells[rank][beside] = taker;
        }
    }
    files.sort_unstable();
    files
        .iter()
        .map(|&file| format!("{}{passed}", (b'a' + file as u8) as char))
        .collect()
}

/// A random position of a game on an 8x8 board.
pub fn position(rng: &mut Random, game: &Game, several: bool) -> Position {
    loop {
        // Retried if a piece stands on a square that the double step crossed.
        if let Ok(position) = game.parse_fen(&placement(rng, 8, 8, several)) {
            return position;
        }
    }
}
