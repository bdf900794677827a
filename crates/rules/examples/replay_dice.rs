//! A game with one die, written as PGN, read back and replayed: `cargo run -p
//! foglight-rules --example replay_dice`.

use foglight_rules::{
    Action, Game, PgnGame, Record, State,
    notation::pgn::{self, PgnError},
};

/// Rolls and moves. The knight that was rolled last captures the king.
const ACTIONS: &str = "roll:P e2e4 roll:N b8c6 roll:N b1c3 roll:P a7a6 roll:N c3d5 roll:P a6a5 \
                       roll:N d5c7 roll:P a5a4 roll:N c7e8";

pub(crate) fn main() {
    let game = Game::dice1();
    let mut state = State::start(game);
    let mut written = PgnGame::new(game, game.start());
    for text in ACTIONS.split(' ') {
        let action = state
            .parse_action(text)
            .expect("a roll or move that can come");
        state.play(action).expect("it was checked");
        written.actions.push(action);
    }
    written.result = state.outcome().map(Into::into);
    let text = written.write().expect("every action is legal");
    println!("{text}");

    let read: Result<Vec<PgnGame>, PgnError> = pgn::read(&text).collect();
    let read = read.expect("what was written can be read").remove(0);
    let record = Record {
        game: read.game,
        start: read.start,
        actions: read.actions,
        outcome: state.outcome(),
    };
    let mut replay = record.replay();
    while let Some(action) = replay.step() {
        match action.expect("the game follows its rules") {
            Action::Roll(dice) => print!("{dice} "),
            Action::Move(m) => println!("{m:5} {}", game.fen(replay.state().position())),
        }
    }
    println!("{}", replay.state().outcome().expect("the king was taken"));
}
