//! What an engine has been told of the game.

use foglight_rules::{Action, Color, Game, Observation, Position};

use crate::command::{self, ObserveCommand, StartPosition};

/// The score sheet of one game, as the engine knows it.
pub(crate) enum GameTracker {
    /// The start and all that was done since.
    Open(OpenTracker),
    /// What was told is a start and a row of observations.
    Fog {
        start: StartPosition,
        side: Color,
        /// The ply that was told last.
        told: u32,
    },
}

/// An open game: where it began, and what was done since.
pub(crate) struct OpenTracker {
    start: StartPosition,
    plies: u32,
    moves: Vec<String>,
}

impl GameTracker {
    /// A game that begins.
    pub fn new(game: Game, position: Position, side: Color) -> GameTracker {
        let start = start_of(&game, &position);
        match game.fog_rules() {
            Some(_) => GameTracker::Fog {
                start,
                side,
                told: 0,
            },
            None => GameTracker::Open(OpenTracker {
                start,
                plies: 0,
                moves: Vec::new(),
            }),
        }
    }

    /// What is said before the first move, in fog.
    pub fn opening(&self) -> Option<command::PositionCommand> {
        match self {
            GameTracker::Open(_) => None,
            GameTracker::Fog { start, side, .. } => Some(command::PositionCommand::Fog {
                start: start.clone(),
                you: *side,
            }),
        }
    }

    /// What is said before each move, in open games.
    pub fn position(&self) -> Option<command::PositionCommand> {
        match self {
            GameTracker::Fog { .. } => None,
            GameTracker::Open(open) => Some(command::PositionCommand::Open {
                start: open.start.clone(),
                moves: open.moves.clone(),
            }),
        }
    }

    /// Writes down what is seen now; gives what the engine is to be told of it.
    pub fn see(&mut self, observation: &Observation) -> Option<ObserveCommand> {
        match self {
            GameTracker::Open(open) => {
                open.see(observation);
                None
            }
            GameTracker::Fog { told, .. } => {
                let new = observation.plies() > *told;
                *told = observation.plies().max(*told);
                new.then(|| observe(observation))
            }
        }
    }
}

impl OpenTracker {
    fn see(&mut self, observation: &Observation) {
        let action = observation.news().action;
        let moved = matches!(action, Some(Action::Move(_)));
        if observation.plies() == self.plies + u32::from(moved) {
            self.moves.extend(action.map(|action| action.to_string()));
        } else if let Some(position) = observation.position() {
            // Something was not shown: the engine is told of a new start.
            self.start = StartPosition::Fen(observation.game().fen(position));
            self.moves.clear();
        }
        self.plies = observation.plies();
    }
}

fn start_of(game: &Game, position: &Position) -> StartPosition {
    match *position == game.start() {
        true => StartPosition::Startpos,
        false => StartPosition::Fen(game.fen(position)),
    }
}

fn observe(observation: &Observation) -> ObserveCommand {
    let news = observation.news();
    ObserveCommand {
        ply: observation.plies(),
        fen: observation.view().to_string(),
        you: news.own_move.map(|m| m.to_string()),
        lost: news.lost.map(|(square, _)| square),
    }
}
