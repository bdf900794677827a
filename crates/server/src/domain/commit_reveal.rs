//! Verifiable dice: a commitment before the game, a reveal after it.
//!
//! The server draws a seed and publishes its SHA-256 before the first roll.
//! Each side sends a seed of its own with its first roll. A roll depends on
//! both seeds, so that neither party can choose it: the server has committed to
//! its seed before it knows the client's. `docs/http.md` gives the formula for
//! verification.

use foglight_play::dice::weighted;
use foglight_rules::{ByColor, Color, Dice, State, Turn};
use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::SideColor;

/// Maximum length of a client's seed, in characters.
pub(crate) const MAX_CLIENT_SEED: usize = 64;

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The commitment: SHA-256 of the seed's text, in hexadecimal.
pub fn commit(seed: &str) -> String {
    hex(&Sha256::digest(seed.as_bytes()))
}

/// The number in [0, 1) that decides roll `number` with these two seeds.
pub fn number(seed: &str, client: &str, number: u64) -> f64 {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(seed.as_bytes()).expect("HMAC takes keys of any length");
    mac.update(format!("{client}:{number}").as_bytes());
    let bytes = mac.finalize().into_bytes();
    let first: [u8; 8] = bytes[..8].try_into().expect("a digest has 32 bytes");
    (u64::from_be_bytes(first) >> 11) as f64 / (1u64 << 53) as f64
}

/// The possible rolls, ordered by their letters.
fn ordered(mut chances: Vec<(Dice, f64)>) -> Vec<(Dice, f64)> {
    chances.sort_by_key(|(dice, _)| dice.roles().map(|role| role as u8).collect::<Vec<_>>());
    chances
}

/// The dice of one game.
#[derive(Clone, Debug)]
pub(crate) struct CommitRevealDice {
    seed: String,
    clients: ByColor<Option<String>>,
    rolls: Vec<Thrown>,
}

#[derive(Clone, Debug)]
struct Thrown {
    by: Color,
    u: f64,
    roll: Dice,
    chances: Vec<(Dice, f64)>,
}

impl CommitRevealDice {
    /// Dice with a secret server seed.
    pub fn new(seed: String) -> CommitRevealDice {
        CommitRevealDice {
            seed,
            clients: ByColor::default(),
            rolls: Vec::new(),
        }
    }

    pub fn commit(&self) -> String {
        commit(&self.seed)
    }

    pub fn count(&self) -> u64 {
        self.rolls.len() as u64
    }

    /// A side's seed, fixed by its first roll.
    pub fn client(&mut self, side: Color, seed: &str) -> &str {
        let known = self.clients.get_mut(side);
        known.get_or_insert_with(|| seed.to_owned())
    }

    /// The next roll. Repeated calls return the same roll, so that a client
    /// cannot retry.
    pub fn next(&mut self, state: &State, client: &str) -> Option<Dice> {
        if state.turn() != Turn::Chance {
            return None;
        }
        let by = state.position().turn();
        let k = self.count();
        let client = self.client(by, client).to_owned();
        let u = number(&self.seed, &client, k);
        Some(weighted(&ordered(state.chance_outcomes()), u))
    }

    /// Records a roll made in `state`.
    pub fn note(&mut self, state: &State, roll: Dice) {
        let by = state.position().turn();
        let k = self.count();
        let client = self.client(by, "").to_owned();
        self.rolls.push(Thrown {
            by,
            u: number(&self.seed, &client, k),
            roll,
            chances: ordered(state.chance_outcomes()),
        });
    }

    /// The seed of a side, if it has rolled.
    pub(crate) fn client_of(&self, side: Color) -> Option<&str> {
        self.clients.get(side).as_deref()
    }

    /// The reveal, for a finished game.
    pub fn reveal(&self) -> Reveal {
        let client = |side: Color| self.client_of(side).unwrap_or_default().to_owned();
        let rolls = self
            .rolls
            .iter()
            .enumerate()
            .map(|(k, thrown)| RevealedRoll {
                number: k as u64,
                by: thrown.by.into(),
                u: thrown.u,
                roll: thrown.roll.to_string(),
                chances: thrown
                    .chances
                    .iter()
                    .map(|(dice, chance)| (dice.to_string(), *chance))
                    .collect(),
            });
        Reveal {
            commit: self.commit(),
            seed: self.seed.clone(),
            clients: Clients {
                white: client(Color::White),
                black: client(Color::Black),
            },
            rolls: rolls.collect(),
        }
    }
}

/// Everything needed to verify the dice of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Reveal {
    /// The commitment published before the game.
    pub commit: String,
    pub seed: String,
    /// The seeds of both sides.
    pub clients: Clients,
    pub rolls: Vec<RevealedRoll>,
}

/// The seeds of both sides; empty if a side sent none.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
pub struct Clients {
    pub white: String,
    pub black: String,
}

/// A revealed roll to verify.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RevealedRoll {
    /// Index of the roll in the game, from 0.
    pub number: u64,
    pub by: SideColor,
    /// The number that decides the roll.
    pub u: f64,
    pub roll: String,
    pub chances: Vec<(String, f64)>,
}

impl Reveal {
    /// The inconsistencies found; empty if the dice were fair. Uses no secret:
    /// anyone can repeat the check.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if commit(&self.seed) != self.commit {
            problems.push("the seed is not the one that was promised".to_owned());
        }
        for (k, roll) in self.rolls.iter().enumerate() {
            let client = match roll.by {
                SideColor::White => &self.clients.white,
                SideColor::Black => &self.clients.black,
            };
            let u = number(&self.seed, client, k as u64);
            let mut sum = 0.0;
            let found = roll.chances.iter().find(|(_, chance)| {
                sum += chance;
                u < sum
            });
            let due = found.or(roll.chances.last()).map(|(dice, _)| dice);
            if roll.number != k as u64 || due != Some(&roll.roll) {
                problems.push(format!("roll {k} does not follow from the seeds"));
            }
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::{Action, Game};

    use super::*;

    fn game(seed: &str, client: &str) -> CommitRevealDice {
        let mut state = State::start(Game::dice3());
        let mut fair = CommitRevealDice::new(seed.to_owned());
        while fair.count() < 20 && state.outcome().is_none() {
            match fair.next(&state, client) {
                Some(roll) => {
                    assert_eq!(fair.next(&state, "another"), Some(roll), "no second throw");
                    fair.note(&state, roll);
                    state.play(Action::Roll(roll)).expect("a possible roll");
                }
                None => state.play_unchecked(state.legal_actions()[0]),
            }
        }
        fair
    }

    #[test]
    fn fair_dice_pass_the_check_and_loaded_ones_do_not() {
        let reveal = game("aa", "hello").reveal();
        assert_eq!(reveal.rolls.len(), 20);
        assert!(reveal.problems().is_empty());
        let mut loaded = reveal.clone();
        let other = loaded.rolls[3].chances.iter().map(|(dice, _)| dice.clone());
        let other = other.into_iter().find(|dice| *dice != reveal.rolls[3].roll);
        loaded.rolls[3].roll = other.expect("another roll");
        assert_eq!(loaded.problems().len(), 1);
        let mut swapped = reveal;
        swapped.seed = "bb".to_owned();
        assert!(swapped.problems().len() > 1);
    }

    #[test]
    fn both_seeds_matter() {
        let rolls = |seed, client| -> Vec<String> {
            let reveal = game(seed, client).reveal();
            reveal.rolls.into_iter().map(|roll| roll.roll).collect()
        };
        assert_eq!(rolls("aa", "x"), rolls("aa", "x"));
        assert_ne!(rolls("aa", "x"), rolls("aa", "y"));
        assert_ne!(rolls("aa", "x"), rolls("ab", "x"));
    }

    /// Compares with `openssl dgst -sha256 -hmac`, so that the documented
    /// formula is the implemented one.
    #[test]
    fn the_formula_is_the_documented_one() {
        assert_eq!(
            commit("foglight"),
            "99032029180ded1a8133aa24a9858ec0a4aebaa3006aad26e4e7858a857c1b3f"
        );
        assert_eq!(number("foglight", "client", 3), 0.8446257909996626);
    }
}
