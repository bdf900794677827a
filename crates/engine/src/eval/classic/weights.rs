//! Weights of the evaluation's terms.

use std::{fmt::Write, sync::LazyLock};

use super::published::{END_TABLES, END_VALUES, MIDDLE_TABLES, MIDDLE_VALUES};
use crate::eval::Score;

/// A group of terms: its first index and its length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeightGroup {
    /// Name in the file of weights.
    pub name: &'static str,
    pub start: usize,
    pub len: usize,
}

macro_rules! groups {
    ($($(#[$doc:meta])* $name:ident $len:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($name,)* }
        const LENGTHS: &[usize] = &[$($len,)*];
        const fn start(group: usize) -> usize {
            let (mut sum, mut i) = (0, 0);
            while i < group {
                sum += LENGTHS[i];
                i += 1;
            }
            sum
        }
        $($(#[$doc])* pub(crate) const $name: WeightGroup = WeightGroup {
            name: stringify!($name),
            start: start(Order::$name as usize),
            len: $len,
        };)*
        /// Every group, in order.
        pub(crate) const GROUPS: &[WeightGroup] = &[$($name,)*];
    };
}

groups! {
    /// Value of a piece on a square, six tables of 64, a1 first, White's view.
    TABLES 384;
    MOBILITY_KNIGHT 9;
    MOBILITY_BISHOP 14;
    MOBILITY_ROOK 15;
    MOBILITY_QUEEN 28;
    /// A pawn in front of another of its side on the file.
    DOUBLED 1;
    /// A pawn without pawns of its side on the adjacent files.
    ISOLATED 1;
    /// A pawn that no pawn can guard, with its next square guarded by an enemy
    /// pawn.
    BACKWARD 1;
    /// A pawn guarded by a pawn.
    GUARDED_PAWN 1;
    /// A pawn beside another of its side.
    PHALANX 1;
    /// A passed pawn, by squares advanced.
    PASSED 8;
    /// A passed pawn guarded by a pawn.
    PASSED_GUARDED 1;
    /// A passed pawn whose next square is occupied by an enemy piece.
    PASSED_BLOCKED 1;
    /// A passed pawn in the enemy's half that can advance safely.
    PASSED_FREE 1;
    /// Distance of the own king to an advanced passed pawn.
    PASSED_OWN_KING 1;
    /// Distance of the enemy king to an advanced passed pawn.
    PASSED_ENEMY_KING 1;
    BISHOP_PAIR 1;
    /// Own pawns on the squares of the bishop's colour.
    BISHOP_PAWNS 1;
    /// Knight or bishop guarded by a pawn where no enemy pawn can attack it.
    OUTPOST 2;
    /// Rook on a file without pawns.
    ROOK_OPEN 1;
    /// Rook on a file without own pawns.
    ROOK_HALF_OPEN 1;
    /// Pressure on the enemy king, in steps.
    DANGER 32;
    /// Squares from which a knight, bishop, rook or queen could check safely.
    SAFE_CHECK 4;
    /// Shield pawns one or two squares ahead of the king; files without one.
    SHIELD 3;
    /// Enemy pawns near the king's files, by distance.
    STORM 4;
    /// A pawn attacks a knight, bishop, rook, queen.
    PAWN_THREAT 4;
    /// A knight or bishop attacks a rook, a queen.
    MINOR_THREAT 2;
    /// A rook attacks a queen.
    ROOK_THREAT 1;
    /// A piece attacked and not guarded.
    HANGING 1;
    /// Bonus of the side to move.
    TEMPO 1;
}

/// Total number of terms.
pub const COUNT: usize = start(Order::TEMPO as usize) + 1;

/// Weights of all terms.
#[derive(Clone, PartialEq, Debug)]
pub struct ClassicWeights(pub Box<[Score; COUNT]>);

/// Error for a text that does not hold weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("weights, line {line}: {expected}")]
pub struct ClassicWeightsError {
    line: usize,
    expected: String,
}

static TUNED: LazyLock<ClassicWeights> = LazyLock::new(|| {
    ClassicWeights::parse(include_str!("../../../../../data/weights/classic.txt"))
        .expect("the weights of the repository are whole")
});

impl ClassicWeights {
    /// The weights of the repository, tuned by `foglight train classic`.
    pub fn tuned() -> ClassicWeights {
        TUNED.clone()
    }

    /// The published weights, with guesses where none are published: the start
    /// of tuning.
    pub fn published() -> ClassicWeights {
        let mut weights = ClassicWeights(Box::new([Score::ZERO; COUNT]));
        weights.set_tables();
        weights.set_mobility();
        weights.set_pawns();
        weights.set_kings();
        let mut set = |group: WeightGroup, values: &[(i32, i32)]| {
            for (i, &(middle, end)) in values.iter().enumerate() {
                weights.0[group.start + i] = Score::new(middle, end);
            }
        };
        set(BISHOP_PAIR, &[(25, 45)]);
        set(BISHOP_PAWNS, &[(-3, -6)]);
        set(OUTPOST, &[(22, 15), (20, 8)]);
        set(ROOK_OPEN, &[(28, 5)]);
        set(ROOK_HALF_OPEN, &[(12, 8)]);
        set(PAWN_THREAT, &[(45, 30), (45, 40), (60, 30), (55, 25)]);
        set(MINOR_THREAT, &[(35, 20), (30, 20)]);
        set(ROOK_THREAT, &[(40, 20)]);
        set(HANGING, &[(25, 20)]);
        set(TEMPO, &[(18, 10)]);
        weights
    }

    fn set_tables(&mut self) {
        for role in 0..6 {
            for square in 0..64 {
                let read = square ^ 56; // the tables are printed from a8 on
                self.0[TABLES.start + role * 64 + square] = Score::new(
                    MIDDLE_VALUES[role] + MIDDLE_TABLES[role][read],
                    END_VALUES[role] + END_TABLES[role][read],
                );
            }
        }
    }

    fn set_mobility(&mut self) {
        let groups = [
            (MOBILITY_KNIGHT, 4, 5, 4),
            (MOBILITY_BISHOP, 6, 4, 4),
            (MOBILITY_ROOK, 7, 2, 4),
            (MOBILITY_QUEEN, 13, 1, 3),
        ];
        for (group, usual, middle, end) in groups {
            for i in 0..group.len {
                let more = i as i32 - usual;
                self.0[group.start + i] = Score::new(middle * more, end * more);
            }
        }
    }

    fn set_pawns(&mut self) {
        let mut set =
            |group: WeightGroup, middle, end| self.0[group.start] = Score::new(middle, end);
        set(DOUBLED, -8, -18);
        set(ISOLATED, -12, -10);
        set(BACKWARD, -10, -10);
        set(GUARDED_PAWN, 12, 6);
        set(PHALANX, 6, 4);
        set(PASSED_GUARDED, 8, 12);
        set(PASSED_BLOCKED, -8, -25);
        set(PASSED_FREE, 5, 20);
        set(PASSED_OWN_KING, 0, -6);
        set(PASSED_ENEMY_KING, 0, 9);
        for (i, end) in [0, 0, 2, 8, 20, 40, 60, 0].into_iter().enumerate() {
            self.0[PASSED.start + i] = Score::new(end / 4, end);
        }
    }

    fn set_kings(&mut self) {
        for i in 0..DANGER.len {
            let units = i as i32;
            self.0[DANGER.start + i] = Score::new(units * units * 2 / 5, units);
        }
        for (i, middle) in [16, 10, 18, 12].into_iter().enumerate() {
            self.0[SAFE_CHECK.start + i] = Score::new(middle, 3);
        }
        for (i, middle) in [14, 8, -14].into_iter().enumerate() {
            self.0[SHIELD.start + i] = Score::new(middle, 0);
        }
        for (i, middle) in [-2, -16, -8, -3].into_iter().enumerate() {
            self.0[STORM.start + i] = Score::new(middle, 0);
        }
    }

    /// Parses the output of [`ClassicWeights::text`].
    pub fn parse(text: &str) -> Result<ClassicWeights, ClassicWeightsError> {
        let mut weights = ClassicWeights(Box::new([Score::ZERO; COUNT]));
        let mut next = 0;
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let wrong = |expected: String| ClassicWeightsError {
                line: number + 1,
                expected,
            };
            let group = GROUPS
                .get(next)
                .ok_or_else(|| wrong("expected no more groups".into()))?;
            let mut words = line.split_whitespace();
            if words.next() != Some(&group.name.to_lowercase()) {
                let name = group.name.to_lowercase();
                return Err(wrong(format!("expected the group '{name}'")));
            }
            let scores: Option<Vec<Score>> = words.map(parse_pair).collect();
            let scores = scores.filter(|scores| scores.len() == group.len);
            let scores =
                scores.ok_or_else(|| wrong(format!("expected {} pairs middle/end", group.len)))?;
            weights.0[group.start..group.start + group.len].copy_from_slice(&scores);
            next += 1;
        }
        if next < GROUPS.len() {
            return Err(ClassicWeightsError {
                line: text.lines().count(),
                expected: format!("expected the group '{}'", GROUPS[next].name.to_lowercase()),
            });
        }
        Ok(weights)
    }

    /// The weights as text, a line for each group, `middle/end` for each term.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for group in GROUPS {
            text.push_str(&group.name.to_lowercase());
            for score in &self.0[group.start..group.start + group.len] {
                write!(text, " {}/{}", score.middle(), score.end()).expect("strings take all");
            }
            text.push('\n');
        }
        text
    }
}

fn parse_pair(word: &str) -> Option<Score> {
    let (middle, end) = word.split_once('/')?;
    let limit = |n: &i32| (-8000..=8000).contains(n);
    let middle = middle.parse().ok().filter(limit)?;
    let end = end.parse().ok().filter(limit)?;
    Some(Score::new(middle, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_survive_their_text() {
        let weights = ClassicWeights::published();
        assert_eq!(ClassicWeights::parse(&weights.text()), Ok(weights));
    }

    #[test]
    fn wrong_weights_name_the_line() {
        let text = ClassicWeights::published()
            .text()
            .replace("isolated", "isolate");
        let error = ClassicWeights::parse(&text).expect_err("a misspelt group");
        assert!(error.to_string().contains("'isolated'"), "{error}");
        assert!(ClassicWeights::parse("").is_err());
    }
}
