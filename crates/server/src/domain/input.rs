//! Validation of user input.

use foglight_rules::{FogRules, Game};

/// Invalid input. The text says what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct InputError(String);

impl InputError {
    pub fn new(text: impl Into<String>) -> InputError {
        InputError(text.into())
    }
}

/// The game with this name and rule set.
pub fn game_of(name: &str, rules: Option<&str>) -> Result<Game, InputError> {
    Game::from_name(name, rules).ok_or_else(|| {
        InputError::new(format!(
            "expected game chess, fog, dice1 or dice3, and in fog one of the rules {}",
            FogRules::ALL.map(FogRules::name).join(", ")
        ))
    })
}

/// Maximum length of a name, in characters.
const MAX_NAME: usize = 30;

/// Checks that a name may be shown to others.
pub fn name(text: &str) -> Result<String, InputError> {
    let name = text.trim();
    let length = name.chars().count();
    if !(1..=MAX_NAME).contains(&length) {
        return Err(InputError::new(format!(
            "a name of {length} characters; expected 1 to {MAX_NAME}"
        )));
    }
    if name.chars().any(is_invisible) {
        return Err(InputError::new(
            "a name with control, invisible or direction characters; expected visible ones",
        ));
    }
    Ok(name.to_owned())
}

/// A name from elsewhere, made fit to be shown: `?` if nothing of it is.
pub(crate) fn foreign_name(text: &str) -> String {
    let visible = text.chars().filter(|&c| !is_invisible(c));
    let short: String = visible.take(MAX_NAME).collect();
    name(&short).unwrap_or_else(|_| "?".to_owned())
}

/// Characters that are invisible, or that reverse or break text.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_visible_and_short() {
        assert_eq!(name(" Ada \"<b>\" ").ok().as_deref(), Some("Ada \"<b>\""));
        assert_eq!(name("Žofie 王").ok().as_deref(), Some("Žofie 王"));
        for bad in [
            "",
            "  ",
            "a\nb",
            "a\u{202e}b",
            "a\u{200b}",
            "\u{0}",
            &"x".repeat(31),
        ] {
            assert!(name(bad).is_err(), "{bad:?}");
            let shown = foreign_name(bad);
            assert_eq!(name(&shown).ok(), Some(shown), "{bad:?}");
        }
        assert_eq!(foreign_name("a\u{202e}b\n"), "ab");
    }
}
