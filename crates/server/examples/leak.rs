//! Runs the noninterference test: compares every byte sent to a player in pairs
//! of games that it cannot distinguish: `cargo run --release -p foglight-server
//! --example leak -- 10000 1`.

use std::io::{self, IsTerminal, Write};

fn main() -> Result<(), String> {
    let mut words = std::env::args().skip(1);
    let mut number = |usual: u64| match words.next() {
        None => Ok(usual),
        Some(word) => word
            .parse()
            .map_err(|_| format!("'{word}': expected a number")),
    };
    let (pairs, seed) = (number(10_000)? as usize, number(1)?);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    let found = runtime.block_on(foglight_server::noninterference::run(pairs, seed, |done| {
        if io::stderr().is_terminal() && done % 100 == 0 {
            let _ = write!(io::stderr(), "\r{done} of {pairs}"); // progress display, not a result
        }
    }))?;
    println!(
        "{} pairs, {} single moves, {} bytes each, {} lines of the bot streams among them: \
         {} differences",
        found.pairs,
        found.plies,
        found.bytes,
        found.lines,
        found.differences.len()
    );
    for difference in found.differences.iter().take(5) {
        println!("{difference}");
    }
    match found.differences.is_empty() {
        true => Ok(()),
        false => Err("something hidden was sent".into()),
    }
}
