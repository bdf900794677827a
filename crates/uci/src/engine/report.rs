//! An agent's report as replies.

use std::time::Duration;

use foglight_play::Report;
use foglight_rules::{Game, Move, Variant};

use crate::{
    Reply,
    reply::{SearchInfo, UciScore},
};

/// The `info` lines of a report.
pub fn replies(report: &Report, elapsed: Duration) -> Vec<Reply> {
    let main = main_line(report, elapsed);
    // A single certain move is the first of the principal variation; an extra
    // line for it would hide that variation from clients that show the last
    // line.
    let certain =
        report.policy.len() == 1 && report.policy.first().map(|(m, _)| m) == report.pv.first();
    let mix = report.policy.iter().filter(|_| !certain).enumerate();
    let mix = mix.map(|(i, (m, prob))| SearchInfo {
        multipv: Some(i as u32 + 1),
        prob: Some(*prob),
        pv: vec![m.to_string()],
        ..SearchInfo::default()
    });
    let infos = std::iter::once(main).chain(mix).map(Reply::Info);
    let figures = report
        .metrics
        .iter()
        .map(|(name, figure)| Reply::note(format!("{name} {figure}")));
    let likely = report.likely.iter().map(|(role, square, share)| {
        let piece = role.upper_char();
        Reply::note(format!("likely {piece} {square} {share:.3}"))
    });
    infos.chain(figures).chain(likely).collect()
}

/// The `info` line of the principal variation.
pub(crate) fn main_line(report: &Report, elapsed: Duration) -> SearchInfo {
    let millis = elapsed.as_millis() as u64;
    let line = report.pv.iter().map(Move::to_string).collect();
    // Mates are counted in moves of the mating side.
    let mate = |plies: i32| UciScore::Mate(plies.signum() * (plies.abs() + 1) / 2);
    SearchInfo {
        depth: Some(report.depth),
        score: report
            .plies_to_end
            .map(mate)
            .or(report.centipawns.map(UciScore::Cp)),
        value: report.value,
        nodes: Some(report.nodes),
        nps: (millis > 0).then(|| report.nodes.saturating_mul(1000) / millis),
        time: Some(millis),
        pv: line,
        ..SearchInfo::default()
    }
}

/// The expected reply of the report. Only in chess can the opponent's next move
/// be named.
pub fn ponder(game: &Game, report: &Report, best: Move) -> Option<Move> {
    match report.pv[..] {
        [first, second, ..] if first == best && game.variant() == Variant::Chess => Some(second),
        _ => None,
    }
}
