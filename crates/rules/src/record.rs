//! Records: the actions of a game, from which all else is derived.

use crate::{
    action::{Action, MoveError},
    games::Game,
    outcome::Outcome,
    position::Position,
    state::State,
};

/// A game as played: the rules, the start, every action of players and chance,
/// and the outcome. Views, PGN and training data are derived from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The rules of the game.
    pub game: Game,
    /// The position before the first move.
    pub start: Position,
    /// Moves and rolls, in order.
    pub actions: Vec<Action>,
    /// The outcome. The board alone does not determine timeouts and resignations.
    pub outcome: Option<Outcome>,
}

/// Error of a record with an action that is not legal where it stands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("action {number} of the record: {error}")]
pub struct ReplayError {
    /// Number of the action, from 1.
    pub number: usize,
    /// The error of the action itself.
    pub error: MoveError,
}

impl Record {
    /// Replays the game from its start.
    pub fn replay(&self) -> Replay<'_> {
        let mut replay = Replay::new(State::new(self.game, self.start), &self.actions);
        replay.outcome = self.outcome;
        replay.close();
        replay
    }

    /// Builds a record from actions as text; its outcome is that of the board.
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

    /// Every state from the start to the end, one more than there are actions.
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

/// Plays the action that `choose` returns for each state, until it returns
/// `None`. No referee: it applies no claims and limits and sends no observations.
pub fn walk(mut state: State, mut choose: impl FnMut(&State) -> Option<Action>) -> State {
    while let Some(action) = choose(&state) {
        state.play_unchecked(action);
    }
    state
}

/// Replay of a game, one state at a time and without copies.
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
    /// Replays actions from a state; they need not end the game.
    pub fn new(state: State, actions: &'a [Action]) -> Replay<'a> {
        Replay {
            state,
            actions,
            played: 0,
            outcome: None,
        }
    }

    /// The current state. At the end it has the record's outcome, which the board
    /// alone may not determine.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The next action, not yet played.
    pub fn peek(&self) -> Option<Action> {
        self.actions.get(self.played).copied()
    }

    /// Plays the next action. `None` at the end; after an error the state is
    /// unchanged.
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

    /// Plays an action given as text, for games that are parsed during replay.
    pub fn play_text(&mut self, text: &str) -> Result<Action, MoveError> {
        let action = self.state.parse_action(text)?;
        self.state.play_unchecked(action);
        Ok(action)
    }

    /// Sets the record's outcome after the last action.
    fn close(&mut self) {
        if let Some(outcome) = self.outcome.filter(|_| self.played == self.actions.len()) {
            self.state.adjudicate(outcome);
        }
    }

    /// Calls `look` with every state and the action played in it; returns the
    /// final state.
    pub fn each(mut self, mut look: impl FnMut(&State, Action)) -> Result<State, ReplayError> {
        while let Some(action) = self.peek() {
            look(&self.state, action);
            self.step().transpose()?;
        }
        Ok(self.state)
    }

    /// Plays all remaining actions and returns the final state.
    pub fn finish(mut self) -> Result<State, ReplayError> {
        while let Some(action) = self.step() {
            action?;
        }
        Ok(self.state)
    }
}
