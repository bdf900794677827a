//! Fits models of good moves to games (Chakrian et al., section II.C).

use foglight_engine::dice::move_model::{
    FEATURES, MODELS, ModelLayer, MoveModel, board_features, model_of, move_features,
};
use foglight_play::{Rng, seeded};
use foglight_rules::{
    Action, Color, Game, Move, Position, Record, Replay, State, notation::pgn::PgnGame,
};
use rand::{Rng as _, seq::SliceRandom};

/// A training game: the winner's moves in order. In dice games a move comes
/// with the position it was played in, roll included.
pub struct TrainingGame {
    /// Each position before a move of the winner, with that move.
    pub choices: Vec<(Position, Move)>,
    /// The rules that determine the alternatives.
    pub game: Game,
}

impl TrainingGame {
    /// The winner's choices in a game; `None` if it was drawn, is unfinished,
    /// or violates its rules.
    pub fn of(record: &Record) -> Option<TrainingGame> {
        let winner = record.outcome?.winner?;
        TrainingGame::won(record.game, record.start, &record.actions, winner)
    }

    /// The winner's choices in a game of a PGN file.
    pub fn of_pgn(pgn: &PgnGame) -> Option<TrainingGame> {
        TrainingGame::won(pgn.game, pgn.start, &pgn.actions, pgn.result?.winner?)
    }

    fn won(game: Game, start: Position, actions: &[Action], winner: Color) -> Option<TrainingGame> {
        let mut replay = Replay::new(State::new(game, start), actions);
        let mut choices = Vec::new();
        while let Some(action) = replay.peek() {
            let position = *replay.state().position();
            if let Action::Move(m) = action
                && position.turn() == winner
            {
                choices.push((position, m));
            }
            replay.step()?.ok()?;
        }
        Some(TrainingGame { choices, game })
    }
}

/// A labelled move: good if the winner played it, bad if it was an alternative.
#[derive(Clone, Copy, Debug)]
struct Example {
    board: u32,
    m: [u16; 2],
}

/// The examples of one model.
#[derive(Clone, Debug, Default)]
struct Pool {
    good: Vec<Example>,
    bad: Vec<Example>,
}

/// Examples by model, sharing their boards.
#[derive(Clone, Debug)]
pub struct Examples {
    boards: Vec<Vec<u16>>,
    pools: Vec<Pool>,
}

impl Default for Examples {
    fn default() -> Examples {
        Examples {
            boards: Vec::new(),
            pools: vec![Pool::default(); MODELS],
        }
    }
}

impl Examples {
    /// Adds the winner's moves and their alternatives.
    pub fn add(&mut self, lesson: &TrainingGame) {
        for (position, played) in &lesson.choices {
            let board = self.boards.len() as u32;
            self.boards.push(board_features(position));
            for m in lesson.game.legal_moves(position) {
                let pool = &mut self.pools[model_of(position, m)];
                let set = if m == *played {
                    &mut pool.good
                } else {
                    &mut pool.bad
                };
                set.push(Example {
                    board,
                    m: move_features(m),
                });
            }
        }
    }

    /// Number of labelled moves.
    pub fn len(&self) -> usize {
        let count = |pool: &Pool| pool.good.len() + pool.bad.len();
        self.pools.iter().map(count).sum()
    }

    /// Whether there is no labelled move.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn features(&self, example: &Example) -> Vec<u16> {
        let mut features = self.boards[example.board as usize].clone();
        features.extend(example.m);
        features
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainConfig {
    /// Hidden units; 0 for logistic regression.
    pub hidden: usize,
    /// Passes over the bad moves, each paired with a good one.
    pub passes: u32,
    /// Learning rate of the first step.
    pub rate: f32,
    /// Seed of the example order and of the initial weights.
    pub seed: u64,
}

impl Default for TrainConfig {
    fn default() -> TrainConfig {
        TrainConfig {
            hidden: 0,
            passes: 3,
            rate: 0.02,
            seed: 1,
        }
    }
}

/// Trains the twelve models. The good moves, which are few, are repeated until
/// they are as many as the bad ones (oversampling). `progress` is called after
/// each model.
pub fn train(
    examples: &Examples,
    course: TrainConfig,
    progress: &mut dyn FnMut(usize),
) -> MoveModel {
    let mut rng = seeded(course.seed);
    let mut model = MoveModel::new(course.hidden, &mut rng);
    for (i, pool) in examples.pools.iter().enumerate() {
        if !pool.good.is_empty() && !pool.bad.is_empty() {
            learn(&mut model.layers[i], examples, pool, course, &mut rng);
        }
        progress(i + 1);
    }
    model
}

/// One gradient step of the cost of one example (equation 4), of length `rate`;
/// `decay` draws the touched weights to 0.
pub fn descend(layer: &mut ModelLayer, features: &[u16], good: bool, rate: f32, decay: f32) {
    let error = layer.probability(features) - f32::from(u8::from(good));
    let units = layer.units();
    let mut back = vec![error; units];
    if layer.hidden > 0 {
        let sums = layer.sums(features);
        for (unit, sum) in sums.into_iter().enumerate() {
            back[unit] = if sum > 0.0 {
                error * layer.outward[unit]
            } else {
                0.0
            };
            layer.outward[unit] -= rate * (error * sum.max(0.0) + decay * layer.outward[unit]);
        }
        layer.outward[layer.hidden] -= rate * error;
    }
    for row in features.iter().map(|&f| usize::from(f)).chain([FEATURES]) {
        for (weight, back) in layer.inward[row * units..][..units].iter_mut().zip(&back) {
            *weight -= rate * (back + decay * *weight);
        }
    }
}

fn learn(
    layer: &mut ModelLayer,
    examples: &Examples,
    pool: &Pool,
    course: TrainConfig,
    rng: &mut Rng,
) {
    const DECAY: f32 = 1e-4;
    let mut order: Vec<&Example> = pool.bad.iter().collect();
    for pass in 0..course.passes {
        order.shuffle(rng);
        let rate = course.rate / (1.0 + pass as f32);
        for bad in &order {
            let good = &pool.good[rng.random_range(0..pool.good.len())];
            descend(layer, &examples.features(bad), false, rate, DECAY);
            descend(layer, &examples.features(good), true, rate, DECAY);
        }
    }
}

/// Accuracy of a model on held-out moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Validation {
    /// Number of good and of bad moves in the validation set.
    pub good: usize,
    pub bad: usize,
    /// Share of moves classified correctly.
    pub accuracy: f64,
    /// Accuracy with good and bad moves weighted equally.
    pub balanced: f64,
    /// Share of good moves among those classified as good.
    pub precision: f64,
}

/// Validates each of the twelve models, pawn to king of White, then of Black.
pub fn validate(model: &MoveModel, examples: &Examples) -> Vec<Validation> {
    let validated = model.layers.iter().zip(&examples.pools);
    validated
        .map(|(layer, pool)| {
            let called = |set: &[Example]| {
                let good =
                    |example: &&Example| layer.probability(&examples.features(example)) >= 0.5;
                set.iter().filter(good).count() as f64
            };
            let (hits, misses) = (called(&pool.good), called(&pool.bad));
            let (good, bad) = (pool.good.len() as f64, pool.bad.len() as f64);
            Validation {
                good: pool.good.len(),
                bad: pool.bad.len(),
                accuracy: (hits + bad - misses) / (good + bad).max(1.0),
                balanced: 0.5 * (hits / good.max(1.0) + (bad - misses) / bad.max(1.0)),
                precision: hits / (hits + misses).max(1.0),
            }
        })
        .collect()
}
