//! Checks the result of a stopped search against a log of all that its root
//! finished.

use std::cell::RefCell;

use foglight_rules::{Action, Game, Move, Position, State};
use rand::{Rng as _, seq::IndexedRandom};

use super::{DECIDED, RootMove, SearchResult, Searcher};
use crate::eval::{Classic, Evaluator};
use foglight_play::{Budget, Rng, seeded};

/// A root move whose search was finished.
#[derive(Clone, Debug)]
struct Tried {
    depth: i32,
    m: Move,
    alpha: i32,
    score: i32,
    line: Vec<Move>,
}

thread_local! {
    static LOG: RefCell<Vec<Tried>> = const { RefCell::new(Vec::new()) };
}

/// Logs a finished root move; called by the root.
pub(super) fn note(depth: i32, m: Move, [alpha, score]: [i32; 2], below: &[Move]) {
    let mut line = vec![m];
    line.extend_from_slice(below);
    LOG.with_borrow_mut(|log| {
        log.push(Tried {
            depth,
            m,
            alpha,
            score,
            line,
        });
    });
}

fn random_position(game: &Game, rng: &mut Rng) -> Option<Position> {
    let mut state = State::start(*game);
    for _ in 0..rng.random_range(0..100) {
        let m = *state.legal_moves().choose(rng)?;
        state.play_unchecked(Action::Move(m));
    }
    let position = *state.position();
    let takes_king = game.is_king_capture() && position.can_capture_king();
    (state.outcome().is_none() && !takes_king).then_some(position)
}

/// Runs one search from an empty table and returns what its root finished.
fn search(
    game: &Game,
    position: &Position,
    budget: &Budget,
    top: usize,
) -> (SearchResult, Vec<Tried>) {
    thread_local! {
        static SEARCHER: RefCell<Searcher> = RefCell::new(Searcher::new(1));
    }
    LOG.take();
    let found = SEARCHER.with_borrow_mut(|searcher| {
        searcher.clear();
        searcher.search_top(game, position, &[], &mut Classic::default(), budget, top)
    });
    (found, LOG.take())
}

/// The result of the last finished depth.
fn last_finished(game: &Game, position: &Position, depth: u32, top: usize) -> Vec<RootMove> {
    if depth > 0 {
        let mut budget = Budget::default();
        budget.depth = Some(depth);
        return search(game, position, &budget, top).0.moves;
    }
    let leaf = Classic::default();
    let carried = leaf.refresh(position);
    let standing = leaf.evaluate(position, &carried);
    let moves = game.legal_moves(position).into_iter();
    moves.map(|m| RootMove::new(m, standing)).collect()
}

/// Checks that every score was proven by the next depth, or is that of the last
/// finished one with its line, as far as the next one's bounds allow. Returns
/// whether the next depth contributed.
fn check(found: &SearchResult, last: &[RootMove], next: &[Tried], case: &str) -> bool {
    // The score that the next depth proved for a move and did not retract.
    let standing = |m: Move| {
        let mut words = next.iter().rev().filter(|tried| tried.m == m);
        let mut most = i32::MAX;
        let proven = words.find(|tried| {
            let above = tried.score > tried.alpha;
            most = if above { most } else { most.min(tried.score) };
            above
        });
        proven.filter(|tried| tried.score <= most)
    };
    let mut spoke = false;
    for root in &found.moves {
        let says = |tried: &&Tried| tried.score == root.score && tried.line == root.pv;
        if standing(root.m).filter(says).is_some() {
            spoke = true;
            continue;
        }
        let lost = |tried: &Tried| tried.score <= -DECIDED;
        assert!(standing(root.m).is_none_or(lost), "{case}: {root:?}");
        let old = last.iter().find(|old| old.m == root.m);
        let old = old.unwrap_or_else(|| panic!("{case}: nothing is known of {root:?}"));
        assert_eq!(root.pv, old.pv, "{case}: another line");
        let word = next.iter().rev().find(|tried| tried.m == root.m);
        let bound = word.map_or(i32::MAX, |tried| tried.score).min(old.score);
        let doubted = bound <= -DECIDED && root.score == old.score;
        assert!(root.score == bound || doubted, "{case}: {root:?}");
    }
    let least = found.moves.iter().map(|root| root.score).min();
    for m in next.iter().map(|tried| tried.m) {
        let proven = standing(m).filter(|tried| tried.score > -DECIDED);
        let ahead = proven.is_some_and(|tried| Some(tried.score) > least);
        let told = found.moves.iter().any(|root| root.m == m);
        assert!(told || !ahead, "{case}: {proven:?} is not told");
    }
    spoke
}

#[test]
fn a_stopped_search_tells_what_was_proven() {
    let mut rng = seeded(23);
    let (mut pairs, mut spoke, mut deep) = (0, 0, 0);
    while pairs < 10_000 {
        let game = [Game::chess(), Game::fog()][pairs % 2];
        let Some(position) = random_position(&game, &mut rng) else {
            continue;
        };
        let top = if pairs % 4 < 2 {
            1
        } else {
            rng.random_range(2..5)
        };
        let top = top.min(game.legal_moves(&position).len());
        let nodes = 2f64.powf(rng.random_range(0.0..11.0)) as u64;
        let case = format!("{game} {} nodes {nodes} top {top}", game.fen(&position));
        let (found, mut log) = search(&game, &position, &Budget::nodes(nodes), top);
        log.retain(|tried| tried.depth > found.depth as i32);
        let last = last_finished(&game, &position, found.depth, top);
        spoke += u32::from(check(&found, &last, &log, &case));
        deep += u32::from(found.depth >= 4);
        pairs += 1;
    }
    // Guards against a vacuous test: the next depth contributed often, also
    // with narrow windows.
    assert!(spoke > 2_000 && deep > 800, "{spoke} spoke, {deep} deep");
}
