//! Timing test of an agent in fog: do its answers tell by their time what is
//! hidden? `cargo run --release -p foglight-server --example timing --
//! foglight:level=10 60 1`: agent, pairs of games, seed.

use std::{
    io::{self, IsTerminal, Write},
    time::Duration,
};

use foglight_server::timing::{Answered, measure, separation};

/// The difference that the test must find.
const PLANTED: Duration = Duration::from_millis(30);
/// Below this p-value times are separated.
const SEPARATED: f64 = 0.001;

fn mean(measured: &[[Answered; 2]], which: usize, time: fn(&Answered) -> Duration) -> f64 {
    let sum: f64 = measured
        .iter()
        .map(|pair| time(&pair[which]).as_secs_f64())
        .sum();
    1e3 * sum / measured.len().max(1) as f64
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |at: usize, usual: &str| words.get(at).cloned().unwrap_or(usual.to_owned());
    let (spec, pairs) = (word(0, "foglight:level=10"), word(1, "60").parse()?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let measured = runtime.block_on(measure(&spec, pairs, word(2, "1").parse()?, |done| {
        if io::stderr().is_terminal() {
            let _ = write!(io::stderr(), "\r{done} of {pairs}"); // progress display, not a result
        }
    }))?;
    let (found, planted) = (
        separation(&measured, Duration::ZERO),
        separation(&measured, PLANTED),
    );
    println!(
        "{spec}, {pairs} pairs: work {:.0} and {:.0} ms, arrived after {:.1} and {:.1} ms; \
         p = {found:.4}, with 30 ms planted p = {planted:.1e}",
        mean(&measured, 0, |answered| answered.work),
        mean(&measured, 1, |answered| answered.work),
        mean(&measured, 0, |answered| answered.arrived),
        mean(&measured, 1, |answered| answered.arrived),
    );
    match (found >= SEPARATED, planted < SEPARATED) {
        (true, true) => Ok(()),
        (false, _) => Err("the times are separated".into()),
        (true, false) => Err("the test does not find a planted difference".into()),
    }
}
