//! Observations: all that one side may know, and the only thing that leaves a
//! referee while a game runs.

use shakmaty::{Color, Role, Square};

use crate::{
    action::{Action, Turn},
    games::Game,
    moves::Move,
    outcome::Outcome,
    position::Position,
    view::View,
};

/// What a side is told of the last single move and, where it sees everything,
/// of the last action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Announcement {
    /// The move, if it was this side's own.
    pub own_move: Option<Move>,
    /// What this side's own move took, and where.
    pub captured: Option<(Square, Role)>,
    /// The piece that this side lost, and where.
    pub lost: Option<(Square, Role)>,
    /// What was done last, by either side or by the dice, for a side that sees
    /// everything. In fog it is not told.
    pub action: Option<Action>,
}

/// All that one side may know now.
///
/// In fog there is no way from here back to the position. A side that sees
/// everything, by the game or by declared sight, finds the position in it.
/// What a game begins from is agreed upon and no secret: see [`Observation::start`].
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

    /// An observation in fog made of a view that came from elsewhere: the moves
    /// follow from it.
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

    /// The same as if it had come from elsewhere, in the middle of a game whose
    /// start nobody told.
    #[must_use]
    pub fn without_start(mut self) -> Observation {
        self.start = None;
        self
    }

    /// The same after so many single moves, of which this was announced.
    #[must_use]
    pub fn after(mut self, plies: u32, news: Announcement) -> Observation {
        (self.plies, self.news) = (plies, news);
        self
    }

    /// The rules.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Who observes.
    pub fn side(&self) -> Color {
        self.side
    }

    /// Single moves played so far.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Who acts now.
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// What is seen of the board.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The observer's legal moves; none when it is not to move.
    pub fn legal_moves(&self) -> &[Move] {
        &self.moves
    }

    /// What was announced of the last single move.
    pub fn news(&self) -> Announcement {
        self.news
    }

    /// The result, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.turn {
            Turn::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// The position, for a side that sees everything.
    pub fn position(&self) -> Option<&Position> {
        self.position.as_ref()
    }

    /// What the game begins from, before its first move: both sides know it, as
    /// they know the usual start. A view from elsewhere tells nothing of it.
    pub fn start(&self) -> Option<&Position> {
        self.start.as_ref()
    }

    /// The kind of piece that a move of the observer would take, if it is seen.
    pub fn captures(&self, m: Move) -> Option<Role> {
        use crate::moves::MoveKind;
        match m.kind() {
            MoveKind::EnPassant => Some(Role::Pawn),
            MoveKind::Castle => None,
            _ => self.view.board.role_at(m.to()),
        }
    }
}
