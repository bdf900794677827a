//! Models of good moves (Chakrian et al., section II.C): logistic regression on
//! 896 one-hot features, one model for each piece type and colour; and the same
//! features through one hidden layer.

use std::sync::OnceLock;

use foglight_play::Rng;
use foglight_rules::{Color, Move, Position};
use rand::Rng as _;

/// 12 x 64 squares with a piece, 64 origins, 64 targets.
pub const FEATURES: usize = 12 * 64 + 64 + 64;

/// One model for each piece type of each colour.
pub const MODELS: usize = 12;

fn piece_index(side: Color, role: foglight_rules::Role) -> usize {
    usize::from(side.is_black()) * 6 + role as usize - 1
}

/// The index of the model for a move, by the moving piece.
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

/// One model: weights and a constant for each hidden unit, and output weights;
/// without hidden units it is logistic regression.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelLayer {
    /// Hidden units; 0 for logistic regression.
    pub hidden: usize,
    /// Row by row, a feature's weights to each unit; the last row is constant.
    pub inward: Vec<f32>,
    /// From each unit to the output, then a constant; empty without units.
    pub outward: Vec<f32>,
}

impl ModelLayer {
    /// Small random weights, or zeros for logistic regression.
    pub fn new(hidden: usize, rng: &mut Rng) -> ModelLayer {
        let units = hidden.max(1);
        let mut draw = |scale: f32| (rng.random::<f32>() - 0.5) * scale;
        ModelLayer {
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

    /// Hidden units, or the one sum of logistic regression.
    pub fn units(&self) -> usize {
        self.hidden.max(1)
    }

    /// The input sums of the units.
    pub fn sums(&self, features: &[u16]) -> Vec<f32> {
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
}

#[derive(Clone, PartialEq, Debug)]
pub struct MoveModel {
    /// One for each piece, White's pawn to king, then Black's.
    pub layers: Vec<ModelLayer>,
}

static LOGISTIC: &[u8] = include_bytes!("../../../../data/weights/moves_logistic.bin");
static SELFPLAY: &[u8] = include_bytes!("../../../../data/weights/moves_selfplay.bin");
static NETWORK: &[u8] = include_bytes!("../../../../data/weights/moves_network.bin");

fn default_model(bytes: &[u8]) -> MoveModel {
    MoveModel::from_bytes(bytes).expect("the embedded weights are well formed")
}

impl MoveModel {
    /// Logistic regression fitted to games of plain chess.
    pub fn logistic() -> &'static MoveModel {
        static MODEL: OnceLock<MoveModel> = OnceLock::new();
        MODEL.get_or_init(|| default_model(LOGISTIC))
    }

    /// Logistic regression fitted to self-play of `dice`.
    pub fn selfplay() -> &'static MoveModel {
        static MODEL: OnceLock<MoveModel> = OnceLock::new();
        MODEL.get_or_init(|| default_model(SELFPLAY))
    }

    /// A network with one hidden layer fitted to the same games as
    /// [`MoveModel::logistic`].
    pub fn network() -> &'static MoveModel {
        static MODEL: OnceLock<MoveModel> = OnceLock::new();
        MODEL.get_or_init(|| default_model(NETWORK))
    }

    /// Untrained models with this number of hidden units each.
    pub fn new(hidden: usize, rng: &mut Rng) -> MoveModel {
        MoveModel {
            layers: (0..MODELS).map(|_| ModelLayer::new(hidden, rng)).collect(),
        }
    }

    /// The probability that a move of the side to move is good.
    pub fn probability(&self, position: &Position, m: Move) -> f64 {
        let mut features = board_features(position);
        features.extend(move_features(m));
        f64::from(self.layers[model_of(position, m)].probability(&features))
    }

    /// Quantised bytes: the number of hidden units, then for each model its two
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
            layers.push(ModelLayer {
                hidden,
                inward: list((FEATURES + 1) * hidden.max(1))?,
                outward: list(if hidden == 0 { 0 } else { hidden + 1 })?,
            });
        }
        Some(MoveModel { layers })
    }
}
