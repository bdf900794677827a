//! The engine's UCI options.

use foglight_engine::registry;
use foglight_play::Spec;
use foglight_rules::{Color, FogRules, Game, HALFMOVE_LIMIT, Sight};

use crate::{
    command::{PositionCommand, StartPosition},
    reply::{Declared, OptionKind},
    text::quoted,
    variant,
};

/// Values of all options.
#[derive(Clone, Debug)]
pub(crate) struct EngineSettings {
    /// The agent, if one was set.
    pub agent: Option<Spec>,
    variant: &'static str,
    /// Variant implied by the last position, which overrides the option.
    implied: Option<&'static str>,
    rules: FogRules,
    sight: &'static str,
    halfmove_limit: u16,
    /// Seed of the next game.
    pub seed: u64,
    /// Threads of a search.
    pub threads: usize,
    pub hash: u64,
}

/// State to rebuild after an option was set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    None,
    Player,
    /// The game and with it the position.
    Game,
}

const SIGHTS: [&str; 4] = ["normal", "white", "black", "both"];
const MAX_THREADS: u64 = 256;
const MAX_HASH: u64 = 1 << 20;
const MAX_HALFMOVES: u64 = 1023;

impl EngineSettings {
    /// Starts with the first variant that the agent plays.
    pub fn new(agent: Option<Spec>) -> EngineSettings {
        let rules = FogRules::default();
        let entry = agent
            .as_ref()
            .and_then(|spec| registry::find(&spec.name).ok());
        let plays = |name: &&str| {
            let game = variant::game(name, rules).expect("one of the variants");
            entry.is_none_or(|entry| (entry.plays)(&game))
        };
        let variant = variant::NAMES.iter().copied().find(plays);
        EngineSettings {
            agent,
            variant: variant.unwrap_or("chess"),
            implied: None,
            rules,
            sight: "normal",
            halfmove_limit: HALFMOVE_LIMIT,
            seed: 0,
            threads: 1,
            hash: 16,
        }
    }

    /// The game being played.
    pub fn game(&self) -> Game {
        let variant = self.implied.unwrap_or(self.variant);
        let game = variant::game(variant, self.rules).expect("one of the variants");
        let full = |name| match self.sight == "both" || self.sight == name {
            true => Sight::Full,
            false => Sight::Normal,
        };
        game.with_sight(Color::White, full("white"))
            .with_sight(Color::Black, full("black"))
            .with_halfmove_limit((self.halfmove_limit > 0).then_some(self.halfmove_limit))
    }

    /// Switches to the game of a position: only one has fog, and only two have
    /// dice, so the variant need not be set first. Returns whether the game
    /// changed.
    pub fn imply(&mut self, position: &PositionCommand) -> bool {
        let before = self.implied;
        self.implied = match position {
            PositionCommand::Open { start, moves } if self.variant == "chess" => {
                dice_of(start, moves).map(|dice| match dice {
                    0 | 1 => "dicechess",
                    _ => "dicechess3",
                })
            }
            PositionCommand::Open { .. } => None,
            PositionCommand::Fog { .. } | PositionCommand::View { .. } => Some("fogofwar"),
        };
        self.implied.unwrap_or(self.variant) != before.unwrap_or(self.variant)
    }

    /// The agent for this game: the one that was set, with the hash size if it
    /// has one.
    pub fn spec(&self) -> Spec {
        let spec = self.agent.clone();
        let mut spec = spec.unwrap_or_else(|| registry::strongest(&self.game()));
        let tables = registry::find(&spec.name)
            .is_ok_and(|entry| entry.options.iter().any(|option| option.name == "hash"));
        if tables && !spec.options.contains_key("hash") {
            spec.options
                .insert("hash".to_owned(), self.hash.to_string());
        }
        spec
    }

    /// Every option, in the order of declaration.
    pub fn declared(&self) -> Vec<Declared> {
        let combo = |name: &str, default: &str, vars: Vec<&str>| Declared {
            name: name.to_owned(),
            kind: OptionKind::Combo {
                default: default.to_owned(),
                vars: vars.into_iter().map(str::to_owned).collect(),
            },
        };
        let spin = |name: &str, default: i64, min: i64, max: u64| Declared {
            name: name.to_owned(),
            kind: OptionKind::Spin {
                default,
                min,
                max: max.try_into().unwrap_or(i64::MAX),
            },
        };
        let rules = FogRules::ALL.map(FogRules::name).to_vec();
        let mut options = vec![
            combo("UCI_Variant", self.variant, variant::NAMES.to_vec()),
            Declared {
                name: "Agent".to_owned(),
                kind: OptionKind::String {
                    default: self.spec().to_string(),
                },
            },
            combo("Rules", FogRules::default().name(), rules),
            combo("Sight", "normal", SIGHTS.to_vec()),
            spin("HalfmoveLimit", i64::from(HALFMOVE_LIMIT), 0, MAX_HALFMOVES),
            spin("Seed", 0, 0, u64::MAX),
            spin("Threads", 1, 1, MAX_THREADS),
        ];
        if has_tables() {
            options.push(spin("Hash", 16, 1, MAX_HASH));
        }
        options.push(Declared {
            name: "Ponder".to_owned(),
            kind: OptionKind::Check { default: false },
        });
        options
    }

    /// Sets an option, or returns what was expected and changes nothing. Names
    /// are case-insensitive, as UCI requires.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Change, String> {
        match name.to_ascii_lowercase().as_str() {
            "uci_variant" => {
                self.variant = one_of(name, value, &variant::NAMES)?;
                self.implied = None;
            }
            "rules" => {
                let name = one_of(name, value, &FogRules::ALL.map(FogRules::name))?;
                self.rules = FogRules::from_name(name).unwrap_or_default();
            }
            "sight" => self.sight = one_of(name, value, &SIGHTS)?,
            "halfmovelimit" => self.halfmove_limit = whole(name, value, 0, MAX_HALFMOVES)? as u16,
            "agent" => {
                self.agent = Some(self.checked(value)?);
                return Ok(Change::Player);
            }
            "hash" => {
                self.hash = whole(name, value, 1, MAX_HASH)?;
                return Ok(Change::Player);
            }
            "seed" => {
                self.seed = whole(name, value, 0, u64::MAX)?;
                return Ok(Change::None);
            }
            "threads" => {
                self.threads = whole(name, value, 1, MAX_THREADS)? as usize;
                return Ok(Change::None);
            }
            "ponder" => return Ok(Change::None),
            _ => return Err(self.unknown(name)),
        }
        Ok(Change::Game)
    }

    /// A spec whose agent can be built for every game set later.
    fn checked(&self, text: &str) -> Result<Spec, String> {
        let spec: Spec = text.parse().map_err(|error| format!("{error}"))?;
        registry::check(&spec).map_err(|error| error.to_string())?;
        Ok(spec)
    }

    fn unknown(&self, name: &str) -> String {
        let names: Vec<String> = self.declared().into_iter().map(|d| d.name).collect();
        format!(
            "no option {}; expected one of {}",
            quoted(name),
            names.join(", ")
        )
    }
}

/// Number of dice of a game: those of its first roll, or of the seventh field
/// of its FEN. `None` if there is neither.
fn dice_of(start: &StartPosition, moves: &[String]) -> Option<usize> {
    let rolled = moves.iter().find_map(|text| text.strip_prefix("roll:"));
    let left = || match start {
        StartPosition::Startpos => None,
        StartPosition::Fen(fen) => fen.split_whitespace().nth(6),
    };
    rolled.or_else(left).map(str::len)
}

/// Whether any agent has tables whose size can be set.
fn has_tables() -> bool {
    let mut options = registry::AGENTS.iter().flat_map(|entry| entry.options);
    options.any(|option| option.name == "hash")
}

fn one_of(name: &str, value: &str, words: &[&'static str]) -> Result<&'static str, String> {
    let word = words.iter().find(|word| **word == value);
    word.copied().ok_or_else(|| {
        format!(
            "option {name}: {}; expected one of {}",
            quoted(value),
            words.join(", ")
        )
    })
}

fn whole(name: &str, value: &str, min: u64, max: u64) -> Result<u64, String> {
    let number = value.parse().ok().filter(|n| (min..=max).contains(n));
    number.ok_or_else(|| {
        format!(
            "option {name}: {}; expected a whole number from {min} to {max}",
            quoted(value)
        )
    })
}
