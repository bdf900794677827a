//! Enums for names on the wire. Each is spelled as in the rules crate.

use foglight_rules::{self as rules, Color, Game, Outcome, Variant};
use serde::{Deserialize, Serialize};

pub fn side_name(side: Color) -> &'static str {
    side.fold_wb("white", "black")
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum SideColor {
    White,
    Black,
}

impl From<Color> for SideColor {
    fn from(side: Color) -> SideColor {
        side.fold_wb(SideColor::White, SideColor::Black)
    }
}

/// A game, without its rule set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum GameKind {
    Fog,
    Dice1,
    Dice3,
    Chess,
}

impl GameKind {
    /// The name for people.
    pub const fn title(self) -> &'static str {
        match self {
            GameKind::Fog => "Fog of War",
            GameKind::Dice1 => "Dice chess, one die",
            GameKind::Dice3 => "Dice chess, three dice",
            GameKind::Chess => "Chess",
        }
    }

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            GameKind::Fog => "fog",
            GameKind::Dice1 => "dice1",
            GameKind::Dice3 => "dice3",
            GameKind::Chess => "chess",
        }
    }
}

impl From<&Game> for GameKind {
    fn from(game: &Game) -> GameKind {
        match game.variant() {
            Variant::Fog(_) => GameKind::Fog,
            Variant::Dice1 => GameKind::Dice1,
            Variant::Dice3 => GameKind::Dice3,
            Variant::Chess => GameKind::Chess,
        }
    }
}

/// The result in PGN notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Result"))]
pub(crate) enum ResultText {
    #[serde(rename = "1-0")]
    White,
    #[serde(rename = "0-1")]
    Black,
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl From<Outcome> for ResultText {
    fn from(outcome: Outcome) -> ResultText {
        match outcome.winner {
            Some(Color::White) => ResultText::White,
            Some(Color::Black) => ResultText::Black,
            None => ResultText::Draw,
        }
    }
}

/// Visibility of a move to the opponent (Mellemseter 2017).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum VisibilityName {
    /// Departure and arrival were visible.
    Known,
    Retreat,
    Surprise,
    Dark,
    /// A visible piece left and captured one of mine on a hidden square.
    SemiRetreat,
    /// A piece of mine was captured, with nothing else visible.
    #[serde(rename = "adverse surprise")]
    AdverseSurprise,
}

impl From<rules::MoveVisibility> for VisibilityName {
    fn from(sighting: rules::MoveVisibility) -> VisibilityName {
        match sighting {
            rules::MoveVisibility::Known => VisibilityName::Known,
            rules::MoveVisibility::Retreat => VisibilityName::Retreat,
            rules::MoveVisibility::Surprise => VisibilityName::Surprise,
            rules::MoveVisibility::Dark => VisibilityName::Dark,
            rules::MoveVisibility::SemiRetreat => VisibilityName::SemiRetreat,
            rules::MoveVisibility::AdverseSurprise => VisibilityName::AdverseSurprise,
        }
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::Termination;

    use super::*;

    fn told(name: impl Serialize) -> String {
        let name = serde_json::to_value(name).expect("JSON");
        name.as_str().expect("a text").to_owned()
    }

    #[test]
    fn names_are_those_of_the_rules() {
        for side in Color::ALL {
            assert_eq!(told(SideColor::from(side)), side_name(side));
        }
        for game in Game::ALL {
            let name = GameKind::from(&game);
            assert_eq!(
                (told(name).as_str(), name.name()),
                (game.name(), game.name())
            );
        }
        for winner in [None, Some(Color::White), Some(Color::Black)] {
            let reason = Termination::Agreement;
            let outcome = Outcome { winner, reason };
            assert_eq!(told(ResultText::from(outcome)), outcome.result());
        }
        for sighting in [
            rules::MoveVisibility::Known,
            rules::MoveVisibility::Retreat,
            rules::MoveVisibility::Surprise,
            rules::MoveVisibility::Dark,
            rules::MoveVisibility::SemiRetreat,
            rules::MoveVisibility::AdverseSurprise,
        ] {
            assert_eq!(told(VisibilityName::from(sighting)), sighting.name());
        }
    }
}
