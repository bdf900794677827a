//! Records: what was done in a game, from which everything else follows.

use crate::{
    action::{Action, MoveError},
    games::Game,
    outcome::Outcome,
    position::Position,
    state::State,
};

/// A game as it was played: the rules, the start, every action of players and
/// chance, and how it ended. Views, PGN and training data are derived from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The rules.
    pub game: Game,
    /// Where it began.
    pub start: Position,
    /// Moves and rolls, in order.
    pub actions: Vec<Action>,
    /// How it ended; the board alone does not tell of clocks and resignations.
    pub outcome: Option<Outcome>,
}

/// An action of a record that its own rules do not allow.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("action {number} of the record: {error}")]
pub struct ReplayError {
    /// Which action, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub error: MoveError,
}

impl Record {
    /// Walks through the game from its start.
    pub fn replay(&self) -> Replay<'_> {
        let mut replay = Replay::new(State::new(self.game, self.start), &self.actions);
        replay.outcome = self.outcome;
        replay.close();
        replay
    }

    /// The game that actions in text lead to; its outcome is what the board tells.
    pub fn parse<'a>(
        game: Game,
        start: Position,
        actions: impl IntoIterator<Item = &'a str>,
    ) -> Result<Record, ReplayError> {
        let mut state = State::new(game, start);
        let mut parsed = Vec::new();
        for text in actions {
            let number = parsed.len() + 1;
            let action = state.parse_action(text);
            let action = action.map_err(|error| ReplayError { number, error })?;
            state.play_unchecked(action);
            parsed.push(action);
        }
        Ok(Record {
            game,
            start,
            actions: parsed,
            outcome: state.outcome(),
        })
    }

    /// Every state from the start to the end, one more than actions.
    pub fn states(&self) -> Result<Vec<State>, ReplayError> {
        let mut replay = self.replay();
        let mut states = vec![replay.state.clone()];
        while let Some(action) = replay.step() {
            action?;
            states.push(replay.state.clone());
        }
        Ok(states)
    }
}

/// Plays the action that is chosen in each state, until none is. Whoever
/// referees a game needs more than this: claims, limits, observations.
pub fn walk(mut state: State, mut choose: impl FnMut(&State) -> Option<Action>) -> State {
    while let Some(action) = choose(&state) {
        state.play_unchecked(action);
    }
    state
}

/// A walk through a game, one state at a time and without copies of them.
///
/// ```
/// use foglight_rules::{Game, Record};
///
/// let game = Game::chess();
/// let record = Record { game, start: game.start(), actions: vec![], outcome: None };
/// let mut replay = record.replay();
/// while let Some(action) = replay.step() {
///     println!("{} leads to {}", action?, game.fen(replay.state().position()));
/// }
/// # Ok::<(), foglight_rules::ReplayError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    state: State,
    actions: &'a [Action],
    played: usize,
    outcome: Option<Outcome>,
}

impl<'a> Replay<'a> {
    /// A walk from a state along actions that need not end the game.
    pub fn new(state: State, actions: &'a [Action]) -> Replay<'a> {
        Replay {
            state,
            actions,
            played: 0,
            outcome: None,
        }
    }

    /// The state that the walk has reached. At the end it has the outcome of
    /// the record, which the board alone may not tell.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The next action, not yet played.
    pub fn peek(&self) -> Option<Action> {
        self.actions.get(self.played).copied()
    }

    /// Plays the next action. `None` at the end; after an error the walk stays
    /// where it is.
    pub fn step(&mut self) -> Option<Result<Action, ReplayError>> {
        let action = self.peek()?;
        if let Err(error) = self.state.play(action) {
            let number = self.played + 1;
            return Some(Err(ReplayError { number, error }));
        }
        self.played += 1;
        self.close();
        Some(Ok(action))
    }

    /// Goes on by an action in text, for games that are read as they are replayed.
    pub fn play_text(&mut self, text: &str) -> Result<Action, MoveError> {
        let action = self.state.parse_action(text)?;
        self.state.play_unchecked(action);
        Ok(action)
    }

    /// At the end, what the record says of it.
    fn close(&mut self) {
        if let Some(outcome) = self.outcome.filter(|_| self.played == self.actions.len()) {
            self.state.adjudicate(outcome);
        }
    }

    /// Shows every state with the action that was played in it; the state at
    /// the end is the answer.
    pub fn each(mut self, mut look: impl FnMut(&State, Action)) -> Result<State, ReplayError> {
        while let Some(action) = self.peek() {
            look(&self.state, action);
            self.step().transpose()?;
        }
        Ok(self.state)
    }

    /// The state at the end.
    pub fn finish(mut self) -> Result<State, ReplayError> {
        while let Some(action) = self.step() {
            action?;
        }
        Ok(self.state)
    }
}
