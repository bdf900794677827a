//! The evaluation of boards that an option names.

use std::sync::Arc;

use foglight_rules::{Game, Position};

use crate::{
    eval::{
        Classic, Network,
        network::{Weights, shipped, shipped_for_fog},
    },
    search::{Searcher, alphabeta::Found},
};
use foglight_play::{Budget, OptionInfo, Providers, SpecError, Values};

/// The option of agents that search boards which they know or make up.
pub const EVAL: OptionInfo = OptionInfo::new(
    "eval",
    Values::Text,
    "classic",
    "classic, network, fog (taught by fog games), or a file that `foglight train network` wrote",
);

/// Who judges the leaves of a search.
#[derive(Clone)]
pub enum Evaluation {
    /// The hand-made evaluation.
    Classic(Box<Classic>),
    /// The network.
    Network(Network),
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::Classic(Box::default())
    }
}

impl Evaluation {
    /// By the word of the option [`EVAL`].
    pub fn named(agent: &str, word: &str, providers: &Providers) -> Result<Evaluation, SpecError> {
        match word {
            "classic" => Ok(Evaluation::default()),
            word => network(agent, word, providers).map(Evaluation::Network),
        }
    }

    /// The best `top` moves of a position, as [`Searcher::search_top`] finds them.
    pub fn search_top(
        &mut self,
        searcher: &mut Searcher,
        (game, position): (&Game, &Position),
        history: &[u64],
        budget: &Budget,
        top: usize,
    ) -> Found {
        match self {
            Evaluation::Classic(classic) => {
                searcher.search_top(game, position, history, classic.as_mut(), budget, top)
            }
            Evaluation::Network(network) => {
                searcher.search_top(game, position, history, network, budget, top)
            }
        }
    }
}

/// A network that is shipped, or one of a file.
pub fn network(agent: &str, word: &str, providers: &Providers) -> Result<Network, SpecError> {
    match word {
        "network" => Ok(Network::new(shipped())),
        "fog" => Ok(Network::new(shipped_for_fog())),
        path => weights(agent, path, providers).map(Network::new),
    }
}

/// The weights that a file holds.
pub fn weights(agent: &str, path: &str, providers: &Providers) -> Result<Arc<Weights>, SpecError> {
    let missing = |reason: String| SpecError::Missing {
        agent: agent.to_owned(),
        reason,
    };
    let read = providers.read.as_ref();
    let read = read.ok_or_else(|| missing("no files can be read here".into()))?;
    let bytes = read(path).map_err(|error| missing(format!("eval '{path}': {error}")))?;
    let weights = Weights::from_bytes(&bytes);
    let weights = weights.map_err(|error| missing(format!("eval '{path}': {error}")))?;
    Ok(Arc::new(weights))
}
