//! The agent of Mellemseter 2017 (chapter 4): alpha-beta over the visible squares,
//! which stay fixed during the search, hidden material counted by average values,
//! and a risk for every own piece that a less valuable hidden piece may capture.

mod extensions;
mod generator;
mod pawns;
mod search;
mod sense;
#[cfg(test)]
mod tests;

use foglight_rules::{Color, Game, Move, Observation, Variant};
use rand::Rng as _;

use crate::belief::BeliefTracker;
use foglight_play::{
    Agent, Budget, Entry, OptionInfo, Options, Report, Rng, Values, rng::weighted_index, seeded,
};
use pawns::PawnTrack;
use search::Search;
use sense::Sense;

pub const ENTRY: Entry = Entry {
    name: "thesis",
    about: "alpha-beta over the visible squares, with risk from the hidden ones (Mellemseter 2017)",
    options: &[
        OptionInfo::new(
            "preset",
            Values::Choice(&["paper", "best"]),
            "paper",
            "paper: as in the thesis; best: move ordering, best move and the extensions that help",
        )
        .open(),
        OptionInfo::new(
            "risk",
            Values::Switch,
            "off",
            "subtracts the risk of eq. 4.4 and 4.5",
        )
        .open(),
        OptionInfo::new(
            "severity",
            Values::Number(0.0, 10.0),
            "1.0",
            "factor on the risk term",
        )
        .open(),
        OptionInfo::new(
            "ordering",
            Values::Switch,
            "off",
            "captures first; off: squares scanned a8 to h1 for both colours",
        )
        .open(),
        OptionInfo::new(
            "generator",
            Values::Choice(&["chessjs", "bitboard"]),
            "chessjs",
            "moves of one piece in the order of chess.js, which the thesis uses, or by target square",
        )
        .open(),
        OptionInfo::new(
            "depth",
            Values::Whole(1, 12),
            "2",
            "search depth in plies, before quiescence search",
        )
        .up_to(4),
        OptionInfo::new(
            "deepen",
            Values::Switch,
            "off",
            "searches to depth 1, 2 and so on until `depth` or the end of the time (extension)",
        )
        .open(),
        OptionInfo::new(
            "select",
            Values::Choice(&["weighted", "best"]),
            "weighted",
            "weighted: draws among the root moves that raised alpha; best: always the best move",
        )
        .open(),
        OptionInfo::new(
            "weights",
            Values::Choice(&["sum", "lead", "range"]),
            "sum",
            "select=weighted: scores divided by their sum; one pawn plus the lead over the lowest; \
             the softmax of scores scaled to 0..1",
        )
        .open(),
        OptionInfo::new(
            "pass",
            Values::Choice(&["stuck", "always"]),
            "stuck",
            "the enemy passes if no visible piece can move, or may always pass (extension)",
        )
        .open(),
        OptionInfo::new(
            "hidden",
            Values::Choice(&["even", "tables"]),
            "even",
            "hidden pieces placed uniformly, or by normalised piece-square tables (extension)",
        )
        .open(),
        OptionInfo::new(
            "pawns",
            Values::Switch,
            "off",
            "infers possible squares of enemy pawns and evaluates weak pawns (extension)",
        )
        .open(),
        OptionInfo::new(
            "carry",
            Values::Choice(&["off", "on", "one"]),
            "off",
            "on: adds the risk after every own move of a line, not only at its end; \
             one: of the piece most at risk alone, as the enemy takes one a move (extension)",
        )
        .open(),
        OptionInfo::new(
            "king-risk",
            Values::Number(0.0, 200.0),
            "200",
            "value of the king in the risk, in pawns: the thesis's 200 freezes an agent that charges it at every move (extension)",
        )
        .open(),
        OptionInfo::new(
            "mobility",
            Values::Switch,
            "off",
            "evaluates mobility in visible moves (extension)",
        )
        .open(),
        OptionInfo::new(
            "phase",
            Values::Switch,
            "off",
            "uses the king's endgame table late in the game (extension)",
        )
        .open(),
        OptionInfo::new(
            "unprotected",
            Values::Switch,
            "off",
            "evaluates unprotected own and visible enemy pieces (extension)",
        )
        .open(),
        OptionInfo::new(
            "king",
            Values::Switch,
            "off",
            "evaluates pawn shields and hidden lines to the own king (extension)",
        )
        .open(),
        OptionInfo::new(
            "lines",
            Values::Switch,
            "off",
            "evaluates rooks and queens on open files, bishops and queens on open diagonals (extension)",
        )
        .open(),
        OptionInfo::new(
            "king-place",
            Values::Switch,
            "off",
            "evaluates attacks on the squares where the enemy's pawns suggest its hidden king (extension)",
        )
        .open(),
    ],
    plays: |game| matches!(game.variant(), Variant::Fog(_)),
    build: |options, _| {
        Ok(Box::new(Thesis {
            settings: ThesisSettings::new(options),
            keeper: BeliefTracker::of_material(),
            pawns: None,
            rng: seeded(0),
            report: Report::default(),
        }))
    },
};

/// The parsed options of the agent.
#[derive(Clone, Copy, Debug)]
struct ThesisSettings {
    risk: f64,
    ordering: bool,
    by_offset: bool,
    depth: u32,
    deepen: bool,
    select: Select,
    may_pass: bool,
    by_tables: bool,
    carry: Carry,
    king_risk: f64,
    lines: bool,
    king_place: bool,
    mobility: bool,
    phase: bool,
    unprotected: bool,
    pawns: bool,
    king: bool,
}

/// The risk charged after every own move of a line, in place of that at its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Carry {
    Off,
    /// The risk of all pieces.
    All,
    /// The risk of the piece that has most.
    One,
}

/// How a move is chosen among those that raised alpha. The thesis draws by "the
/// score normalized" and says no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Select {
    /// Draws by the scores divided by their sum, as they are: negative ones too.
    Sum,
    /// Draws by one pawn plus the lead over the lowest score.
    Lead,
    /// Draws by the softmax of the scores scaled to 0..1.
    Range,
    /// Takes the best.
    Best,
}

impl ThesisSettings {
    fn new(options: &Options) -> ThesisSettings {
        let best = options.text("preset") == "best";
        let text = |name: &str| match options.given(name) {
            None if best => BEST.iter().find(|(key, _)| *key == name).map(|(_, v)| *v),
            given => given,
        };
        let text = |name: &str| text(name).unwrap_or_else(|| options.text(name));
        let on = |name: &str| text(name) == "on";
        ThesisSettings {
            risk: if on("risk") {
                options.number("severity")
            } else {
                0.0
            },
            ordering: on("ordering"),
            by_offset: text("generator") == "chessjs",
            depth: text("depth").parse().unwrap_or(2),
            deepen: on("deepen"),
            select: match (text("select"), text("weights")) {
                ("best", _) => Select::Best,
                (_, "lead") => Select::Lead,
                (_, "range") => Select::Range,
                _ => Select::Sum,
            },
            may_pass: text("pass") == "always",
            by_tables: text("hidden") == "tables",
            carry: match text("carry") {
                "on" => Carry::All,
                "one" => Carry::One,
                _ => Carry::Off,
            },
            king_risk: options.number("king-risk"),
            lines: on("lines"),
            king_place: on("king-place"),
            mobility: on("mobility"),
            phase: on("phase"),
            unprotected: on("unprotected"),
            pawns: on("pawns"),
            king: on("king"),
        }
    }
}

/// Options of `preset=best`; docs/fog-agents.md has the matches behind them.
const BEST: [(&str, &str); 4] = [
    ("ordering", "on"),
    ("select", "best"),
    ("pass", "always"),
    ("unprotected", "on"),
];

struct Thesis {
    settings: ThesisSettings,
    /// Used for the enemy's remaining material only: the thesis has no belief over
    /// positions.
    keeper: BeliefTracker,
    /// Possible squares of the enemy's pawns, with option `pawns`.
    pawns: Option<PawnTrack>,
    rng: Rng,
    report: Report,
}

impl Agent for Thesis {
    fn start(&mut self, _: &Game, _: Color, seed: u64) {
        self.rng = seeded(seed);
        self.keeper.start(seed);
        self.pawns = None;
    }

    fn see(&mut self, observation: &Observation) {
        self.keeper.see(observation);
        let Some(roster) = self.keeper.material().filter(|_| self.settings.pawns) else {
            return;
        };
        self.pawns
            .get_or_insert_with(|| PawnTrack::new(observation, roster))
            .see(observation);
    }

    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        self.see(observation);
        let roster = self.keeper.material().expect("something was seen");
        let sense = Sense::new(observation, roster, self.pawns.as_ref(), &self.settings);
        let mut search = Search::new(&sense, &self.settings, budget);
        let (depth, raised) = search.run(observation);
        self.report = Report {
            nodes: search.nodes(),
            depth,
            centipawns: raised.last().map(|(_, score)| (score * 100.0) as i32),
            policy: mix(&raised, self.settings.select),
            pv: search.line().to_vec(),
            ..Report::default()
        };
        self.choose(observation)
    }

    fn report(&self) -> Option<Report> {
        Some(self.report.clone())
    }
}

impl Thesis {
    fn choose(&mut self, observation: &Observation) -> Move {
        let mix = &self.report.policy;
        let drawn = weighted_index(mix.iter().map(|(_, share)| *share), self.rng.random());
        drawn.map_or(observation.legal_moves()[0], |i| mix[i].0)
    }
}

/// The moves that raised alpha with their probabilities, the best first.
fn mix(raised: &[(Move, f64)], select: Select) -> Vec<(Move, f64)> {
    let Some(&(best, _)) = raised.last() else {
        return Vec::new();
    };
    let scores = raised.iter().map(|(_, score)| *score);
    let shares = match select {
        Select::Best => return vec![(best, 1.0)],
        Select::Sum => by_sum(scores.collect()),
        Select::Lead => by_lead(scores.collect()),
        Select::Range => by_range(scores.collect()),
    };
    let moves = raised.iter().map(|(m, _)| *m);
    let mut mix: Vec<(Move, f64)> = moves.zip(shares).collect();
    mix.reverse();
    mix
}

/// Each score's lead over the lowest plus one pawn, as shares of their sum.
fn by_lead(scores: Vec<f64>) -> Vec<f64> {
    let lowest = scores.iter().copied().fold(f64::INFINITY, f64::min);
    shares(scores.iter().map(|score| score - lowest + 1.0).collect())
}

/// The softmax of the scores, the lowest scaled to 0 and the highest to 1.
fn by_range(scores: Vec<f64>) -> Vec<f64> {
    let lowest = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let span = (highest - lowest).max(f64::MIN_POSITIVE);
    let weights = scores.iter().map(|score| ((score - lowest) / span).exp());
    shares(weights.collect())
}

fn shares(weights: Vec<f64>) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

/// The chance of each score to be the first whose cumulated share of the sum
/// exceeds a number drawn from 0 to 1; the last, which is the best, has the
/// rest. Where all are negative the worst is the likeliest.
fn by_sum(scores: Vec<f64>) -> Vec<f64> {
    let total: f64 = scores.iter().sum();
    let (mut cumulated, mut passed) = (0.0, 0.0_f64);
    let mut shares: Vec<f64> = scores
        .iter()
        .map(|score| {
            cumulated += if total == 0.0 { 0.0 } else { score / total };
            let share = (cumulated.min(1.0) - passed).max(0.0);
            passed += share;
            share
        })
        .collect();
    if let Some(last) = shares.last_mut() {
        *last += 1.0 - passed;
    }
    shares
}
