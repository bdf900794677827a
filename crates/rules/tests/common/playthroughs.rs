//! Playthroughs: one random game as text, readable by people and compared by a
//! test, after OpenSpiel's; with the seeds of those in `data/playthroughs/`. Each
//! game ends with a king captured or mated; together they contain castling, en
//! passant, promotion and every move visibility. Most fog rule sets share a game,
//! so that their files show where the rules differ.

use std::fmt::Write;

use foglight_rules::{
    Action, Announcement, Color, FogRules, Game, Role, Square, State, Turn, Variant, View,
};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const fn seed(game: &Game) -> u64 {
    match game.variant() {
        Variant::Chess => 576,
        Variant::Fog(FogRules::Thesis) => 728,
        Variant::Fog(_) => 3846,
        Variant::Dice1 => 1132,
        Variant::Dice3 => 52,
    }
}

/// Generates the playthrough of a game.
pub fn text(game: &Game) -> String {
    let seed = seed(game);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    format!("seed: {seed}\n{}", playthrough(game, &mut rng))
}

/// Plies after which a playthrough stops.
const PLIES: u32 = 60;

/// File name of a game's playthrough: `chess.txt`, `fog-thesis.txt`.
pub fn file_name(game: &Game) -> String {
    match game.rules_name() {
        Some(rules) => format!("{}-{rules}.txt", game.name()),
        None => format!("{}.txt", game.name()),
    }
}

/// A random game to its end, or to [`PLIES`]. For every state: the position, both
/// views, the announcements and the legal actions with their probabilities; then
/// the action played.
fn playthrough(game: &Game, rng: &mut impl Rng) -> String {
    let mut state = State::start(*game);
    let mut text = format!("game: {game}\n");
    loop {
        describe(&mut text, &state);
        if state.outcome().is_some() || state.plies() == PLIES {
            return text;
        }
        let action = choose(&state, rng);
        line(&mut text, "action", &action.to_string());
        state.play_unchecked(action);
    }
}

/// A roll by its probability, or a random legal move.
fn choose(state: &State, rng: &mut impl Rng) -> Action {
    if state.turn() == Turn::Chance {
        let chance = state.chance_outcomes();
        let mut left: f64 = rng.random();
        let rolled = chance.iter().find(|(_, share)| {
            left -= share;
            left < 0.0
        });
        let &(dice, _) = rolled.or(chance.last()).expect("a roll can come");
        return Action::Roll(dice);
    }
    let moves = state.legal_moves();
    let most = u32::try_from(moves.len()).expect("a list of moves is short");
    Action::Move(moves[rng.random_range(0..most) as usize])
}

fn line(text: &mut String, name: &str, value: &str) {
    writeln!(text, "{name}: {value}").expect("writing to a text cannot fail");
}

fn describe(text: &mut String, state: &State) {
    text.push('\n');
    line(text, "ply", &state.plies().to_string());
    line(text, "fen", &state.game().fen(state.position()));
    line(text, "to act", &actor(state.turn()));
    let views = [Color::White, Color::Black].map(|side| *state.observe(side).view());
    side_by_side(text, &views);
    for view in &views {
        let name = format!("{} sees", side_name(view.side));
        line(text, &name, &view.to_string());
    }
    told(text, state);
    if let Some(reason) = state.claimable_draw() {
        line(text, "draw to claim", reason.name());
    }
    options(text, state);
    if let Some(outcome) = state.outcome() {
        line(text, "result", &outcome.to_string());
    }
}

fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn actor(turn: Turn) -> String {
    match turn {
        Turn::Player(side) => side_name(side).to_owned(),
        Turn::Chance => "dice".to_owned(),
        Turn::Over(_) => "nobody".to_owned(),
    }
}

/// Both views, White's on the left.
fn side_by_side(text: &mut String, views: &[View; 2]) {
    let rows = views.map(|view| view.rows());
    let [white, black] = rows.each_ref().map(|rows| rows.split('/'));
    let spaced = |row: &str| {
        let squares: Vec<String> = row.chars().map(String::from).collect();
        squares.join(" ")
    };
    let (files, ranks) = (views[0].size.files(), views[0].size.ranks());
    let column = 2 * files + 6;
    writeln!(text, "     {:column$}Black", "White").expect("writing to a text cannot fail");
    for (i, (white, black)) in white.zip(black).enumerate() {
        let rank = ranks - i;
        let (white, black) = (spaced(white), spaced(black));
        writeln!(text, "  {rank}  {white}    {rank}  {black}")
            .expect("writing to a text cannot fail");
    }
    let files = spaced(&"abcdefgh"[..files]);
    writeln!(text, "     {files}       {files}").expect("writing to a text cannot fail");
}

/// The announcement of the last ply to each side, and its visibility to the
/// mover's opponent.
fn told(text: &mut String, state: &State) {
    let Some(ply) = state.last() else { return };
    for side in [Color::White, Color::Black] {
        let name = format!("{} is told", side_name(side));
        line(text, &name, &news_text(state.observe(side).news()));
    }
    let name = format!("to {} it was", side_name(!ply.side));
    line(text, &name, ply.sighting.name());
}

fn news_text(news: Announcement) -> String {
    let piece = |(square, role): (Square, Role)| format!("{} on {square}", role_name(role));
    let parts = [
        news.own_move.map(|m| format!("played {m}")),
        news.captured.map(|what| format!("took {}", piece(what))),
        news.lost.map(|what| format!("lost {}", piece(what))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        "nothing".to_owned()
    } else {
        parts.join(", ")
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// The rolls with their probabilities, or the legal moves, sorted.
fn options(text: &mut String, state: &State) {
    let mut rolls: Vec<String> = Vec::new();
    for (dice, share) in state.chance_outcomes() {
        rolls.push(format!("roll:{dice} {share:.4}"));
    }
    if !rolls.is_empty() {
        line(
            text,
            &format!("chance ({})", rolls.len()),
            &rolls.join(", "),
        );
    }
    let mut moves: Vec<String> = state
        .legal_moves()
        .iter()
        .map(ToString::to_string)
        .collect();
    moves.sort();
    if !moves.is_empty() {
        line(text, &format!("legal ({})", moves.len()), &moves.join(" "));
    }
}
