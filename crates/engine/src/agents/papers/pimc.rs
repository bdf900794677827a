//! Perfect-information Monte Carlo: chooses a move by analysing sampled boards
//! with any analyser, aggregated in one of the ways of Ermlick 2023.

use std::{collections::HashMap, sync::Arc};

use foglight_rules::{Game, Move, Observation, Position};
use rand::seq::IndexedRandom;

use super::super::greedy::{Greedy, Style};

use crate::search::{
    Evaluation, SearchAnalyser,
    analyser::{best, value_after},
    evaluation::EVAL,
};
use foglight_play::{
    Agent, Analyser, Analysis, AnalysisLimit, Budget, OptionInfo, Options, Providers, Report, Rng,
    SpecError, Values,
};

/// An external analyser. Our own search analyses the boards that it rejects
/// because a king can be captured.
struct WithOwn {
    outside: Arc<dyn Analyser>,
    own: SearchAnalyser,
}

impl Analyser for WithOwn {
    fn analyse(
        &self,
        game: &Game,
        positions: &[Position],
        limit: AnalysisLimit,
    ) -> Vec<Option<Analysis>> {
        let mut analyses = self.outside.analyse(game, positions, limit);
        for (analysis, position) in analyses.iter_mut().zip(positions) {
            if analysis.is_none() {
                let own = self
                    .own
                    .analyse(game, std::slice::from_ref(position), limit);
                *analysis = own.into_iter().next().flatten();
            }
        }
        analyses
    }

    fn clear(&self) {
        self.own.clear();
    }
}

/// How the analyses of the boards are aggregated into one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Aggregate {
    /// The move with the most votes: one for each of the best few moves of each
    /// board, and one for the preservative greedy capture. The "most common
    /// move" of the report, as in the author's code.
    Plurality,
    /// The move that is best on all boards; the greedy move if they disagree: a
    /// stricter reading of the report.
    Consensus,
    /// The greedy move if there is a capture, else the best move of one board.
    Single,
    /// The move with the best mean over all boards, among the best few moves of
    /// each board.
    Mean,
}

/// Options shared by the agents that analyse sampled boards.
pub(crate) const OPTIONS: [OptionInfo; 9] = [
    OptionInfo::new(
        "preset",
        Values::Choice(&["best", "paper"]),
        "best",
        "paper: as published; options that are set override the preset",
    )
    .open(),
    OptionInfo::new(
        "worlds",
        Values::Whole(1, 10_000),
        "32",
        "number of boards to analyse; the time budget may end it earlier",
    )
    .up_to(500),
    OptionInfo::new(
        "aggregate",
        Values::Choice(&["plurality", "consensus", "single", "mean"]),
        "mean",
        "plurality: the most common of the best moves; consensus: the best move of all boards, else the greedy move; \
         single: one board decides; mean: the best mean value",
    )
    .open(),
    OptionInfo::new(
        "top",
        Values::Whole(1, 100),
        "3",
        "best moves of each board that vote or, with aggregate=mean, are evaluated on all boards",
    )
    .up_to(10),
    OptionInfo::new(
        "nodes-per-board",
        Values::Whole(1, 10_000_000),
        "1000",
        "nodes of the analyser on each board",
    )
    .up_to(10_000),
    OptionInfo::new(
        "depth-per-board",
        Values::Whole(0, 64),
        "0",
        "maximum depth of the analyser on each board; 0: no limit but the nodes",
    )
    .up_to(64),
    OptionInfo::new(
        "placing",
        Values::Choice(&["joint", "independent"]),
        "joint",
        "joint: sampled boards agree with the view; independent: each piece type is placed without regard to the others",
    )
    .open(),
    OptionInfo::new(
        "analyser",
        Values::Choice(&["search", "stockfish"]),
        "search",
        "our search, or Stockfish as in the paper",
    )
    .choices(&["search"]),
    EVAL,
];

/// Whether another board may be drawn after `done`: drawing may take a quarter
/// of the time.
pub(crate) fn may_draw(budget: &Budget, done: usize) -> bool {
    let late = |target| budget.elapsed() >= target / 4;
    done == 0 || !(budget.stopped() || budget.target().is_some_and(late))
}

/// Chooses moves by analysing boards.
pub(crate) struct PimcSearch {
    aggregate: Aggregate,
    limit: AnalysisLimit,
    pub worlds: usize,
    /// Whether boards are sampled by [`crate::belief::sample_layers`].
    pub independent: bool,
    analyser: Box<dyn Analyser>,
    greedy: Greedy,
    report: Report,
}

impl PimcSearch {
    /// Reads the [`OPTIONS`] of an agent.
    pub fn new(
        agent: &str,
        options: &Options,
        providers: &Providers,
    ) -> Result<PimcSearch, SpecError> {
        let seed = options.text("preset") == "paper";
        let given = |name, preset| match options.given(name) {
            None if seed => preset,
            _ => options.text(name),
        };
        let missing = |reason: String| SpecError::Missing {
            agent: agent.to_owned(),
            reason,
        };
        let evaluation = Evaluation::from_option(agent, options.text("eval"), providers)?;
        let own = SearchAnalyser::new(evaluation);
        let analyser: Box<dyn Analyser> = match options.text("analyser") {
            "search" => Box::new(own),
            _ => {
                let start = providers.stockfish.as_ref();
                let start = start.ok_or_else(|| {
                    missing(
                        "analyser=stockfish is not provided here; expected analyser=search".into(),
                    )
                })?;
                Box::new(WithOwn {
                    outside: start().map_err(missing)?,
                    own,
                })
            }
        };
        let whole = |name, preset| given(name, preset).parse().unwrap_or(0);
        let depth = whole("depth-per-board", "3") as u32;
        Ok(PimcSearch {
            aggregate: match given("aggregate", "plurality") {
                "plurality" => Aggregate::Plurality,
                "consensus" => Aggregate::Consensus,
                "single" => Aggregate::Single,
                _ => Aggregate::Mean,
            },
            limit: AnalysisLimit {
                depth: (depth > 0).then_some(depth),
                nodes: Some(whole("nodes-per-board", "10000")),
                moves: options.whole("top").unwrap_or(3) as usize,
            },
            worlds: whole("worlds", "5") as usize,
            independent: given("placing", "independent") == "independent",
            analyser,
            greedy: Greedy::new(Style::Plain),
            report: Report::default(),
        })
    }

    /// Resets the search for a new game.
    pub fn start(&mut self, game: &Game, side: foglight_rules::Color, seed: u64) {
        self.greedy.start(game, side, seed);
        self.analyser.clear();
    }

    /// The report of the last choice.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Chooses a move by these boards. The observer must be to move on all of
    /// them.
    pub fn choose(
        &mut self,
        observation: &Observation,
        boards: &[Position],
        budget: &Budget,
        rng: &mut Rng,
    ) -> Move {
        self.report = Report::default();
        let captures = self.greedy.best_captures(observation);
        let king = |m: &&Move| observation.captures(**m) == Some(foglight_rules::Role::King);
        if let Some(m) = captures.iter().find(king) {
            self.report.value = Some(1.0);
            return *m;
        }
        let choice = match self.aggregate {
            _ if boards.is_empty() => None,
            Aggregate::Plurality => self.plurality(observation, boards, budget, rng),
            Aggregate::Consensus => self.consensus(observation, boards, budget),
            Aggregate::Single if !captures.is_empty() => None,
            Aggregate::Single => boards.choose(rng).and_then(|board| {
                let moves = self.best(observation.game(), board, 1);
                moves.first().map(|(m, _)| *m)
            }),
            Aggregate::Mean => self.mean(observation, boards, budget),
        };
        choice
            .filter(|m| observation.legal_moves().contains(m))
            .unwrap_or_else(|| self.greedy.act(observation, budget))
    }

    /// The move with the most votes, drawn among equals; any move if no board's
    /// best moves are legal.
    fn plurality(
        &mut self,
        observation: &Observation,
        boards: &[Position],
        budget: &Budget,
        rng: &mut Rng,
    ) -> Option<Move> {
        let legal = observation.legal_moves();
        let capture = Greedy::new(Style::Preservative).last_capture(observation);
        let mut votes: Vec<Move> = capture.into_iter().collect();
        for board in boards {
            let best = self.best(observation.game(), board, self.limit.moves);
            votes.extend(best.iter().map(|(m, _)| *m).filter(|m| legal.contains(m)));
            if !self.may_go_on(budget, 0.95) {
                break;
            }
        }
        let count = |m: &Move| votes.iter().filter(|vote| *vote == m).count();
        let most = legal.iter().map(count).max()?;
        let first: Vec<Move> = legal.iter().copied().filter(|m| count(m) == most).collect();
        first.choose(rng).copied()
    }

    fn best(&mut self, game: &Game, board: &Position, top: usize) -> Vec<(Move, f64)> {
        let limit = AnalysisLimit {
            moves: top,
            ..self.limit
        };
        let (moves, nodes) = best(self.analyser.as_ref(), game, board, limit);
        self.report.nodes += nodes;
        moves
    }

    /// Whether less than this share of the budget is used.
    fn may_go_on(&self, budget: &Budget, share: f64) -> bool {
        let late = budget
            .target()
            .is_some_and(|target| budget.elapsed() >= target.mul_f64(share));
        let limit = budget.nodes.map(|nodes| (nodes as f64 * share) as u64);
        !budget.stopped() && !late && limit.is_none_or(|limit| self.report.nodes < limit)
    }

    fn consensus(
        &mut self,
        observation: &Observation,
        boards: &[Position],
        budget: &Budget,
    ) -> Option<Move> {
        let mut agreed = None;
        for board in boards {
            let moves = self.best(observation.game(), board, 1);
            let best = moves.first().map(|(m, _)| *m);
            if agreed.is_some() && agreed != best {
                return None;
            }
            agreed = best;
            if !self.may_go_on(budget, 0.95) {
                break;
            }
        }
        agreed
    }

    fn mean(
        &mut self,
        observation: &Observation,
        boards: &[Position],
        budget: &Budget,
    ) -> Option<Move> {
        let game = observation.game();
        let mut votes: HashMap<Move, f64> = HashMap::new();
        let mut evaluated = 0;
        for board in boards {
            let best = self.best(game, board, self.limit.moves);
            let first = best.first().map_or(0.0, |(_, value)| *value);
            for (rank, (m, value)) in best.into_iter().enumerate() {
                // A move close to the best is weighted by its rank alone.
                *votes.entry(m).or_insert(0.0) +=
                    (1.0 - (first - value)).max(0.0) / (1 + rank) as f64;
            }
            evaluated += 1;
            if !self.may_go_on(budget, 0.35) {
                break;
            }
        }
        let mut candidates: Vec<(Move, f64)> = votes.into_iter().collect();
        candidates.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        candidates.truncate(2 + 2 * self.limit.moves);
        self.best_mean(game, boards, evaluated, &candidates, budget)
    }

    /// The candidate with the best mean value over as many complete boards as the
    /// budget allows, at least a part of one.
    fn best_mean(
        &mut self,
        game: &Game,
        boards: &[Position],
        evaluated: usize,
        candidates: &[(Move, f64)],
        budget: &Budget,
    ) -> Option<Move> {
        if candidates.len() < 2 {
            return candidates.first().map(|(m, _)| *m);
        }
        let mut sums = vec![0.0; candidates.len()];
        let mut rounds = 0;
        for board in boards {
            let mut values = Vec::with_capacity(candidates.len());
            for (m, _) in &candidates[..sums.len()] {
                values.push(self.value_after(game, board, *m));
                let enough = match rounds {
                    0 => budget.out_of_time(),
                    _ => !self.may_go_on(budget, 0.95),
                };
                if enough {
                    break;
                }
            }
            if rounds == 0 {
                sums.truncate(values.len()); // late: only those in front are compared
            }
            if values.len() < sums.len() {
                break;
            }
            rounds += 1;
            sums.iter_mut()
                .zip(values)
                .for_each(|(sum, value)| *sum += value);
        }
        let best = (0..sums.len()).max_by(|&a, &b| sums[a].total_cmp(&sums[b]).then(b.cmp(&a)))?;
        self.report.value = Some(sums[best] / f64::from(rounds.max(1)));
        self.report.metrics = vec![("boards", evaluated as f64), ("rounds", f64::from(rounds))];
        Some(candidates[best].0)
    }

    /// The value of a move on a board, for the side that makes it.
    fn value_after(&mut self, game: &Game, board: &Position, m: Move) -> f64 {
        let limit = AnalysisLimit {
            moves: 1,
            ..self.limit
        };
        let (value, nodes) = value_after(self.analyser.as_ref(), game, board, m, limit);
        self.report.nodes += nodes;
        value
    }
}
