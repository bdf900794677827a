//! Verifiable dice: a commitment before the game, a reveal after it.
//!
//! The server draws a seed and publishes its SHA-256. Then each player names a
//! seed of its own, and only then is the first roll made. Every roll depends on
//! all three seeds, so that neither the server nor one player, nor the two
//! together, can choose it. `docs/http.md` gives the formula, and
//! `examples/check_dice.py` is a second implementation of the check.

use foglight_play::dice::weighted;
use foglight_rules::{Action, ByColor, Color, Dice, Record, State, Turn};
use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{InputError, SideColor, side_name};

/// Maximum length of a player's seed, in characters.
const MAX_CLIENT_SEED: usize = 64;

/// The seeds of both sides, as far as they are named. That of an agent of this
/// server is empty: it could add nothing that the server does not know.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ClientSeeds {
    white: Option<String>,
    black: Option<String>,
    /// Number of rolls made before both were named: none but in games that
    /// version 0.1 began. They cannot be checked.
    unproven: u64,
}

impl ClientSeeds {
    pub fn of(&self, side: Color) -> Option<&str> {
        side.fold_wb(&self.white, &self.black).as_deref()
    }

    /// Names the seed of a side after this number of rolls. The first seed
    /// counts.
    pub fn name(&mut self, side: Color, seed: &str, rolls: u64) {
        let known = side.fold_wb(&mut self.white, &mut self.black);
        if known.is_none() {
            *known = Some(seed.to_owned());
            self.unproven = rolls;
        }
    }

    fn both(&self) -> Option<ByColor<&str>> {
        Some(ByColor {
            white: self.white.as_deref()?,
            black: self.black.as_deref()?,
        })
    }
}

/// Checks a player's seed. Without separators the formula is unambiguous.
pub fn client_seed(text: &str) -> Result<&str, InputError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let valid = (1..=MAX_CLIENT_SEED).contains(&text.len()) && text.bytes().all(plain);
    valid.then_some(text).ok_or_else(|| {
        InputError::new(format!(
            "seed: expected 1 to {MAX_CLIENT_SEED} letters, digits, - and _"
        ))
    })
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The commitment: SHA-256 of the seed's text, in hexadecimal.
pub fn commit(seed: &str) -> String {
    hex(&Sha256::digest(seed.as_bytes()))
}

/// The number in [0, 1) that decides roll `number` with these seeds.
pub fn number(seed: &str, clients: ByColor<&str>, number: u64) -> f64 {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(seed.as_bytes()).expect("HMAC takes keys of any length");
    mac.update(format!("{number}:{}:{}", clients.white, clients.black).as_bytes());
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
    clients: ClientSeeds,
    rolls: Vec<RevealedRoll>,
}

impl CommitRevealDice {
    /// Dice with a secret server seed.
    pub fn new(seed: String, clients: ClientSeeds) -> CommitRevealDice {
        CommitRevealDice {
            seed,
            clients,
            rolls: Vec::new(),
        }
    }

    pub fn commit(&self) -> String {
        commit(&self.seed)
    }

    pub fn count(&self) -> u64 {
        self.rolls.len() as u64
    }

    /// The seeds of both players.
    pub fn clients(&self) -> &ClientSeeds {
        &self.clients
    }

    /// Sets the seeds that the players have named.
    pub fn set_clients(&mut self, clients: ClientSeeds) {
        self.clients = clients;
    }

    /// Whether both players have named their seeds.
    pub fn is_ready(&self) -> bool {
        self.clients.both().is_some()
    }

    /// The next roll, once both seeds are named. Repeated calls return the same
    /// roll, so that a client cannot retry.
    pub fn next(&self, state: &State) -> Option<Dice> {
        let clients = self.clients.both()?;
        if state.turn() != Turn::Chance {
            return None;
        }
        let u = number(&self.seed, clients, self.count());
        Some(weighted(&ordered(state.chance_outcomes()), u))
    }

    /// Records a roll made in `state`.
    pub fn note(&mut self, state: &State, roll: Dice) {
        let clients = self.clients.both().unwrap_or_default();
        let number = self.count();
        let u = self::number(&self.seed, clients, number);
        self.rolls.push(RevealedRoll::of(state, number, u, roll));
    }

    /// The reveal, for a finished game; `None` if rolls cannot be checked.
    pub fn reveal(&self) -> Option<Reveal> {
        let both = self.clients.both();
        let provable = self.clients.unproven == 0 && (both.is_some() || self.rolls.is_empty());
        let clients = both.unwrap_or_default();
        provable.then(|| Reveal {
            commit: self.commit(),
            seed: self.seed.clone(),
            clients: Clients {
                white: clients.white.to_owned(),
                black: clients.black.to_owned(),
            },
            rolls: self.rolls.clone(),
        })
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

impl RevealedRoll {
    fn of(state: &State, number: u64, u: f64, roll: Dice) -> RevealedRoll {
        let chances = ordered(state.chance_outcomes()).into_iter();
        RevealedRoll {
            number,
            by: state.position().turn().into(),
            u,
            roll: roll.to_string(),
            chances: chances
                .map(|(dice, chance)| (dice.to_string(), chance))
                .collect(),
        }
    }

    /// Equality up to the rounding of decimals.
    fn agrees(&self, other: &RevealedRoll) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        let same = |((a, p), (b, q)): (&(String, f64), &(String, f64))| a == b && near(*p, *q);
        (self.number, self.by, &self.roll) == (other.number, other.by, &other.roll)
            && near(self.u, other.u)
            && self.chances.len() == other.chances.len()
            && self.chances.iter().zip(&other.chances).all(same)
    }
}

/// What a player knew before the first roll.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub(crate) struct KnownBefore {
    /// The commitment that the player stored.
    pub commit: String,
    /// White's seed, if White asks.
    pub white: Option<String>,
    /// Black's seed, if Black asks.
    pub black: Option<String>,
}

impl Reveal {
    /// The inconsistencies found; empty if the dice of the game were fair. Uses
    /// no secret: anyone can repeat the check.
    pub fn problems(&self, game: &Record, known: &KnownBefore) -> Vec<String> {
        let mut problems = Vec::new();
        if self.commit != known.commit {
            problems.push("the commitment is not the one that was stored".to_owned());
        }
        if commit(&self.seed) != known.commit {
            problems.push("the seed is not the one that was promised".to_owned());
        }
        for (side, known) in [(Color::White, &known.white), (Color::Black, &known.black)] {
            let named = side.fold_wb(&self.clients.white, &self.clients.black);
            if known.as_ref().is_some_and(|known| known != named) {
                let side = side_name(side);
                problems.push(format!("the seed of {side} is not the one that was named"));
            }
        }
        let due = self.due(game);
        for (k, (due, played)) in due.iter().enumerate() {
            if due.roll != played.to_string() {
                let (due, k) = (&due.roll, k + 1);
                problems.push(format!("roll {k} was {played}; the seeds give {due}"));
            }
            match self.rolls.get(k) {
                Some(told) if told.agrees(due) => {}
                Some(_) => problems.push(format!("roll {} is told wrongly", k + 1)),
                None => problems.push(format!("roll {} is missing", k + 1)),
            }
        }
        if let Some(more) = self.rolls.len().checked_sub(due.len() + 1) {
            problems.push(format!("{} rolls were never made", more + 1));
        }
        problems
    }

    /// The rolls that the seeds give in this game, each with the one made.
    fn due(&self, game: &Record) -> Vec<(RevealedRoll, Dice)> {
        let clients = ByColor {
            white: self.clients.white.as_str(),
            black: self.clients.black.as_str(),
        };
        let mut state = State::new(game.game, game.start);
        let mut due = Vec::new();
        for &action in &game.actions {
            if let Action::Roll(made) = action {
                let k = due.len() as u64;
                let u = number(&self.seed, clients, k);
                let roll = weighted(&ordered(state.chance_outcomes()), u);
                due.push((RevealedRoll::of(&state, k, u, roll), made));
            }
            state.play_unchecked(action);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::Game;

    use super::*;

    fn seeds(white: &str, black: &str) -> ClientSeeds {
        let mut seeds = ClientSeeds::default();
        seeds.name(Color::White, white, 0);
        seeds.name(Color::Black, black, 0);
        seeds
    }

    /// A game of 20 rolls.
    fn game(seed: &str, clients: ClientSeeds) -> (Record, Reveal) {
        let game = Game::dice3();
        let mut state = State::start(game);
        let mut fair = CommitRevealDice::new(seed.to_owned(), clients);
        let mut actions = Vec::new();
        while fair.count() < 20 && state.outcome().is_none() {
            let action = match fair.next(&state) {
                Some(roll) => {
                    assert_eq!(fair.next(&state), Some(roll), "no second throw");
                    fair.note(&state, roll);
                    Action::Roll(roll)
                }
                None => state.legal_actions()[0],
            };
            actions.push(action);
            state.play(action).expect("a possible action");
        }
        let (start, outcome) = (game.start(), state.outcome());
        let record = Record {
            game,
            start,
            actions,
            outcome,
        };
        (record, fair.reveal().expect("both seeds"))
    }

    fn known(commit: &str) -> KnownBefore {
        KnownBefore {
            commit: commit.to_owned(),
            white: Some("hello".into()),
            black: None,
        }
    }

    #[test]
    fn no_roll_before_both_seeds() {
        let state = State::start(Game::dice1());
        let mut seeds = ClientSeeds::default();
        seeds.name(Color::White, "hello", 0);
        let mut fair = CommitRevealDice::new("aa".into(), seeds.clone());
        assert_eq!(fair.next(&state), None);
        seeds.name(Color::Black, "", 0);
        fair.set_clients(seeds);
        assert!(fair.next(&state).is_some());
    }

    /// Every forgery is noticed by the player who stored the commitment.
    #[test]
    fn fair_dice_pass_the_check_and_forged_ones_do_not() {
        let (record, reveal) = game("aa", seeds("hello", ""));
        let stored = known(&commit("aa"));
        assert_eq!(reveal.rolls.len(), 20);
        assert_eq!(reveal.problems(&record, &stored), [""; 0]);
        let other_roll = |roll: &RevealedRoll| {
            let mut rolls = roll.chances.iter().map(|(dice, _)| dice.clone());
            rolls.find(|dice| *dice != roll.roll).expect("another roll")
        };
        let forge = |change: &dyn Fn(&mut Reveal)| {
            let mut forged = reveal.clone();
            change(&mut forged);
            forged
        };
        let forgeries: [(&str, Reveal); 9] = [
            (
                "a changed roll",
                forge(&|r| r.rolls[3].roll = other_roll(&r.rolls[3])),
            ),
            (
                "changed chances",
                forge(&|r| r.rolls[3].chances[0].1 += 0.01),
            ),
            ("a changed number", forge(&|r| r.rolls[3].u = 0.5)),
            (
                "a changed side",
                forge(&|r| r.rolls[0].by = SideColor::Black),
            ),
            ("the last roll missing", forge(&|r| drop(r.rolls.pop()))),
            ("a roll missing", forge(&|r| drop(r.rolls.remove(5)))),
            ("a roll added", forge(&|r| r.rolls.push(r.rolls[0].clone()))),
            ("another seed", forge(&|r| r.seed = "bb".into())),
            (
                "another player's seed",
                forge(&|r| r.clients.white = "hellp".into()),
            ),
        ];
        for (what, forged) in forgeries {
            assert!(!forged.problems(&record, &stored).is_empty(), "{what}");
        }
        // Consistent in itself, but promised by another commitment.
        let (record, exchanged) = game("bb", seeds("hello", ""));
        assert!(
            exchanged
                .problems(&record, &known(&commit("bb")))
                .is_empty()
        );
        assert!(!exchanged.problems(&record, &stored).is_empty());
        // A game in which another roll was made.
        let mut loaded = record.clone();
        let first = Dice::rolls(3)
            .into_iter()
            .map(|(dice, _)| Action::Roll(dice));
        loaded.actions.truncate(1);
        loaded.actions[0] = first
            .into_iter()
            .find(|roll| *roll != loaded.actions[0])
            .expect("another roll");
        let stored = known(&commit("bb"));
        assert!(!exchanged.problems(&loaded, &stored).is_empty());
    }

    #[test]
    fn all_seeds_matter_in_every_roll() {
        let rolls = |seed, white, black| {
            let rolls = game(seed, seeds(white, black)).1.rolls;
            rolls.into_iter().map(|roll| roll.u).collect::<Vec<f64>>()
        };
        let base = rolls("aa", "x", "y");
        assert_eq!(base, rolls("aa", "x", "y"));
        for other in [
            rolls("ab", "x", "y"),
            rolls("aa", "z", "y"),
            rolls("aa", "x", "z"),
        ] {
            assert!(base.iter().zip(&other).all(|(one, other)| one != other));
        }
    }

    #[test]
    fn seeds_hold_no_separators() {
        assert_eq!(client_seed("aZ-09_").ok(), Some("aZ-09_"));
        for bad in ["", "a:b", "a b", "é", "a\n", &"x".repeat(65)] {
            assert!(client_seed(bad).is_err(), "{bad:?}");
        }
    }

    /// Compares with `openssl dgst -sha256 -hmac`, so that the documented
    /// formula is the implemented one.
    #[test]
    fn the_formula_is_the_documented_one() {
        assert_eq!(
            commit("foglight"),
            "99032029180ded1a8133aa24a9858ec0a4aebaa3006aad26e4e7858a857c1b3f"
        );
        let clients = ByColor {
            white: "client",
            black: "",
        };
        assert_eq!(number("foglight", clients, 3), 0.6445814933945827);
    }
}
