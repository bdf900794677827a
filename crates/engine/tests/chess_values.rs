//! Results of searches stopped at arbitrary node counts: scores, mates and
//! principal variations against the rules and full enumeration.

#[path = "common/positions.rs"]
mod positions;

use std::sync::{Arc, Mutex};

use foglight_engine::{
    eval::{Classic, Evaluator},
    search::{
        RootMove, SearchResult, Searcher,
        alphabeta::{DECIDED, plies_to_end},
    },
};
use foglight_play::{Budget, Report, Rng, seeded};
use foglight_rules::{FogRules, Game, Position};
use rand::Rng as _;

use positions::{after, all_lose, random_position, random_positions, thinned, wins_within};

/// Number of tested pairs of a position and a node limit.
const PAIRS: usize = 10_000;
/// Maximum distance of a forced end checked by enumeration, in plies.
const NEAR: u32 = 3;

/// Runs a search with a node limit. The second value holds the reports sent during
/// the search.
fn search(
    searcher: &mut Searcher,
    game: &Game,
    position: &Position,
    nodes: u64,
    top: usize,
) -> (SearchResult, Vec<Report>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&told);
    let budget = Budget::nodes(nodes)
        .with_listener(move |report| hears.lock().expect("no panic before").push(report));
    let mut leaf = Classic::default();
    let found = searcher.search_top(game, position, &[], &mut leaf, &budget, top);
    let told = std::mem::take(&mut *told.lock().expect("no panic before"));
    (found, told)
}

/// A random node limit, small ones more often than large ones.
fn some_nodes(rng: &mut Rng) -> u64 {
    2f64.powf(rng.random_range(0.0..11.0)) as u64
}

/// Checks that a principal variation is legal from the position to its end.
fn check_line(game: &Game, position: &Position, root: &RootMove, case: &str) {
    assert_eq!(root.pv.first(), Some(&root.m), "{case}: {root:?}");
    let mut at = *position;
    for &m in &root.pv {
        assert!(game.outcome(&at).is_none(), "{case}: over before {m}");
        assert!(
            game.legal_moves(&at).contains(&m),
            "{case}: {m} in {root:?}"
        );
        at = after(game, &at, m);
    }
    if let Some(plies) = plies_to_end(root.score).filter(|&n| n as usize == root.pv.len()) {
        let winner = game.outcome(&at).and_then(|end| end.winner);
        let side = if root.score > 0 {
            position.turn()
        } else {
            !position.turn()
        };
        assert_eq!(
            winner,
            Some(side),
            "{case}: no end after {plies} in {root:?}"
        );
    }
}

/// Checks by enumeration that a reported end is forced within its distance.
/// Returns whether the end was near enough to check.
fn check_end(game: &Game, position: &Position, root: &RootMove, case: &str) -> bool {
    let Some(plies) = plies_to_end(root.score) else {
        return false;
    };
    assert!((1..=120).contains(&plies), "{case}: an end in {plies}");
    assert_eq!(plies % 2 == 1, root.score > 0, "{case}: {plies} for whom?");
    if plies > NEAR + u32::from(root.score < 0) {
        return false;
    }
    let next = after(game, position, root.m);
    let forced = match game.outcome(&next) {
        Some(end) if root.score > 0 => end.winner == Some(position.turn()),
        Some(_) => false,
        None if root.score > 0 => all_lose(game, &next, plies - 1),
        None => wins_within(game, &next, plies - 1),
    };
    assert!(forced, "{case}: no forced end in {plies}: {root:?}");
    true
}

/// Checks that a position with a losing score is lost.
fn check_loss(game: &Game, position: &Position, score: i32, case: &str) {
    if score <= -DECIDED
        && let Some(plies) = plies_to_end(score).filter(|&plies| plies <= NEAR + 1)
    {
        assert!(
            all_lose(game, position, plies),
            "{case}: not lost in {plies}"
        );
    }
}

/// Checks the result of one search. Returns the number of ends confirmed by
/// enumeration.
fn check(game: &Game, position: &Position, nodes: u64, top: usize, searcher: &mut Searcher) -> u32 {
    let case = format!("{game} {} nodes {nodes} top {top}", game.fen(position));
    let (found, told) = search(searcher, game, position, nodes, top);
    let asked = top.min(game.legal_moves(position).len());
    let takes_king = game.is_king_capture() && position.can_capture_king();
    assert!(
        takes_king || found.moves.len() == asked,
        "{case}: {found:?}"
    );
    assert!(found.nodes <= nodes.max(1), "{case}: {} nodes", found.nodes);
    assert_eq!(found.score, found.moves[0].score, "{case}");
    let falling = |pair: &[RootMove]| pair[0].score >= pair[1].score;
    assert!(found.moves.windows(2).all(falling), "{case}: {found:?}");
    let mut ends = 0;
    for (i, root) in found.moves.iter().enumerate() {
        let twice = found.moves[..i].iter().any(|other| other.m == root.m);
        assert!(!twice, "{case}: {} twice", root.m);
        check_line(game, position, root, &case);
        ends += u32::from(check_end(game, position, root, &case));
    }
    check_loss(game, position, found.score, &case);
    if let Some(last) = told.last() {
        assert_eq!(last.depth, found.depth, "{case}");
    }
    ends
}

fn games() -> [Game; 3] {
    [
        Game::chess(),
        Game::fog(),
        Game::fog_with(FogRules::OpenSpiel),
    ]
}

#[test]
fn stopped_searches_tell_the_truth() {
    let mut rng = seeded(19);
    let mut searcher = Searcher::new(1);
    let mut ends = 0;
    let mut pairs = 0;
    while pairs < PAIRS {
        let game = games()[pairs % 3];
        let Some(mut position) = random_position(&game, &mut rng) else {
            continue;
        };
        if rng.random_bool(0.5) {
            position = thinned(&game, &position, &mut rng);
        }
        if game.outcome(&position).is_some() {
            continue;
        }
        let top = if rng.random_bool(0.5) {
            1
        } else {
            rng.random_range(2..6)
        };
        ends += check(&game, &position, some_nodes(&mut rng), top, &mut searcher);
        pairs += 1;
    }
    assert!(ends > 300, "only {ends} ends were looked at");
}

#[test]
fn every_budget_of_a_position_tells_the_truth() {
    let mut searcher = Searcher::new(1);
    for (i, game) in games().into_iter().enumerate() {
        for position in random_positions(&game, 3, 70 + i as u64) {
            for nodes in (1..400).chain((400..4_000).step_by(97)) {
                searcher.clear();
                check(&game, &position, nodes, 1, &mut searcher);
                check(&game, &position, nodes, 3, &mut searcher);
            }
        }
    }
}

#[test]
fn a_winning_side_is_not_called_lost() {
    let game = Game::chess();
    let fen = "r3k2r/pp1n1ppp/2p5/4p3/b6q/1p1P1RP1/P3K3/nNB2Bb1 w kq - 0 19";
    let start = game.parse_fen(fen).expect("a position");
    let moves = game.legal_moves(&start);
    let bishop = moves
        .iter()
        .find(|m| m.to_string() == "f1g2")
        .expect("a move");
    let position = after(&game, &start, *bishop);
    let mut searcher = Searcher::new(16);
    for nodes in (1..4_000).step_by(4) {
        searcher.clear();
        let (found, told) = search(&mut searcher, &game, &position, nodes, 1);
        let proven = told
            .last()
            .and_then(|report| report.centipawns)
            .unwrap_or(500);
        assert!(found.score >= proven.min(1_000), "{nodes} nodes: {found:?}");
        assert!(found.score < DECIDED, "{nodes} nodes: {found:?}");
    }
}

#[test]
fn one_node_gives_the_static_score() {
    let mut searcher = Searcher::new(1);
    for (i, game) in games().into_iter().enumerate() {
        for position in random_positions(&game, 300, 90 + i as u64) {
            if game.is_king_capture() && position.can_capture_king() {
                continue;
            }
            let (found, _) = search(&mut searcher, &game, &position, 1, 2);
            let leaf = Classic::default();
            let carried = leaf.refresh(&position);
            let standing = leaf.evaluate(&position, &carried);
            for root in &found.moves {
                assert_eq!(root.score, standing, "{game} {}", game.fen(&position));
                assert_eq!(root.pv, [root.m]);
            }
        }
    }
}
