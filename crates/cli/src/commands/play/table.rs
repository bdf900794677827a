//! A terminal game: it holds the true state, lets agents and dice act, and
//! gives people observations only. The true state is returned at the end.

use foglight_arena::record::Telemetry;
use foglight_play::{
    Answer, DiceSource as _, Fault, Limits, Player, Report, SeededDice, Session,
    session::{self, agent_seed},
};
use foglight_rules::{
    Action, ByColor, Color, Dice, Game, Move, Observation, Outcome, Position, Record, Role,
    Termination, notation::san,
};
use foglight_uci::MONOTONIC;

/// Plies after which a game between two agents is abandoned.
const MAX_PLIES: u32 = 5000;

/// Player of a side: an agent, or `None` for a person at the keyboard.
pub(crate) type Chair = Option<Box<dyn Player>>;

/// Pieces that a side has captured and lost, as far as it was told.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct CaptureTally {
    pub(crate) took: Vec<Role>,
    pub(crate) lost: Vec<Role>,
}

/// Next step of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NextStep {
    /// A person is to move.
    Human(Color),
    /// The game has ended.
    Over(Outcome),
}

/// Response to a draw offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Offer {
    /// The opponent agreed: the game is over.
    Accepted,
    /// The opponent, an agent, declined.
    Declined,
    /// The opponent, a person, is asked at the next turn.
    Waits,
}

/// A game that is over or was abandoned.
pub(crate) struct FinishedGame {
    pub(crate) record: Record,
    /// Reports of the agents.
    pub(crate) telemetry: Vec<Telemetry>,
}

/// A game in progress.
pub(crate) struct TerminalGame {
    session: Session,
    dice: SeededDice,
    chairs: ByColor<Chair>,
    limits: Limits,
    telemetry: Vec<Telemetry>,
    reports: ByColor<Option<Report>>,
    told: ByColor<Vec<String>>,
    tallies: ByColor<CaptureTally>,
    offer: Option<Color>,
}

impl TerminalGame {
    /// Starts a game. `limits` apply to each move of an agent.
    pub(crate) fn new(
        game: Game,
        start: Position,
        seed: u64,
        chairs: ByColor<Chair>,
        limits: Limits,
    ) -> TerminalGame {
        let mut table = TerminalGame {
            session: Session::new(game, start, Some(MAX_PLIES)),
            dice: SeededDice::new(seed),
            chairs,
            limits,
            telemetry: Vec::new(),
            reports: ByColor::default(),
            told: ByColor::default(),
            tallies: ByColor::default(),
            offer: None,
        };
        for side in Color::ALL {
            if let Some(seat) = table.chairs.get_mut(side) {
                let begun = seat
                    .start(&game, &start, side, agent_seed(seed, 0, side))
                    .and_then(|()| seat.see(table.session.observation(side)));
                table.forfeit_on_fault(side, begun);
            }
        }
        table
    }

    /// Whether the side is played by a person.
    pub(crate) fn is_human(&self, side: Color) -> bool {
        self.chairs.get(side).is_none()
    }

    pub(crate) fn game(&self) -> &Game {
        self.session.state().game()
    }

    /// Current observation of a side.
    pub(crate) fn observe(&self, side: Color) -> &Observation {
        self.session.observation(side)
    }

    /// Announcements to a side since the last call.
    pub(crate) fn take_news(&mut self, side: Color) -> Vec<String> {
        std::mem::take(self.told.get_mut(side))
    }

    /// Pieces that a side has captured and lost.
    pub(crate) fn tally(&self, side: Color) -> &CaptureTally {
        self.tallies.get(side)
    }

    /// Lets dice and agents act until a person must, or the game is over.
    pub(crate) fn advance(&mut self) -> NextStep {
        loop {
            match self.session.next() {
                session::Next::Over(outcome) => return NextStep::Over(outcome),
                session::Next::Roll(side) => {
                    let roll = self.dice.roll(&self.session.chances());
                    self.roll(side, roll);
                }
                session::Next::Ask(side) if self.is_human(side) => return NextStep::Human(side),
                session::Next::Ask(side) => self.let_agent_move(side),
            }
        }
    }

    fn roll(&mut self, side: Color, roll: Dice) {
        self.carry_out(Action::Roll(roll));
        for watcher in Color::ALL {
            let line = match watcher == side {
                true => format!("You roll {roll}."),
                false => format!("{} rolls {roll}.", name(side)),
            };
            self.told.get_mut(watcher).push(line);
        }
    }

    fn let_agent_move(&mut self, side: Color) {
        let observation = self.session.observation(side);
        let budget = self.limits.budget(None).timed(MONOTONIC);
        let Some(seat) = self.chairs.get_mut(side) else {
            return;
        };
        let answer = seat.act(observation, &budget, None);
        let answer = answer.and_then(|answer: Answer| {
            let legal = observation.legal_moves().contains(&answer.m);
            legal
                .then_some(answer.clone())
                .ok_or_else(|| Fault::Illegal(answer.m.to_string()))
        });
        match answer {
            Err(fault) => self.forfeit_on_fault::<()>(side, Err(fault)),
            Ok(Answer { m, report, .. }) => {
                if let Some(report) = &report {
                    self.telemetry
                        .push(Telemetry::of(self.session.state().plies(), report));
                }
                *self.reports.get_mut(side) = report;
                self.play(m);
            }
        }
    }

    /// Plays a legal move of the side to move.
    pub(crate) fn play(&mut self, m: Move) {
        let state = self.session.state();
        let mover = state.position().turn();
        let text = san::write(state.game(), state.position(), m);
        self.carry_out(Action::Move(m));
        if self.offer == Some(!mover) {
            self.offer = None; // a move declines the offer
        }
        for side in Color::ALL {
            self.tell(side, mover, &text);
        }
    }

    /// Announces to a side its part of the last move, and no more.
    fn tell(&mut self, side: Color, mover: Color, text: &str) {
        let news = self.session.observation(side).news();
        let mut lines = Vec::new();
        if side != mover && self.game().has_full_view(side) {
            lines.push(format!("{} plays {text}.", name(mover)));
        }
        let tally = self.tallies.get_mut(side);
        if let Some((square, role)) = news.captured {
            tally.took.push(role);
            lines.push(format!("You take {} on {square}.", with_article(role)));
        }
        if let Some((square, role)) = news.lost {
            tally.lost.push(role);
            lines.push(format!("You lose {} on {square}.", with_article(role)));
        }
        self.told.get_mut(side).extend(lines);
    }

    fn carry_out(&mut self, action: Action) {
        self.session.apply(action);
        for side in Color::ALL {
            if let Some(seat) = self.chairs.get_mut(side) {
                let seen = seat.see(self.session.observation(side));
                self.forfeit_on_fault(side, seen);
            }
        }
    }

    /// Forfeits the game of an agent that fails, as in a match.
    fn forfeit_on_fault<T>(&mut self, side: Color, result: Result<T, Fault>) {
        let Err(fault) = result else { return };
        let line = format!("{} {fault}.", name(side));
        self.told.get_mut(!side).push(line);
        self.session.forfeit(side, &fault);
    }

    pub(crate) fn resign(&mut self, side: Color) {
        self.session
            .adjudicate(Outcome::win(!side, Termination::Resign));
    }

    /// Offers a draw. An agent accepts if its last evaluation was equal or
    /// worse.
    pub(crate) fn offer_draw(&mut self, side: Color) -> Offer {
        if self.is_human(!side) {
            self.offer = Some(side);
            return Offer::Waits;
        }
        let report = self.reports.get(!side).as_ref();
        let agrees = report.is_some_and(|report| match (report.value, report.centipawns) {
            (Some(value), _) => value <= 0.0,
            (None, Some(centipawns)) => centipawns <= 0,
            (None, None) => false,
        });
        if agrees {
            self.session
                .adjudicate(Outcome::draw(Termination::Agreement));
            return Offer::Accepted;
        }
        Offer::Declined
    }

    /// Whether the opponent has offered a draw that this side may accept.
    pub(crate) fn is_offered(&self, side: Color) -> bool {
        self.offer == Some(!side)
    }

    /// Accepts the pending offer. False if there is none.
    pub(crate) fn accept_draw(&mut self, side: Color) -> bool {
        let offered = self.is_offered(side);
        if offered {
            self.session
                .adjudicate(Outcome::draw(Termination::Agreement));
        }
        offered
    }

    /// Ends the session and reveals the true game. A game that is not over has
    /// no outcome.
    pub(crate) fn leave(mut self) -> FinishedGame {
        let record = self.session.record();
        for side in Color::ALL {
            if let Some(seat) = self.chairs.get_mut(side) {
                seat.end(&record);
            }
        }
        FinishedGame {
            record,
            telemetry: self.telemetry,
        }
    }
}

/// English name of a side.
pub(crate) fn name(side: Color) -> &'static str {
    side.fold_wb("White", "Black")
}

/// English name of a piece type.
pub(crate) fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

fn with_article(role: Role) -> String {
    let article = if role == Role::King { "the" } else { "a" };
    format!("{article} {}", role_name(role))
}
