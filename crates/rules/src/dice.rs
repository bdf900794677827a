//! The dice of dice chess: the piece types that may move.

use std::fmt;

use shakmaty::{Color, Role};

/// The dice that are not used yet; none before the roll.
///
/// Two bits count the dice of each role. A used-up roll equals no roll: the turn
/// is over then.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Dice(u16);

impl Dice {
    /// No dice: before the roll.
    pub const NONE: Dice = Dice(0);

    /// Maximum number of dice in any game.
    pub const MAX: usize = 3;

    const fn shift(role: Role) -> u32 {
        2 * (role as u32 - 1)
    }

    /// A roll of these roles; `None` if there are more than three.
    pub fn new(roles: &[Role]) -> Option<Dice> {
        (roles.len() <= Dice::MAX).then(|| {
            roles.iter().fold(Dice::NONE, |dice, &role| {
                Dice(dice.0 + (1 << Dice::shift(role)))
            })
        })
    }

    /// A roll of exactly one die.
    pub const fn one(role: Role) -> Dice {
        Dice(1 << Dice::shift(role))
    }

    /// Number of dice with this role.
    #[inline]
    pub const fn count(self, role: Role) -> usize {
        (self.0 >> Dice::shift(role) & 3) as usize
    }

    /// Whether a die has this role.
    #[inline]
    pub const fn has(self, role: Role) -> bool {
        self.count(role) > 0
    }

    /// Number of dice not used yet.
    pub const fn total(self) -> usize {
        let ones = self.0 & 0x555;
        let twos = self.0 & 0xaaa;
        (ones.count_ones() + 2 * twos.count_ones()) as usize
    }

    /// Whether there are no dice: before the roll.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The dice left after using one with this role, if there is one.
    #[inline]
    pub const fn spend(self, role: Role) -> Option<Dice> {
        if self.has(role) {
            Some(Dice(self.0 - (1 << Dice::shift(role))))
        } else {
            None
        }
    }

    /// The roles in the order P N B R Q K, repeated once for each die.
    pub fn roles(self) -> impl Iterator<Item = Role> {
        Role::ALL
            .into_iter()
            .flat_map(move |role| std::iter::repeat_n(role, self.count(role)))
    }

    /// The dice as twelve bits, to store.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The dice with these [`Dice::bits`], if they are at most three.
    pub const fn from_bits(bits: u16) -> Option<Dice> {
        let dice = Dice(bits);
        if bits < 1 << 12 && dice.total() <= Dice::MAX {
            Some(dice)
        } else {
            None
        }
    }

    /// Parses piece letters of either case, in any order: `PNB`.
    pub fn parse(text: &str) -> Option<Dice> {
        let roles: Option<Vec<Role>> = text.chars().map(Role::from_char).collect();
        let roles = roles?;
        if roles.is_empty() {
            None
        } else {
            Dice::new(&roles)
        }
    }

    /// Piece letters in the case of a side, `-` before the roll.
    pub fn field(self, side: Color) -> String {
        match side {
            _ if self.is_none() => "-".to_owned(),
            Color::White => self.to_string(),
            Color::Black => self.to_string().to_lowercase(),
        }
    }

    /// All distinct rolls of `n` dice, with the number of ways to throw each.
    pub fn rolls(n: usize) -> Vec<(Dice, u32)> {
        let mut rolls: Vec<(Dice, u32)> = vec![(Dice::NONE, 1)];
        for _ in 0..n {
            let mut next: Vec<(Dice, u32)> = Vec::new();
            for &(dice, ways) in &rolls {
                for role in Role::ALL {
                    let more = Dice(dice.0 + (1 << Dice::shift(role)));
                    match next.iter_mut().find(|(known, _)| *known == more) {
                        Some((_, sum)) => *sum += ways,
                        None => next.push((more, ways)),
                    }
                }
            }
            rolls = next;
        }
        rolls
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.roles()
            .try_for_each(|role| write!(f, "{}", role.upper_char()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_dice_have_56_rolls_in_216_ways() {
        let rolls = Dice::rolls(3);
        assert_eq!(rolls.len(), 56);
        assert_eq!(rolls.iter().map(|(_, ways)| ways).sum::<u32>(), 216);
        assert!(rolls.iter().all(|(dice, _)| dice.total() == 3));
    }

    #[test]
    fn letters_are_sorted_and_spent() {
        let dice = Dice::parse("kPN").expect("three dice");
        assert_eq!(dice.to_string(), "PNK");
        assert_eq!(dice.field(Color::Black), "pnk");
        assert_eq!(
            dice.spend(Role::Knight).map(|d| d.to_string()),
            Some("PK".into())
        );
        assert_eq!(dice.spend(Role::Queen), None);
        assert_eq!(Dice::parse("PPPP"), None);
        assert_eq!(Dice::from_bits(dice.bits()), Some(dice));
    }
}
