//! Games of the search against itself, to learn from and to compare weights.

use foglight_rules::{Action, Game, PgnGame, State};
use rand::seq::IndexedRandom;

use crate::{
    eval::{Classic, classic::Weights},
    search::Searcher,
};
use foglight_play::{Budget, Rng, rng::derive, seeded};

/// Random single moves before the players begin.
const RANDOM: usize = 8;
/// Games are called draws after so many single moves.
const LONGEST: u32 = 300;

/// A player of its own memory.
struct Player {
    searcher: Searcher,
    leaf: Classic,
}

impl Player {
    fn new(weights: &Weights) -> Player {
        Player {
            searcher: Searcher::new(4),
            leaf: Classic::new(weights.clone()),
        }
    }
}

/// A start that random moves lead to, the same for the same seed.
fn opening(game: &Game, rng: &mut Rng) -> State {
    loop {
        let mut state = State::start(*game);
        for _ in 0..RANDOM {
            let moves = state.moves();
            if let Some(&m) = moves.choose(rng) {
                state.play_unchecked(Action::Move(m));
            }
        }
        if state.outcome().is_none() {
            return state;
        }
    }
}

/// Plays a game out; gives White's score and the moves.
fn play_out(mut state: State, players: [&mut Player; 2], nodes: u64) -> (f64, Vec<Action>, State) {
    let game = *state.game();
    let mut history = vec![state.position().hash()];
    let mut actions = Vec::new();
    for player in [0, 1] {
        players[player].searcher.clear();
    }
    while state.outcome().is_none() && state.plies() < LONGEST {
        let position = *state.position();
        let player = &mut *players[usize::from(position.turn().is_black())];
        let budget = Budget::nodes(nodes);
        let found = player
            .searcher
            .search(&game, &position, &history, &mut player.leaf, &budget);
        let m = found.best().expect("a running game has a move");
        state.play_unchecked(Action::Move(m));
        history.push(state.position().hash());
        actions.push(Action::Move(m));
    }
    let score = state
        .outcome()
        .map_or(0.5, |outcome| outcome.score(foglight_rules::Color::White));
    (score, actions, state)
}

/// One game of weights against themselves.
pub fn record(game: &Game, weights: &Weights, nodes: u64, seed: u64) -> PgnGame {
    let mut rng = seeded(seed);
    let start = opening(game, &mut rng);
    let (mut white, mut black) = (Player::new(weights), Player::new(weights));
    let mut record = PgnGame::new(*game, *start.position());
    let (_, actions, end) = play_out(start, [&mut white, &mut black], nodes);
    record.actions = actions;
    record.result = end.outcome().map(Into::into);
    record
}

/// Wins, draws and losses of the first of two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// Share of the points, from 0 to 1.
    pub fn share(&self) -> f64 {
        let games = self.wins + self.draws + self.losses;
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games.max(1))
    }

    /// Counts a game's score for the first.
    pub fn add(&mut self, score: f64) {
        match score {
            s if s > 0.75 => self.wins += 1,
            s if s < 0.25 => self.losses += 1,
            _ => self.draws += 1,
        }
    }
}

/// Pairs of games between two sets of weights, same opening, colours swapped.
pub fn compare(
    game: &Game,
    weights: [&Weights; 2],
    pairs: u32,
    nodes: u64,
    seed: u64,
    told: &mut dyn FnMut(Tally),
) -> Tally {
    let mut players = weights.map(Player::new);
    let mut tally = Tally::default();
    for pair in 0..pairs {
        let start = opening(game, &mut seeded(derive(seed, u64::from(pair))));
        let [a, b] = &mut players;
        tally.add(play_out(start.clone(), [a, b], nodes).0);
        tally.add(1.0 - play_out(start, [b, a], nodes).0);
        told(tally);
    }
    tally
}
