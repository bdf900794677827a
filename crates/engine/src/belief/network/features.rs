//! What the belief network is shown: planes of squares and a few counts, the
//! board turned so that the observer plays upwards.

use foglight_rules::{Bitboard, Color, Role, Square};

use super::ObservationHistory;
use crate::belief::{EnemyMaterial, Evidence};

/// Planes whose inputs also act on their own square directly.
pub(crate) const LOCAL: usize = 15;
/// Where a kind was last seen, whenever that was.
const REMEMBERED: usize = 0;
/// The same, fading with time.
const FADING: usize = 6;
/// A dark square, fading with the time since it was known.
const AGE: usize = 12;
/// An unseen square that is known to be blocked.
const BLOCKED: usize = 13;
/// A man was lost here to an enemy that was not seen, fading.
const LOSS: usize = 14;
/// Own men by kind.
const OWN: usize = 15;
/// Enemy men that are seen, by kind.
const SEEN: usize = 21;
const DARK: usize = 27;
/// How many planes there are.
const PLANES: usize = 28;

/// Steps of a count: a kind has at most eight men that matter.
const STEPS: usize = 8;
/// Hidden men by kind, one input for each man.
const HIDDEN_MEN: usize = PLANES * 64;
/// Hidden men that stand nowhere where they were seen, in the same form.
const LOOSE_MEN: usize = HIDDEN_MEN + 6 * STEPS;
/// The time of the game in steps of eight single moves.
const TIME: usize = LOOSE_MEN + 6 * STEPS;
const TIMES: usize = 16;
/// How many inputs there are.
pub const INPUTS: usize = TIME + TIMES;
/// Single moves after which a memory has faded to a half.
const HALF: f32 = 8.0;

/// One input that is not zero.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Input {
    pub at: u16,
    /// Its value, in (0, 1].
    pub value: f32,
}

/// Hidden men of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HiddenMaterial {
    pub role: Role,
    /// The dark squares that they may stand on, turned.
    pub squares: Bitboard,
    pub count: u8,
}

/// What the view and the count of men allow, turned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputField {
    /// Squares on which hidden men may stand.
    pub hidden_squares: Bitboard,
    /// Those on which one does.
    pub blocked: Bitboard,
    /// The hidden men; bishops of the two colours apart.
    pub men: Vec<HiddenMaterial>,
}

/// What the network is shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Features {
    /// Inputs that are not zero.
    pub inputs: Vec<Input>,
    pub field: InputField,
}

/// Nothing, or a kind by its number: what may stand on a square.
pub const KINDS: usize = 7;

/// Turns a set of squares so that `side` plays upwards.
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

    /// The logarithms of the even chances: what the network adds to. What is
    /// not allowed is minus infinity.
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
    /// From what is remembered, counted and seen; no position is asked.
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

/// Hidden men by kind.
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
