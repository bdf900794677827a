//! The DMU project (Gindi et al.), "Results": the tables of its Monte-Carlo
//! games on 4x4 boards, and its two figures of particle quality.

mod particles;
mod reach;

use std::collections::BTreeMap;

use foglight_arena::queue::{JsonWork, Work};
use foglight_engine::registry;
use foglight_play::{
    Agent, ConfiguredAgent, GameConfig, Limits, Providers, Rng, Session, Spec, rng::derive, seeded,
    session::play_agents,
};
use foglight_rules::{
    ByColor, CastlingRights, Color, FogRules, Game, Piece, Position, Record, Setup, Sight, Size,
};
use rand::Rng as _;
use serde::{Deserialize, Serialize};

pub use particles::{QualitySource, quality};

/// Name on the command line.
pub const NAME: &str = "dmu";
/// One-line description of the experiment.
pub const ABOUT: &str = "tables I and II and figures 10 and 11 of the DMU project (Gindi et al.)";
/// Random starts of each row in the paper.
pub const GAMES: u64 = 100;

/// Plies after which a game counts as drawn: the paper names no limit.
const MAX_PLIES: u32 = 400;

/// A player of the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    Random,
    /// QMDP over the particle filter.
    Particles,
    /// QMDP with full observability.
    Full,
}

impl Policy {
    fn name(self) -> &'static str {
        match self {
            Policy::Random => "random",
            Policy::Particles => "particle-filter",
            Policy::Full => "full-state",
        }
    }

    fn agent(self, pieces: &str, preset: &str) -> String {
        match self {
            Policy::Random => "random".to_owned(),
            _ => format!("qmdp:preset={preset},pieces={pieces}"),
        }
    }

    fn sight(self) -> Sight {
        match self {
            Policy::Full => Sight::Full,
            _ => Sight::Normal,
        }
    }
}

/// A row of table I or II.
#[derive(Clone, Copy, Debug)]
pub struct DmuRow {
    /// Pieces on the board.
    pub pieces: &'static str,
    pub white: Policy,
    pub black: Policy,
    /// As printed: wins, mean and deviation of turns of White and of Black,
    /// draws.
    pub published: [&'static str; 7],
}

/// All rows, table I first.
#[rustfmt::skip]
pub const ROWS: [DmuRow; 9] = [
    DmuRow { pieces: "KQk", white: Policy::Random, black: Policy::Random, published: ["59", "9.508", "9.294", "41", "10.171", "9.013", "0"] },
    DmuRow { pieces: "KQk", white: Policy::Particles, black: Policy::Random, published: ["100", "2.08", "0.272", "0", "0", "0", "0"] },
    DmuRow { pieces: "KQk", white: Policy::Full, black: Policy::Random, published: ["100", "2.11", "0.373", "0", "0", "0", "0"] },
    DmuRow { pieces: "KQk", white: Policy::Random, black: Policy::Full, published: ["2", "2.5", "0.707", "98", "4.429", "2.632", "0"] },
    DmuRow { pieces: "KQk", white: Policy::Particles, black: Policy::Full, published: ["97", "2.773", "1.906", "2", "23", "19.79", "1"] },
    DmuRow { pieces: "KQk", white: Policy::Full, black: Policy::Full, published: ["100", "2.73", "1.108", "0", "0", "0", "0"] },
    DmuRow { pieces: "KQkb", white: Policy::Random, black: Policy::Random, published: ["54", "10.685", "8.529", "46", "9.022", "8.538", "0"] },
    DmuRow { pieces: "KQkb", white: Policy::Particles, black: Policy::Random, published: ["100", "2.34", "0.639", "0", "0", "0", "0"] },
    DmuRow { pieces: "KQkb", white: Policy::Full, black: Policy::Random, published: ["100", "2.38", "0.663", "0", "0", "0", "0"] },
];

/// Presets of `qmdp` with which each row is played.
pub const PRESETS: [&str; 2] = ["paper", "best"];

/// What the games of the tables follow from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DmuOptions {
    /// Numbers of the rows.
    pub rows: Vec<usize>,
    /// Random starts of each.
    pub games: u64,
    pub seed: u64,
}

/// The games of the tables: of each row, by each preset, from each start.
pub struct DmuGames {
    options: DmuOptions,
    /// Starts of each row.
    starts: Vec<Vec<Position>>,
}

/// Result of a game: whether White won, unless it was drawn, and its plies.
pub type DmuEnd = (Option<bool>, u32);

impl DmuGames {
    /// Rows that do not exist are left out.
    pub fn new(mut options: DmuOptions) -> DmuGames {
        options.rows.retain(|&row| row < ROWS.len());
        let rows = options.rows.iter();
        let starts = rows.map(|&row| ROWS[row].starts(options.games, options.seed));
        DmuGames {
            starts: starts.collect(),
            options,
        }
    }

    /// Number of games.
    pub fn len(&self) -> u64 {
        (self.starts.len() * PRESETS.len()) as u64 * self.options.games
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The place of a row among those played, the preset, and the start.
    fn place(&self, item: u64) -> (usize, usize, u64) {
        let (part, number) = (item / self.options.games, item % self.options.games);
        let presets = PRESETS.len() as u64;
        ((part / presets) as usize, (part % presets) as usize, number)
    }

    /// The rows, with the results of both presets.
    pub fn measured(&self, ends: &BTreeMap<u64, DmuEnd>) -> Vec<(&'static DmuRow, [Measured; 2])> {
        let rows = self.options.rows.iter();
        let mut measured: Vec<_> = rows
            .map(|&row| (&ROWS[row], [(); 2].map(|()| Measured::default())))
            .collect();
        for (&item, end) in ends {
            let (row, preset, _) = self.place(item);
            measured[row].1[preset].add(*end);
        }
        measured
    }
}

impl Work for DmuGames {
    type Output = DmuEnd;
    /// The players of the last row and preset.
    type Tools = Option<((usize, usize), [ConfiguredAgent; 2])>;

    fn tools(&self) -> Self::Tools {
        None
    }

    fn do_item(&self, item: u64, tools: &mut Self::Tools, _: &dyn Fn() -> bool) -> Option<DmuEnd> {
        let (place, preset, number) = self.place(item);
        let row = &ROWS[self.options.rows[place]];
        let game = row.game();
        if tools.as_ref().is_none_or(|(of, _)| *of != (place, preset)) {
            let agents =
                [row.white, row.black].map(|policy| policy.agent(row.pieces, PRESETS[preset]));
            *tools = Some(((place, preset), agents.map(|agent| player(&agent, &game))));
        }
        let (_, players) = tools.as_mut().expect("players of this row");
        let start = self.starts[place][number as usize];
        let end = play_one(&game, start, players, derive(self.options.seed, number));
        let winner = end.outcome.and_then(|outcome| outcome.winner);
        Some((winner.map(Color::is_white), end.actions.len() as u32))
    }
}

impl JsonWork for DmuGames {
    const KIND: &'static str = "experiment dmu";
    type Options = DmuOptions;

    fn options(&self) -> &DmuOptions {
        &self.options
    }

    fn repeats(&self) -> bool {
        true
    }

    fn same(&self, one: &DmuEnd, other: &DmuEnd) -> bool {
        one == other
    }
}

/// Measured results of a row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measured {
    /// White's own moves in each game that it won.
    pub white: Vec<u32>,
    /// Black's own moves in each game that it won.
    pub black: Vec<u32>,
    pub draws: u64,
}

/// Header of the tables, in Markdown.
pub fn head() -> String {
    let columns = [
        "board",
        "White",
        "Black",
        "White wins",
        "W mean turns",
        "s.d.",
        "Black wins",
        "B mean turns",
        "s.d.",
        "draws",
        "effect",
    ];
    format!(
        "Each cell: published; ours with preset={}; with preset={}. The effect is the mean of the winner's turns \
         with the first: yes within 1.96 standard errors of both, near within half a turn.\n\n| {} |\n|{}\n",
        PRESETS[0],
        PRESETS[1],
        columns.join(" | "),
        "---|".repeat(columns.len())
    )
}

impl DmuRow {
    /// Games continue through repetitions, as the paper has no such rule.
    fn game(&self) -> Game {
        Game::fog_with(FogRules::PyChess)
            .with_halfmove_limit(None)
            .with_sight(Color::White, self.white.sight())
            .with_sight(Color::Black, self.black.sight())
    }

    /// Random starts, none with Black's king attacked.
    fn starts(&self, games: u64, seed: u64) -> Vec<Position> {
        let (game, mut rng) = (self.game(), seeded(derive(seed, 4)));
        let starts = (0..games).map(|_| random_start(&game, self.pieces, &mut rng));
        starts.collect()
    }

    /// Board and players, as in "KQk: random v full-state".
    pub fn label(&self) -> String {
        let (white, black) = (self.white.name(), self.black.name());
        format!("{}: {white} v {black}", self.pieces)
    }

    /// The row as Markdown, with the results of both presets.
    pub fn text(&self, measured: &[Measured; 2]) -> String {
        let ours = measured.each_ref().map(Measured::cells);
        let cells = self.published.iter().enumerate();
        let cells: Vec<String> = cells
            .map(|(i, theirs)| format!("{theirs}; {}; {}", ours[0][i], ours[1][i]))
            .collect();
        let players = [self.white.name(), self.black.name()].join(" | ");
        let effect = self.effect(&measured[0]);
        format!(
            "| {} | {players} | {} | {effect} |\n",
            self.pieces,
            cells.join(" | ")
        )
    }

    /// Compares the mean turns of the side that won more games in the paper.
    fn effect(&self, measured: &Measured) -> &'static str {
        let number = |at: usize| self.published[at].parse().unwrap_or(0.0_f64);
        let (at, own) = match number(0) >= number(3) {
            true => (0, &measured.white),
            false => (3, &measured.black),
        };
        let ((mean, deviation), n) = (moments(own), own.len() as f64);
        let square = number(at + 2).powi(2) / number(at).max(1.0) + deviation.powi(2) / n.max(1.0);
        match (number(at + 1) - mean).abs() {
            off if off <= 1.96 * square.sqrt() => "yes",
            off if off <= 0.5 => "near",
            _ => "no",
        }
    }
}

impl Measured {
    fn add(&mut self, (white_won, plies): DmuEnd) {
        match white_won {
            Some(true) => self.white.push(plies.div_ceil(2)),
            Some(false) => self.black.push(plies / 2),
            None => self.draws += 1,
        }
    }

    fn cells(&self) -> [String; 7] {
        let (white, black) = (turns(&self.white), turns(&self.black));
        [
            self.white.len().to_string(),
            white.0,
            white.1,
            self.black.len().to_string(),
            black.0,
            black.1,
            self.draws.to_string(),
        ]
    }
}

/// Mean and sample deviation, in the paper's format.
fn turns(turns: &[u32]) -> (String, String) {
    if turns.is_empty() {
        return ("0".to_owned(), "0".to_owned());
    }
    let (mean, deviation) = moments(turns);
    (format!("{mean:.3}"), format!("{deviation:.3}"))
}

/// Mean and sample deviation; zeros of nothing.
fn moments(turns: &[u32]) -> (f64, f64) {
    let n = turns.len() as f64;
    let mean = turns.iter().map(|&t| f64::from(t)).sum::<f64>() / n.max(1.0);
    let squares = turns.iter().map(|&t| (f64::from(t) - mean).powi(2));
    let deviation = (squares.sum::<f64>() / (n - 1.0).max(1.0)).sqrt();
    (mean, deviation)
}

fn player(agent: &str, game: &Game) -> ConfiguredAgent {
    let spec: Spec = agent.parse().expect("a spec of this file");
    registry::build(&spec, game, &Providers::default()).expect("an agent of this file")
}

fn play_one(game: &Game, start: Position, players: &mut [ConfiguredAgent; 2], seed: u64) -> Record {
    let session = Session::new(*game, start, Some(MAX_PLIES)).without_claims();
    let config = GameConfig {
        agent_seeds: ByColor {
            white: derive(seed, 0),
            black: derive(seed, 1),
        },
        limits: ByColor::new_with(|_| Limits {
            nodes: Some(1000),
            ..Limits::default()
        }),
        ..GameConfig::new(*game, start, seed, 0)
    };
    let [white, black] = players;
    let agents: ByColor<&mut dyn Agent> = ByColor { white, black };
    play_agents(session, &config, agents, &|_| false)
}

/// A random placement in which White, to move, does not attack the king.
fn random_start(game: &Game, pieces: &str, rng: &mut Rng) -> Position {
    let size = Size::new(4, 4).expect("a size");
    loop {
        let mut squares: Vec<_> = size.mask().into_iter().collect();
        let board = pieces
            .chars()
            .map(|letter| {
                let square = squares.swap_remove(rng.random_range(0..squares.len()));
                (square, Piece::from_char(letter).expect("a piece"))
            })
            .collect();
        let parts = Setup {
            size,
            board,
            castling: CastlingRights::NONE,
            ..Setup::start()
        };
        let position = game.position(parts).expect("pieces of both kings");
        if !position.can_capture_king() && game.outcome(&position).is_none() {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(row: usize, games: u64, seed: u64) -> [Measured; 2] {
        let rows = vec![row];
        let games = DmuGames::new(DmuOptions { rows, games, seed });
        let mut tools = games.tools();
        let mut end = |item| games.do_item(item, &mut tools, &|| false).expect("an end");
        let ends = (0..games.len()).map(|item| (item, end(item))).collect();
        games.measured(&ends).remove(0).1
    }

    #[test]
    fn random_starts_are_quiet_and_games_end() {
        let mut rng = seeded(1);
        for number in [0, 6] {
            let row = &ROWS[number];
            for _ in 0..50 {
                let start = random_start(&Game::fog(), row.pieces, &mut rng);
                assert!(!start.can_capture_king());
                assert_eq!(start.board().occupied().count(), row.pieces.len());
            }
            let [measured, _] = play(number, 40, 1);
            let games = measured.white.len() + measured.black.len();
            assert_eq!(games as u64 + measured.draws, 40);
            // As in the paper no game is drawn, and both sides win some.
            assert!(measured.white.len() > 12 && measured.black.len() > 8);
        }
    }

    fn mean(measured: &Measured) -> f64 {
        let turns = measured.white.iter();
        turns.map(|turns| f64::from(*turns)).sum::<f64>() / measured.white.len() as f64
    }

    #[test]
    fn full_state_beats_random_in_about_two_turns() {
        let measured = play(2, 30, 1);
        let text = ROWS[2].text(&measured);
        assert!(
            text.starts_with("| KQk | full-state | random | 100; 30; 30 | 2.11; "),
            "{text}"
        );
        assert!((1.8..2.5).contains(&mean(&measured[0])));
        assert!(text.ends_with("| yes |\n"), "{text}");
        let late = Measured {
            white: vec![9; 30],
            ..Measured::default()
        };
        assert_eq!(ROWS[2].effect(&late), "no");
    }

    /// Tables I and II: the particle filter, from the start that both know, is
    /// about as quick as the player that sees everything.
    #[test]
    fn the_particle_filter_is_nearly_as_quick_as_full_sight() {
        for (row, low, high) in [(1, 1.9, 2.5), (4, 2.2, 3.2), (7, 2.0, 2.8)] {
            let [measured, _] = play(row, 40, 2);
            assert!(measured.white.len() >= 38, "{measured:?}");
            assert!((low..high).contains(&mean(&measured)), "{measured:?}");
        }
    }

    #[test]
    fn means_and_deviations_are_those_of_a_sample() {
        assert_eq!(turns(&[2, 4]), ("3.000".to_owned(), "1.414".to_owned()));
        assert_eq!(turns(&[]), ("0".to_owned(), "0".to_owned()));
    }
}
