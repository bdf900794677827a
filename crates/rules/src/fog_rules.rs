//! The rule sets of fog-of-war chess, and every point in which they differ.
//!
//! All other code calls these methods. Each matches on every rule set by name, so
//! that the compiler lists what a new one must define, all in this file.

use crate::position::EnPassantRule;

/// A rule set of fog-of-war chess.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum FogRules {
    /// The rules of chess.com, which Obscuro plays.
    #[default]
    Chesscom,
    /// The rules of OpenSpiel's `dark_chess`.
    OpenSpiel,
    /// The rules of PyChess and Fairy-Stockfish's `fogofwar`.
    PyChess,
    /// The rules of Mellemseter 2017: no en passant, blocked squares are visible.
    Thesis,
}

impl FogRules {
    /// Every rule set, in declaration order.
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

    /// Origin of the rules, for lists of rule sets.
    pub const fn about(self) -> &'static str {
        match self {
            FogRules::Chesscom => "As played online",
            FogRules::OpenSpiel => "As OpenSpiel's dark_chess",
            FogRules::PyChess => "As PyChess and Fairy-Stockfish",
            FogRules::Thesis => "As in Mellemseter's thesis (2017)",
        }
    }

    /// Finds a rule set by its name.
    pub fn from_name(name: &str) -> Option<FogRules> {
        FogRules::ALL.into_iter().find(|rules| rules.name() == name)
    }

    /// Whether the square in front of a pawn is visible even if blocked.
    /// Otherwise the player knows that it is blocked, not by which piece.
    #[inline]
    pub const fn blocked_pawn_sees_blocker(self) -> bool {
        match self {
            FogRules::Chesscom | FogRules::OpenSpiel | FogRules::PyChess => false,
            FogRules::Thesis => true,
        }
    }

    /// Whether pawns can be captured en passant.
    #[inline]
    pub const fn has_en_passant(self) -> bool {
        match self {
            FogRules::Chesscom | FogRules::OpenSpiel | FogRules::PyChess => true,
            FogRules::Thesis => false,
        }
    }

    /// Whether a pawn that can be captured en passant is visible, in addition to
    /// the en passant square.
    #[inline]
    pub const fn en_passant_pawn_is_visible(self) -> bool {
        match self {
            FogRules::Chesscom | FogRules::OpenSpiel => true,
            FogRules::PyChess | FogRules::Thesis => false,
        }
    }

    /// Whether the half-move clock and the move number are public.
    #[inline]
    pub const fn counters_are_public(self) -> bool {
        match self {
            FogRules::OpenSpiel => true,
            FogRules::Chesscom | FogRules::PyChess | FogRules::Thesis => false,
        }
    }

    /// Whether a side without a move is drawn; otherwise it has lost.
    #[inline]
    pub const fn no_moves_is_draw(self) -> bool {
        match self {
            FogRules::OpenSpiel | FogRules::PyChess => true,
            FogRules::Chesscom | FogRules::Thesis => false,
        }
    }

    /// Whether two bare kings are a draw.
    #[inline]
    pub const fn bare_kings_are_draw(self) -> bool {
        match self {
            FogRules::Chesscom | FogRules::OpenSpiel | FogRules::PyChess => false,
            FogRules::Thesis => true,
        }
    }

    /// Whether the third occurrence of a position is a draw.
    #[inline]
    pub const fn has_repetition(self) -> bool {
        match self {
            FogRules::Chesscom | FogRules::OpenSpiel | FogRules::PyChess => true,
            FogRules::Thesis => false,
        }
    }

    /// Whether draws by repetition and the half-move limit must be claimed;
    /// otherwise they are automatic.
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
