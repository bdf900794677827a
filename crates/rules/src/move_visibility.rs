//! How much of a move the opponent saw: the four classes of Mellemseter 2017
//! (section 2.3, table 1) and its two special cases.

use std::fmt;

use shakmaty::Color;

use crate::{games::Game, moves::Move, position::Position};

/// Visibility of a move to the opponent of the mover.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum MoveVisibility {
    /// Origin and destination are visible.
    Known,
    /// Only the origin is visible.
    Retreat,
    /// Only the destination is visible.
    Surprise,
    /// Neither origin nor destination is visible.
    Dark,
    /// A visible piece disappears and captures on a square that is hidden
    /// afterwards: in practice known.
    SemiRetreat,
    /// A piece of the observer disappears and no capturer is visible.
    #[cfg_attr(feature = "serde", serde(rename = "adverse surprise"))]
    AdverseSurprise,
}

impl MoveVisibility {
    /// The name in records, such as `semi-retreat`.
    pub const fn name(self) -> &'static str {
        match self {
            MoveVisibility::Known => "known",
            MoveVisibility::Retreat => "retreat",
            MoveVisibility::Surprise => "surprise",
            MoveVisibility::Dark => "dark",
            MoveVisibility::SemiRetreat => "semi-retreat",
            MoveVisibility::AdverseSurprise => "adverse surprise",
        }
    }

    /// Visibility of `m`, played in `before` and leading to `after`: the origin
    /// is checked before the move, the destination after it.
    pub fn of(game: &Game, before: &Position, m: Move, after: &Position) -> MoveVisibility {
        let watcher: Color = !before.turn();
        let from = game.visible_squares(before, watcher).contains(m.from());
        let to = game.visible_squares(after, watcher).contains(m.to());
        MoveVisibility::told(from, to, before.captured(m).is_some())
    }

    /// Visibility by whether the origin and the destination are visible and
    /// whether the observer lost a piece.
    pub const fn told(from: bool, to: bool, lost: bool) -> MoveVisibility {
        match (from, to, lost) {
            (true, true, _) => MoveVisibility::Known,
            (false, true, _) => MoveVisibility::Surprise,
            (true, false, true) => MoveVisibility::SemiRetreat,
            (false, false, true) => MoveVisibility::AdverseSurprise,
            (true, false, false) => MoveVisibility::Retreat,
            (false, false, false) => MoveVisibility::Dark,
        }
    }
}

impl fmt::Display for MoveVisibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
