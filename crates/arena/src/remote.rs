//! Matches played in other processes: the match and its games as text, and the
//! checks of what comes back.

use foglight_play::{Fault, Limits, Spec};
use foglight_rules::{Color, Game, Termination};
use foglight_uci::{Protocol, client::EngineConfig};
use serde::{Deserialize, Serialize};

use crate::{
    luck,
    queue::{RemoteWork, Task},
    record::{GameRecord, GameText},
    schedule::{Format, SchedulePlan, Shard},
    tournament::{Finished, MatchEntrant, Table, Tournament},
};

/// The kind of task that a match is.
pub const MATCH: &str = "match";

/// A contestant, as its name and limits are written in records.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RemoteEntrant {
    pub name: String,
    pub agent: String,
    pub limits: String,
    /// The external engine; an agent of the registry otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<RemoteEngine>,
}

impl RemoteEntrant {
    pub(crate) fn of(one: &MatchEntrant) -> RemoteEntrant {
        RemoteEntrant {
            name: one.name.clone(),
            agent: one.agent.clone(),
            limits: one.limits.to_string(),
            engine: one.engine.as_ref().map(RemoteEngine::of),
        }
    }
}

/// An external engine. Its working directory is the worker's own.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RemoteEngine {
    pub command: String,
    pub args: Vec<String>,
    pub proto: Protocol,
    pub options: Vec<(String, String)>,
}

impl RemoteEngine {
    fn of(config: &EngineConfig) -> RemoteEngine {
        RemoteEngine {
            command: config.command.clone(),
            args: config.args.clone(),
            proto: config.proto,
            options: config.options.clone(),
        }
    }

    /// How to start it.
    pub fn config(&self) -> EngineConfig {
        EngineConfig {
            command: self.command.clone(),
            args: self.args.clone(),
            proto: self.proto,
            options: self.options.clone(),
            ..EngineConfig::default()
        }
    }
}

/// Text form of a match.
#[derive(Serialize, Deserialize)]
struct MatchText {
    game: GameText,
    contestants: Vec<RemoteEntrant>,
    format: Format,
    rounds: u64,
    games: u32,
    repeat: bool,
    starts: Vec<String>,
    seed: u64,
    max_moves: Option<u32>,
    /// So that two shards on a cluster are two jobs; workers play what they are
    /// told to.
    shard: String,
}

/// A fault behind the line of its game.
#[derive(Serialize, Deserialize)]
pub(crate) struct FaultText {
    white: bool,
    kind: String,
    about: String,
}

impl FaultText {
    pub(crate) fn of((side, fault): &(Color, Fault)) -> FaultText {
        let about = match fault {
            Fault::Disconnect(about) | Fault::Stall(about) | Fault::Illegal(about) => about,
            Fault::Timeout => "",
        };
        FaultText {
            white: *side == Color::White,
            kind: fault.termination().name().to_owned(),
            about: about.to_owned(),
        }
    }

    pub(crate) fn read(self) -> Option<(Color, Fault)> {
        let fault = match Termination::from_name(&self.kind)? {
            Termination::Disconnect => Fault::Disconnect(self.about),
            Termination::Stall => Fault::Stall(self.about),
            Termination::IllegalMove => Fault::Illegal(self.about),
            Termination::Timeout => Fault::Timeout,
            _ => return None,
        };
        Some((Color::from_white(self.white), fault))
    }
}

impl Tournament {
    /// Reads a match from the text of its task; `entrant` provides the players.
    pub fn from_task(
        text: &str,
        entrant: impl Fn(&RemoteEntrant, Game) -> Result<MatchEntrant, String>,
    ) -> Result<Tournament, String> {
        let read: MatchText = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let game = read.game.read().map_err(|e| e.to_string())?;
        let starts = read.starts.iter().map(|fen| game.parse_fen(fen));
        let starts: Vec<_> = starts
            .collect::<Result<_, _>>()
            .map_err(|e| e.to_string())?;
        let contestants = read.contestants.iter().map(|one| entrant(one, game));
        let contestants: Vec<_> = contestants.collect::<Result<_, String>>()?;
        if contestants.len() < 2 || starts.is_empty() || !(1..=2).contains(&read.games) {
            return Err("expected two contestants, a start, and one or two games".to_owned());
        }
        Ok(Tournament {
            game,
            plan: SchedulePlan {
                contestants: contestants.len(),
                format: read.format,
                rounds: read.rounds,
                games: read.games,
                repeat: read.repeat,
                starts,
                seed: read.seed,
            },
            contestants,
            shard: Shard::WHOLE,
            concurrency: 1,
            max_moves: read.max_moves,
            sprt: None,
            recover: true,
            announce: false,
            time_scale: 1.0,
        })
    }

    /// Whether a game has ended within the move limit of the match. What the moves
    /// say of its result is checked where it is read.
    fn allows(&self, record: &GameRecord) -> bool {
        let limit = self.max_moves.map(|moves| 2 * moves as usize);
        record.record.outcome.is_some_and(|outcome| {
            outcome.reason != Termination::MoveLimit
                || limit.is_some_and(|limit| record.plies() >= limit)
        })
    }

    fn read_game(&self, table: &Table, item: u64, text: &str) -> Result<Finished, String> {
        let (line, fault) = text.split_once('\n').unwrap_or((text, ""));
        let record = GameRecord::from_json(line).map_err(|e| e.to_string())?;
        if record.number != item + 1 {
            return Err(format!(
                "game {} in the place of {}",
                record.number,
                item + 1
            ));
        }
        let fixture = self.check(&record)?;
        let named = fixture.players.map(|i| self.contestants[i].named());
        if record.pair != fixture.pair || record.players != named {
            return Err("another pair or other limits".to_owned());
        }
        if record.plan.as_deref() != Some(table.stamp.as_ref()) {
            return Err("another plan".to_owned());
        }
        if !self.allows(&record) {
            return Err("a game that has not ended".to_owned());
        }
        let fault = match fault {
            "" => None,
            text => serde_json::from_str::<FaultText>(text)
                .map_err(|e| e.to_string())?
                .read(),
        };
        Ok(Finished {
            fixture,
            luck: luck::of_white(&record.record),
            line: line.to_owned(),
            record,
            fault,
        })
    }
}

/// Agents that do not search.
const UNTIMED: [&str; 2] = ["greedy", "random"];

/// Whether an agent plays the same game again: on one thread with a limit in
/// nodes or depth, and none in time. Stockfish keeps tables from game to game.
pub fn agent_repeats(spec: &Spec, limits: &Limits) -> bool {
    let set = |option: &str| spec.options.contains_key(option);
    let counted = limits.nodes.is_some() || limits.depth.is_some() || set("nodes");
    let bounded = counted || UNTIMED.contains(&spec.name.as_str());
    let timed = limits.are_timed() || set("ms") || set("threads");
    let stockfish = set("preset") || spec.options.values().any(|value| value == "stockfish");
    bounded && !timed && !stockfish
}

/// The same of a contestant; external engines may keep tables.
pub(crate) fn repeats(entrant: &MatchEntrant) -> bool {
    let spec = entrant.agent.parse::<Spec>();
    entrant.engine.is_none() && spec.is_ok_and(|spec| agent_repeats(&spec, &entrant.limits))
}

impl RemoteWork for Tournament {
    fn task(&self) -> Task {
        let entrants = self.contestants.iter().map(RemoteEntrant::of);
        let starts = self.plan.starts.iter();
        let text = MatchText {
            game: GameText::of(&self.game),
            contestants: entrants.collect(),
            format: self.plan.format,
            rounds: self.plan.rounds,
            games: self.plan.games,
            repeat: self.plan.repeat,
            starts: starts.map(|start| self.game.fen(start)).collect(),
            seed: self.plan.seed,
            max_moves: self.max_moves,
            shard: self.shard.to_string(),
        };
        Task {
            kind: MATCH.to_owned(),
            text: serde_json::to_string(&text).expect("a match is always JSON"),
        }
    }

    fn group(&self) -> u64 {
        u64::from(self.plan.games)
    }

    /// The line of the journal and, on a line of its own, the fault.
    fn encode(&self, finished: &Box<Finished>) -> String {
        match &finished.fault {
            None => finished.line.clone(),
            Some(fault) => {
                let fault = serde_json::to_string(&FaultText::of(fault));
                format!(
                    "{}\n{}",
                    finished.line,
                    fault.expect("a fault is always JSON")
                )
            }
        }
    }

    fn decode(&self, table: &Table, item: u64, text: &str) -> Result<Box<Finished>, String> {
        self.read_game(table, item, text).map(Box::new)
    }

    fn repeats(&self) -> bool {
        self.contestants.iter().all(repeats)
    }

    fn same(&self, one: &Box<Finished>, other: &Box<Finished>) -> bool {
        one.record.record == other.record.record
    }
}

#[cfg(test)]
mod tests {
    use foglight_engine::registry;
    use foglight_play::{InProcess, Player, Providers};

    use super::*;
    use crate::queue::Work as _;

    fn entrant(one: &RemoteEntrant, game: Game) -> Result<MatchEntrant, String> {
        let spec: Spec = one.agent.parse().map_err(|e| format!("{e}"))?;
        let limits: Limits = one.limits.parse().map_err(|e| format!("{e}"))?;
        Ok(MatchEntrant {
            name: one.name.clone(),
            agent: one.agent.clone(),
            limits,
            engine: None,
            make: Box::new(move || {
                let agent = registry::build(&spec, &game, &Providers::default()).expect("an agent");
                Ok(Box::new(InProcess(Box::new(agent))) as Box<dyn Player>)
            }),
            reusable: false,
        })
    }

    fn tournament() -> Tournament {
        let game = Game::fog();
        let player = |name: &str, agent: &str| RemoteEntrant {
            name: name.to_owned(),
            agent: agent.to_owned(),
            limits: "nodes=1".to_owned(),
            engine: None,
        };
        let players = [player("A", "greedy"), player("B", "random")];
        Tournament {
            game,
            contestants: players
                .iter()
                .map(|one| entrant(one, game).expect("an agent"))
                .collect(),
            plan: SchedulePlan {
                contestants: 2,
                format: Format::RoundRobin,
                rounds: 4,
                games: 2,
                repeat: true,
                starts: vec![game.start()],
                seed: 5,
            },
            shard: Shard::WHOLE,
            concurrency: 1,
            max_moves: Some(200),
            sprt: None,
            recover: false,
            announce: false,
            time_scale: 1.0,
        }
    }

    fn text_of(tournament: &Tournament, item: u64) -> String {
        let played = tournament.do_item(item, &mut tournament.tools(), &|| false);
        tournament.encode(&played.expect("not stopped"))
    }

    #[test]
    fn a_match_read_from_its_task_plays_the_same_games() {
        let ours = tournament();
        let theirs = Tournament::from_task(&ours.task().text, entrant).expect("a match");
        assert_eq!(theirs.task(), ours.task());
        assert!(ours.repeats());
        for item in 0..ours.plan.len() {
            let text = text_of(&theirs, item);
            assert_eq!(text, text_of(&ours, item));
            let read = ours.decode(&ours.tools(), item, &text).expect("a game");
            assert_eq!(read.line, text);
        }
    }

    #[test]
    fn agents_repeat_with_limits_in_nodes_on_one_thread() {
        for (agent, limits, expected) in [
            ("greedy", "", true),
            ("foglight", "", false),
            ("foglight:nodes=100", "", true),
            ("foglight", "nodes=100", true),
            ("foglight:nodes=100", "st=1", false),
            ("foglight:nodes=100,threads=2", "", false),
            ("thesis:preset=paper,nodes=100", "", false),
            ("pbsa:analyser=stockfish,nodes=100", "", false),
        ] {
            let spec: Spec = agent.parse().expect("a spec");
            let limits: Limits = limits.parse().expect("limits");
            assert_eq!(agent_repeats(&spec, &limits), expected, "{agent} {limits}");
        }
    }

    #[test]
    fn a_game_that_is_not_of_the_plan_is_refused() {
        let ours = tournament();
        let text = text_of(&ours, 3);
        let refused = |item: u64, text: &str| {
            let read = ours.decode(&ours.tools(), item, text);
            read.err().expect("refused")
        };
        assert!(refused(2, &text).contains("in the place of"));
        let result = ["1-0", "0-1"];
        let has = |result: &str| text.contains(&format!("\"result\":\"{result}\""));
        let (won, lost) = match has("1-0") {
            true => (result[0], result[1]),
            false => (result[1], result[0]),
        };
        let forged = text.replace(won, lost);
        assert!(refused(3, &forged).contains("by its moves"));
        let other = text.replace("\"seed\":5", "\"seed\":6");
        assert!(
            refused(3, &other).contains("plan"),
            "{}",
            refused(3, &other)
        );
        let cheaper = text.replacen("nodes=1", "nodes=2", 1);
        assert!(refused(3, &cheaper).contains("limits"));
        assert!(refused(3, "").contains("record"));
    }

    #[test]
    fn faults_come_back_as_they_were() {
        for fault in [
            Fault::Disconnect("gone".to_owned()),
            Fault::Stall("silent".to_owned()),
            Fault::Illegal("e2e5".to_owned()),
            Fault::Timeout,
        ] {
            let fault = (Color::Black, fault);
            let text = serde_json::to_string(&FaultText::of(&fault)).expect("JSON");
            let read: FaultText = serde_json::from_str(&text).expect("a fault");
            assert_eq!(read.read(), Some(fault));
        }
    }
}
