//! One game: the referee holds the truth, the players get observations.

use foglight_engine::{Rng, rng};
use foglight_rules::{
    Action, ByColor, Color, Dice, Game, Observation, Outcome, Position, Reason, Record, State, Turn,
};
use rand::Rng as _;

use crate::{
    limits::{Limits, Ticking},
    record::Telemetry,
    seat::{Fault, Seat},
};

/// The figure of the telemetry by which the referee says whether the truth was
/// in the belief that a move was made with.
pub const TRUTH: &str = "truth";

/// What a game is played by.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The rules.
    pub game: Game,
    /// Where it starts.
    pub start: Position,
    /// The seed of the pair that the game belongs to.
    pub seed: u64,
    /// Which game of the pair it is: the dice are the same, the agents' own
    /// chances are not.
    pub leg: u32,
    /// Limits of each side's moves.
    pub limits: ByColor<Limits>,
    /// Full moves after which the game is a draw.
    pub max_moves: Option<u32>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game.
    pub record: Record,
    /// Milliseconds left after each move, where there are clocks.
    pub clocks: Vec<u64>,
    /// What the players thought.
    pub telemetry: Vec<Telemetry>,
    /// Who failed, and how, if anybody did.
    pub fault: Option<(Color, Fault)>,
}

/// The seed of a side's own chances.
pub fn agent_seed(seed: u64, leg: u32, side: Color) -> u64 {
    rng::derive(seed, 1 + 2 * u64::from(leg) + side.fold_wb(0, 1))
}

/// The dice of a game: the k-th roll comes from the k-th number of the seed,
/// whatever was played in between.
#[derive(Clone, Debug)]
pub struct DiceBox(Rng);

impl DiceBox {
    /// The dice of a pair.
    pub fn new(seed: u64) -> DiceBox {
        DiceBox(rng::seeded(rng::derive(seed, 0)))
    }

    /// The next roll among those that can come.
    pub fn roll(&mut self, chances: &[(Dice, f64)]) -> Dice {
        let number: f64 = self.0.random();
        pick(chances, number)
    }
}

/// The roll in whose share of 0..1 the number falls.
fn pick(chances: &[(Dice, f64)], number: f64) -> Dice {
    let mut sum = 0.0;
    let found = chances.iter().find(|(_, chance)| {
        sum += chance;
        number < sum
    });
    let (dice, _) = found.or(chances.last()).expect("a roll that can come");
    *dice
}

/// A game in the referee's hands.
struct Table<'a> {
    state: State,
    seats: ByColor<&'a mut dyn Seat>,
    clocks: ByColor<Ticking>,
    shown: ByColor<Observation>,
    played: Played,
}

/// Plays a game to its end. `stop` is asked before every move; a game that is
/// stopped has no outcome.
pub fn play(terms: &Terms, seats: ByColor<&mut dyn Seat>, stop: &dyn Fn() -> bool) -> Played {
    let state = State::new(terms.game, terms.start);
    let shown = ByColor::new_with(|side| state.observe(side));
    let played = Played {
        record: Record {
            game: terms.game,
            start: terms.start,
            actions: Vec::new(),
            outcome: None,
        },
        clocks: Vec::new(),
        telemetry: Vec::new(),
        fault: None,
    };
    let clocks = terms.limits.map(Ticking::new);
    let mut table = Table {
        state,
        seats,
        clocks,
        shown,
        played,
    };
    if let Err((side, fault)) = table.run(terms, stop) {
        table.punish(side, fault);
    }
    table.played.record.outcome = table.state.outcome();
    for side in Color::ALL {
        table.seats.get_mut(side).end(&table.played.record);
    }
    table.played
}

impl Table<'_> {
    fn run(&mut self, terms: &Terms, stop: &dyn Fn() -> bool) -> Result<(), (Color, Fault)> {
        for side in Color::ALL {
            let seed = agent_seed(terms.seed, terms.leg, side);
            let seat = self.seats.get_mut(side);
            seat.start(&terms.game, &terms.start, side, seed)
                .and_then(|()| seat.see(self.shown.get(side)))
                .map_err(|fault| (side, fault))?;
        }
        let mut dice = DiceBox::new(terms.seed);
        loop {
            match self.state.turn() {
                Turn::Over(_) => return Ok(()),
                _ if stop() => return Ok(()),
                Turn::Chance => {
                    let roll = dice.roll(&self.state.chance());
                    self.carry_out(Action::Roll(roll))?;
                }
                Turn::Player(side) => {
                    let action = self.ask(side).map_err(|fault| (side, fault))?;
                    self.carry_out(action)?;
                    self.call_draws(terms);
                }
            }
        }
    }

    fn ask(&mut self, side: Color) -> Result<Action, Fault> {
        let clock = self.clocks.get_mut(side);
        let observation = self.shown.get(side);
        let seat = self.seats.get_mut(side);
        let answer = seat.act(observation, &clock.budget(), clock.hard_limit())?;
        let in_time = clock.charge(answer.elapsed);
        if !observation.moves().contains(&answer.m) {
            return Err(Fault::Illegal(answer.m.to_string()));
        }
        if !in_time {
            return Err(Fault::Timeout);
        }
        if let Some(left) = clock.left() {
            self.played.clocks.push(left.as_millis() as u64);
        }
        if let Some(report) = answer.report {
            let mut told = Telemetry::of(self.state.plies(), &report);
            if let Some(belief) = seat.belief() {
                let truth = belief.contains(self.state.position());
                let figure = f64::from(u8::from(truth));
                told.figures.insert(TRUTH.to_owned(), figure);
            }
            self.played.telemetry.push(told);
        }
        Ok(Action::Move(answer.m))
    }

    /// Does what is legal and shows both sides what they may see of it.
    fn carry_out(&mut self, action: Action) -> Result<(), (Color, Fault)> {
        self.state.play_unchecked(action);
        self.played.record.actions.push(action);
        for side in Color::ALL {
            *self.shown.get_mut(side) = self.state.observe(side);
            let seat = self.seats.get_mut(side);
            seat.see(self.shown.get(side))
                .map_err(|fault| (side, fault))?;
        }
        Ok(())
    }

    /// Draws that a referee calls: those that may be claimed, and the match's
    /// own limit.
    fn call_draws(&mut self, terms: &Terms) {
        self.state.claim();
        let full_moves = self.state.plies() / 2;
        if terms.max_moves.is_some_and(|most| full_moves >= most) {
            self.state.adjudicate(Outcome::draw(Reason::MoveLimit));
        }
    }

    fn punish(&mut self, side: Color, fault: Fault) {
        let reason = match fault {
            Fault::Disconnect(_) => Reason::Disconnect,
            Fault::Stall(_) => Reason::Stall,
            Fault::Timeout => Reason::Timeout,
            Fault::Illegal(_) => Reason::IllegalMove,
        };
        self.state.adjudicate(Outcome::win(!side, reason));
        self.played.fault = Some((side, fault));
    }
}
