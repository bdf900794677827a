//! Outcomes of games and their reasons.

use std::fmt;

use shakmaty::Color;

/// Reason for the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Termination {
    /// A king was captured.
    KingCaptured,
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// The side to move has no move in a game without check.
    NoMoves,
    /// The same position occurred for the third time.
    Repetition,
    /// The half-move limit without capture or pawn move was reached.
    FiftyMoves,
    /// Only the two kings are left.
    BareKings,
    /// Neither side has enough material to mate.
    InsufficientMaterial,
    /// A player ran out of time.
    Timeout,
    /// A player resigned the game.
    Resign,
    /// The players agreed on a draw.
    Agreement,
    /// A player made an illegal move.
    IllegalMove,
    /// A player's program disconnected.
    Disconnect,
    /// A player's program stopped answering.
    Stall,
    /// The match's own limit of moves was reached.
    MoveLimit,
}

impl Termination {
    /// Every reason, in declaration order.
    pub const ALL: [Termination; 15] = [
        Termination::KingCaptured,
        Termination::Checkmate,
        Termination::Stalemate,
        Termination::NoMoves,
        Termination::Repetition,
        Termination::FiftyMoves,
        Termination::BareKings,
        Termination::InsufficientMaterial,
        Termination::Timeout,
        Termination::Resign,
        Termination::Agreement,
        Termination::IllegalMove,
        Termination::Disconnect,
        Termination::Stall,
        Termination::MoveLimit,
    ];

    /// The name in records, such as `king_captured`.
    pub const fn name(self) -> &'static str {
        match self {
            Termination::KingCaptured => "king_captured",
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::NoMoves => "no_moves",
            Termination::Repetition => "repetition",
            Termination::FiftyMoves => "fifty_moves",
            Termination::BareKings => "bare_kings",
            Termination::InsufficientMaterial => "insufficient_material",
            Termination::Timeout => "timeout",
            Termination::Resign => "resign",
            Termination::Agreement => "agreement",
            Termination::IllegalMove => "illegal_move",
            Termination::Disconnect => "disconnect",
            Termination::Stall => "stall",
            Termination::MoveLimit => "move_limit",
        }
    }

    /// Whether the moves alone bring this end about.
    pub const fn is_on_board(self) -> bool {
        use Termination as T;
        match self {
            T::KingCaptured | T::Checkmate | T::Stalemate | T::NoMoves => true,
            T::Repetition | T::FiftyMoves | T::BareKings | T::InsufficientMaterial => true,
            T::Timeout | T::Resign | T::Agreement => false,
            T::IllegalMove | T::Disconnect | T::Stall | T::MoveLimit => false,
        }
    }

    /// Finds a reason by its [`Termination::name`].
    pub fn from_name(name: &str) -> Option<Termination> {
        Termination::ALL
            .into_iter()
            .find(|reason| reason.name() == name)
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// Reason for the end.
    pub reason: Termination,
}

impl Outcome {
    /// A win of `winner` for this reason.
    pub const fn win(winner: Color, reason: Termination) -> Outcome {
        Outcome {
            winner: Some(winner),
            reason,
        }
    }

    /// A draw for this reason.
    pub const fn draw(reason: Termination) -> Outcome {
        Outcome {
            winner: None,
            reason,
        }
    }

    /// Result text: `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// Score of `side`: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub fn score(&self, side: Color) -> f64 {
        match self.winner {
            None => 0.5,
            Some(winner) if winner == side => 1.0,
            Some(_) => 0.0,
        }
    }

    /// The same outcome with colours exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Outcome {
        Outcome {
            winner: self.winner.map(|side| !side),
            reason: self.reason,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.result(), self.reason)
    }
}
