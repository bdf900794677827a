//! The CSV of the thesis (section 5.1, table 3): the seed on the first line,
//! then two rows a game.

use std::fmt::Write;

use foglight_engine::eval::michniewski::value;
use foglight_rules::{Action, Board, Color, Reason, State};

use crate::{
    record::GameRecord,
    stats::{
        Outcome,
        running::{Duel, Factor, START},
    },
};

/// The columns, in the thesis's order.
pub const HEADER: &str = "id,score,player,color,result,estimate,rating,error,comment";

/// Centipawns from which an evaluation claims a game.
const CLAIM: i32 = 200;

/// The referee's evaluation of a position for White: material in centipawns,
/// with the values that the thesis takes from Michniewski.
pub fn material(board: &Board) -> i32 {
    board.material(Color::White, value) - board.material(Color::Black, value)
}

/// Had the player's evaluation gone wrong? It had, if the last one that it
/// reported claimed the game by two pawns or more and the other side won, or
/// gave it up by as much and it won itself. Players who report nothing never err.
pub fn erred(record: &GameRecord, side: Color) -> bool {
    let Some(winner) = record.record.outcome.and_then(|outcome| outcome.winner) else {
        return false;
    };
    if record.telemetry.is_empty() {
        return false;
    }
    let movers = movers(record);
    let own = |ply: u32| movers.get(ply as usize) == Some(&side);
    let rows = record.telemetry.iter().filter(|row| own(row.ply));
    let last = rows.filter_map(|row| row.centipawns).next_back();
    last.is_some_and(|score| {
        if winner == side {
            score <= -CLAIM
        } else {
            score >= CLAIM
        }
    })
}

/// Who made each single move, in order. With dice it does not follow from
/// parity, so the game is replayed.
pub fn movers(record: &GameRecord) -> Vec<Color> {
    let game = record.record.game;
    let mut state = State::new(game, record.record.start);
    let mut side = record.record.start.turn();
    let mut movers = Vec::new();
    for &action in &record.record.actions {
        if game.has_dice() {
            side = state.position().turn();
            state.play_unchecked(action);
        }
        if let Action::Move(_) = action {
            movers.push(side);
            side = !side;
        }
    }
    movers
}

fn final_score(record: &GameRecord) -> i32 {
    let start = State::new(record.record.game, record.record.start);
    let last = record
        .record
        .actions
        .iter()
        .fold(start, |mut state, &action| {
            state.play_unchecked(action);
            state
        });
    material(last.position().board())
}

/// What triggered a draw, in the thesis's words where it has them.
fn comment(reason: Reason) -> &'static str {
    match reason {
        Reason::FiftyMoves => "50 move rule",
        Reason::BareKings | Reason::InsufficientMaterial => "insufficient material",
        reason => reason.name(),
    }
}

/// The file of a match between two, games in the order of their numbers.
pub fn write(seed: u64, records: &[GameRecord], k: Factor) -> String {
    let mut text = format!("{seed}\n{HEADER}\n");
    let Some(first) = records.first() else {
        return text;
    };
    let one = &first.players.white.name;
    let mut duel = Duel::new(k, (START, START));
    for record in records {
        let Some(outcome) = record.record.outcome else {
            continue;
        };
        let colour = if record.players.white.name == *one {
            Color::White
        } else {
            Color::Black
        };
        let result = match outcome.winner {
            None => Outcome::Draw,
            Some(winner) if winner == colour => Outcome::Win,
            Some(_) => Outcome::Loss,
        };
        let steps = duel.game(result);
        let score = final_score(record);
        let draw = if outcome.winner.is_none() {
            comment(outcome.reason)
        } else {
            ""
        };
        for (side, result, step) in [
            (colour, result, steps.0),
            (!colour, result.flipped(), steps.1),
        ] {
            let row = writeln!(
                text,
                "{},{score},{},{},{},{},{},{},{draw}",
                record.number,
                quoted(&record.players.get(side).name),
                side.char(),
                result.points(),
                step.estimate,
                step.rating,
                erred(record, side),
            );
            row.expect("writing to a string");
        }
    }
    text
}

/// A field in quotes if it needs them.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::{ByColor, Game, Outcome as Ended, Record};

    use super::*;
    use crate::record::{Named, Telemetry};

    /// A game in which White lost after `claims` of both players.
    fn lost_by_white(claims: &[i32], reason: Reason, winner: Option<Color>) -> GameRecord {
        let game = Game::fog();
        let named = |name: &str| Named {
            name: name.to_owned(),
            agent: name.to_owned(),
            limits: String::new(),
        };
        let mut state = State::start(game);
        let actions = ["e2e4", "e7e5", "g1f3", "b8c6"].map(|text| {
            let action = state.parse_action(text).expect("a legal move");
            state.play_unchecked(action);
            action
        });
        let telemetry = (0..).zip(claims).map(|(ply, &score)| Telemetry {
            ply,
            value: None,
            centipawns: Some(score),
            nodes: 0,
            depth: 0,
            figures: Default::default(),
        });
        GameRecord {
            record: Record {
                game,
                start: game.start(),
                actions: actions.to_vec(),
                outcome: Some(Ended { winner, reason }),
            },
            seed: 0,
            leg: 0,
            players: ByColor {
                white: named("agent1"),
                black: named("agent2, \"the other\""),
            },
            clocks: Vec::new(),
            number: 188,
            pair: 94,
            plan: None,
            telemetry: telemetry.collect(),
            version: String::new(),
        }
    }

    #[test]
    fn an_evaluation_errs_when_the_game_says_otherwise() {
        let errs = |claims: &[i32], side| {
            erred(
                &lost_by_white(claims, Reason::KingCaptured, Some(Color::Black)),
                side,
            )
        };
        assert!(errs(&[10, 0, 250, 0], Color::White), "claimed it and lost");
        assert!(
            !errs(&[250, 0, 150, 0], Color::White),
            "only the last value counts"
        );
        assert!(errs(&[0, 0, 0, -200], Color::Black), "gave it up and won");
        assert!(!errs(&[], Color::White));
        let drawn = lost_by_white(&[900], Reason::FiftyMoves, None);
        assert!(!erred(&drawn, Color::White));
    }

    #[test]
    fn rows_are_those_of_the_thesis() {
        let drawn = lost_by_white(&[], Reason::FiftyMoves, None);
        let text = write(7, &[drawn], Factor::default());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "7",
                HEADER,
                "188,0,agent1,w,0.5,501,500,false,50 move rule",
                "188,0,\"agent2, \"\"the other\"\"\",b,0.5,501,500,false,50 move rule",
            ]
        );
    }

    #[test]
    fn the_score_is_material_for_white() {
        let game = Game::fog();
        let score = |fen: &str| material(game.parse_fen(fen).expect("a position").board());
        assert_eq!(score("4k3/8/8/8/8/8/PP6/4K2N w - - 0 1"), 520);
        assert_eq!(
            score("qr2k3/8/8/8/8/8/8/B7 w - - 0 1"),
            330 - 900 - 500 - 20_000
        );
    }
}
