//! Whole turns of three-dice chess compared with the plies of the rules.

use std::collections::BTreeSet;

use foglight_engine::dice::{
    PieceSquareValues, dice3_search,
    turns::{PartialTurn, Reach, Worth, ends},
};
use foglight_play::{Budget, Rng, seeded};
use foglight_rules::{Action, Dice, Game, Position, State, Turn};
use rand::{Rng as _, seq::IndexedRandom};

/// Positions before a roll, taken from random games.
fn positions(count: usize, seed: u64) -> Vec<Position> {
    let game = Game::dice3();
    let mut rng: Rng = seeded(seed);
    let mut found = Vec::new();
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -",
        "r3k2r/p1pp1pb1/bn2Pnp1/4N3/1p2P3/2N4p/PPP1BPPP/R3K2R w KQkq - 0 1 -",
        "4k3/P6p/8/8/8/8/p6P/4K3 b - - 0 1 -",
    ];
    while found.len() < count {
        let fen = starts[found.len() % starts.len()];
        let mut state = State::new(game, game.parse_fen(fen).expect("a position"));
        let stop = rng.random_range(0..40);
        let mut last = *state.position();
        while !matches!(state.turn(), Turn::Over(_)) && state.plies() < stop {
            if state.turn() == Turn::Chance {
                last = *state.position();
            }
            let action: Action = *state.legal_actions().choose(&mut rng).expect("an action");
            state.play_unchecked(action);
        }
        found.push(last);
    }
    found
}

fn text(game: &Game, position: &Position) -> String {
    let fen = game.fen(&position.without_counters());
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Collects all positions at the end of the turn, ply by ply. Returns whether the
/// king can be captured.
fn walk(game: &Game, position: &Position, out: &mut BTreeSet<String>) -> bool {
    let side = position.turn();
    let mut king = false;
    for m in game.legal_moves(position) {
        let mut next = *position;
        game.play_unchecked(&mut next, m);
        if !next.both_kings() {
            king = true;
        } else if next.turn() != side {
            out.insert(text(game, &next));
        } else {
            king |= walk(game, &next, out);
        }
    }
    king
}

fn mid_text(game: &Game, position: &Position, mid: &PartialTurn) -> String {
    let mut setup = position.setup();
    let mid = mid.ended();
    (setup.board, setup.turn, setup.dice) = (mid.board, mid.side, Dice::NONE);
    (setup.ep_squares, setup.castling) = (mid.ep_squares, mid.castling);
    text(game, &game.position(setup).expect("a valid end board"))
}

#[test]
fn end_boards_are_those_of_the_rules() {
    let game = Game::dice3();
    let values = PieceSquareValues::default_values();
    let mut rng = seeded(9);
    let mut compared = 0;
    for position in positions(90, 8) {
        let rolls = game.chance_outcomes(&position);
        let mid = PartialTurn::new(&position, values);
        let reach = Reach::new(&mid, values);
        for _ in 0..4 {
            let (dice, _) = *rolls.choose(&mut rng).expect("a roll");
            let mut rolled = position;
            game.roll_unchecked(&mut rolled, dice);
            if rolled.turn() != position.turn() {
                assert!(ends(&mid, dice, values, &|| false).is_empty());
                continue;
            }
            let mut boards = BTreeSet::new();
            let king = walk(&game, &rolled, &mut boards);
            let found = ends(&mid, dice, values, &|| false);
            assert_eq!(found[0].king, king, "{} {dice}", game.fen(&position));
            let worth = reach.rolls().find(|(roll, _, _)| *roll == dice);
            let (_, _, worth) = worth.expect("one of the 56 rolls");
            assert_eq!(matches!(worth, Worth::King), king);
            if let (Worth::Board(best), false) = (worth, king) {
                let own: BTreeSet<String> = found
                    .iter()
                    .map(|end| mid_text(&game, &position, &end.mid))
                    .collect();
                assert_eq!(own, boards, "{} {dice}", game.fen(&position));
                assert_eq!(own.len(), found.len(), "each board once");
                let sign = if position.turn().is_white() { 1 } else { -1 };
                let top = found.iter().map(|end| sign * end.mid.sum).max();
                assert_eq!(top, Some(sign * best.sum));
                assert!(
                    found
                        .iter()
                        .all(|end| end.mid.sum == values.sum(&end.mid.board))
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn ways_add_up_and_turns_can_be_played() {
    let game = Game::dice3();
    let mut played = 0;
    for position in positions(5, 3) {
        let reach = Reach::new(
            &PartialTurn::new(&position, PieceSquareValues::default_values()),
            PieceSquareValues::default_values(),
        );
        assert_eq!(reach.rolls().map(|(_, ways, _)| ways).sum::<u32>(), 216);
        let dice = Dice::parse("PNR").expect("dice");
        let mut state = State::new(game, position);
        state.play(Action::Roll(dice)).expect("any roll can come");
        if state.position().turn() != position.turn() {
            continue;
        }
        let budget = Budget::nodes(200_000);
        let turn = dice3_search::think(
            state.position(),
            dice,
            PieceSquareValues::default_values(),
            &budget,
        );
        for m in turn.expect("a turn").moves {
            state.play(Action::Move(m)).expect("a legal move");
        }
        assert!(state.position().turn() != position.turn() || state.outcome().is_some());
        played += 1;
    }
    assert!(played > 0);
}
