//! Evaluators by name, and a search over any of them.

use std::sync::Arc;

use foglight_play::{Budget, OptionInfo, Providers, SpecError, Values};
use foglight_rules::{Game, Move, Position, Role};

use super::{
    alphabeta::{SearchResult, Searcher},
    captures,
};
use crate::eval::{
    Classic, Evaluator, Network, evaluate,
    network::{NetworkWeights, default_fog_network, default_network},
};

/// An evaluator that options can name.
pub struct NamedEvaluator {
    /// The name in options and tables.
    pub name: &'static str,
    /// One-line description for the help text.
    pub about: &'static str,
    pub make: fn() -> Evaluation,
}

/// Every evaluator of known boards. To add one: a file in `eval/` and a line
/// here.
pub const EVALUATORS: &[NamedEvaluator] = &[
    NamedEvaluator {
        name: "classic",
        about: "hand-made terms, tuned",
        make: || Evaluation::new(Classic::default()),
    },
    NamedEvaluator {
        name: "network",
        about: "network trained on boards that both sides see",
        make: || Evaluation::new(Network::new(default_network())),
    },
    NamedEvaluator {
        name: "fog",
        about: "the same network, trained further on fog games",
        make: || Evaluation::new(Network::new(default_fog_network())),
    },
];

/// The option of agents that search known or sampled boards.
pub(crate) const EVAL: OptionInfo = OptionInfo::new(
    "eval",
    Values::Text,
    "classic",
    "classic, network, fog (trained on fog games), or a file that `foglight train network` wrote",
);

/// Any evaluator. A search over it is entered by one dynamic call and is
/// monomorphised inside.
pub struct Evaluation(Box<dyn Erased>);

trait Erased: Send {
    fn copy(&self) -> Box<dyn Erased>;
    fn evaluate(&mut self, position: &Position) -> i32;
    fn capture_score(&mut self, game: &Game, position: &Position) -> i32;
    fn capture_scores(
        &mut self,
        game: &Game,
        position: &Position,
        moves: &[(Move, Position, Option<Role>)],
    ) -> Vec<i32>;
    fn search_top(
        &mut self,
        searcher: &mut Searcher,
        board: (&Game, &Position),
        history: &[u64],
        budget: &Budget,
        top: usize,
    ) -> SearchResult;
}

impl<E: Evaluator + Clone + Send + 'static> Erased for E {
    fn copy(&self) -> Box<dyn Erased> {
        Box::new(self.clone())
    }

    fn evaluate(&mut self, position: &Position) -> i32 {
        evaluate(self, position)
    }

    fn capture_score(&mut self, game: &Game, position: &Position) -> i32 {
        captures::score(self, game, position)
    }

    fn capture_scores(
        &mut self,
        game: &Game,
        position: &Position,
        moves: &[(Move, Position, Option<Role>)],
    ) -> Vec<i32> {
        captures::scores(self, game, position, moves)
    }

    fn search_top(
        &mut self,
        searcher: &mut Searcher,
        (game, position): (&Game, &Position),
        history: &[u64],
        budget: &Budget,
        top: usize,
    ) -> SearchResult {
        searcher.search_top(game, position, history, self, budget, top)
    }
}

impl Clone for Evaluation {
    fn clone(&self) -> Evaluation {
        Evaluation(self.0.copy())
    }
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::new(Classic::default())
    }
}

impl Evaluation {
    pub fn new(evaluator: impl Evaluator + Clone + Send + 'static) -> Evaluation {
        Evaluation(Box::new(evaluator))
    }

    /// Parses the option [`EVAL`]: a name of [`EVALUATORS`], or a file.
    pub fn from_option(
        agent: &str,
        word: &str,
        providers: &Providers,
    ) -> Result<Evaluation, SpecError> {
        match EVALUATORS.iter().find(|known| known.name == word) {
            Some(known) => Ok((known.make)()),
            None => {
                let weights = weights(agent, word, providers)?;
                Ok(Evaluation::new(Network::new(weights)))
            }
        }
    }

    /// Centipawns for the side to move, without a search.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        self.0.evaluate(position)
    }

    /// The score for the side to move after the profitable captures.
    pub(crate) fn capture_score(&mut self, game: &Game, position: &Position) -> i32 {
        self.0.capture_score(game, position)
    }

    /// The capture score after each move, for its mover.
    pub(crate) fn capture_scores(
        &mut self,
        game: &Game,
        position: &Position,
        moves: &[(Move, Position, Option<Role>)],
    ) -> Vec<i32> {
        self.0.capture_scores(game, position, moves)
    }

    /// The best `top` moves of a position by [`Searcher::search_top`].
    pub fn search_top(
        &mut self,
        searcher: &mut Searcher,
        board: (&Game, &Position),
        history: &[u64],
        budget: &Budget,
        top: usize,
    ) -> SearchResult {
        self.0.search_top(searcher, board, history, budget, top)
    }
}

/// The weights stored in a file.
pub(crate) fn weights(
    agent: &str,
    path: &str,
    providers: &Providers,
) -> Result<Arc<NetworkWeights>, SpecError> {
    let missing = |reason: String| SpecError::Missing {
        agent: agent.to_owned(),
        reason,
    };
    let read = providers.read.as_ref();
    let read = read.ok_or_else(|| missing("no files can be read here".into()))?;
    let bytes = read(path).map_err(|error| missing(format!("eval '{path}': {error}")))?;
    let weights = NetworkWeights::from_bytes(&bytes);
    let weights = weights.map_err(|error| missing(format!("eval '{path}': {error}")))?;
    Ok(Arc::new(weights))
}
