//! Fog-of-war chess: king capture, and a view for each side after every ply.

use shakmaty::Role;

use super::king_taken;
use crate::{
    moves::Move,
    outcome::{Outcome, Reason},
    position::{Passing, Position},
};

/// A rule set of fog-of-war chess.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FogRules {
    /// As played online, and by Obscuro.
    #[default]
    Chesscom,
    /// As OpenSpiel's `dark_chess`.
    OpenSpiel,
    /// As PyChess and Fairy-Stockfish's `fogofwar`.
    PyChess,
    /// As the thesis on darkchess has it: no en passant, blocked squares seen.
    Thesis,
}

impl FogRules {
    /// Every rule set.
    pub const ALL: [FogRules; 4] = [
        FogRules::Chesscom,
        FogRules::OpenSpiel,
        FogRules::PyChess,
        FogRules::Thesis,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            FogRules::Chesscom => "chesscom",
            FogRules::OpenSpiel => "openspiel",
            FogRules::PyChess => "pychess",
            FogRules::Thesis => "thesis",
        }
    }

    /// Is a side without a move drawn, or has it lost?
    const fn stuck_is_draw(self) -> bool {
        matches!(self, FogRules::OpenSpiel | FogRules::PyChess)
    }

    /// Is the third occurrence of a position a draw?
    pub const fn has_repetition(self) -> bool {
        !matches!(self, FogRules::Thesis)
    }

    /// Must draws by counting be claimed, or do they come by themselves?
    pub const fn draws_are_claimed(self) -> bool {
        matches!(self, FogRules::PyChess)
    }
}

#[inline]
pub(super) fn play(position: &mut Position, m: Move, rules: FogRules) -> Option<Role> {
    let passing = match rules {
        FogRules::Thesis => Passing::Never,
        _ => Passing::Usable,
    };
    let taken = position.shift_pieces(m, passing);
    position.flip_turn();
    taken
}

pub(super) fn verdict(position: &Position, rules: FogRules) -> Option<Outcome> {
    if let Some(outcome) = king_taken(position) {
        return Some(outcome);
    }
    let bare = !position
        .board()
        .occupied()
        .without_first()
        .without_first()
        .any();
    if rules == FogRules::Thesis && bare {
        return Some(Outcome::draw(Reason::BareKings));
    }
    (position.count_king_capture_moves() == 0).then(|| {
        if rules.stuck_is_draw() {
            Outcome::draw(Reason::NoMoves)
        } else {
            Outcome::win(!position.turn(), Reason::NoMoves)
        }
    })
}
