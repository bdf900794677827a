//! Training positions of fog games and their belief worlds, noisy ones
//! included, and their labels.

use std::collections::BTreeSet;

use foglight_rules::{
    Action, ByColor, Color, Game, Move, PgnGame, Position, Record, Replay, Role, State,
};
use rand::{
    Rng as _,
    seq::{IndexedRandom, SliceRandom},
};

use super::NetworkExample;
use foglight_engine::{
    belief::BeliefSet,
    eval::centipawns_of,
    search::{SearchAnalyser, analyser::best},
};
use foglight_play::{
    Agent, AgentGame, Analyser, AnalysisLimit, Budget, Next, Rng, Session, rng::derive, seeded,
};

/// Settings of games and of the sampling of positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DataGen {
    /// Maximum random plies before the players begin.
    pub random: usize,
    /// Nodes of a player's move.
    pub nodes: u64,
    /// Worlds sampled from the mover's belief at each ply, beside the true
    /// position.
    pub worlds: usize,
    /// Positions after one more move that are labelled for each position.
    pub children: usize,
    /// The probability of keeping a noisy one of these, where a piece hangs.
    pub noisy: f64,
    /// Maximum random plies played from a position of a recorded game before it
    /// is sampled: searches meet more positions than people play.
    pub random_plies: usize,
    /// Maximum length of a game.
    pub plies: u32,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Default for DataGen {
    fn default() -> DataGen {
        DataGen {
            random: 8,
            nodes: 2000,
            worlds: 2,
            children: 6,
            noisy: 1.0,
            random_plies: 0,
            plies: 200,
            seed: 1,
        }
    }
}

/// Belief positions stored during data generation: a uniform subset beyond.
const CAP: usize = 3000;

/// A position of a game, and the result for its mover if it was on the board.
struct Gathered {
    position: Position,
    result: Option<f64>,
    turn: Color,
}

/// A recorded game of other players.
pub struct LabelledGame {
    game: Game,
    start: Position,
    actions: Vec<Action>,
    /// The result if the game ended: the winner, or `None` for a draw.
    winner: Option<Option<Color>>,
}

impl From<PgnGame> for LabelledGame {
    fn from(game: PgnGame) -> LabelledGame {
        LabelledGame {
            game: game.game,
            start: game.start,
            actions: game.actions,
            winner: game.result.map(|result| result.winner),
        }
    }
}

impl From<Record> for LabelledGame {
    fn from(record: Record) -> LabelledGame {
        LabelledGame {
            game: record.game,
            start: record.start,
            actions: record.actions,
            winner: record.outcome.map(|outcome| outcome.winner),
        }
    }
}

pub enum Labels<'a> {
    /// An engine of plain chess at depth one for every move; kings that can be
    /// captured are labelled by rule.
    Outside(&'a dyn Analyser),
    /// The alpha-beta search with this number of nodes.
    Search(u64),
}

impl DataGen {
    /// The examples of one game between two players. The same number and seed
    /// give the same examples, whatever ran before.
    pub fn game(
        &self,
        game: &Game,
        players: [&mut dyn Agent; 2],
        number: u32,
        labels: &Labels,
    ) -> Vec<NetworkExample> {
        let mut rng = seeded(derive(self.seed, u64::from(number)));
        let gathered = self.play(game, players, &mut rng);
        self.label(game, &gathered, number, labels, &mut rng)
    }

    /// The examples of a recorded game: at most `most` of its positions, and
    /// those after one more move.
    pub fn record(
        &self,
        played: &LabelledGame,
        most: usize,
        number: u32,
        labels: &Labels,
    ) -> Vec<NetworkExample> {
        let mut rng = seeded(derive(self.seed, u64::from(number)));
        let mut gathered = positions(played);
        let (chosen, _) = gathered.partial_shuffle(&mut rng, most);
        for gathered in chosen.iter_mut() {
            self.stray(&played.game, gathered, &mut rng);
        }
        self.label(&played.game, chosen, number, labels, &mut rng)
    }

    /// Plays some random moves away from the game, as long as it goes on.
    fn stray(&self, game: &Game, gathered: &mut Gathered, rng: &mut Rng) {
        for _ in 0..rng.random_range(0..=self.random_plies) {
            let mut next = gathered.position;
            let Some(&m) = game.legal_moves(&next).choose(rng) else {
                return;
            };
            game.play_unchecked(&mut next, m);
            if next.can_capture_king() || game.legal_moves(&next).is_empty() {
                return;
            }
            let turn = next.turn();
            *gathered = Gathered {
                position: next,
                result: None,
                turn,
            };
        }
    }

    fn label(
        &self,
        game: &Game,
        gathered: &[Gathered],
        number: u32,
        labels: &Labels,
        rng: &mut Rng,
    ) -> Vec<NetworkExample> {
        let mut examples = Vec::new();
        match labels {
            Labels::Outside(analyser) => {
                self.ask(game, *analyser, gathered, number, rng, &mut examples);
            }
            Labels::Search(nodes) => search(game, *nodes, gathered, number, &mut examples),
        }
        examples
    }

    fn play(&self, game: &Game, players: [&mut dyn Agent; 2], rng: &mut Rng) -> Vec<Gathered> {
        let session = Session::new(*game, game.start(), None);
        let mut beliefs = ByColor::new_with(|side| {
            BeliefSet::new(game, side, session.state().position()).with_cap(CAP, rng.random())
        });
        let [white, black] = players;
        let seeds = ByColor {
            white: rng.random(),
            black: rng.random(),
        };
        let mut table = AgentGame::start(session, ByColor { white, black }, seeds);
        let random = rng.random_range(0..=self.random);
        let mut gathered = Vec::new();
        loop {
            let session = table.session();
            let Next::Ask(turn) = session.next() else {
                break;
            };
            let plies = session.state().plies();
            if plies >= self.plies {
                break;
            }
            let chosen = if (plies as usize) < random {
                let moves = session.observation(turn).legal_moves();
                *moves.choose(rng).expect("a running game has a move")
            } else {
                self.gather(session.state(), beliefs.get(turn), rng, &mut gathered);
                table.ask(turn, &Budget::nodes(self.nodes))
            };
            table.apply(Action::Move(chosen));
            for side in Color::ALL {
                // A capped belief may become empty; then it gives no more
                // worlds.
                let _ = beliefs
                    .get_mut(side)
                    .update(table.session().observation(side));
            }
        }
        let outcome = table.end().outcome;
        for position in &mut gathered {
            if position.result.is_some() {
                position.result = outcome.map(|outcome| outcome.score(position.turn));
            }
        }
        gathered
    }

    /// Collects the true position and worlds of the mover's belief.
    fn gather(&self, state: &State, belief: &BeliefSet, rng: &mut Rng, into: &mut Vec<Gathered>) {
        let turn = state.position().turn();
        let truth = Gathered {
            position: *state.position(),
            result: Some(0.5),
            turn,
        };
        into.push(truth);
        if belief.plies() != state.plies() {
            return;
        }
        let mut drawn = BTreeSet::new();
        for _ in 0..self.worlds.min(belief.count()) {
            drawn.insert(rng.random_range(0..belief.count()));
        }
        into.extend(drawn.into_iter().map(|i| Gathered {
            position: belief.evidence().position(&belief.worlds()[i]),
            result: None,
            turn,
        }));
    }

    /// Labels each position by one analysis, which gives the values of all
    /// moves; some of the positions after them become examples too.
    fn ask(
        &self,
        game: &Game,
        analyser: &dyn Analyser,
        gathered: &[Gathered],
        number: u32,
        rng: &mut Rng,
        into: &mut Vec<NetworkExample>,
    ) {
        let (taken, quiet): (Vec<_>, Vec<_>) = gathered
            .iter()
            .partition(|gathered| gathered.position.can_capture_king());
        into.extend(taken.iter().map(|gathered| won(gathered, number)));
        let positions: Vec<Position> = quiet.iter().map(|gathered| gathered.position).collect();
        let opinions = analyser.analyse(game, &positions, AnalysisLimit::depth(1, 500));
        for (gathered, opinion) in quiet.iter().zip(opinions) {
            let Some(opinion) = opinion else { continue };
            let Some(best) = opinion.centipawns() else {
                continue;
            };
            into.push(example(gathered, best, number));
            let known = |m: &Move| opinion.moves.iter().find(|(known, _)| known == m);
            let mut moves = game.legal_moves(&gathered.position);
            let (chosen, _) = moves.partial_shuffle(rng, self.children);
            for &m in chosen.iter() {
                let mut next = gathered.position;
                if game.play_unchecked(&mut next, m) == Some(Role::King) {
                    continue;
                }
                let score = match known(&m) {
                    Some((_, score)) => -score,
                    None if next.can_capture_king() => i32::from(NetworkExample::WON),
                    None => continue,
                };
                let example = NetworkExample::new(&next, score, NetworkExample::NO_RESULT, number);
                if self.noisy >= 1.0 || example.is_still() || rng.random_bool(self.noisy) {
                    into.push(example);
                }
            }
        }
    }
}

/// The positions of a recorded game, with its result.
fn positions(played: &LabelledGame) -> Vec<Gathered> {
    let mut replay = Replay::new(State::new(played.game, played.start), &played.actions);
    let mut gathered = Vec::with_capacity(played.actions.len());
    while replay.peek().is_some() {
        let position = *replay.state().position();
        let turn = position.turn();
        let result = played.winner.map(|winner| match winner {
            Some(side) if side == turn => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        });
        gathered.push(Gathered {
            position,
            result,
            turn,
        });
        if !matches!(replay.step(), Some(Ok(_))) || replay.state().outcome().is_some() {
            break;
        }
    }
    gathered
}

fn search(
    game: &Game,
    nodes: u64,
    gathered: &[Gathered],
    number: u32,
    into: &mut Vec<NetworkExample>,
) {
    let analyser = SearchAnalyser::default();
    for gathered in gathered {
        if gathered.position.can_capture_king() {
            into.push(won(gathered, number));
            continue;
        }
        let (best, _) = best(
            &analyser,
            game,
            &gathered.position,
            AnalysisLimit::nodes(nodes),
        );
        if let Some((_, value)) = best.first() {
            into.push(example(gathered, centipawns_of(*value), number));
        }
    }
}

/// A king that can be captured is a won game, by rule.
fn won(gathered: &Gathered, number: u32) -> NetworkExample {
    example(gathered, i32::from(NetworkExample::WON), number)
}

fn example(gathered: &Gathered, score: i32, number: u32) -> NetworkExample {
    let result = match gathered.result {
        Some(result) => (2.0 * result) as u8,
        None => NetworkExample::NO_RESULT,
    };
    NetworkExample::new(&gathered.position, score, result, number)
}
