//! Observations: all that one side may know, and the only data that leaves a
//! referee during a game.

use shakmaty::{Color, Role, Square};

use crate::{
    action::{Action, Turn},
    games::Game,
    moves::Move,
    outcome::Outcome,
    position::Position,
    view::View,
};

/// Announcement to a side about the last ply and, with full view, about the last
/// action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Announcement {
    /// The move, if this side played it.
    pub own_move: Option<Move>,
    /// Square and role of the piece captured by this side's own move.
    pub captured: Option<(Square, Role)>,
    /// Square and role of the piece that this side lost.
    pub lost: Option<(Square, Role)>,
    /// The last action of either side or of the dice, for a side with full view
    /// only.
    pub action: Option<Action>,
}

/// All that one side may know now.
///
/// In fog the position cannot be recovered from it. With full view, by the game
/// or by declared sight, it contains the position. The starting position is
/// public: see [`Observation::start`].
#[derive(Clone, PartialEq, Debug)]
pub struct Observation {
    game: Game,
    side: Color,
    plies: u32,
    turn: Turn,
    view: View,
    moves: Vec<Move>,
    news: Announcement,
    position: Option<Position>,
    start: Option<Position>,
}

impl Observation {
    pub(crate) fn new(
        game: Game,
        position: &Position,
        side: Color,
        plies: u32,
        turn: Turn,
        moves: Vec<Move>,
        news: Announcement,
    ) -> Observation {
        Observation {
            game,
            side,
            plies,
            turn,
            view: View::new(&game, position, side),
            moves,
            news,
            position: game.has_full_view(side).then_some(*position),
            start: (plies == 0).then_some(*position),
        }
    }

    /// Builds a fog observation from a view that came from outside; the legal
    /// moves are computed from it.
    pub fn from_view(game: Game, view: View, plies: u32, news: Announcement) -> Observation {
        Observation {
            game,
            side: view.side,
            plies,
            turn: Turn::Player(view.turn),
            moves: view.fog_moves().to_vec(),
            view,
            news,
            position: None,
            start: None,
        }
    }

    /// The same observation without its starting position, as for a game joined
    /// midway.
    #[must_use]
    pub fn without_start(mut self) -> Observation {
        self.start = None;
        self
    }

    /// The same observation after `plies` plies, with this announcement.
    #[must_use]
    pub fn after(mut self, plies: u32, news: Announcement) -> Observation {
        (self.plies, self.news) = (plies, news);
        self
    }

    /// The rules of the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The side that observes.
    pub fn side(&self) -> Color {
        self.side
    }

    /// Number of plies played.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The player to act, or chance, or the outcome.
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// The visible part of the position.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The observer's legal moves; empty when it is not to move.
    pub fn legal_moves(&self) -> &[Move] {
        &self.moves
    }

    /// The announcement of the last ply.
    pub fn news(&self) -> Announcement {
        self.news
    }

    /// The outcome, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.turn {
            Turn::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// The position, for a side with full view.
    pub fn position(&self) -> Option<&Position> {
        self.position.as_ref()
    }

    /// The starting position, in observations before the first move: both sides
    /// know it. `None` for a view that came from outside.
    pub fn start(&self) -> Option<&Position> {
        self.start.as_ref()
    }

    /// Role of the piece that the observer's move would capture, if visible.
    pub fn captures(&self, m: Move) -> Option<Role> {
        use crate::moves::MoveKind;
        match m.kind() {
            MoveKind::EnPassant => Some(Role::Pawn),
            MoveKind::Castle => None,
            _ => self.view.board.role_at(m.to()),
        }
    }
}
