//! Names of the games in the option `UCI_Variant`.

use foglight_rules::{FogRules, Game, Variant};

/// Every value of `UCI_Variant`.
pub const NAMES: [&str; 4] = ["chess", "fogofwar", "dicechess", "dicechess3"];

/// Name of a game in `UCI_Variant`.
pub const fn name(game: &Game) -> &'static str {
    match game.variant() {
        Variant::Chess => "chess",
        Variant::Fog(_) => "fogofwar",
        Variant::Dice1 => "dicechess",
        Variant::Dice3 => "dicechess3",
    }
}

/// The game with this name; `rules` selects the rule set in fog.
pub fn game(name: &str, rules: FogRules) -> Option<Game> {
    match name {
        "chess" => Some(Game::chess()),
        "fogofwar" => Some(Game::fog_with(rules)),
        "dicechess" => Some(Game::dice1()),
        "dicechess3" => Some(Game::dice3()),
        _ => None,
    }
}
