//! Fits the win probability of `dice` to the results of games: the log-odds of
//! each piece type on each square, mirrored files shared, and the right to
//! roll.

use foglight_rules::{Color, Record, Role, State, Turn};
use rand::seq::SliceRandom;

use foglight_engine::dice::value::{PieceSquareValues, UNIT, chances, combine};
use foglight_play::seeded;

/// Piece types times ranks times half the files, and the right to roll.
const COUNT: usize = 6 * 32 + 1;
const ROLL: usize = COUNT - 1;

/// A position before its roll, and the winner.
#[derive(Clone, Debug)]
pub struct DiceSample {
    /// Indices of the weights that count for the side to roll.
    own: Vec<u8>,
    /// Indices of the weights that count against it.
    enemy: Vec<u8>,
    /// Probabilities of king captures: the enemy's king now, our own next.
    takes: f32,
    hangs: f32,
    /// 1 if the side to roll won.
    won: f32,
}

fn index(role: Role, square: usize, side: Color) -> u8 {
    let square = if side.is_white() { square } else { square ^ 56 };
    let file = (square & 7).min(7 - (square & 7));
    ((role as usize - 1) * 32 + (square >> 3) * 4 + file) as u8
}

/// The positions before every roll of a finished game, without the first `skip`
/// moves.
pub fn samples(record: &Record, skip: u32) -> Vec<DiceSample> {
    let Some(outcome) = record.outcome else {
        return Vec::new();
    };
    let mut replay = record.replay();
    let mut found = Vec::new();
    loop {
        let state = replay.state();
        if state.turn() == Turn::Chance && state.plies() >= skip {
            let won = outcome.score(state.position().turn()) as f32;
            found.push(sample(state, won));
        }
        if !matches!(replay.step(), Some(Ok(_))) {
            return found;
        }
    }
}

fn sample(state: &State, won: f32) -> DiceSample {
    let position = state.position();
    let side = position.turn();
    let (mut own, mut enemy) = (Vec::with_capacity(16), Vec::with_capacity(16));
    for (square, piece) in position.board().iter() {
        let i = index(piece.role, square as usize, piece.color);
        if piece.color == side {
            own.push(i)
        } else {
            enemy.push(i)
        }
    }
    let (takes, hangs) = chances(
        position.board(),
        side,
        position.ep_targets(side),
        position.size(),
    )
    .unwrap_or_default();
    DiceSample {
        own,
        enemy,
        takes,
        hangs,
        won,
    }
}

/// How well weights explain samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit {
    /// Mean cross-entropy in nats.
    pub loss: f64,
    /// How often the likelier side won.
    pub accuracy: f64,
}

struct Model {
    weights: [f32; COUNT],
}

impl Model {
    fn of(values: &PieceSquareValues) -> Model {
        let mut weights = [0.0; COUNT];
        for role in Role::ALL {
            for square in 0..64 {
                let weight = values.table(role)[square] as f32 / UNIT as f32;
                weights[usize::from(index(role, square, Color::White))] += weight / 2.0;
            }
        }
        weights[ROLL] = values.roll() as f32 / UNIT as f32;
        Model { weights }
    }

    fn values(&self) -> PieceSquareValues {
        let whole = |i: usize| (self.weights[i] * UNIT as f32).round() as i32;
        let table = |role: Role| {
            std::array::from_fn(|square| whole(usize::from(index(role, square, Color::White))))
        };
        PieceSquareValues::new(Role::ALL.map(table), whole(ROLL))
    }

    fn odds(&self, sample: &DiceSample) -> f32 {
        let sum = |set: &[u8]| -> f32 { set.iter().map(|&i| self.weights[usize::from(i)]).sum() };
        let z = sum(&sample.own) - sum(&sample.enemy) + self.weights[ROLL];
        1.0 / (1.0 + (-z).exp())
    }

    fn measure(&self, samples: &[DiceSample]) -> Fit {
        let (mut loss, mut right) = (0.0, 0.0);
        for sample in samples {
            let p = combine(self.odds(sample), sample.takes, sample.hangs);
            let p = f64::from(p.clamp(1e-4, 1.0 - 1e-4));
            let won = f64::from(sample.won);
            loss -= won * p.ln() + (1.0 - won) * (1.0 - p).ln();
            right += if (p > 0.5) == (won > 0.5) { 1.0 } else { 0.0 };
        }
        let n = samples.len().max(1) as f64;
        Fit {
            loss: loss / n,
            accuracy: right / n,
        }
    }
}

/// Fits weights to samples by stochastic gradient descent, regularised towards
/// the `prior` as by some hundred samples for each weight. Returns the fit
/// before and after.
pub fn fit(
    samples: &[DiceSample],
    prior: &PieceSquareValues,
    rounds: u32,
    seed: u64,
) -> (PieceSquareValues, Fit, Fit) {
    let anchor = Model::of(prior);
    let mut model = Model::of(prior);
    let before = model.measure(samples);
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let mut rng = seeded(seed);
    let pull = 300.0 / samples.len().max(1) as f32;
    for round in 0..rounds {
        order.shuffle(&mut rng);
        let rate = 0.01 / (1.0 + round as f32);
        for &i in &order {
            step(&mut model, &anchor, &samples[i], rate, pull);
        }
    }
    let after = model.measure(samples);
    (model.values(), before, after)
}

fn step(model: &mut Model, anchor: &Model, sample: &DiceSample, rate: f32, pull: f32) {
    let odds = model.odds(sample);
    let p = combine(odds, sample.takes, sample.hangs).clamp(1e-3, 1.0 - 1e-3);
    let unit = combine(1.0, sample.takes, sample.hangs) - combine(0.0, sample.takes, sample.hangs);
    let slope = (p - sample.won) / (p * (1.0 - p)) * unit * odds * (1.0 - odds);
    let sides = sample.own.iter().map(|&i| (i, 1.0));
    let sides = sides.chain(sample.enemy.iter().map(|&i| (i, -1.0)));
    for (i, sign) in sides.chain([(ROLL as u8, 1.0)]) {
        let i = usize::from(i);
        let back = pull * (model.weights[i] - anchor.weights[i]);
        model.weights[i] -= rate * (sign * slope + back);
    }
}

/// The text that [`PieceSquareValues::parse`] reads.
pub fn write(values: &PieceSquareValues, comment: &str) -> String {
    let mut text = format!("# {comment}\n");
    for role in Role::ALL {
        for rank in values.table(role).chunks(8) {
            let words: Vec<String> = rank.iter().map(i32::to_string).collect();
            text += &(words.join(" ") + "\n");
        }
    }
    text + &format!("{}\n", values.roll())
}
