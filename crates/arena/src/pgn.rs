//! Game records as PGN of the true game, and back.

use std::time::Duration;

use foglight_rules::{
    ByColor, Color, Outcome, Record, Termination,
    notation::pgn::{Letters, Note, PgnGame},
};

use crate::record::{GameRecord, PlayerInfo};

/// The record of a game that was read, with this number and the players of its
/// tags. Without a tag `Termination` a game counts as agreed.
pub fn record(game: PgnGame, number: u64) -> GameRecord {
    let players = ByColor::new_with(|side: Color| PlayerInfo {
        name: game
            .tag(side.fold_wb("White", "Black"))
            .unwrap_or("?")
            .to_owned(),
        agent: String::new(),
        limits: String::new(),
    });
    let outcome = game.result.map(|result| Outcome {
        winner: result.winner,
        reason: result.reason.unwrap_or(Termination::Agreement),
    });
    let record = Record {
        game: game.game,
        start: game.start,
        actions: game.actions,
        outcome,
    };
    GameRecord {
        number,
        pair: number,
        ..GameRecord::new(record, players)
    }
}

/// PGN of a game, followed by an empty line.
pub fn text(record: &GameRecord) -> String {
    text_in(record, Letters::English)
}

/// The same with the given piece letters.
pub fn text_in(record: &GameRecord, letters: Letters) -> String {
    let mut game = PgnGame::new(record.record.game, record.record.start);
    let tag = |name: &str, value: String| (name.to_owned(), value);
    game.tags = vec![
        tag("Event", "Foglight match".to_owned()),
        tag("Round", format!("{}.{}", record.pair, record.leg + 1)),
        tag("White", record.players.white.name.clone()),
        tag("Black", record.players.black.name.clone()),
        tag("WhiteAgent", record.players.white.agent.clone()),
        tag("BlackAgent", record.players.black.agent.clone()),
        tag("GameSeed", record.seed.to_string()),
    ];
    game.actions.clone_from(&record.record.actions);
    let clocks = record.clocks.iter();
    game.notes = clocks
        .map(|&left| Note {
            clock: Some(Duration::from_millis(left)),
            text: String::new(),
        })
        .collect();
    game.result = record.record.outcome.map(Into::into);
    let text = game.write_in(letters).expect("a record is a legal game");
    format!("{}\n\n", text.trim_end())
}
