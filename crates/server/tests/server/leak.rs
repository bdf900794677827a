//! No hidden information is sent: a sample of the noninterference test
//! (`--example leak` runs it in full), and a search of whole games' traffic for
//! information that a side cannot have.

use foglight_rules::{Color, Game, State, Turn};
use foglight_server::noninterference;
use serde_json::json;

use crate::{
    bots::{lines, next, rest},
    client::{Socket, start},
};

#[tokio::test]
async fn players_who_saw_the_same_are_sent_the_same_bytes() {
    let found = noninterference::run(200, 11, |_| {}).await.expect("a run");
    assert_eq!(found.pairs, 200);
    assert!(found.plies > 2000 && found.bytes > 5_000_000, "{found:?}");
    // A line for each move, one for the start of the stream and one for the
    // end, and two events.
    assert!(found.lines >= found.plies + 4 * found.pairs, "{found:?}");
    assert!(
        found.missing.is_empty(),
        "not compared: {:?}",
        found.missing
    );
    assert!(found.differences.is_empty(), "{}", found.differences[0]);
}

/// The search can fail: it detects a board that the side did not observe.
#[test]
fn the_grep_finds_what_it_looks_for() {
    let mut state = State::start(Game::fog());
    let mut seen = vec![state.observe(Color::White)];
    state.play_unchecked(state.parse_action("e2e4").expect("a move"));
    seen.push(state.observe(Color::White));
    let honest = vec![json!({ "board": seen[1].view().rows(), "move": "e2e4" }).to_string()];
    assert!(noninterference::unknown_to(Color::White, &seen, &honest).is_empty());
    let truth = Game::fog().fen(state.position());
    for leaked in [
        json!({ "fen": truth }),
        json!({ "log": [{ "move": "g8f6" }] }),
    ] {
        let found = noninterference::unknown_to(Color::White, &seen, &[leaked.to_string()]);
        assert_eq!(found.len(), 1, "{leaked}");
    }
}

#[tokio::test]
async fn the_traffic_of_whole_games_holds_no_more_than_the_views() {
    let server = start(None).await;
    for (round, rules) in ["chesscom", "openspiel", "pychess", "thesis"]
        .iter()
        .enumerate()
    {
        let (id, white, black) = server.pair(json!({ "game": "fog", "rules": rules })).await;
        let (mut a, _) = server.seat(&id, Some(&white), None).await;
        let (mut b, _) = server.seat(&id, Some(&black), None).await;
        let path = format!("/api/bot/game/stream/{id}");
        let mut streams = Vec::new();
        for token in [&white, &black] {
            let mut stream = lines(&server, &path, token).await;
            let first = next(&mut stream).await.to_string();
            streams.push((first, stream));
        }
        let game = Game::from_name("fog", Some(rules)).expect("rules");
        let mut state = State::start(game);
        let mut seen = [
            vec![state.observe(Color::White)],
            vec![state.observe(Color::Black)],
        ];
        for ply in 0..40 {
            let Turn::Player(side) = state.turn() else {
                break;
            };
            let moves = state.legal_moves();
            let m = moves[(ply * 31 + round * 7) % moves.len()];
            let mut next = state.clone();
            next.play_unchecked(foglight_rules::Action::Move(m));
            if next.outcome().is_some() {
                break; // the true state is public from here
            }
            state = next;
            let mover = side.fold_wb(&mut a, &mut b);
            mover.play(ply as u64, &m.to_string()).await;
            mover.wait_for("ack").await;
            let waiter = side.fold_wb(&mut b, &mut a);
            hear_move(waiter, ply as u64 + 1).await;
            for (side, list) in [Color::White, Color::Black].into_iter().zip(&mut seen) {
                list.push(state.observe(side));
            }
        }
        a.say("resign", json!({})).await; // resigns to end the streams
        for (side, (first, stream)) in [Color::White, Color::Black].into_iter().zip(streams) {
            let own = &seen[if side.is_white() { 0 } else { 1 }];
            let mut told = rest(stream).await;
            told.push(first);
            assert!(told.len() > 20);
            let strange = noninterference::unknown_to(side, own, &told);
            assert!(strange.is_empty(), "{rules}, as a bot: {strange:?}");
        }
        for (side, socket) in [(Color::White, &a), (Color::Black, &b)] {
            let own = &seen[if side.is_white() { 0 } else { 1 }];
            assert!(socket.sent.len() > 20);
            let strange = noninterference::unknown_to(side, own, &socket.sent);
            assert!(strange.is_empty(), "{rules}: {strange:?}");
        }
    }
}

async fn hear_move(socket: &mut Socket, ply: u64) {
    while socket.wait_for("move").await["observation"]["ply"] != ply {}
}
