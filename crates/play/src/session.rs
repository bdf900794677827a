//! The only referee: a game played step by step.
//!
//! A [`Session`] stores the true state and the observations of both sides. Its
//! driver asks for the [`Next`] step and applies an action; claimable draws and
//! the move limit are decided here, for matches, servers and terminals alike.

use foglight_rules::{
    Action, ByColor, Color, Dice, Game, Move, MoveError, Observation, Outcome, Position, Record,
    State, Termination, Turn,
};

use crate::{
    agent::Agent,
    belief::BeliefStanding,
    clock::GameClock,
    dice::{DiceSource, SeededDice},
    limits::Limits,
    player::{Answer, Fault, Player, Unguarded},
    report::Report,
    rng,
    time::TimeSource,
};

/// The next step of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// A roll of the dice for this side.
    Roll(Color),
    /// A move of this side.
    Ask(Color),
    /// No step: the game is over.
    Over(Outcome),
}

/// One game with its referee.
#[derive(Clone, Debug)]
pub struct Session {
    state: State,
    start: Position,
    actions: Vec<Action>,
    observations: ByColor<Observation>,
    max_plies: Option<u32>,
    claims: bool,
}

impl Session {
    /// A game from a position; after `max_plies` it is drawn.
    pub fn new(game: Game, start: Position, max_plies: Option<u32>) -> Session {
        Session::resume(State::new(game, start), max_plies)
    }

    /// Continues from a state; the record begins there.
    pub fn resume(state: State, max_plies: Option<u32>) -> Session {
        Session {
            start: *state.position(),
            observations: ByColor::new_with(|side| state.observe(side)),
            actions: Vec::new(),
            state,
            max_plies,
            claims: true,
        }
    }

    /// The same session without automatic claims of claimable draws.
    #[must_use]
    pub fn without_claims(self) -> Session {
        Session {
            claims: false,
            ..self
        }
    }

    /// The step that the game waits for.
    pub fn next(&self) -> Next {
        match self.state.turn() {
            Turn::Over(outcome) => Next::Over(outcome),
            Turn::Chance => Next::Roll(self.state.position().turn()),
            Turn::Player(side) => Next::Ask(side),
        }
    }

    /// The true state, for referees and finished games.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The outcome, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.state.outcome()
    }

    /// The current observation of a side.
    pub fn observation(&self, side: Color) -> &Observation {
        self.observations.get(side)
    }

    /// The actions played since the start of the record.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The possible rolls with their probabilities.
    pub fn chances(&self) -> Vec<(Dice, f64)> {
        self.state.chance_outcomes()
    }

    /// Whether a side may play this move now, by its observation, whose moves
    /// equal those of the true position.
    pub fn check(&self, side: Color, m: Move) -> Result<(), MoveError> {
        match self.observation(side).legal_moves().contains(&m) {
            true => Ok(()),
            false => Err(MoveError::illegal(&m.to_string())),
        }
    }

    /// Plays a legal action and updates both sides' observations.
    pub fn apply(&mut self, action: Action) {
        advance(&mut self.state, action, self.max_plies, self.claims);
        self.actions.push(action);
        self.show();
    }

    /// Ends the game for a reason outside the board: a clock, a resignation, an
    /// agreement.
    pub fn adjudicate(&mut self, outcome: Outcome) {
        self.state.adjudicate(outcome);
        self.show();
    }

    /// Ends the game with a loss for the side that failed.
    pub fn forfeit(&mut self, side: Color, fault: &Fault) {
        self.adjudicate(Outcome::win(!side, fault.termination()));
    }

    /// The record of the game so far.
    pub fn record(&self) -> Record {
        Record {
            game: *self.state.game(),
            start: self.start,
            actions: self.actions.clone(),
            outcome: self.state.outcome(),
        }
    }

    fn show(&mut self) {
        self.observations = ByColor::new_with(|side| self.state.observe(side));
    }
}

/// Plays an action, claims a claimable draw if `claims` is set, and ends a game
/// that has reached its limit.
fn advance(state: &mut State, action: Action, max_plies: Option<u32>, claims: bool) {
    state.play_unchecked(action);
    if matches!(action, Action::Roll(_)) {
        return;
    }
    if claims {
        state.claim_draw();
    }
    if max_plies.is_some_and(|most| state.plies() >= most) {
        state.adjudicate(Outcome::draw(Termination::MoveLimit));
    }
}

/// Configuration of a game between two players.
#[derive(Clone, Debug)]
pub struct GameConfig {
    /// The rules of the game.
    pub game: Game,
    /// The position before the first move.
    pub start: Position,
    /// The seed of the dice.
    pub seed: u64,
    /// The seeds of the agents' random generators.
    pub agent_seeds: ByColor<u64>,
    /// Limits on each side's moves.
    pub limits: ByColor<Limits>,
    /// Full moves after which the game is a draw.
    pub max_moves: Option<u32>,
    /// The clock that measures the players.
    pub time: TimeSource,
}

impl GameConfig {
    /// A game of the pair with this seed, without limits and with a clock that
    /// stands still. Both legs of a pair have the same dice.
    pub fn new(game: Game, start: Position, seed: u64, leg: u32) -> GameConfig {
        GameConfig {
            game,
            start,
            seed,
            agent_seeds: ByColor::new_with(|side| agent_seed(seed, leg, side)),
            limits: ByColor::default(),
            max_moves: None,
            time: TimeSource::STILL,
        }
    }
}

/// Report of the search behind one move.
#[derive(Clone, Debug)]
pub struct MoveReport {
    /// Number of plies before the move.
    pub ply: u32,
    /// The report of the player.
    pub report: Report,
    /// Whether the player's belief at this move contained the true position.
    pub true_position_in_belief: Option<bool>,
    /// The true position's place in that belief, if it was in it.
    pub true_position: Option<BeliefStanding>,
}

/// Result of a game between two players.
#[derive(Clone, Debug)]
pub struct GameResult {
    /// The record of the game.
    pub record: Record,
    /// Milliseconds left after each move, if there are clocks.
    pub clocks: Vec<u64>,
    /// Reports of the players, in order.
    pub reports: Vec<MoveReport>,
    /// The side that failed, and its failure.
    pub fault: Option<(Color, Fault)>,
}

/// The seed of a side's random generator.
pub fn agent_seed(seed: u64, leg: u32, side: Color) -> u64 {
    rng::derive(seed, 1 + 2 * u64::from(leg) + side.fold_wb(0, 1))
}

/// Plays a game between two players to its end. `stop` is called before every
/// step; a stopped game has no outcome.
pub fn play<'a>(
    config: &'a GameConfig,
    players: ByColor<&'a mut dyn Player>,
    stop: &dyn Fn() -> bool,
) -> GameResult {
    let max_plies = config.max_moves.map(|moves| moves.saturating_mul(2));
    let session = Session::new(config.game, config.start, max_plies);
    play_on(session, config, players, &|_| stop())
}

/// Lets two agents of this process continue a session without clocks. `stop` is
/// called before every step.
pub fn play_agents(
    session: Session,
    config: &GameConfig,
    agents: ByColor<&mut dyn Agent>,
    stop: &dyn Fn(&Session) -> bool,
) -> Record {
    let mut white = Unguarded(agents.white);
    let mut black = Unguarded(agents.black);
    let players = ByColor::<&mut dyn Player> {
        white: &mut white,
        black: &mut black,
    };
    play_on(session, config, players, stop).record
}

fn play_on<'a>(
    session: Session,
    config: &'a GameConfig,
    players: ByColor<&'a mut dyn Player>,
    stop: &dyn Fn(&Session) -> bool,
) -> GameResult {
    let mut game = Refereed {
        session,
        config,
        players,
        clock: GameClock::new(config.limits.map(|limits| limits.clock)),
        clocks: Vec::new(),
        reports: Vec::new(),
    };
    let fault = game.run(stop).err();
    if let Some((side, fault)) = &fault {
        game.session.forfeit(*side, fault);
    }
    let record = game.session.record();
    for side in Color::ALL {
        game.players.get_mut(side).end(&record);
    }
    GameResult {
        record,
        clocks: game.clocks,
        reports: game.reports,
        fault,
    }
}

struct Refereed<'a> {
    session: Session,
    config: &'a GameConfig,
    players: ByColor<&'a mut dyn Player>,
    clock: GameClock,
    clocks: Vec<u64>,
    reports: Vec<MoveReport>,
}

impl Refereed<'_> {
    fn run(&mut self, stop: &dyn Fn(&Session) -> bool) -> Result<(), (Color, Fault)> {
        let config = self.config;
        for side in Color::ALL {
            let seed = *config.agent_seeds.get(side);
            let player = self.players.get_mut(side);
            player
                .start(&config.game, &config.start, side, seed)
                .and_then(|()| player.see(self.session.observation(side)))
                .map_err(|fault| (side, fault))?;
        }
        let mut dice = SeededDice::new(config.seed);
        loop {
            let action = match self.session.next() {
                Next::Over(_) => return Ok(()),
                _ if stop(&self.session) => return Ok(()),
                Next::Roll(_) => Action::Roll(dice.roll(&self.session.chances())),
                Next::Ask(side) => Action::Move(self.ask(side).map_err(|fault| (side, fault))?),
            };
            self.apply(action)?;
        }
    }

    fn ask(&mut self, side: Color) -> Result<Move, Fault> {
        let limits = self.config.limits.get(side);
        let left = self.clock.left(side);
        let budget = limits.budget(left).timed(self.config.time);
        let hard = left.or(limits.movetime).map(|time| time + limits.margin);
        let observation = self.session.observation(side);
        let player = self.players.get_mut(side);
        let Answer { m, report, elapsed } = player.act(observation, &budget, hard)?;
        let in_time = self.clock.charge(side, elapsed, limits.margin);
        if self.session.check(side, m).is_err() {
            return Err(Fault::Illegal(m.to_string()));
        }
        if !in_time {
            return Err(Fault::Timeout);
        }
        let left = self.clock.left(side);
        self.clocks.extend(left.map(|left| left.as_millis() as u64));
        if let Some(report) = report {
            let state = self.session.state();
            let standing = player
                .belief()
                .map(|belief| belief.standing(state.position()));
            self.reports.push(MoveReport {
                ply: state.plies(),
                report,
                true_position_in_belief: standing.map(|standing| standing.is_some()),
                true_position: standing.flatten(),
            });
        }
        Ok(m)
    }

    fn apply(&mut self, action: Action) -> Result<(), (Color, Fault)> {
        self.session.apply(action);
        for side in Color::ALL {
            let player = self.players.get_mut(side);
            player
                .see(self.session.observation(side))
                .map_err(|fault| (side, fault))?;
        }
        Ok(())
    }
}
