//! What the opponent could tell of a move: the four kinds of the thesis
//! (section 2.3, table 1) and its two special ones.

use std::fmt;

use shakmaty::Color;

use crate::{games::Game, moves::Move, position::Position};

/// How much of a move the other side saw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum MoveVisibility {
    /// Where it came from and where it went.
    Known,
    /// Only where it came from.
    Retreat,
    /// Only where it went.
    Surprise,
    /// Neither.
    Dark,
    /// A seen piece vanishes and takes one of mine out of sight: in practice known.
    SemiRetreat,
    /// One of mine vanishes and no taker is seen.
    #[cfg_attr(feature = "serde", serde(rename = "adverse surprise"))]
    AdverseSurprise,
}

impl MoveVisibility {
    /// The name in records.
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

    /// What the opponent of the mover could tell of `m`, played in `before`
    /// and leading to `after`: the origin as it was seen before the move, the
    /// destination as it is seen after it.
    pub fn of(game: &Game, before: &Position, m: Move, after: &Position) -> MoveVisibility {
        let watcher: Color = !before.turn();
        let from = game.visible_squares(before, watcher).contains(m.from());
        let to = game.visible_squares(after, watcher).contains(m.to());
        MoveVisibility::told(from, to, before.captured(m).is_some())
    }

    /// What is told of a move whose origin and destination are seen or not, and
    /// which captures or not.
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
