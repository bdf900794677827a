//! The rule sets of fog-of-war chess, and every point in which they differ.
//!
//! All other code asks these methods, and each answers for every rule set by
//! name: who adds one is asked by the compiler, here and nowhere else.

use crate::position::EnPassantRule;

/// A rule set of fog-of-war chess.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
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

    /// The name on the command line, in records and in addresses.
    pub const fn name(self) -> &'static str {
        match self {
            FogRules::Chesscom => "chesscom",
            FogRules::OpenSpiel => "openspiel",
            FogRules::PyChess => "pychess",
            FogRules::Thesis => "thesis",
        }
    }

    /// Where the rules come from, for lists of rule sets.
    pub const fn about(self) -> &'static str {
        match self {
            FogRules::Chesscom => "As played online",
            FogRules::OpenSpiel => "As OpenSpiel's dark_chess",
            FogRules::PyChess => "As PyChess and Fairy-Stockfish",
            FogRules::Thesis => "As the thesis on darkchess has it",
        }
    }

    /// The rule set with this name.
    pub fn from_name(name: &str) -> Option<FogRules> {
        FogRules::ALL.into_iter().find(|rules| rules.name() == name)
    }

    /// Is the square before a pawn visible even if a piece blocks it? Else the
    /// player knows that it is blocked, not by what.
    #[inline]
    pub const fn blocked_pawn_sees_blocker(self) -> bool {
        match self {
            FogRules::Chesscom | FogRules::OpenSpiel | FogRules::PyChess => false,
            FogRules::Thesis => true,
        }
    }

    /// Can a pawn be captured en passant?
    #[inline]
    pub const fn has_en_passant(self) -> bool {
        match self {
            FogRules::Chesscom | FogRules::OpenSpiel | FogRules::PyChess => true,
            FogRules::Thesis => false,
        }
    }

    /// Is a pawn that can be captured en passant visible, besides the square
    /// on which it is captured?
    #[inline]
    pub const fn en_passant_pawn_is_visible(self) -> bool {
        match self {
            FogRules::Chesscom | FogRules::OpenSpiel => true,
            FogRules::PyChess | FogRules::Thesis => false,
        }
    }

    /// Does everybody know the half-move clock and the move number?
    #[inline]
    pub const fn counters_are_public(self) -> bool {
        match self {
            FogRules::OpenSpiel => true,
            FogRules::Chesscom | FogRules::PyChess | FogRules::Thesis => false,
        }
    }

    /// Is a side without a move drawn, or has it lost?
    #[inline]
    pub const fn no_moves_is_draw(self) -> bool {
        match self {
            FogRules::OpenSpiel | FogRules::PyChess => true,
            FogRules::Chesscom | FogRules::Thesis => false,
        }
    }

    /// Are two kings alone on the board a draw?
    #[inline]
    pub const fn bare_kings_are_draw(self) -> bool {
        match self {
            FogRules::Chesscom | FogRules::OpenSpiel | FogRules::PyChess => false,
            FogRules::Thesis => true,
        }
    }

    /// Is the third occurrence of a position a draw?
    #[inline]
    pub const fn has_repetition(self) -> bool {
        match self {
            FogRules::Chesscom | FogRules::OpenSpiel | FogRules::PyChess => true,
            FogRules::Thesis => false,
        }
    }

    /// Must draws by counting be claimed, or do they come by themselves?
    #[inline]
    pub const fn draws_are_claimed(self) -> bool {
        match self {
            FogRules::PyChess => true,
            FogRules::Chesscom | FogRules::OpenSpiel | FogRules::Thesis => false,
        }
    }

    #[inline]
    pub(crate) const fn passing(self) -> EnPassantRule {
        if self.has_en_passant() {
            EnPassantRule::NextMove
        } else {
            EnPassantRule::None
        }
    }
}
