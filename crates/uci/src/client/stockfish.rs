//! Stockfish as an analyser: a pool of monitored child processes, restarted
//! after a crash and given no position that would crash them.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Condvar, Mutex, MutexGuard,
        mpsc::{self, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use foglight_play::{Analyser, Analysis, AnalysisLimit};
use foglight_rules::{Game, Move, PackedPosition, Position};

use super::process::{Heard, Process};
use crate::Reply;

/// Attempts for a position before it is abandoned: enough that killing children
/// one after another costs no answer, but bounded.
const TRIES: usize = 10;

/// Capacity of the cache of analyses.
const REMEMBERED: usize = 1 << 18;

/// Configuration of the pool.
#[derive(Clone, Debug)]
pub struct StockfishSetup {
    pub command: String,
    pub workers: usize,
    /// Time limit of one answer.
    pub patience: Duration,
}

impl Default for StockfishSetup {
    fn default() -> StockfishSetup {
        StockfishSetup {
            command: "stockfish".to_owned(),
            workers: 1,
            patience: Duration::from_secs(10),
        }
    }
}

/// A request in the queue.
struct Question {
    index: usize,
    position: Position,
    effort: AnalysisLimit,
    tries: usize,
    reply: Sender<(usize, Option<Analysis>)>,
}

#[derive(Default)]
struct Queue {
    questions: VecDeque<Question>,
    closed: bool,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    asked: Condvar,
    known: Mutex<HashMap<(PackedPosition, AnalysisLimit), Analysis>>,
    /// Process ids of the children, for monitoring.
    children: Mutex<Vec<u32>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

pub struct Stockfish {
    shared: Arc<Shared>,
    threads: Vec<thread::JoinHandle<()>>,
}

impl Stockfish {
    /// Starts the pool; the error names what is missing and how to install it.
    pub fn start(setup: &StockfishSetup) -> Result<Stockfish, String> {
        let first = Child::start(setup).ok_or_else(|| {
            format!(
                "'{}' does not answer; expected Stockfish (Debian: apt-get install stockfish)",
                setup.command
            )
        })?;
        let shared = Arc::new(Shared::default());
        let mut child = Some(first);
        let threads = (0..setup.workers.max(1))
            .map(|_| {
                let (shared, setup, child) = (shared.clone(), setup.clone(), child.take());
                thread::spawn(move || {
                    Worker {
                        shared,
                        setup,
                        child,
                    }
                    .run()
                })
            })
            .collect();
        Ok(Stockfish { shared, threads })
    }

    /// Process ids of the running children.
    pub fn children(&self) -> Vec<u32> {
        lock(&self.shared.children).clone()
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        lock(&self.shared.queue).closed = true;
        self.shared.asked.notify_all();
        for thread in self.threads.drain(..) {
            // A worker that panicked has nothing left to end.
            let _ = thread.join();
        }
    }
}

/// The position as given to Stockfish; `None` if Stockfish would crash on it or
/// overlook a possible king capture.
fn presentable(position: &Position) -> Option<Position> {
    let chess = Game::chess();
    let setup = position.setup();
    let valid = setup.size.is_full() && setup.dice.is_none();
    let position = valid.then(|| chess.position(setup).ok()).flatten()?;
    (!chess.legal_moves(&position).is_empty()).then_some(position)
}

impl Analyser for Stockfish {
    fn analyse(
        &self,
        _: &Game,
        positions: &[Position],
        effort: AnalysisLimit,
    ) -> Vec<Option<Analysis>> {
        let mut opinions = vec![None; positions.len()];
        let (reply, answers) = mpsc::channel();
        let mut open = 0;
        for (index, position) in positions.iter().enumerate() {
            let Some(position) = presentable(position) else {
                continue;
            };
            let key = (PackedPosition::new(&position.without_counters()), effort);
            if let Some(known) = lock(&self.shared.known).get(&key) {
                opinions[index] = Some(known.clone());
                continue;
            }
            let reply = reply.clone();
            let question = Question {
                index,
                position,
                effort,
                tries: 0,
                reply,
            };
            lock(&self.shared.queue).questions.push_back(question);
            self.shared.asked.notify_one();
            open += 1;
        }
        drop(reply);
        for (index, opinion) in answers.iter().take(open) {
            opinions[index] = opinion;
        }
        opinions
    }
}

/// One thread with its child.
struct Worker {
    shared: Arc<Shared>,
    setup: StockfishSetup,
    child: Option<Child>,
}

impl Worker {
    fn run(mut self) {
        self.register();
        while let Some(question) = self.next() {
            self.answer(question);
        }
        self.forget_child();
    }

    fn next(&self) -> Option<Question> {
        let mut queue = lock(&self.shared.queue);
        loop {
            if let Some(question) = queue.questions.pop_front() {
                return Some(question);
            }
            if queue.closed {
                return None;
            }
            let waited = self.shared.asked.wait(queue);
            queue = waited.unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    fn answer(&mut self, mut question: Question) {
        if self.child.is_none() {
            self.child = Child::start(&self.setup);
            self.register();
        }
        let child = self.child.as_mut();
        let opinion = child.and_then(|child| child.ask(&question, self.setup.patience));
        if opinion.is_none() {
            self.forget_child();
            question.tries += 1;
            if question.tries < TRIES {
                // The next free worker retries; this one with a new child.
                lock(&self.shared.queue).questions.push_front(question);
                return;
            }
        }
        if let Some(opinion) = &opinion {
            let mut known = lock(&self.shared.known);
            if known.len() >= REMEMBERED {
                known.clear();
            }
            let key = PackedPosition::new(&question.position.without_counters());
            known.insert((key, question.effort), opinion.clone());
        }
        // A requester that is gone needs no answer.
        let _ = question.reply.send((question.index, opinion));
    }

    fn register(&self) {
        let id = self.child.as_ref().map(|child| child.process.id());
        lock(&self.shared.children).extend(id);
    }

    fn forget_child(&mut self) {
        if let Some(child) = self.child.take() {
            let id = child.process.id();
            lock(&self.shared.children).retain(|&known| known != id);
        }
    }
}

/// One running Stockfish, terminated on drop.
struct Child {
    process: Process,
    moves: usize,
}

impl Child {
    fn start(setup: &StockfishSetup) -> Option<Child> {
        let process = Process::start(&setup.command, &[], None).ok()?;
        let child = Child { process, moves: 1 };
        child.send("uci\nsetoption name Threads value 1\nsetoption name Hash value 16\nisready\n");
        let deadline = Instant::now() + setup.patience;
        child.until(deadline, |line| line == "readyok")?;
        Some(child)
    }

    fn send(&self, text: &str) {
        self.process.send(text.to_owned());
    }

    /// Reads lines until one ends the answer; `None` if none does in time.
    fn until(&self, deadline: Instant, mut ends: impl FnMut(&str) -> bool) -> Option<()> {
        loop {
            match self.process.hear(deadline) {
                Heard::Line(line, _) if ends(line.text.trim_end()) => return Some(()),
                Heard::Line(..) => {}
                Heard::Closed | Heard::Nothing => return None,
            }
        }
    }

    fn ask(&mut self, question: &Question, patience: Duration) -> Option<Analysis> {
        let effort = question.effort;
        if effort.moves != self.moves {
            self.moves = effort.moves;
            self.send(&format!(
                "setoption name MultiPV value {}\n",
                effort.moves.clamp(1, 500)
            ));
        }
        let depth = effort
            .depth
            .map_or(String::new(), |n| format!(" depth {n}"));
        let nodes = effort
            .nodes
            .map_or(String::new(), |n| format!(" nodes {n}"));
        self.send(&format!(
            "position fen {}\ngo{depth}{nodes}\n",
            question.position
        ));
        let legal = Game::chess().legal_moves(&question.position);
        let legal: HashMap<String, Move> = legal.iter().map(|m| (m.to_string(), *m)).collect();
        let mut ranked: Vec<Option<(Move, i32)>> = vec![None; effort.moves.max(1)];
        self.until(Instant::now() + patience, |line| {
            if let Some((rank, text, value)) = told(line)
                && let (Some(&m), Some(place)) = (legal.get(&text), ranked.get_mut(rank))
            {
                *place = Some((m, value));
            }
            line.starts_with("bestmove")
        })?;
        let moves: Vec<_> = ranked.into_iter().flatten().collect();
        let nodes = effort.nodes.unwrap_or(0);
        (!moves.is_empty()).then_some(Analysis { moves, nodes })
    }
}

/// Rank from 0, first move and value of an `info` line that has all three.
fn told(line: &str) -> Option<(usize, String, i32)> {
    let Ok(Reply::Info(info)) = line.parse() else {
        return None;
    };
    let rank = info.multipv.map_or(0, |n| n.max(1) as usize - 1);
    let first = info.pv.into_iter().next()?;
    Some((rank, first, info.score?.centipawns()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_are_understood() {
        let line = "info depth 1 seldepth 1 multipv 2 score cp -34 nodes 20 pv e2e4 e7e5";
        assert_eq!(told(line), Some((1, "e2e4".to_owned(), -34)));
        let line = "info depth 3 score mate -2 pv e1e2";
        assert_eq!(told(line), Some((0, "e1e2".to_owned(), -29_998)));
        assert_eq!(told("info depth 3 currmove e2e4"), None);
        assert_eq!(told("bestmove e2e4"), None);
    }

    #[test]
    fn what_would_crash_it_is_not_asked() {
        let fog = Game::fog();
        let shown = |fen: &str| presentable(&fog.parse_fen(fen).expect("a position")).is_some();
        assert!(shown(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        ));
        assert!(
            !shown("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"),
            "a king can be taken"
        );
        assert!(!shown("8/8/8/8/8/8/4R3/4K3 w - - 0 1"), "no king");
        assert!(!shown("rqkr/pppp/PPPP/RQKR w - - 0 1"), "a small board");
        assert!(!shown("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), "no legal move");
    }
}
