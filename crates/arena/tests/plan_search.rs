//! The search for plans against players whose answers are known.

use foglight_arena::{
    attack::{AttackError, PlanSearch},
    tournament::MatchEntrant,
};
use foglight_play::{
    Agent, Budget, InProcess, Limits, Report,
    contract::{CallLog, CheckedAgent},
};
use foglight_rules::{Color, Game, Move, Observation, notation::uci};

/// Plays the first of these moves that is legal, else whatever comes first.
struct Script(&'static [&'static str]);

impl Agent for Script {
    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
        let legal = observation.legal_moves();
        let mut wanted = self.0.iter();
        let wanted = wanted.find_map(|text| uci::find(text, legal).ok());
        wanted.unwrap_or(legal[0])
    }
}

fn entrant<A: Agent + 'static>(make: impl Fn() -> A + Send + Sync + 'static) -> MatchEntrant {
    MatchEntrant {
        name: "script".to_owned(),
        agent: "script".to_owned(),
        limits: Limits::default(),
        engine: None,
        make: Box::new(move || Ok(Box::new(InProcess(Box::new(make()))))),
        reusable: false,
    }
}

fn search(engine: &MatchEntrant, depth: usize) -> PlanSearch<'_> {
    let game = Game::fog();
    PlanSearch {
        game,
        side: Color::White,
        start: game.start(),
        engine,
        depth,
    }
}

fn plans(engine: &MatchEntrant, depth: usize) -> Vec<String> {
    let found = search(engine, depth).run(1, &|| false).expect("no fault");
    let text = |plan: &Vec<Move>| {
        let moves: Vec<String> = plan.iter().map(Move::to_string).collect();
        moves.join(" ")
    };
    let mut plans: Vec<String> = found.plans.iter().map(text).collect();
    plans.sort();
    plans
}

const EXPOSED: &[&str] = &["d7d5", "h7h6", "h6h5", "h5h4"];

/// After d5 the king falls to a queen on a4 and to a bishop on b5, whatever
/// opened the way; nothing else reaches it in two moves.
#[test]
fn all_plans_of_two_moves_are_found() {
    let exposed = entrant(|| Script(EXPOSED));
    let expected = ["c2c3 d1a4", "c2c4 d1a4", "e2e3 f1b5", "e2e4 f1b5"];
    assert_eq!(plans(&exposed, 2), expected);
    // Longer plans that contain one of these are not told again.
    assert!(plans(&exposed, 3).len() < 200);
    let closed = entrant(|| Script(&["e7e6", "a7a6", "h7h6", "h6h5"]));
    assert!(plans(&closed, 2).is_empty());
}

/// The agent is asked once for each history of its observations, and gets the
/// calls of a player.
#[test]
fn the_agent_is_asked_once_for_each_history() {
    let log = CallLog::default();
    let shared = log.clone();
    let checked = entrant(move || CheckedAgent::new(Script(EXPOSED), &shared));
    let found = search(&checked, 2).run(1, &|| false).expect("no fault");
    assert!((20..200).contains(&found.histories), "{found:?}");
    assert!(found.searches <= 2 * found.histories, "{found:?}");
    assert_eq!(log.breaches(), Vec::<String>::new());
}

/// Answers by a counter, not by its observations.
struct Fickle(usize);

impl Agent for Fickle {
    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
        self.0 += 1;
        let legal = observation.legal_moves();
        legal[self.0 % legal.len()]
    }
}

#[test]
fn an_agent_without_fixed_answers_is_refused() {
    let fickle = entrant(|| Fickle(0));
    let found = search(&fickle, 3).run(1, &|| false);
    assert!(matches!(found, Err(AttackError::Fickle { .. })));
}

/// Plays the first legal move, and reports that it might have been another.
#[derive(Default)]
struct Mixed(Vec<Move>);

impl Agent for Mixed {
    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
        self.0 = observation.legal_moves().to_vec();
        self.0[0]
    }

    fn report(&self) -> Option<Report> {
        Some(Report {
            policy: self.0.iter().map(|m| (*m, 0.05)).collect(),
            ..Report::default()
        })
    }
}

/// Plans are certain while the agent has one answer only.
#[test]
fn plans_with_certain_answers_are_told() {
    let certain = entrant(|| Script(EXPOSED));
    let found = search(&certain, 1).run(1, &|| false).expect("no fault");
    assert_eq!((found.plans.len(), found.certain.len()), (0, 20));
    let deeper = search(&certain, 2).run(1, &|| false).expect("no fault");
    assert!(deeper.certain.len() > 400, "{}", deeper.certain.len());
    assert!(
        !deeper
            .certain
            .iter()
            .any(|plan| deeper.plans.contains(plan))
    );
    let mixed = entrant(Mixed::default);
    let found = search(&mixed, 1).run(1, &|| false).expect("no fault");
    assert_eq!(found.certain.len(), 0);
}
