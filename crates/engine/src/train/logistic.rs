//! Models of good moves (the Maastricht paper, section II.C): logistic
//! regression on 896 one-hot features, one model for each piece and colour;
//! and the same features through one hidden layer.

use std::sync::OnceLock;

use foglight_rules::{Action, Color, Game, Move, Position, Record, State, notation::pgn::PgnGame};
use rand::{Rng as _, seq::SliceRandom};

use foglight_play::{Rng, seeded};

/// 12 x 64 squares with a piece, 64 origins, 64 targets.
pub const FEATURES: usize = 12 * 64 + 64 + 64;

/// A model for each kind of piece of each colour.
pub const MODELS: usize = 12;

fn piece_index(side: Color, role: foglight_rules::Role) -> usize {
    usize::from(side.is_black()) * 6 + role as usize - 1
}

/// The model that judges a move: the piece that moves.
pub fn model_of(position: &Position, m: Move) -> usize {
    piece_index(position.turn(), position.mover(m))
}

/// The features of the board that are 1.
pub fn board_features(position: &Position) -> Vec<u16> {
    let pieces = position.board().iter();
    let feature = |(square, piece): (foglight_rules::Square, foglight_rules::Piece)| {
        (piece_index(piece.color, piece.role) * 64 + square as usize) as u16
    };
    pieces.map(feature).collect()
}

/// The two features of a move that are 1: its origin and its target.
pub fn move_features(m: Move) -> [u16; 2] {
    [768 + m.from() as u16, 832 + m.to() as u16]
}

fn sigmoid(z: f32) -> f32 {
    1.0 / (1.0 + (-z).exp())
}

/// One model: a weight for each feature and a constant, for each hidden unit
/// and its way out; without hidden units plain logistic regression.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    hidden: usize,
    /// Row by row, a feature's weights to each unit; the last row is constant.
    inward: Vec<f32>,
    /// From each unit to the answer, then a constant; empty without units.
    outward: Vec<f32>,
}

impl Layer {
    /// Small random weights, or none for logistic regression.
    pub fn new(hidden: usize, rng: &mut Rng) -> Layer {
        let units = hidden.max(1);
        let mut draw = |scale: f32| (rng.random::<f32>() - 0.5) * scale;
        Layer {
            hidden,
            inward: if hidden == 0 {
                vec![0.0; FEATURES + 1]
            } else {
                (0..(FEATURES + 1) * units).map(|_| draw(0.2)).collect()
            },
            outward: if hidden == 0 {
                Vec::new()
            } else {
                (0..=units).map(|_| draw(1.0)).collect()
            },
        }
    }

    fn units(&self) -> usize {
        self.hidden.max(1)
    }

    fn sums(&self, features: &[u16]) -> Vec<f32> {
        let units = self.units();
        let mut sums = self.inward[FEATURES * units..].to_vec();
        for &feature in features {
            let row = &self.inward[usize::from(feature) * units..][..units];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        sums
    }

    /// The probability of a good move (equation 2).
    pub fn probability(&self, features: &[u16]) -> f32 {
        let sums = self.sums(features);
        if self.hidden == 0 {
            return sigmoid(sums[0]);
        }
        let out = sums.iter().zip(&self.outward).map(|(s, w)| s.max(0.0) * w);
        sigmoid(out.sum::<f32>() + self.outward[self.hidden])
    }

    /// The cost of an example (equation 3).
    pub fn cost(&self, features: &[u16], good: bool) -> f32 {
        let p = self.probability(features).clamp(1e-7, 1.0 - 1e-7);
        if good { -p.ln() } else { -(1.0 - p).ln() }
    }

    /// All weights in one list, for checking.
    pub fn weights_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.inward.iter_mut().chain(&mut self.outward)
    }

    /// The gradient of the cost of one example (equation 4), as a step of
    /// `-rate` times it; `decay` draws the touched weights to 0.
    pub fn descend(&mut self, features: &[u16], good: bool, rate: f32, decay: f32) {
        let error = self.probability(features) - f32::from(u8::from(good));
        let units = self.units();
        let mut back = vec![error; units];
        if self.hidden > 0 {
            let sums = self.sums(features);
            for (unit, sum) in sums.into_iter().enumerate() {
                back[unit] = if sum > 0.0 {
                    error * self.outward[unit]
                } else {
                    0.0
                };
                self.outward[unit] -= rate * (error * sum.max(0.0) + decay * self.outward[unit]);
            }
            self.outward[self.hidden] -= rate * error;
        }
        for row in features.iter().map(|&f| usize::from(f)).chain([FEATURES]) {
            for (weight, back) in self.inward[row * units..][..units].iter_mut().zip(&back) {
                *weight -= rate * (back + decay * *weight);
            }
        }
    }
}

/// Twelve models.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveModel {
    layers: Vec<Layer>,
}

static LOGISTIC: &[u8] = include_bytes!("../../../../data/weights/moves_logistic.bin");
static SELFPLAY: &[u8] = include_bytes!("../../../../data/weights/moves_selfplay.bin");
static NETWORK: &[u8] = include_bytes!("../../../../data/weights/moves_network.bin");

fn shipped(bytes: &[u8]) -> MoveModel {
    MoveModel::from_bytes(bytes).expect("the shipped weights are well formed")
}

impl MoveModel {
    /// Logistic regression fitted to games of plain chess.
    pub fn logistic() -> &'static MoveModel {
        static MODEL: OnceLock<MoveModel> = OnceLock::new();
        MODEL.get_or_init(|| shipped(LOGISTIC))
    }

    /// Logistic regression fitted to self-play of `dice`.
    pub fn selfplay() -> &'static MoveModel {
        static MODEL: OnceLock<MoveModel> = OnceLock::new();
        MODEL.get_or_init(|| shipped(SELFPLAY))
    }

    /// A network with one hidden layer fitted to the same games as
    /// [`MoveModel::logistic`].
    pub fn network() -> &'static MoveModel {
        static MODEL: OnceLock<MoveModel> = OnceLock::new();
        MODEL.get_or_init(|| shipped(NETWORK))
    }

    /// Models without knowledge, with so many hidden units each.
    pub fn new(hidden: usize, rng: &mut Rng) -> MoveModel {
        MoveModel {
            layers: (0..MODELS).map(|_| Layer::new(hidden, rng)).collect(),
        }
    }

    /// The probability that a move of the side to move is good.
    pub fn probability(&self, position: &Position, m: Move) -> f64 {
        let mut features = board_features(position);
        features.extend(move_features(m));
        f64::from(self.layers[model_of(position, m)].probability(&features))
    }

    /// Small bytes: the number of hidden units, then for each model its two
    /// lists, each a scale and a signed byte for every weight.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.layers[0].hidden as u8];
        for layer in &self.layers {
            for list in [&layer.inward, &layer.outward] {
                let most = list.iter().fold(1e-6f32, |most, w| most.max(w.abs()));
                let scale = most / 127.0;
                bytes.extend(scale.to_le_bytes());
                bytes.extend(list.iter().map(|w| (w / scale).round() as i8 as u8));
            }
        }
        bytes
    }

    /// Reads [`MoveModel::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Option<MoveModel> {
        let (&hidden, mut rest) = bytes.split_first()?;
        let hidden = usize::from(hidden);
        let mut list = |length: usize| {
            let (scale, tail) = rest.split_first_chunk::<4>()?;
            let scale = f32::from_le_bytes(*scale);
            let (weights, tail) = tail.split_at_checked(length)?;
            rest = tail;
            Some(
                weights
                    .iter()
                    .map(|&w| f32::from(w as i8) * scale)
                    .collect(),
            )
        };
        let mut layers = Vec::with_capacity(MODELS);
        for _ in 0..MODELS {
            layers.push(Layer {
                hidden,
                inward: list((FEATURES + 1) * hidden.max(1))?,
                outward: list(if hidden == 0 { 0 } else { hidden + 1 })?,
            });
        }
        Some(MoveModel { layers })
    }
}

/// A game to learn from: the moves in order and who won. In dice games a move
/// comes with the position it was played in, roll included.
pub struct Lesson {
    /// Each position before a move of the winner, with that move.
    pub choices: Vec<(Position, Move)>,
    /// The rules that say what else could have been played.
    pub game: Game,
}

impl Lesson {
    /// The winner's choices in a game; `None` if it was drawn, is unfinished, or
    /// does not go by its rules.
    pub fn of(record: &Record) -> Option<Lesson> {
        let winner = record.outcome?.winner?;
        Lesson::won(record.game, record.start, &record.actions, winner)
    }

    /// The same of a game of a PGN file.
    pub fn of_pgn(pgn: &PgnGame) -> Option<Lesson> {
        Lesson::won(pgn.game, pgn.start, &pgn.actions, pgn.result?.winner?)
    }

    fn won(game: Game, start: Position, actions: &[Action], winner: Color) -> Option<Lesson> {
        let mut state = State::new(game, start);
        let mut choices = Vec::new();
        for &action in actions {
            let position = *state.position();
            if let Action::Move(m) = action
                && position.turn() == winner
            {
                choices.push((position, m));
            }
            state.play(action).ok()?;
        }
        Some(Lesson { choices, game })
    }
}

/// A judged move: good if the winner played it, bad if he could have.
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
    /// Adds the winner's moves and what he did not play.
    pub fn add(&mut self, lesson: &Lesson) {
        for (position, played) in &lesson.choices {
            let board = self.boards.len() as u32;
            self.boards.push(board_features(position));
            for m in lesson.game.moves(position) {
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

    /// How many moves were judged.
    pub fn len(&self) -> usize {
        let count = |pool: &Pool| pool.good.len() + pool.bad.len();
        self.pools.iter().map(count).sum()
    }

    /// No move at all?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn features(&self, example: &Example) -> Vec<u16> {
        let mut features = self.boards[example.board as usize].clone();
        features.extend(example.m);
        features
    }
}

/// How training goes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Course {
    /// Hidden units; 0 for logistic regression.
    pub hidden: usize,
    /// Passes over the bad moves, each with a good one beside it.
    pub passes: u32,
    /// The first step's length.
    pub rate: f32,
    /// Seed of order and start.
    pub seed: u64,
}

impl Default for Course {
    fn default() -> Course {
        Course {
            hidden: 0,
            passes: 3,
            rate: 0.02,
            seed: 1,
        }
    }
}

/// Trains the twelve models. The good moves, of which there are few, are drawn
/// again and again until they are as many as the bad ones (oversampling).
/// `progress` hears of each model that is done.
pub fn train(examples: &Examples, course: Course, progress: &mut dyn FnMut(usize)) -> MoveModel {
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

fn learn(layer: &mut Layer, examples: &Examples, pool: &Pool, course: Course, rng: &mut Rng) {
    const DECAY: f32 = 1e-4;
    let mut order: Vec<&Example> = pool.bad.iter().collect();
    for pass in 0..course.passes {
        order.shuffle(rng);
        let rate = course.rate / (1.0 + pass as f32);
        for bad in &order {
            let good = &pool.good[rng.random_range(0..pool.good.len())];
            layer.descend(&examples.features(bad), false, rate, DECAY);
            layer.descend(&examples.features(good), true, rate, DECAY);
        }
    }
}

/// How well a model judges moves it has not seen.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Judgement {
    /// Good moves, and bad ones, that were judged.
    pub good: usize,
    /// See `good`.
    pub bad: usize,
    /// Share of moves judged rightly.
    pub accuracy: f64,
    /// The same if good and bad moves were as many.
    pub balanced: f64,
    /// Share of good moves among those called good.
    pub precision: f64,
}

/// Judges each of the twelve models, pawn to king of White, then of Black.
pub fn judge(model: &MoveModel, examples: &Examples) -> Vec<Judgement> {
    let judged = model.layers.iter().zip(&examples.pools);
    judged
        .map(|(layer, pool)| {
            let called = |set: &[Example]| {
                let good =
                    |example: &&Example| layer.probability(&examples.features(example)) >= 0.5;
                set.iter().filter(good).count() as f64
            };
            let (hits, misses) = (called(&pool.good), called(&pool.bad));
            let (good, bad) = (pool.good.len() as f64, pool.bad.len() as f64);
            Judgement {
                good: pool.good.len(),
                bad: pool.bad.len(),
                accuracy: (hits + bad - misses) / (good + bad).max(1.0),
                balanced: 0.5 * (hits / good.max(1.0) + (bad - misses) / bad.max(1.0)),
                precision: hits / (hits + misses).max(1.0),
            }
        })
        .collect()
}
