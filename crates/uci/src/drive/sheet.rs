//! What an engine has been told of the game.

use foglight_rules::{Color, Game, Observation, Position, State};

use crate::{
    command::{self, Observe, Start},
    follow::{Target, follow},
};

/// The score sheet of one game, as the engine knows it.
pub enum Sheet {
    /// The start and all that was done since.
    Open(Box<Open>),
    /// What was told is a start and a row of observations.
    Fog {
        /// Where it began.
        start: Start,
        /// The engine's side.
        side: Color,
        /// The ply that was told last.
        told: u32,
    },
}

/// An open game, followed by its positions.
pub struct Open {
    start: Start,
    state: State,
    /// Plies before the state's own count began.
    before: u32,
    moves: Vec<String>,
}

impl Sheet {
    /// A game that begins.
    pub fn new(game: Game, position: Position, side: Color) -> Sheet {
        let start = start_of(&game, &position);
        match game.fog_rules() {
            Some(_) => Sheet::Fog {
                start,
                side,
                told: 0,
            },
            None => Sheet::Open(Box::new(Open {
                start,
                state: State::new(game, position),
                before: 0,
                moves: Vec::new(),
            })),
        }
    }

    /// What is said before the first move, in fog.
    pub fn opening(&self) -> Option<command::Position> {
        match self {
            Sheet::Open(_) => None,
            Sheet::Fog { start, side, .. } => Some(command::Position::Fog {
                start: start.clone(),
                you: *side,
            }),
        }
    }

    /// What is said before each move, in open games.
    pub fn position(&self) -> Option<command::Position> {
        match self {
            Sheet::Fog { .. } => None,
            Sheet::Open(open) => Some(command::Position::Open {
                start: open.start.clone(),
                moves: open.moves.clone(),
            }),
        }
    }

    /// The game itself, where everybody sees it.
    pub fn state(&self) -> Option<&State> {
        match self {
            Sheet::Open(open) => Some(&open.state),
            Sheet::Fog { .. } => None,
        }
    }

    /// Writes down what is seen now; gives what the engine is to be told of it.
    pub fn see(&mut self, observation: &Observation) -> Option<Observe> {
        match self {
            Sheet::Open(open) => {
                open.see(observation);
                None
            }
            Sheet::Fog { told, .. } => {
                let new = observation.plies() > *told;
                *told = observation.plies().max(*told);
                new.then(|| observe(observation))
            }
        }
    }
}

impl Open {
    fn see(&mut self, observation: &Observation) {
        let Some(position) = observation.position() else {
            return;
        };
        let target = Target {
            position,
            plies: observation.plies().saturating_sub(self.before),
            last: observation.news().mine,
        };
        match follow(&mut self.state, &target) {
            Some(actions) => {
                let texts = actions.iter().map(|action| action.to_string());
                self.moves.extend(texts);
            }
            // Not reached by play: the engine is shown it as a new start.
            None => {
                let game = *observation.game();
                self.start = Start::Fen(game.fen(position));
                self.state = State::new(game, *position);
                self.before = observation.plies();
                self.moves.clear();
            }
        }
    }
}

fn start_of(game: &Game, position: &Position) -> Start {
    match *position == game.start() {
        true => Start::Startpos,
        false => Start::Fen(game.fen(position)),
    }
}

fn observe(observation: &Observation) -> Observe {
    let news = observation.news();
    Observe {
        ply: observation.plies(),
        fen: observation.view().to_string(),
        you: news.mine.map(|m| m.to_string()),
        lost: news.lost.map(|(square, _)| square),
    }
}
