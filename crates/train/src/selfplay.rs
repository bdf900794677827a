//! Self-play games of the search, for training and for comparing weights.

use foglight_rules::{Action, Color, Game, PgnGame};
use rand::seq::IndexedRandom;

use foglight_engine::{
    eval::{Classic, classic::ClassicWeights},
    search::Searcher,
};
use foglight_play::{Budget, Rng, Session, rng::derive, seeded};

/// Random plies before the players begin.
const RANDOM: usize = 8;
/// Plies after which a game is a draw.
const MAX_PLIES: u32 = 300;

/// A player with its own tables.
struct Player {
    searcher: Searcher,
    leaf: Classic,
}

impl Player {
    fn new(weights: &ClassicWeights) -> Player {
        Player {
            searcher: Searcher::new(4),
            leaf: Classic::new(weights.clone()),
        }
    }
}

/// A random opening, determined by the seed.
fn opening(game: &Game, rng: &mut Rng) -> Session {
    loop {
        let mut session = Session::new(*game, game.start(), None);
        for _ in 0..RANDOM {
            if let Some(&m) = session.state().legal_moves().choose(rng) {
                session.apply(Action::Move(m));
            }
        }
        if session.outcome().is_none() {
            return Session::resume(session.state().clone(), None);
        }
    }
}

/// Plays a game to its end.
fn play_out(mut session: Session, players: [&mut Player; 2], nodes: u64) -> Session {
    let game = *session.state().game();
    let mut history = vec![session.state().position().hash()];
    for player in [0, 1] {
        players[player].searcher.clear();
    }
    while session.outcome().is_none() && session.state().plies() < MAX_PLIES {
        let position = session.state().position();
        let player = &mut *players[usize::from(position.turn().is_black())];
        let budget = Budget::nodes(nodes);
        let found = player
            .searcher
            .search(&game, position, &history, &mut player.leaf, &budget);
        let m = found.best().expect("a running game has a move");
        session.apply(Action::Move(m));
        history.push(session.state().position().hash());
    }
    session
}

/// White's score; an abandoned game is a draw.
fn score(session: &Session) -> f64 {
    let outcome = session.outcome();
    outcome.map_or(0.5, |outcome| outcome.score(Color::White))
}

/// One game of weights against themselves.
pub fn record(game: &Game, weights: &ClassicWeights, nodes: u64, seed: u64) -> PgnGame {
    let mut rng = seeded(seed);
    let start = opening(game, &mut rng);
    let (mut white, mut black) = (Player::new(weights), Player::new(weights));
    let mut record = PgnGame::new(*game, *start.state().position());
    let end = play_out(start, [&mut white, &mut black], nodes);
    record.actions = end.actions().to_vec();
    record.result = end.outcome().map(Into::into);
    record
}

/// Wins, draws and losses of the first of two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

impl Tally {
    /// Share of the points, from 0 to 1.
    pub fn share(&self) -> f64 {
        let games = self.wins + self.draws + self.losses;
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games.max(1))
    }

    /// Counts a game's score for the first player.
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
    weights: [&ClassicWeights; 2],
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
        tally.add(score(&play_out(start.clone(), [a, b], nodes)));
        tally.add(1.0 - score(&play_out(start, [b, a], nodes)));
        told(tally);
    }
    tally
}
