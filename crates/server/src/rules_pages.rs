//! The rules page of each game. The rules compute the boards and moves of the
//! examples, and a test checks the claims of the text.

mod figures;

use foglight_rules::{Color, FogRules, Game, State, Variant};
use serde::Serialize;

use crate::wire::{GameKind, SideColor};

/// The page of one game and rule set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "RulesPage"))]
pub(crate) struct RulesPage {
    game: GameKind,
    rules: Option<&'static str>,
    title: String,
    points: Vec<&'static str>,
    examples: Vec<RulesExample>,
}

/// A position that illustrates a rule.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RulesExample {
    title: &'static str,
    text: &'static str,
    fen: &'static str,
    side: SideColor,
    board: String,
    moves: Vec<String>,
    /// Squares mentioned in the text, and their contents in the view.
    shows: &'static [(&'static str, char)],
    /// Legal and illegal moves mentioned in the text.
    allows: &'static [&'static str],
    forbids: &'static [&'static str],
}

/// Source of an example, with claims that a test checks.
struct Claim {
    title: &'static str,
    text: &'static str,
    fen: &'static str,
    side: Color,
    /// Whether the example applies to a variant.
    of: fn(Variant) -> bool,
    /// Squares and their contents in the side's view: `?` hidden, `.` empty.
    sees: fn(Variant) -> &'static [(&'static str, char)],
    /// Moves that must be legal, and moves that must not be.
    may: fn(Variant) -> &'static [&'static str],
    may_not: fn(Variant) -> &'static [&'static str],
}

fn fog(variant: Variant) -> bool {
    matches!(variant, Variant::Fog(_))
}

fn nothing<T>(_: Variant) -> &'static [T] {
    &[]
}

const CLAIMS: &[Claim] = &[
    Claim {
        title: "What you see",
        text: "You see your own pieces and every square that one of them could move to. The \
               knight on f6 is seen because the queen could take it; what stands behind it is not.",
        fen: "rnbqkb1r/pppp1ppp/5n2/4p3/8/5Q2/PPPP1PPP/RNB1KBNR w KQkq - 0 1",
        side: Color::White,
        of: fog,
        sees: |_| &[("f6", 'n'), ("f7", '?'), ("d8", '?'), ("f4", '.')],
        may: |_| &["f3f6"],
        may_not: nothing,
    },
    Claim {
        title: "A blocked pawn",
        text: "The pawn on e4 cannot step. Some rule sets show what blocks it; by the others \
               you know only that it is blocked.",
        fen: "4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1",
        side: Color::White,
        of: fog,
        sees: |variant| match variant {
            Variant::Fog(rules) if rules.blocked_pawn_sees_blocker() => &[("e5", 'p')],
            _ => &[("e5", '?')],
        },
        may: nothing,
        may_not: |_| &["e4e5"],
    },
    Claim {
        title: "Empty diagonals stay dark",
        text: "A pawn sees a diagonal only when there is something to take on it.",
        fen: "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
        side: Color::White,
        of: fog,
        sees: |_| &[("d5", 'p'), ("f5", '?')],
        may: |_| &["e4d5"],
        may_not: nothing,
    },
    Claim {
        title: "En passant in the dark",
        text: "The black pawn has just made a double step. Where the rules know en passant, the \
               passed square is seen and may be taken on, this turn only.",
        fen: "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        side: Color::White,
        of: fog,
        sees: |variant| match variant {
            Variant::Fog(rules) if rules.en_passant_pawn_is_visible() => {
                &[("d6", '.'), ("d5", 'p')]
            }
            Variant::Fog(rules) if rules.has_en_passant() => &[("d6", '.'), ("d5", '?')],
            _ => &[("d6", '?'), ("d5", '?')],
        },
        may: |variant| match variant {
            Variant::Fog(rules) if rules.has_en_passant() => &["e5d6"],
            _ => &[],
        },
        may_not: |variant| match variant {
            Variant::Fog(rules) if !rules.has_en_passant() => &["e5d6"],
            _ => &[],
        },
    },
    Claim {
        title: "Check is not announced",
        text: "The rook attacks your king. You are not told, and you may castle, walk on or stay: \
               the game ends when a king is taken.",
        fen: "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1",
        side: Color::White,
        of: fog,
        sees: |_| &[("e8", '?')],
        may: |_| &["e1g1", "e1e2", "h1h2"],
        may_not: nothing,
    },
    Claim {
        title: "One die picks the piece",
        text: "A knight was rolled: only knights move.",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 N",
        side: Color::White,
        of: |variant| variant == Variant::Dice1,
        sees: nothing,
        may: |_| &["b1c3", "g1f3"],
        may_not: |_| &["e2e4"],
    },
    Claim {
        title: "A pawn that can promote",
        text: "It may promote on any roll but the king's, to the piece that was rolled.",
        fen: "7k/P7/8/8/8/8/8/R3K3 w - - 0 1 R",
        side: Color::White,
        of: |variant| variant == Variant::Dice1,
        sees: nothing,
        may: |_| &["a7a8r", "a1b1"],
        may_not: |_| &["a7a8q"],
    },
    Claim {
        title: "Three dice, as many moves as you can",
        text: "Pawn, knight, king: every die that can be used must be. The king cannot move \
               first, but a pawn can make room for it.",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNK",
        side: Color::White,
        of: |variant| variant == Variant::Dice3,
        sees: nothing,
        may: |_| &["e2e4", "d2d3"],
        may_not: |_| &["a2a3"],
    },
    Claim {
        title: "Plain chess",
        text: "The king is in check: only moves that end it are legal.",
        fen: "4k3/8/8/8/4r3/8/3P4/4K3 w - - 0 1",
        side: Color::White,
        of: |variant| variant == Variant::Chess,
        sees: nothing,
        may: |_| &["e1d1", "e1f2"],
        may_not: |_| &["d2d3", "e1e2"],
    },
];

/// The examples of a game.
fn claims(variant: Variant) -> impl Iterator<Item = &'static Claim> {
    let all = CLAIMS.iter().chain(figures::CLAIMS);
    all.filter(move |claim| (claim.of)(variant))
}

const KING_CAPTURE: [&str; 3] = [
    "Pieces move as in chess, but nobody is ever in check: who takes the king wins.",
    "Castling needs the right and empty squares between king and rook; attacks do not matter.",
    "On boards smaller than 8x8 there is no double step, no castling and no en passant.",
];

fn points(game: &Game) -> Vec<&'static str> {
    let mut points = Vec::new();
    if game.is_king_capture() {
        points.extend(KING_CAPTURE);
    }
    match game.variant() {
        Variant::Chess => points.push(
            "The rules of FIDE: check, mate, stalemate, repetition, fifty moves, dead positions.",
        ),
        Variant::Fog(rules) => {
            points.extend([
                "You see your own pieces and every square that one of them could move to.",
                "You are told when a piece of yours was taken, and where; not by what.",
            ]);
            points.extend(fog_points(rules));
            if rules.bare_kings_are_draw() {
                points.push("Two bare kings are a draw.");
            }
            if rules.counters_are_public() {
                points.push("The half-move clock and the move number are public.");
            }
        }
        Variant::Dice1 => points.extend([
            "The die picks the kind of piece. Only kinds with a move come up, each equally likely.",
            "A pawn that can promote may do so on any roll but the king's, to the rolled piece; \
             on a pawn's roll to any of the four.",
            "A hundred single moves without capture or pawn move are a draw.",
        ]),
        Variant::Dice3 => points.extend([
            "Three dice a turn, each spent by a move of its kind; as many as possible must be used.",
            "Taking the king is always allowed. Castling spends a king and a rook.",
            "A pawn that made a double step can be taken en passant during the whole next turn.",
            "A roll that cannot be used is a pass.",
        ]),
    }
    points
}

fn fog_points(rules: FogRules) -> [&'static str; 4] {
    [
        if rules.blocked_pawn_sees_blocker() {
            "You see what stands before your pawns."
        } else {
            "A piece that blocks your pawn is hidden."
        },
        match (rules.has_en_passant(), rules.en_passant_pawn_is_visible()) {
            (false, _) => "There is no en passant.",
            (true, true) => "A pawn that may be taken en passant is seen, and so is the square.",
            (true, false) => {
                "A pawn that may be taken en passant is hidden, the square that it passed is seen."
            }
        },
        if rules.no_moves_is_draw() {
            "No move at all is a draw."
        } else {
            "No move at all is a loss."
        },
        match (rules.draws_are_claimed(), rules.has_repetition()) {
            (true, true) => {
                "Fifty moves and threefold repetition are draws to be claimed; this server claims \
                 at once."
            }
            (true, false) => "Fifty moves are a draw to be claimed; this server claims at once.",
            (false, true) => "Fifty moves and threefold repetition are draws.",
            (false, false) => "Fifty moves are a draw; there is no repetition rule.",
        },
    ]
}

fn state(claim: &Claim, game: &Game) -> State {
    let position = game.parse_fen(claim.fen);
    State::new(*game, position.expect("the examples are positions"))
}

pub fn pages() -> Vec<RulesPage> {
    Game::ALL.iter().map(page).collect()
}

fn page(game: &Game) -> RulesPage {
    let title = match game.name() {
        "fog" => format!(
            "Fog of war, {} rules",
            game.rules_name().unwrap_or_default()
        ),
        "dice1" => "Dice chess, one die".to_owned(),
        "dice3" => "Dice chess, three dice".to_owned(),
        _ => "Chess".to_owned(),
    };
    let examples = claims(game.variant()).map(|claim| {
        let seen = state(claim, game).observe(claim.side);
        let mut moves: Vec<String> = seen.legal_moves().iter().map(ToString::to_string).collect();
        moves.sort();
        RulesExample {
            title: claim.title,
            text: claim.text,
            fen: claim.fen,
            side: claim.side.into(),
            board: seen.view().rows(),
            moves,
            shows: (claim.sees)(game.variant()),
            allows: (claim.may)(game.variant()),
            forbids: (claim.may_not)(game.variant()),
        }
    });
    RulesPage {
        game: game.into(),
        rules: game.rules_name(),
        title,
        points: points(game),
        examples: examples.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_show_what_they_say() {
        for game in Game::ALL {
            let variant = game.variant();
            for claim in claims(variant) {
                let seen = state(claim, &game).observe(claim.side);
                for (square, symbol) in (claim.sees)(variant) {
                    let at = square.parse().expect("a square");
                    assert_eq!(
                        seen.view().symbol(at),
                        *symbol,
                        "{game}, {}: {square}",
                        claim.title
                    );
                }
                let has = |text: &str| seen.legal_moves().iter().any(|m| m.to_string() == text);
                for text in (claim.may)(variant) {
                    assert!(has(text), "{game}, {}: {text}", claim.title);
                }
                for text in (claim.may_not)(variant) {
                    assert!(!has(text), "{game}, {}: {text}", claim.title);
                }
            }
        }
    }

    #[test]
    fn every_game_has_a_page_with_examples() {
        for page in pages() {
            assert!(
                !page.points.is_empty() && !page.examples.is_empty(),
                "{}",
                page.title
            );
        }
    }
}
