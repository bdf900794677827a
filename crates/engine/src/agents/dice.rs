//! `dice`, the project's own agent for dice chess.

use foglight_rules::{Color, Game, Move, Observation};

use crate::dice::{DiceNetwork, dice1_search, dice3_search, table::DiceTable, value};
use crate::search::evaluation::weights;
use foglight_play::{Agent, Budget, Entry, OptionInfo, Providers, Report, SpecError, Values};

pub const ENTRY: Entry = Entry {
    name: "dice",
    about: "iterative-deepening expectiminimax with Star1, Star2, a transposition table and exact king risk",
    options: &[
        OptionInfo::new(
            "depth",
            Values::Whole(1, 30),
            "",
            "maximum search depth in plies",
        )
        .up_to(8),
        OptionInfo::new(
            "hash",
            Values::Whole(1, 4096),
            "16",
            "size of the transposition table in MiB",
        )
        .up_to(64),
        OptionInfo::new(
            "eval",
            Values::Text,
            "tables",
            "evaluation with one die: tables, network, or a file written by `train network`",
        ),
        OptionInfo::new(
            "weights",
            Values::Text,
            "",
            "file with other piece-square values, for eval=tables",
        ),
    ],
    plays: Game::has_dice,
    build: |options, providers| {
        Ok(Box::new(Dice {
            values: read_values(options.text("weights"), providers)?,
            network: read_network(options.text("eval"), providers)?,
            depth: options.whole("depth").map(|depth| depth as u32),
            hash: options.whole("hash").expect("hash has a default") as usize,
            table: None,
            plan: Plan::default(),
            report: None,
        }))
    },
};

/// Time per move if the budget has no limit.
pub(crate) const UNLIMITED: std::time::Duration = std::time::Duration::from_millis(1000);

/// Returns the budget, limited to [`UNLIMITED`] if it has no limit.
pub(crate) fn limited(budget: &Budget) -> Budget {
    let mut budget = budget.clone();
    let unlimited = budget.target().is_none() && budget.nodes.is_none();
    if unlimited && budget.depth.is_none() {
        budget.movetime = Some(UNLIMITED);
    }
    budget
}

/// Reads piece-square values from a file; `None` for an empty path.
fn read_values(
    path: &str,
    providers: &Providers,
) -> Result<Option<value::PieceSquareValues>, SpecError> {
    let missing = |reason: String| SpecError::Missing {
        agent: "dice".to_owned(),
        reason,
    };
    if path.is_empty() {
        return Ok(None);
    }
    let read = providers.read.as_ref();
    let read = read.ok_or_else(|| missing("no files can be read here".to_owned()))?;
    let bytes = read(path).map_err(|error| missing(format!("{path}: {error}")))?;
    let values = value::PieceSquareValues::parse(&String::from_utf8_lossy(&bytes));
    let wrong = || missing(format!("{path}: expected {} whole numbers", 6 * 64 + 1));
    values.map(Some).ok_or_else(wrong)
}

/// Loads the network named by the option; `None` for `tables`.
fn read_network(word: &str, providers: &Providers) -> Result<Option<DiceNetwork>, SpecError> {
    match word {
        "tables" => Ok(None),
        "network" => Ok(Some(DiceNetwork::default_network())),
        path => weights("dice", path, providers).map(|weights| Some(DiceNetwork::new(weights))),
    }
}

struct Dice {
    values: Option<value::PieceSquareValues>,
    network: Option<DiceNetwork>,
    depth: Option<u32>,
    hash: usize,
    table: Option<DiceTable>,
    plan: Plan,
    report: Option<Report>,
}

/// The remaining moves of a turn of several moves.
#[derive(Default)]
struct Plan {
    moves: std::collections::VecDeque<Move>,
    /// Ply of the game at which the next move is due.
    due: u32,
}

impl Dice {
    /// The next move of the turn. The whole turn is searched at its start.
    fn next_of_turn(&mut self, observation: &Observation, budget: &Budget) -> Move {
        let legal = observation.legal_moves();
        let due = self.plan.due == observation.plies();
        if !due || self.plan.moves.front().is_none_or(|m| !legal.contains(m)) {
            let position = observation.position().expect("dice chess hides nothing");
            let shipped = value::PieceSquareValues::of_size(position.size());
            let values = self.values.as_ref().unwrap_or(shipped);
            let turn = dice3_search::think(position, position.dice(), values, budget);
            self.report = turn.as_ref().map(dice3_search::TurnMoves::report);
            self.plan.moves = turn.map(|turn| turn.moves.into()).unwrap_or_default();
        }
        self.plan.due = observation.plies() + 1;
        let next = self.plan.moves.pop_front();
        next.filter(|m| legal.contains(m)).unwrap_or(legal[0])
    }
}

impl Agent for Dice {
    fn start(&mut self, _: &Game, _: Color, _: u64) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.plan = Plan::default();
        self.report = None;
    }

    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        let position = observation.position().expect("dice chess hides nothing");
        let mut budget = budget.clone();
        budget.depth = self.depth.or(budget.depth);
        let budget = limited(&budget);
        if observation.game().variant() == foglight_rules::Variant::Dice3 {
            return self.next_of_turn(observation, &budget);
        }
        let table = self.table.get_or_insert_with(|| DiceTable::new(self.hash));
        let full = position.size().is_full();
        let (game, moves) = (observation.game(), observation.legal_moves());
        let thought = match self.network.as_ref().filter(|_| full) {
            Some(network) => dice1_search::think(game, position, moves, (network, table), &budget),
            None => {
                let shipped = value::PieceSquareValues::of_size(position.size());
                let values = self.values.as_ref().filter(|_| full).unwrap_or(shipped);
                dice1_search::think(game, position, moves, (values, table), &budget)
            }
        };
        self.report = Some(thought.report());
        thought.best
    }

    fn report(&self) -> Option<Report> {
        self.report.clone()
    }
}
