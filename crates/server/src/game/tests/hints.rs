//! Hints that cannot follow a game go on with fewer positions or say so.

use foglight_engine::registry;
use foglight_play::{Agent, Budget, Providers};
use foglight_rules::{Color, Game, Move, Observation};
use serde_json::Value;
use tokio::{sync::mpsc, time::timeout};

use super::{
    super::{Games, Handle, PracticeSettings},
    AGES, games, person, recorded, terms,
};
use crate::{
    source::WallClock,
    wire::Frame,
    workers::{AgentFactory, Payer},
};

type Heard = mpsc::Receiver<Frame>;

/// A practice game of two people, and the hints for White.
async fn practice(games: &std::sync::Arc<Games>) -> (Handle, Heard) {
    let mut terms = terms(games, Game::fog(), person(), person());
    terms.practice = true;
    let handle = games.create(terms, Payer::Server).await.expect("a game");
    let (frames, heard) = mpsc::channel(16);
    let wish = PracticeSettings {
        on: true,
        ..PracticeSettings::default()
    };
    let asked = handle.practice(Color::White, wish, frames).await;
    asked.expect("a practice game");
    (handle, heard)
}

/// The hint of this ply.
async fn hint(heard: &mut Heard, ply: u32) -> Value {
    loop {
        let frame = timeout(AGES, heard.recv()).await.expect("in time");
        let text = frame.expect("an answer").text().to_owned();
        let hint: Value = serde_json::from_str(&text).expect("JSON");
        if hint["d"]["ply"] == ply {
            return hint["d"].clone();
        }
    }
}

/// An adviser without a belief is told to the player, not passed over.
#[tokio::test]
async fn an_adviser_without_a_belief_says_so() {
    let (games, _, _) = recorded(WallClock::default());
    let (_handle, mut heard) = practice(&games).await;
    assert_eq!(hint(&mut heard, 0).await["count"], Value::Null);
}

/// A belief of one position loses the game at the first hidden reply that it did
/// not draw. The hints go on, with positions that fit the view, and do not claim
/// to know all.
#[tokio::test]
async fn a_bounded_belief_goes_on_with_fewer_positions() {
    let agents = AgentFactory::of(Providers::default(), |_, game, providers| {
        let spec = "foglight:max-positions=1".parse().expect("a spec");
        Ok(Box::new(registry::build(&spec, game, providers)?))
    });
    let games = games(agents, WallClock::default());
    let (handle, mut heard) = practice(&games).await;
    let first = hint(&mut heard, 0).await;
    assert_eq!(
        (&first["count"], &first["exact"]),
        (&1.into(), &true.into())
    );
    for (ply, text) in (0..).zip(["e2e4", "g8f6", "a2a3", "f6e4", "b2b3"]) {
        let side = Color::from_white(ply % 2 == 0);
        handle.play(side, ply, text, "").await.expect("a move");
        let now = hint(&mut heard, ply + 1).await;
        assert!(now["count"].as_u64() > Some(0), "ply {}: {now}", ply + 1);
        assert_eq!(now["exact"], ply == 0, "{now}");
    }
}

/// Follows the first two plies, then fails.
struct Failing;

impl Agent for Failing {
    fn see(&mut self, observation: &Observation) {
        assert!(observation.plies() < 2, "on purpose");
    }

    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
        observation.legal_moves()[0]
    }
}

#[tokio::test]
async fn a_failed_adviser_is_not_silent() {
    let agents = AgentFactory::of(Providers::default(), |_, _, _| Ok(Box::new(Failing)));
    let games = games(agents, WallClock::default());
    let (handle, mut heard) = practice(&games).await;
    for (ply, text) in (0..).zip(["e2e4", "e7e5", "a2a3", "a7a6"]) {
        let side = Color::from_white(ply % 2 == 0);
        handle.play(side, ply, text, "").await.expect("a move");
        assert_eq!(hint(&mut heard, ply + 1).await["count"], Value::Null);
    }
}
