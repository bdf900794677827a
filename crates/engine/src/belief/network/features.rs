//! Inputs of the belief network: planes of squares and a few counts, the board
//! oriented so that the observer plays upwards.

use foglight_rules::{Bitboard, Color, Role, Square};

use super::ObservationHistory;
use crate::belief::{EnemyMaterial, Evidence};

/// Planes whose inputs also act on their own square directly.
pub(crate) const LOCAL: usize = 15;
/// Where a piece type was last seen, regardless of when.
const REMEMBERED: usize = 0;
/// The same, decaying with time.
const FADING: usize = 6;
/// A hidden square, decaying with the time since its content was known.
const AGE: usize = 12;
/// An unseen square that is known to be blocked.
const BLOCKED: usize = 13;
/// The observer lost a piece here to an unseen enemy piece; decays.
const LOSS: usize = 14;
/// Own pieces by type.
const OWN: usize = 15;
/// Visible enemy pieces by type.
const SEEN: usize = 21;
const DARK: usize = 27;
const PLANES: usize = 28;

/// Steps of a count: at most eight pieces of a type are counted.
const STEPS: usize = 8;
/// Hidden pieces by type, one input for each piece.
const HIDDEN_MEN: usize = PLANES * 64;
/// Hidden pieces not accounted for by a remembered square, encoded likewise.
const LOOSE_MEN: usize = HIDDEN_MEN + 6 * STEPS;
/// Time of the game in steps of eight plies.
const TIME: usize = LOOSE_MEN + 6 * STEPS;
const TIMES: usize = 16;
pub const INPUTS: usize = TIME + TIMES;
/// Plies after which a memory has decayed to a half.
const HALF: f32 = 8.0;

/// One nonzero input of the network.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Input {
    pub at: u16,
    /// The input's value, in (0, 1].
    pub value: f32,
}

/// Hidden pieces of one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HiddenMaterial {
    pub role: Role,
    /// The hidden squares on which they may stand, in the observer's
    /// orientation.
    pub squares: Bitboard,
    pub count: u8,
}

/// Constraints from the view and the material, in the observer's orientation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputField {
    /// Squares on which hidden pieces may stand.
    pub hidden_squares: Bitboard,
    /// Squares on which a hidden piece must stand.
    pub blocked: Bitboard,
    /// The hidden pieces; bishops of the two square colours apart.
    pub men: Vec<HiddenMaterial>,
}

/// Inputs of the network for one example.
#[derive(Clone, PartialEq, Debug)]
pub struct Features {
    /// Inputs that are not zero.
    pub inputs: Vec<Input>,
    pub field: InputField,
}

/// Contents of a square: empty, or one of six piece types.
pub const KINDS: usize = 7;

/// Orients a set of squares so that `side` plays upwards.
pub fn turned(side: Color, squares: Bitboard) -> Bitboard {
    match side {
        Color::White => squares,
        Color::Black => squares.flip_vertical(),
    }
}

impl InputField {
    fn new(roster: &EnemyMaterial, evidence: &Evidence) -> InputField {
        let side = evidence.side();
        let hidden_squares = turned(side, evidence.hidden_squares());
        let mut men: Vec<HiddenMaterial> = Vec::new();
        for hidden in roster.hidden(evidence.shown(), evidence) {
            let squares = turned(side, hidden.squares) & hidden_squares;
            let same =
                |men: &&mut HiddenMaterial| men.role == hidden.role && men.squares == squares;
            match men.iter_mut().find(same) {
                Some(men) => men.count += 1,
                None => men.push(HiddenMaterial {
                    role: hidden.role,
                    squares,
                    count: 1,
                }),
            }
        }
        InputField {
            hidden_squares,
            blocked: turned(side, evidence.blocked()) & hidden_squares,
            men,
        }
    }

    /// Logarithms of the uniform probabilities, to which the network adds.
    /// Impossible contents are minus infinity.
    pub fn prior(&self) -> [[f32; KINDS]; 64] {
        let mut chances = [[0.0f32; KINDS]; 64];
        for men in &self.men {
            let each = f32::from(men.count) / men.squares.count().max(1) as f32;
            for square in men.squares {
                chances[square as usize][men.role as usize] = each;
            }
        }
        for square in self.hidden_squares & !self.blocked {
            let of = &mut chances[square as usize];
            of[0] = (1.0 - of.iter().sum::<f32>()).max(0.01);
        }
        chances.map(|of| of.map(f32::ln))
    }
}

impl Features {
    /// Computes the inputs from observations and material only, never from a
    /// true position.
    pub fn new(
        memory: &ObservationHistory,
        roster: &EnemyMaterial,
        evidence: &Evidence,
    ) -> Features {
        let field = InputField::new(roster, evidence);
        let mut inputs = Vec::with_capacity(160);
        let mut put = |at: usize, value: f32| {
            inputs.push(Input {
                at: at as u16,
                value,
            });
        };
        let hidden = counts(&field);
        let mut loose = hidden;
        for square in evidence.size().mask() {
            let at = turn(evidence.side(), square);
            if let Some(role) = evidence.own().role_at(square) {
                put((OWN + role as usize - 1) * 64 + at, 1.0);
            } else if let Some(role) = evidence.shown().role_at(square) {
                put((SEEN + role as usize - 1) * 64 + at, 1.0);
            }
            if !evidence.hidden_squares().contains(square) {
                continue;
            }
            put(DARK * 64 + at, 1.0);
            let fading = fading(memory.age(square));
            put(AGE * 64 + at, fading);
            if evidence.blocked().contains(square) {
                put(BLOCKED * 64 + at, 1.0);
            }
            if let Some(age) = memory.since_loss(square) {
                put(LOSS * 64 + at, self::fading(age));
            }
            let possible = |role: &Role| hidden[*role as usize - 1] > 0;
            if let Some(role) = memory.last(square).filter(possible) {
                let kind = role as usize - 1;
                put((REMEMBERED + kind) * 64 + at, 1.0);
                put((FADING + kind) * 64 + at, fading);
                loose[kind] = loose[kind].saturating_sub(1);
            }
        }
        for kind in 0..6 {
            (0..hidden[kind].min(STEPS)).for_each(|i| put(HIDDEN_MEN + kind * STEPS + i, 1.0));
            (0..loose[kind].min(STEPS)).for_each(|i| put(LOOSE_MEN + kind * STEPS + i, 1.0));
        }
        put(TIME + (memory.plies() as usize / 8).min(TIMES - 1), 1.0);
        Features { inputs, field }
    }
}

/// Hidden pieces by type.
fn counts(field: &InputField) -> [usize; 6] {
    let mut counts = [0; 6];
    for men in &field.men {
        counts[men.role as usize - 1] += usize::from(men.count);
    }
    counts
}

fn turn(side: Color, square: Square) -> usize {
    match side {
        Color::White => square as usize,
        Color::Black => square.flip_vertical() as usize,
    }
}

fn fading(age: u32) -> f32 {
    1.0 / (1.0 + age as f32 / HALF)
}
