//! `classic`, the strong agent for fully visible boards: alpha-beta search with
//! opening book and endgame tablebases.

use std::sync::Arc;

use foglight_rules::{Action, Color, Game, Move, Observation, Position};

use super::known_board;
use crate::search::{Evaluation, evaluation::EVAL};
use crate::{
    book::{Book, Polyglot, listed_answer},
    search::Searcher,
};
use foglight_play::{
    Agent, Budget, Endgames, Entry, OptionInfo, Options, Providers, Report, Rng, SpecError,
    TablebaseResult, Values, seeded,
};

pub const ENTRY: Entry = Entry {
    name: "classic",
    about: "alpha-beta search with a tuned handcrafted evaluation; needs a fully visible board",
    options: &[
        OptionInfo::new(
            "depth",
            Values::Whole(1, 100),
            "",
            "maximum search depth in plies",
        )
        .up_to(20),
        OptionInfo::new(
            "hash",
            Values::Whole(1, 4096),
            "16",
            "size of the transposition table in MiB",
        )
        .up_to(64),
        EVAL,
        BOOK,
        OptionInfo::new(
            "syzygy",
            Values::Text,
            "",
            "folder of Syzygy endgame tablebases",
        ),
    ],
    plays: known_board,
    build: |options, providers| {
        Ok(Box::new(ClassicAgent {
            searcher: Searcher::new(options.whole("hash").unwrap_or(16) as usize),
            evaluation: Evaluation::from_option("classic", options.text("eval"), providers)?,
            depth: options.whole("depth").map(|depth| depth as u32),
            openings: Openings::new("classic", options, providers)?,
            tables: open_tables(options, providers)?,
            history: Vec::new(),
            rng: seeded(0),
            report: None,
        }))
    },
};

/// The option shared by agents with opening books.
pub(super) const BOOK: OptionInfo = OptionInfo::new(
    "book",
    Values::Text,
    "off",
    "off, named (book of the named openings), paper (answers to the opponent's last move), or a Polyglot file",
);

/// Source of the opening moves.
pub(super) enum Openings {
    Off,
    Named,
    Listed,
    File(Polyglot),
}

impl Openings {
    pub(super) fn new(
        agent: &'static str,
        options: &Options,
        providers: &Providers,
    ) -> Result<Openings, SpecError> {
        let missing = |reason: String| SpecError::Missing {
            agent: agent.to_owned(),
            reason,
        };
        match options.text("book") {
            "off" => Ok(Openings::Off),
            "named" | "on" => Ok(Openings::Named),
            "paper" => Ok(Openings::Listed),
            path => {
                let read = providers.read.as_ref();
                let read = read.ok_or_else(|| missing("no files can be read here".into()))?;
                let bytes =
                    read(path).map_err(|error| missing(format!("book '{path}': {error}")))?;
                let book = Polyglot::parse(&bytes).map_err(|error| missing(error.to_string()))?;
                Ok(Openings::File(book))
            }
        }
    }

    /// A book move, if the book has one. Books cover plain chess only.
    pub(super) fn choose(
        &self,
        observation: &Observation,
        position: &Position,
        rng: &mut Rng,
    ) -> Option<Move> {
        let game = observation.game();
        let last = match observation.news().action {
            Some(Action::Move(m)) => Some(m),
            _ => None,
        };
        if *game != Game::chess() || !position.size().is_full() {
            return None;
        }
        match self {
            Openings::Off => None,
            Openings::Named => Book::named().choose(position, rng),
            Openings::Listed => listed_answer(position, last),
            Openings::File(book) => book.choose(position, rng),
        }
    }
}

fn open_tables(
    options: &Options,
    providers: &Providers,
) -> Result<Option<Arc<dyn Endgames>>, SpecError> {
    let Some(folder) = options.given("syzygy").filter(|folder| !folder.is_empty()) else {
        return Ok(None);
    };
    let missing = |reason: String| SpecError::Missing {
        agent: "classic".to_owned(),
        reason,
    };
    let open = providers.tables.as_ref();
    let open = open.ok_or_else(|| missing("no endgame tables can be read here".into()))?;
    let tables = open(folder).map_err(|error| missing(format!("syzygy '{folder}': {error}")))?;
    Ok(Some(tables))
}

struct ClassicAgent {
    searcher: Searcher,
    evaluation: Evaluation,
    depth: Option<u32>,
    openings: Openings,
    tables: Option<Arc<dyn Endgames>>,
    history: Vec<u64>,
    rng: Rng,
    report: Option<Report>,
}

impl ClassicAgent {
    fn table_move(&self, game: &Game, position: &Position) -> Option<(Move, TablebaseResult)> {
        let tables = self.tables.as_ref()?;
        if *game != Game::chess() {
            return None;
        }
        tables.best(position)
    }
}

impl Agent for ClassicAgent {
    fn start(&mut self, _: &Game, _: Color, seed: u64) {
        self.searcher.clear();
        self.history.clear();
        self.rng = seeded(seed);
        self.report = None;
    }

    fn see(&mut self, observation: &Observation) {
        if let Some(position) = observation.position() {
            self.history.push(position.hash());
        }
    }

    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        let game = *observation.game();
        let Some(position) = observation.position().copied() else {
            return super::random_move(observation, &mut self.rng);
        };
        if let Some(m) = self.openings.choose(observation, &position, &mut self.rng) {
            self.report = Some(Report {
                policy: vec![(m, 1.0)],
                pv: vec![m],
                ..Report::default()
            });
            return m;
        }
        if let Some((m, verdict)) = self.table_move(&game, &position) {
            let value = match verdict {
                TablebaseResult::Loss => -1.0,
                TablebaseResult::Draw => 0.0,
                TablebaseResult::Win => 1.0,
            };
            self.report = Some(Report {
                value: Some(value),
                policy: vec![(m, 1.0)],
                pv: vec![m],
                ..Report::default()
            });
            return m;
        }
        let mut budget = budget.clone();
        budget.depth = match (budget.depth, self.depth) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        super::never_endless(&mut budget);
        let history = std::mem::take(&mut self.history);
        let board = (&game, &position);
        let found = self
            .evaluation
            .search_top(&mut self.searcher, board, &history, &budget, 1);
        self.history = history;
        self.report = Some(found.report());
        let known = found
            .best()
            .filter(|m| observation.legal_moves().contains(m));
        known.unwrap_or(observation.legal_moves()[0])
    }

    fn report(&self) -> Option<Report> {
        self.report.clone()
    }
}
