//! A player as a function of its seed and of what it has observed.
//!
//! With a node budget and one thread the same seed and observations give the same
//! answer, so a player is asked once for each history of observations, however
//! many true games lead to it.

use std::collections::HashMap;

use foglight_play::{Answer, Fault, Limits, Next, Player, Session};
use foglight_rules::{Action, Color, Game, Move, Position};
use foglight_uci::MONOTONIC;

use super::AttackError;
use crate::{digest::Digest, tournament::MatchEntrant};

/// The observations of one side since the start, as a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct History(u64);

impl History {
    /// The history before the first action.
    pub(crate) fn new(session: &Session, side: Color) -> History {
        History(0).then(session, side)
    }

    /// The history after an action.
    #[must_use]
    pub(crate) fn then(self, session: &Session, side: Color) -> History {
        let seen = session.observation(side);
        let mut digest = Digest::default();
        digest.number(self.0);
        digest.text(&seen.view().to_string());
        digest.text(&format!("{:?}", seen.news()));
        History(digest.value())
    }
}

/// What a player answers to a history.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Reply {
    /// The move that it chose.
    pub(crate) m: Move,
    /// The moves that it may have chosen, with positive odds.
    pub(crate) mix: Vec<(Move, f64)>,
}

/// A player with one seed, and all that it has answered.
pub(crate) struct Respondent<'a> {
    engine: &'a MatchEntrant,
    player: Box<dyn Player>,
    game: Game,
    start: Position,
    side: Color,
    seed: u64,
    known: HashMap<History, Reply>,
    live: Option<LiveGame>,
    /// Number of times that the player was asked.
    pub(crate) searches: u64,
}

/// The game that the player is in.
struct LiveGame {
    session: Session,
    history: History,
    /// Whether the player has answered in the current position.
    asked: bool,
}

impl<'a> Respondent<'a> {
    pub(crate) fn new(
        engine: &'a MatchEntrant,
        game: Game,
        start: Position,
        side: Color,
        seed: u64,
    ) -> Result<Respondent<'a>, AttackError> {
        let player = (engine.make)().map_err(|fault| lost(engine, fault))?;
        Ok(Respondent {
            engine,
            player,
            game,
            start,
            side,
            seed,
            known: HashMap::new(),
            live: None,
            searches: 0,
        })
    }

    /// Number of histories that it has answered.
    pub(crate) fn histories(&self) -> u64 {
        self.known.len() as u64
    }

    /// The answer in a session in which it is the player's turn, and of whose
    /// observations the history is made.
    pub(crate) fn reply(
        &mut self,
        session: &Session,
        history: History,
    ) -> Result<&Reply, AttackError> {
        if !self.known.contains_key(&history) {
            self.follow(session.actions())?;
            self.ask()?;
        }
        Ok(&self.known[&history])
    }

    /// Brings the player into the position after these actions, in its running
    /// game if that leads there, else in a new one.
    fn follow(&mut self, line: &[Action]) -> Result<(), AttackError> {
        let live = self.live.as_ref();
        if live.is_none_or(|live| !line.starts_with(live.session.actions())) {
            self.restart()?;
        }
        loop {
            let live = self.live.as_ref().expect("a running game");
            let Some(&action) = line.get(live.session.actions().len()) else {
                return Ok(());
            };
            if live.session.next() == Next::Ask(self.side) {
                self.ask()?;
            }
            let live = self.live.as_mut().expect("a running game");
            live.session.apply(action);
            live.history = live.history.then(&live.session, self.side);
            live.asked = false;
            let seen = self.player.see(live.session.observation(self.side));
            seen.map_err(|fault| lost(self.engine, fault))?;
        }
    }

    fn restart(&mut self) -> Result<(), AttackError> {
        if let Some(live) = self.live.take() {
            self.player.end(&live.session.record());
        }
        let session = Session::new(self.game, self.start, None);
        let player = &mut self.player;
        player
            .start(&self.game, &self.start, self.side, self.seed)
            .and_then(|()| player.see(session.observation(self.side)))
            .map_err(|fault| lost(self.engine, fault))?;
        self.live = Some(LiveGame {
            history: History::new(&session, self.side),
            session,
            asked: false,
        });
        Ok(())
    }

    /// Asks the player in its running game and remembers the answer, which must
    /// be that of the last time.
    fn ask(&mut self) -> Result<(), AttackError> {
        let live = self.live.as_mut().expect("a running game");
        if std::mem::replace(&mut live.asked, true) {
            return Ok(());
        }
        let observation = live.session.observation(self.side);
        let Limits {
            movetime, margin, ..
        } = self.engine.limits;
        let budget = self.engine.limits.budget(None).timed(MONOTONIC);
        let limit = movetime.map(|time| time + margin);
        let answer = self.player.act(observation, &budget, limit);
        let answer = answer.and_then(|answer| match live.session.check(self.side, answer.m) {
            Ok(()) => Ok(answer),
            Err(_) => Err(Fault::Illegal(answer.m.to_string())),
        });
        let answer = answer.map_err(|fault| lost(self.engine, fault))?;
        let reply = reply_of(answer, observation.legal_moves());
        self.searches += 1;
        match self.known.insert(live.history, reply.clone()) {
            Some(before) if before != reply => Err(AttackError::Fickle {
                name: self.engine.name.clone(),
                before: before.m,
                now: reply.m,
            }),
            _ => Ok(()),
        }
    }
}

fn lost(engine: &MatchEntrant, fault: Fault) -> AttackError {
    AttackError::Fault {
        name: engine.name.clone(),
        fault,
    }
}

/// The mix that a player reports counts if it is one of legal moves with its
/// choice among them; else the choice is certain.
fn reply_of(answer: Answer, legal: &[Move]) -> Reply {
    let policy = answer.report.map(|report| report.policy);
    let mut mix: Vec<(Move, f64)> = policy.unwrap_or_default();
    mix.retain(|(_, share)| *share > 0.0);
    let own = mix.iter().any(|(m, _)| *m == answer.m);
    let possible = mix.iter().all(|(m, _)| legal.contains(m));
    if legal.len() == 1 || !own || !possible {
        mix = vec![(answer.m, 1.0)];
    }
    Reply { m: answer.m, mix }
}

impl Drop for Respondent<'_> {
    fn drop(&mut self) {
        if let Some(live) = self.live.take() {
            self.player.end(&live.session.record());
        }
    }
}
