//! Review of turns in dice chess with the frozen evaluation that also measures
//! luck: the best result that the roll allowed against the played one.

use crate::dice::luck as measure;
use foglight_rules::{
    Action, Color, Game, Move, Position, Record, Replay, State, Turn, Variant, notation::san,
};

use super::{MoveClass, MoveReview};

/// Luck of a side by both sides' dice, on the value scale of -1 to +1.
pub(super) fn luck(record: &Record, side: Color) -> f64 {
    let white = 2.0 * measure::luck(record);
    if side.is_white() { white } else { -white }
}

/// Reviews every turn of a side: one ply with one die, up to three with three
/// dice.
pub(super) fn evaluate(
    record: &Record,
    states: &[State],
    side: Color,
    progress: &mut dyn FnMut(usize, usize),
) -> Vec<MoveReview> {
    let total = record.actions.len();
    let mut reviews = Vec::new();
    let mut i = 0;
    while i < total {
        progress(i, total);
        let end = turn_end(record, states, i);
        if states[i].turn() == Turn::Player(side) && end > i {
            reviews.push(review_turn(record, states, side, i..end));
        }
        i = end.max(i + 1);
    }
    progress(total, total);
    reviews
}

/// Index of the first action after the consecutive moves of one side from `i`.
fn turn_end(record: &Record, states: &[State], i: usize) -> usize {
    let mover = states[i].turn();
    let more = (i..record.actions.len())
        .take_while(|&k| matches!(record.actions[k], Action::Move(_)) && states[k].turn() == mover);
    i + more.count()
}

fn review_turn(
    record: &Record,
    states: &[State],
    side: Color,
    turn: std::ops::Range<usize>,
) -> MoveReview {
    let (first, last) = (&states[turn.start], &states[turn.end]);
    let played: Vec<Move> = turn
        .clone()
        .filter_map(|k| match record.actions[k] {
            Action::Move(m) => Some(m),
            Action::Roll(_) => None,
        })
        .collect();
    let names = |name: &dyn Fn(usize, Move) -> String| {
        let each = played.iter().enumerate();
        let each: Vec<String> = each.map(|(k, &m)| name(turn.start + k, m)).collect();
        each.join(" ")
    };
    let made = after(&record.game, last, side);
    let (best, choice) = best(&record.game, first, side, made);
    let loss = (best - made).max(0.0);
    let forced = first.legal_moves().len() == 1 && played.len() == 1;
    MoveReview {
        ply: first.plies(),
        played: names(&|_, m| m.to_string()),
        san: names(&|k, m| san::write(&record.game, states[k].position(), m)),
        best: choice
            .filter(|m| loss > 0.0 && !played.contains(m))
            .map(|m| m.to_string()),
        best_san: choice
            .filter(|m| loss > 0.0 && !played.contains(m))
            .map(|m| san::write(&record.game, first.position(), m)),
        safety: None,
        value: made + loss,
        loss,
        error: 0.0,
        class: match forced {
            true => MoveClass::Forced,
            false => MoveClass::of(loss, 0.0, loss < 1e-9),
        },
        luck: 0.0,
        count: 1,
        exact: true,
        truth: made,
    }
}

/// The value for a side after its turn.
fn after(game: &Game, state: &State, side: Color) -> f64 {
    match state.outcome() {
        Some(outcome) => super::value_of(outcome, side),
        None => standing(game, state.position(), side),
    }
}

/// The value of an undecided position for a side: the expectation over the
/// enemy's roll with one die, the static value with three dice.
fn standing(game: &Game, position: &Position, side: Color) -> f64 {
    let white = match game.variant() {
        Variant::Dice3 => measure::standing(position),
        _ => measure::expected(game, position),
    };
    let own = if side.is_white() { white } else { 1.0 - white };
    2.0 * own - 1.0
}

/// The best value that the roll allowed and, with one die, its move.
fn best(game: &Game, state: &State, side: Color, made: f64) -> (f64, Option<Move>) {
    if game.variant() == Variant::Dice3 {
        let dice = state.position().dice();
        let rolls = measure::roll_values(game, state.position());
        let found = rolls.iter().find(|(roll, _, _)| *roll == dice);
        return (found.map_or(made, |(_, _, value)| 2.0 * value - 1.0), None);
    }
    let value = |m: &Move| {
        let played = [Action::Move(*m)];
        let next = Replay::new(state.clone(), &played).finish();
        after(game, &next.expect("a legal move"), side)
    };
    let valued = state.legal_moves().into_iter().map(|m| (value(&m), m));
    let best = valued.max_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or((made, None), |(value, m)| (value, Some(m)))
}
