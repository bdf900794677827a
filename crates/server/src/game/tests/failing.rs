//! Agents that fail, that wait for a processor, and what draws tell.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use foglight_play::{Agent, Budget, Providers, Report};
use foglight_rules::{Color, FogRules, Game, Move, Observation, Sight};
use tokio::time::sleep;

use super::{
    super::{
        Attached, Games, Handle,
        session::{Asked, GameSession},
    },
    agent, games, person, recorded, terms, until, until_ply,
};
use crate::{
    domain::{ClockTerms, ResultText, Sights},
    source::WallClock,
    workers::{AgentFactory, Payer, Work},
};

/// Panics at its first moves, and then plays the first legal one.
struct Fragile {
    failures: Arc<AtomicUsize>,
}

impl Agent for Fragile {
    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
        let left = self.failures.load(Ordering::Relaxed);
        if left > 0 {
            self.failures.store(left - 1, Ordering::Relaxed);
            panic!("on purpose");
        }
        observation.legal_moves()[0]
    }
}

/// A rated game of a person with one move against an agent that fails so many
/// times.
async fn against_fragile(failures: usize) -> (Arc<Games>, Handle, Attached) {
    let failures = Arc::new(AtomicUsize::new(failures));
    let agents = AgentFactory::of(Providers::default(), move |_, _, _| {
        let failures = Arc::clone(&failures);
        Ok(Box::new(Fragile { failures }))
    });
    let games = games(agents, WallClock::default());
    let mut terms = terms(&games, Game::fog(), person(), agent("random"));
    terms.rated = true;
    let (base, increment) = (3_000, 0);
    terms.clock = Some(ClockTerms { base, increment });
    let handle = games.create(terms, Payer::Server).await.expect("a game");
    let viewer = handle.attach(Some(Color::White), None).await;
    handle
        .play(Color::White, 0, "e2e4", "1")
        .await
        .expect("a move");
    (games, handle, viewer.expect("a seat"))
}

/// A panic costs the agent neither the game nor time on its clock.
#[tokio::test]
async fn a_panicking_agent_is_built_again_and_plays_on() {
    let (_games, handle, mut viewer) = against_fragile(1).await;
    until_ply(&handle, 2).await;
    let (info, clocks) = handle.info().await.expect("the game");
    assert_eq!(info.result, None);
    assert!(clocks.expect("clocks").black >= 2_700, "{clocks:?}");
    let told = std::iter::from_fn(|| viewer.frames.try_recv().ok());
    let told: Vec<String> = told.map(|frame| frame.text().to_owned()).collect();
    let again = "\"t\":\"queue\",\"d\":{\"by\":\"black\",\"place\":null";
    assert!(told.iter().any(|text| text.contains(again)), "{told:?}");
}

#[tokio::test]
async fn an_agent_that_fails_again_and_again_neither_loses_nor_is_rated() {
    let (games, handle, _viewer) = against_fragile(usize::MAX).await;
    until("the end", async || {
        handle.info().await.expect("the game").0.result.is_some()
    })
    .await;
    let (info, _) = handle.info().await.expect("the game");
    assert_eq!(info.result, Some(ResultText::Draw));
    assert!(!info.rated);
    let ladders = games.store.ladders(None).await.expect("storage");
    assert!(ladders.is_empty(), "{ladders:?}");
}

/// While others have all processors, an agent's clock stands.
#[tokio::test]
async fn an_agent_that_waits_for_a_processor_loses_no_time() {
    let (games, _, _) = recorded(WallClock::default());
    let busy = |payer: Payer| {
        let (pool, share) = (games.pool.clone(), games.share(payer));
        tokio::spawn(async move {
            let hold = |_: &_| std::thread::sleep(Duration::from_secs(3));
            pool.run(&share, Work::Game, hold).await
        })
    };
    let mut terms = terms(&games, Game::fog(), person(), agent("random"));
    let (base, increment) = (1_000, 0);
    terms.clock = Some(ClockTerms { base, increment });
    let handle = games.create(terms, Payer::Server).await.expect("a game");
    let mut viewer = handle.attach(None, None).await.expect("a seat");
    handle
        .play(Color::White, 0, "e2e4", "1")
        .await
        .expect("a move");
    until_ply(&handle, 2).await;
    let others = [busy(Payer::Server), busy(Payer::Server)];
    sleep(Duration::from_millis(100)).await;
    handle
        .play(Color::White, 2, "d2d4", "2")
        .await
        .expect("a move");
    until_ply(&handle, 4).await;
    let (info, clocks) = handle.info().await.expect("the game");
    assert_eq!(info.result, None, "it has not lost on time");
    assert!(clocks.expect("clocks").black >= 700, "{clocks:?}");
    let told = std::iter::from_fn(|| viewer.frames.try_recv().ok());
    let queued = "\"t\":\"queue\",\"d\":{\"by\":\"black\",\"place\":0";
    assert!(
        told.map(|f| f.text().to_owned())
            .any(|text| text.contains(queued))
    );
    for other in others {
        other.await.expect("no panic").expect("no refusal");
    }
}

/// An agent that would accept a draw by its value declines it if something is
/// hidden from who offers it.
#[tokio::test]
async fn agents_decline_draws_where_something_is_hidden() {
    // Rules without repetition draws, so that the knights may shuffle.
    let fog = Game::fog_with(FogRules::Thesis);
    for (game, accepts) in [
        (fog, false),
        (fog.with_sight(Color::White, Sight::Full), true),
    ] {
        let (games, _, _) = recorded(WallClock::default());
        let mut settings = terms(&games, game, person(), agent("random"));
        settings.sight = Sights::in_game(&game);
        let mut table = GameSession::new(settings).expect("a game");
        let knights = ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle();
        for (ply, text) in (0..).zip(knights.take(40)) {
            let side = Color::from_white(ply % 2 == 0);
            let plan = table.plan_move(side, ply, Asked::Text(text), "", 0);
            table.carry_out(plan.expect("a move"));
        }
        let report = Report {
            value: Some(-1.0),
            ..Report::default()
        };
        *table.reports.get_mut(Color::Black) = Some(report);
        assert_eq!(table.takes_draw(Color::Black), accepts, "{game}");
    }
}
