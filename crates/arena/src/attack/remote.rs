//! Attacks in other processes: their lists and results as text.

use foglight_rules::{Color, Game, Move, Position};
use serde::{Deserialize, Serialize};

use super::{
    AttackCount, AttackEnd, AttackError, AttackPlan, FoundPlans, PlanSearches,
    count::{Played, SparePlayers},
};
use crate::{
    queue::{RemoteWork, Task},
    record::{GameRecord, GameText},
    remote::{FaultText, RemoteEntrant, repeats},
    tournament::MatchEntrant,
};

/// The kind of task that an [`AttackCount`] is.
pub const ATTACK: &str = "attack";
/// The kind of task that [`PlanSearches`] are.
pub const ATTACK_SEARCH: &str = "attack search";

/// Provides the engine under attack.
pub type MakeEntrant<'a> = dyn Fn(&RemoteEntrant, Game) -> Result<MatchEntrant, String> + 'a;

/// A side and a start, and the steps of a plan.
#[derive(Serialize, Deserialize)]
struct UnitText {
    white: bool,
    start: String,
    #[serde(default)]
    steps: String,
    #[serde(default)]
    seed: u64,
}

impl UnitText {
    fn of(game: &Game, side: Color, start: &Position) -> UnitText {
        UnitText {
            white: side == Color::White,
            start: game.fen(start),
            steps: String::new(),
            seed: 0,
        }
    }

    fn read(&self, game: &Game) -> Result<AttackPlan, String> {
        let start = game.parse_fen(&self.start).map_err(|e| e.to_string())?;
        let steps = self.steps.split_whitespace().map(str::parse);
        Ok(AttackPlan {
            steps: steps.collect::<Result<_, String>>()?,
            ..AttackPlan::by_itself(Color::from_white(self.white), start)
        })
    }
}

#[derive(Serialize, Deserialize)]
struct AttackText {
    game: GameText,
    engine: RemoteEntrant,
    plans: Vec<UnitText>,
    games: u64,
    seed: u64,
    end: AttackEnd,
    max_moves: Option<u32>,
}

#[derive(Serialize, Deserialize)]
struct SearchText {
    game: GameText,
    engine: RemoteEntrant,
    depth: usize,
    units: Vec<UnitText>,
}

fn task(kind: &str, text: &impl Serialize) -> Task {
    Task {
        kind: kind.to_owned(),
        text: serde_json::to_string(text).expect("an attack is always JSON"),
    }
}

impl AttackCount {
    /// Reads an attack from the text of its task.
    pub fn from_task(text: &str, entrant: &MakeEntrant<'_>) -> Result<AttackCount, String> {
        let read: AttackText = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let game = read.game.read().map_err(|e| e.to_string())?;
        let plans = read.plans.iter().map(|plan| plan.read(&game));
        Ok(AttackCount {
            game,
            engine: entrant(&read.engine, game)?,
            plans: plans.collect::<Result<_, String>>()?,
            games: read.games,
            seed: read.seed,
            end: read.end,
            max_moves: read.max_moves,
            concurrency: 1,
        })
    }
}

impl RemoteWork for AttackCount {
    fn task(&self) -> Task {
        let plans = self.plans.iter().map(|plan| UnitText {
            steps: plan.to_string(),
            ..UnitText::of(&self.game, plan.side, &plan.start)
        });
        let text = AttackText {
            game: GameText::of(&self.game),
            engine: RemoteEntrant::of(&self.engine),
            plans: plans.collect(),
            games: self.games,
            seed: self.seed,
            end: self.end,
            max_moves: self.max_moves,
        };
        task(ATTACK, &text)
    }

    /// The line of the journal, or on a second line the fault of the engine.
    fn encode(&self, played: &Played) -> String {
        match played {
            Ok(record) => record.to_json(),
            Err(AttackError::Fault { fault, .. }) => {
                let text = FaultText::of(&(Color::White, fault.clone()));
                let text = serde_json::to_string(&text);
                format!("\n{}", text.expect("a fault is always JSON"))
            }
            Err(error) => format!("\n{error}"),
        }
    }

    fn decode(&self, _: &SparePlayers, item: u64, text: &str) -> Result<Played, String> {
        if let Some(text) = text.strip_prefix('\n') {
            let fault: Option<FaultText> = serde_json::from_str(text).ok();
            return Ok(Err(match fault.and_then(FaultText::read) {
                Some((_, fault)) => self.lost(fault),
                None => AttackError::Elsewhere(text.to_owned()),
            }));
        }
        let record = GameRecord::from_json(text).map_err(|e| e.to_string())?;
        if record.number != item + 1 {
            return Err(format!(
                "game {} in the place of {}",
                record.number,
                item + 1
            ));
        }
        self.recognise(&record).map_err(|e| e.to_string())?;
        Ok(Ok(Box::new(record)))
    }

    fn repeats(&self) -> bool {
        repeats(&self.engine)
    }

    fn same(&self, one: &Played, other: &Played) -> bool {
        match (one, other) {
            (Ok(one), Ok(other)) => one.record == other.record,
            (Err(one), Err(other)) => one.to_string() == other.to_string(),
            _ => false,
        }
    }
}

impl PlanSearches {
    /// Reads searches from the text of their task.
    pub fn from_task(text: &str, entrant: &MakeEntrant<'_>) -> Result<PlanSearches, String> {
        let read: SearchText = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let game = read.game.read().map_err(|e| e.to_string())?;
        let units = read.units.iter().map(|unit| {
            let plan = unit.read(&game)?;
            Ok((plan.side, plan.start, unit.seed))
        });
        Ok(PlanSearches {
            game,
            engine: entrant(&read.engine, game)?,
            depth: read.depth,
            units: units.collect::<Result<_, String>>()?,
        })
    }
}

/// Result of a search for plans.
type Found = Result<FoundPlans, AttackError>;

/// Found plans with their moves as numbers.
#[derive(Serialize, Deserialize)]
struct FoundText {
    plans: Vec<Vec<u16>>,
    certain: Vec<Vec<u16>>,
    histories: u64,
    searches: u64,
}

impl FoundText {
    fn of(found: &FoundPlans) -> FoundText {
        let numbers = |plans: &[Vec<Move>]| {
            let each = plans
                .iter()
                .map(|plan| plan.iter().map(|m| m.raw()).collect());
            each.collect()
        };
        FoundText {
            plans: numbers(&found.plans),
            certain: numbers(&found.certain),
            histories: found.histories,
            searches: found.searches,
        }
    }

    fn read(self) -> FoundPlans {
        let moves = |plans: Vec<Vec<u16>>| {
            let each = plans.into_iter();
            each.map(|plan| plan.into_iter().map(Move::from_raw).collect())
                .collect()
        };
        FoundPlans {
            plans: moves(self.plans),
            certain: moves(self.certain),
            histories: self.histories,
            searches: self.searches,
        }
    }
}

impl RemoteWork for PlanSearches {
    fn task(&self) -> Task {
        let units = self.units.iter().map(|(side, start, seed)| UnitText {
            seed: *seed,
            ..UnitText::of(&self.game, *side, start)
        });
        let text = SearchText {
            game: GameText::of(&self.game),
            engine: RemoteEntrant::of(&self.engine),
            depth: self.depth,
            units: units.collect(),
        };
        task(ATTACK_SEARCH, &text)
    }

    fn encode(&self, found: &Found) -> String {
        let found = found.as_ref().map(FoundText::of);
        let found = found.map_err(|error| error.to_string());
        serde_json::to_string(&found).expect("a result is always JSON")
    }

    fn decode(&self, (): &(), _: u64, text: &str) -> Result<Found, String> {
        let found: Result<FoundText, String> =
            serde_json::from_str(text).map_err(|e| e.to_string())?;
        Ok(found.map(FoundText::read).map_err(AttackError::Elsewhere))
    }

    fn repeats(&self) -> bool {
        repeats(&self.engine)
    }

    fn same(&self, one: &Found, other: &Found) -> bool {
        self.encode(one) == self.encode(other)
    }
}
