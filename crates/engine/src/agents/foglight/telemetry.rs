//! The report of a search, for the page, UCI output and journals.

use crate::belief::marginals;
use std::time::Duration;

use foglight_rules::{Move, PackedPosition, Role, Square};
use foglight_solver::{RootInfoset, Solver, StrategyProfile, exploitability};

use super::{SolvedMove, leaves, worlds::Worlds};
use crate::{
    belief::{BeliefSet, World},
    eval::centipawns_of,
};
use foglight_play::Report;

/// Maximum tree size for which exploitability is computed.
const GAP_NODES: usize = 60_000;
/// Exploitability is computed once per this many plies.
const GAP_EVERY: u32 = 16;

/// Metrics of a search that the tree does not contain.
pub(crate) struct SearchMetrics {
    /// Number of nodes reused from the last tree.
    pub reused: usize,
    /// Number of root infosets reused from the last tree; they come first.
    pub reused_infosets: usize,
    /// Number of distinct possible positions at the root.
    pub worlds: usize,
    /// Prior probability of the root nodes that we know to be false.
    pub elsewhere: f64,
    pub made: usize,
    /// Duration of the search.
    pub elapsed: Duration,
    /// Time spent on belief updates before the search.
    pub believing: Duration,
}

/// Builds the report of a search.
pub fn tell(
    all: &Worlds,
    solver: &Solver<PackedPosition>,
    found: &SolvedMove,
    facts: &SearchMetrics,
    plies: u32,
) -> Report {
    let value = solver.gadget().value();
    let mut mix: Vec<(Move, f64)> = found
        .moves
        .iter()
        .copied()
        .zip(found.mix.iter().copied())
        .collect();
    mix.retain(|(_, share)| *share > 0.0);
    mix.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut figures = sizes(all, solver, facts);
    figures.push(("mixed", mix.len() as f64));
    let (reused, new) = solver.gadget().infosets().split_at(facts.reused_infosets);
    figures.extend(gain_quantiles(
        reused,
        ["reused_gain_10", "reused_gain_50", "reused_gain_90"],
    ));
    figures.extend(gain_quantiles(
        new,
        ["new_gain_10", "new_gain_50", "new_gain_90"],
    ));
    if plies % GAP_EVERY < 2 && solver.tree.len() <= GAP_NODES {
        let gap = exploitability(solver, &StrategyProfile::current(solver));
        figures.push(("exploitability", gap));
    }
    Report {
        value: Some(value),
        centipawns: Some(centipawns_of(value / leaves::MAX_LEAF_VALUE)),
        plies_to_end: None,
        pv: line(solver, found),
        policy: mix,
        nodes: facts.made as u64,
        depth: solver.tree.depth(),
        likely: likely(all.plausible()),
        metrics: figures,
    }
}

/// Sizes of the belief and the tree, and what the root came to.
fn sizes(
    all: &Worlds,
    solver: &Solver<PackedPosition>,
    facts: &SearchMetrics,
) -> Vec<(&'static str, f64)> {
    let belief = all.belief();
    let count = belief.map_or(0, BeliefSet::count);
    let exact = belief.is_some_and(BeliefSet::is_exact);
    let seconds = facts.elapsed.as_secs_f64().max(1e-9);
    vec![
        ("belief", count as f64),
        ("exact", f64::from(u8::from(exact))),
        ("plausible", all.plausible().len() as f64),
        ("belief_resets", f64::from(all.resets())),
        ("belief_ms", facts.believing.as_millis() as f64),
        ("worlds", facts.worlds as f64),
        ("elsewhere", facts.elsewhere),
        ("root_infosets", solver.gadget().infosets().len() as f64),
        ("tree", solver.tree.len() as f64),
        ("bytes", solver.tree.bytes() as f64),
        ("reused", facts.reused as f64),
        ("infosets", solver.tree.infosets.len() as f64),
        ("expansions", solver.expansions() as f64),
        (
            "expansions_per_second",
            (solver.expansions() as f64 / seconds).round(),
        ),
        ("iterations", f64::from(solver.iterations())),
        ("follow_prior", solver.gadget().follow_prior()),
        ("margin", solver.gadget().margin()),
    ]
}

/// The quantiles of the opponent's gains from following at these root infosets, if
/// there are any.
fn gain_quantiles(
    infosets: &[RootInfoset],
    names: [&'static str; 3],
) -> impl Iterator<Item = (&'static str, f64)> {
    let gains = quantiles(infosets.iter().map(RootInfoset::gain).collect());
    gains
        .into_iter()
        .flat_map(move |gains| names.into_iter().zip(gains))
}

/// The 10 %, 50 % and 90 % quantiles of at least one figure.
fn quantiles(mut figures: Vec<f64>) -> Option<[f64; 3]> {
    figures.sort_by(f64::total_cmp);
    let last = figures.len().checked_sub(1)? as f64;
    Some([0.1, 0.5, 0.9].map(|share| figures[(share * last).round() as usize]))
}

/// The likeliest moves of both sides in the likeliest world.
fn line(solver: &Solver<PackedPosition>, found: &SolvedMove) -> Vec<Move> {
    let mut line = Vec::new();
    let Some(best) = (0..found.mix.len()).max_by(|&a, &b| found.mix[a].total_cmp(&found.mix[b]))
    else {
        return line;
    };
    let fits = |at: u32| {
        let children = solver.tree.children(at);
        children.len() == found.moves.len()
            && solver.tree.action(children.start + best as u32) == found.moves[best].raw()
    };
    let infosets = solver.gadget().infosets().iter();
    let likeliest = infosets
        .flat_map(|infoset| {
            let roots = infoset.roots.iter();
            roots.map(|root| (infoset.prior() * root.prob, root.node))
        })
        .filter(|(_, node)| fits(*node))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let Some((_, root)) = likeliest else {
        return line;
    };
    let mut at = solver.tree.children(root).start + best as u32;
    line.push(found.moves[best]);
    while let Some(infoset) = solver.tree.infoset(at).filter(|_| line.len() < 12) {
        let strategy = solver.tree.infosets.strategy(infoset);
        let next = (0..strategy.len()).max_by(|&a, &b| strategy[a].total_cmp(&strategy[b]));
        at = solver.tree.children(at).start + next.unwrap_or(0) as u32;
        line.push(Move::from_raw(solver.tree.action(at)));
    }
    line
}

/// The likeliest squares of the enemy's king and queen, with probabilities.
fn likely(worlds: &[World]) -> Vec<(Role, Square, f64)> {
    const EACH: usize = 3;
    let heat = marginals(worlds);
    let mut likely = Vec::new();
    for role in [Role::King, Role::Queen] {
        let mut squares: Vec<(Role, Square, f64)> = Square::ALL
            .into_iter()
            .map(|square| (role, square, heat.get(role, square)))
            .filter(|(_, _, share)| *share > 0.0)
            .collect();
        squares.sort_by(|a, b| b.2.total_cmp(&a.2));
        likely.extend(squares.into_iter().take(EACH));
    }
    likely
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_gains_are_told() {
        // An infoset is worth its alternate value until it is solved: no gain.
        let promise = |value: f64| RootInfoset::new(Vec::new(), value, 1.0);
        let names = ["low", "middle", "high"];
        assert_eq!(gain_quantiles(&[], names).count(), 0);
        let told: Vec<_> = gain_quantiles(&[promise(0.5)], names).collect();
        assert_eq!(told, [("low", 0.0), ("middle", 0.0), ("high", 0.0)]);
        assert_eq!(
            quantiles(vec![5.0, 1.0, 3.0, 4.0, 2.0]),
            Some([1.0, 3.0, 5.0])
        );
        let hundred: Vec<f64> = (0..=100).map(f64::from).collect();
        assert_eq!(quantiles(hundred), Some([10.0, 50.0, 90.0]));
    }
}
