//! The CSV of the thesis (section 5.1, table 3): the random seed on the first
//! line, then two rows a game.

use std::fmt::Write;

use foglight_arena::{
    record::GameRecord,
    stats::{
        GameScore,
        running::{HeadToHead, KFactor, START},
    },
};
use foglight_engine::eval::michniewski::value;
use foglight_rules::{Board, Color, Termination};

/// Columns in the thesis's order.
pub(crate) const HEADER: &str = "id,score,player,color,result,estimate,rating,error,comment";

/// Centipawns from which an evaluation claims a game as won.
const CLAIM: i32 = 200;

/// The referee's evaluation of a position for White: material in centipawns,
/// with Michniewski's values, which the thesis uses.
pub(crate) fn material(board: &Board) -> i32 {
    board.material(Color::White, value) - board.material(Color::Black, value)
}

/// Whether the player's evaluation was wrong: its last reported evaluation
/// claimed the game by two pawns or more and the opponent won, or conceded it
/// by as much and the player won. Players that report nothing never err.
pub(crate) fn erred(last: Option<i32>, side: Color, winner: Option<Color>) -> bool {
    let (Some(score), Some(winner)) = (last, winner) else {
        return false;
    };
    match winner == side {
        true => score <= -CLAIM,
        false => score >= CLAIM,
    }
}

fn final_score(record: &GameRecord) -> i32 {
    let last = record.record.replay().finish();
    let last = last.expect("a game that was played or read is legal");
    material(last.position().board())
}

/// Cause of a draw, in the thesis's words where it has them.
fn comment(reason: Termination) -> &'static str {
    match reason {
        Termination::FiftyMoves => "50 move rule",
        Termination::BareKings | Termination::InsufficientMaterial => "insufficient material",
        reason => reason.name(),
    }
}

/// The CSV of a match between two players, games in the order of their numbers.
pub fn write(seed: u64, records: &[GameRecord], k: KFactor) -> String {
    let mut text = format!("{seed}\n{HEADER}\n");
    let Some(first) = records.first() else {
        return text;
    };
    let one = &first.players.white.name;
    let mut duel = HeadToHead::new(k, (START, START));
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
            None => GameScore::Draw,
            Some(winner) if winner == colour => GameScore::Win,
            Some(_) => GameScore::Loss,
        };
        let steps = duel.game(result);
        let score = final_score(record);
        let last = record.last_scores(&record.movers());
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
                erred(*last.get(side), side, outcome.winner),
            );
            row.expect("writing to a string");
        }
    }
    text
}

/// The field, quoted if necessary.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use foglight_arena::record::{PlayerInfo, Telemetry};
    use foglight_rules::{ByColor, Game, Outcome as Ended, Record};

    use super::*;

    /// A game that ended after these evaluations, `claims`, of both players.
    fn lost_by_white(claims: &[i32], reason: Termination, winner: Option<Color>) -> GameRecord {
        let game = Game::fog();
        let named = |name: &str| PlayerInfo {
            name: name.to_owned(),
            agent: name.to_owned(),
            limits: String::new(),
        };
        let moves = ["e2e4", "e7e5", "g1f3", "b8c6"];
        let record = Record::parse(game, game.start(), moves).expect("legal moves");
        let telemetry = (0..).zip(claims).map(|(ply, &score)| Telemetry {
            ply,
            value: None,
            centipawns: Some(score),
            nodes: 0,
            depth: 0,
            metrics: Default::default(),
        });
        GameRecord {
            number: 188,
            pair: 94,
            telemetry: telemetry.collect(),
            ..GameRecord::new(
                Record {
                    outcome: Some(Ended { winner, reason }),
                    ..record
                },
                ByColor {
                    white: named("agent1"),
                    black: named("agent2, \"the other\""),
                },
            )
        }
    }

    #[test]
    fn an_evaluation_errs_when_the_game_says_otherwise() {
        let errs = |claims: &[i32], side| {
            let record = lost_by_white(claims, Termination::KingCaptured, Some(Color::Black));
            let last = record.last_scores(&record.movers());
            erred(*last.get(side), side, Some(Color::Black))
        };
        assert!(errs(&[10, 0, 250, 0], Color::White), "claimed it and lost");
        assert!(
            !errs(&[250, 0, 150, 0], Color::White),
            "only the last value counts"
        );
        assert!(errs(&[0, 0, 0, -200], Color::Black), "gave it up and won");
        assert!(!errs(&[], Color::White));
        assert!(!erred(Some(900), Color::White, None), "drawn");
    }

    #[test]
    fn rows_are_those_of_the_thesis() {
        let drawn = lost_by_white(&[], Termination::FiftyMoves, None);
        let text = write(7, &[drawn], KFactor::default());
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
