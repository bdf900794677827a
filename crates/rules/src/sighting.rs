//! What the opponent could tell of a move: the four kinds of the thesis
//! (section 2.3, table 1) and its two special ones.

use std::fmt;

use shakmaty::Color;

use crate::{games::Game, moves::Move, position::Position};

/// How much of a move the other side saw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Sighting {
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

impl Sighting {
    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Sighting::Known => "known",
            Sighting::Retreat => "retreat",
            Sighting::Surprise => "surprise",
            Sighting::Dark => "dark",
            Sighting::SemiRetreat => "semi-retreat",
            Sighting::AdverseSurprise => "adverse surprise",
        }
    }

    /// What the opponent of the mover could tell of `m`, played in `before`
    /// and leading to `after`: the origin as it was seen before the move, the
    /// destination as it is seen after it.
    pub fn of(game: &Game, before: &Position, m: Move, after: &Position) -> Sighting {
        let watcher: Color = !before.turn();
        let from = game.seen(before, watcher).contains(m.from());
        let to = game.seen(after, watcher).contains(m.to());
        Sighting::told(from, to, before.captured(m).is_some())
    }

    /// What is told of a move whose origin and destination are seen or not, and
    /// which captures or not.
    pub const fn told(from: bool, to: bool, lost: bool) -> Sighting {
        match (from, to, lost) {
            (true, true, _) => Sighting::Known,
            (false, true, _) => Sighting::Surprise,
            (true, false, true) => Sighting::SemiRetreat,
            (false, false, true) => Sighting::AdverseSurprise,
            (true, false, false) => Sighting::Retreat,
            (false, false, false) => Sighting::Dark,
        }
    }
}

impl fmt::Display for Sighting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
