//! The names that games have in the option `UCI_Variant`.

use foglight_rules::{FogRules, Game, Variant};

/// Every value of `UCI_Variant`.
pub const NAMES: [&str; 4] = ["chess", "fogofwar", "dicechess", "dicechess3"];

/// The name of a game.
pub const fn name(game: &Game) -> &'static str {
    match game.variant() {
        Variant::Chess => "chess",
        Variant::Fog(_) => "fogofwar",
        Variant::Dice1 => "dicechess",
        Variant::Dice3 => "dicechess3",
    }
}

/// The game with a name; `rules` says which fog it is.
pub fn game(name: &str, rules: FogRules) -> Option<Game> {
    match name {
        "chess" => Some(Game::chess()),
        "fogofwar" => Some(Game::fog_with(rules)),
        "dicechess" => Some(Game::dice1()),
        "dicechess3" => Some(Game::dice3()),
        _ => None,
    }
}
