//! The alpha-beta search: iterative deepening, transposition table, principal
//! variation search, null move, reductions, quiescence. One search for plain
//! chess and for king-capture chess; each step in a file.
//!
//! The techniques are standard and described on the Chess Programming Wiki
//! under these names.

mod check_info;
mod correction;
pub(crate) mod generate;
mod histories;
#[cfg(test)]
mod laws;
mod node;
mod ordering;
mod pruning;
mod quiescence;
mod root;
mod run;
pub(crate) mod see;
mod table;
mod time;
mod value;

use foglight_rules::{Game, Move, Position, Variant};

pub use quiescence::is_still;
pub use root::RootMove;
pub use value::{DECIDED, WON, plies_to_end};

use crate::eval::{Evaluator, value_of};
use correction::CorrectionHistory;
use foglight_play::{Budget, Report};
use histories::{Histories, NOBODY};
use run::{BACK, PvTable, SearchThread, StackEntry};
use table::TranspositionTable;
use time::Limits;
use value::{MAX_PLY, wins_at};

/// Result of a search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SearchResult {
    /// The best moves of the position, as many as were asked for and as there
    /// are, the best first, each with a score that was proven at the last
    /// finished depth or since. Empty if the game is over.
    pub moves: Vec<RootMove>,
    /// Centipawns for the side to move; [`WON`] less the distance if the end is
    /// found.
    pub score: i32,
    pub nodes: u64,
    /// Finished depth, in plies.
    pub depth: u32,
}

impl SearchResult {
    /// A report of the best moves so far.
    fn tell(moves: &[RootMove], nodes: u64, depth: u32) -> Report {
        let found = SearchResult {
            moves: moves[..1].to_vec(),
            score: moves[0].score,
            nodes,
            depth,
        };
        found.report()
    }

    /// The best move, if there is one.
    pub fn best(&self) -> Option<Move> {
        self.moves.first().map(|root| root.m)
    }

    /// The value for the side to move: +1 won, -1 lost.
    pub fn value(&self) -> f64 {
        score_value(self.score)
    }

    /// The result as a report.
    pub fn report(&self) -> Report {
        Report {
            value: Some(self.value()),
            centipawns: Some(self.score),
            plies_to_end: plies_to_end(self.score).map(|plies| plies as i32 * self.score.signum()),
            policy: self.best().map(|m| (m, 1.0)).into_iter().collect(),
            nodes: self.nodes,
            depth: self.depth,
            pv: self
                .moves
                .first()
                .map(|root| root.pv.clone())
                .unwrap_or_default(),
            ..Report::default()
        }
    }
}

/// The value of a score: +1 won, -1 lost. Decided scores map to exactly ±1.
pub(crate) fn score_value(score: i32) -> f64 {
    match score {
        s if s >= DECIDED => 1.0,
        s if s <= -DECIDED => -1.0,
        s => value_of(s),
    }
}

/// A search with its tables, to be reused from move to move and from board to
/// board: a call allocates next to nothing.
///
/// The same calls in the same order after [`Searcher::clear`] give the same
/// answers, as long as budgets are in nodes or depth.
pub struct Searcher {
    table: TranspositionTable,
    memory: Histories,
    corrections: CorrectionHistory,
    frames: Vec<StackEntry>,
    lines: PvTable,
    reductions: Box<[[u8; 64]; 64]>,
    path: Vec<u64>,
}

impl Searcher {
    /// A search with a transposition table of this size.
    pub fn new(megabytes: usize) -> Searcher {
        let mut reductions = Box::new([[0; 64]; 64]);
        for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
            for (tried, cell) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (tried as f64).ln();
                *cell = (0.35 + product / 2.3) as u8;
            }
        }
        Searcher {
            table: TranspositionTable::new(megabytes),
            memory: Histories::new(),
            corrections: CorrectionHistory::new(),
            frames: vec![StackEntry::EMPTY; MAX_PLY + BACK + 4],
            lines: PvTable::new(),
            reductions,
            path: Vec::with_capacity(1024),
        }
    }

    /// Clears all tables, as if new.
    pub fn clear(&mut self) {
        self.table.clear();
        self.memory.clear();
        self.corrections.clear();
    }

    /// The best move of a position of chess or of king-capture chess.
    ///
    /// `history`: hashes of the earlier positions of the game, oldest first,
    /// for repetitions; the position itself may be its last.
    pub fn search<E: Evaluator>(
        &mut self,
        game: &Game,
        position: &Position,
        history: &[u64],
        leaf: &mut E,
        budget: &Budget,
    ) -> SearchResult {
        self.search_top(game, position, history, leaf, budget, 1)
    }

    /// The best `top` moves of a position, each with its exact score.
    pub fn search_top<E: Evaluator>(
        &mut self,
        game: &Game,
        position: &Position,
        history: &[u64],
        leaf: &mut E,
        budget: &Budget,
        top: usize,
    ) -> SearchResult {
        if let Some(found) = finished(game, position) {
            return found;
        }
        self.path.clear();
        self.path.extend_from_slice(history);
        if self.path.last() != Some(&position.hash()) {
            self.path.push(position.hash());
        }
        self.table.grow_older();
        self.frames.fill(StackEntry::EMPTY);
        leaf.prepare(position);
        match game.variant() {
            Variant::Chess => self.run::<E, false>(game, position, leaf, budget, top),
            _ => self.run::<E, true>(game, position, leaf, budget, top),
        }
    }

    fn run<E: Evaluator, const TAKE: bool>(
        &mut self,
        game: &Game,
        position: &Position,
        leaf: &mut E,
        budget: &Budget,
        top: usize,
    ) -> SearchResult {
        let mut run = SearchThread::<E, TAKE> {
            game: *game,
            budget,
            limits: Limits::new(budget, MAX_PLY - 1),
            leaf,
            table: &mut self.table,
            memory: &mut self.memory,
            corrections: &mut self.corrections,
            frames: &mut self.frames,
            lines: &mut self.lines,
            reductions: &self.reductions,
            root: self.path.len() - 1,
            path: &mut self.path,
            salt: salt(game, position),
            nodes: 0,
            stopped: false,
            root_depth: 1,
        };
        let hash = run
            .table
            .get(run.key(position), 0)
            .and_then(|known| known.best);
        let hints = ordering::Hints {
            hash,
            killers: [None; 2],
            before: [NOBODY; 2],
        };
        let list = run.moves(position);
        let mut picker = ordering::MovePicker::listed(position, &list, run.memory, hints);
        let mut moves = Vec::with_capacity(list.len());
        while let Some(choice) = picker.next(position, run.memory) {
            moves.push(RootMove::new(choice.m, 0));
        }
        let (moves, depth) = run.deepen(position, moves, top);
        SearchResult {
            score: moves.first().map_or(0, |root| root.score),
            moves,
            nodes: run.nodes,
            depth,
        }
    }
}

/// Key modifier that separates games and board sizes in the table.
fn salt(game: &Game, position: &Position) -> u64 {
    let size = position.size();
    let number = match game.variant() {
        Variant::Chess => 0,
        Variant::Fog(rules) => 1 + rules as u64,
        Variant::Dice1 | Variant::Dice3 => 9,
    };
    let number = number * 100 + ((8 - size.files()) * 10 + 8 - size.ranks()) as u64;
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The result where no search is needed: the game is over, or a king can be
/// captured.
fn finished(game: &Game, position: &Position) -> Option<SearchResult> {
    if let Some(outcome) = game.outcome(position) {
        let score = match outcome.winner {
            None => 0,
            Some(side) if side == position.turn() => WON,
            Some(_) => -WON,
        };
        return Some(SearchResult {
            score,
            ..SearchResult::default()
        });
    }
    if !(game.is_king_capture() && position.can_capture_king()) {
        return None;
    }
    let king = position.board().king(!position.turn())?;
    let moves = position.king_capture_moves(foglight_rules::RoleSet::ALL);
    let takes = moves.iter().filter(|m| m.to() == king);
    let moves: Vec<RootMove> = takes.map(|&m| RootMove::new(m, wins_at(1))).collect();
    Some(SearchResult {
        moves,
        score: wins_at(1),
        nodes: 1,
        depth: 1,
    })
}
