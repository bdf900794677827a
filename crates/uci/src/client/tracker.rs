//! Information that an engine has received about the game.

use foglight_rules::{Action, Color, Game, Observation, Position};

use crate::command::{self, ObserveCommand, StartPosition};

/// One game, as sent to the engine.
pub(crate) enum GameTracker {
    /// The start and all actions since.
    Open(OpenTracker),
    /// A start, followed by observations.
    Fog {
        start: StartPosition,
        side: Color,
        /// The last ply sent.
        told: u32,
    },
}

/// An open game: its start, and the actions since.
pub(crate) struct OpenTracker {
    start: StartPosition,
    plies: u32,
    moves: Vec<String>,
}

impl GameTracker {
    /// Tracker of a new game.
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

    /// The `position` command at the start of a fog game.
    pub fn opening(&self) -> Option<command::PositionCommand> {
        match self {
            GameTracker::Open(_) => None,
            GameTracker::Fog { start, side, .. } => Some(command::PositionCommand::Fog {
                start: start.clone(),
                you: *side,
            }),
        }
    }

    /// The `position` command before each move of an open game.
    pub fn position(&self) -> Option<command::PositionCommand> {
        match self {
            GameTracker::Fog { .. } => None,
            GameTracker::Open(open) => Some(command::PositionCommand::Open {
                start: open.start.clone(),
                moves: open.moves.clone(),
            }),
        }
    }

    /// Records an observation; returns the command that reports it to the
    /// engine.
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
            // An action was not observed: the engine gets a new start.
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
