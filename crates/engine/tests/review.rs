//! Reviews of finished games: luck and points lost add up to the result, quiet
//! moves are not criticised, blunders are found, and losses in fog explained.

use foglight_engine::review::{GameReview, MoveClass, ReviewSettings, review};
use foglight_rules::{Action, Color, Game, Outcome, Record, State, Termination, Turn};
use rand::seq::IndexedRandom;

fn quick() -> ReviewSettings {
    ReviewSettings {
        worlds: 8,
        nodes: 300,
        cap: 3000,
        seed: 5,
    }
}

fn played(game: Game, text: &str) -> Record {
    Record::parse(game, game.start(), text.split_whitespace()).expect("legal actions")
}

fn reviewed(record: &Record, side: Color, settings: &ReviewSettings) -> GameReview {
    let mut last = (0, 1);
    let found = review(record, side, settings, &mut |done, of| last = (done, of));
    assert_eq!(last.0, last.1, "progress ends with all done");
    found.expect("a record of legal moves")
}

/// A game of random legal moves.
fn random_game(game: Game, seed: u64, plies: usize) -> Record {
    let mut rng = foglight_play::seeded(seed);
    let mut state = State::start(game);
    let mut actions = Vec::new();
    while actions.len() < plies && !matches!(state.turn(), Turn::Over(_)) {
        let all = state.legal_actions();
        let action: Action = *all.choose(&mut rng).expect("something can be done");
        state.play(action).expect("a legal action");
        actions.push(action);
    }
    let agreed = Outcome::draw(Termination::Agreement);
    Record {
        game,
        start: game.start(),
        actions,
        outcome: state.outcome().or(Some(agreed)),
    }
}

fn adds_up(review: &GameReview) {
    let first = review.moves.first().expect("the side has moved");
    let result = review.result.expect("the game is over");
    let sum = first.value - review.points_lost + review.luck;
    assert!((sum - result).abs() < 1e-9, "{sum} and {result}");
    assert!(review.moves.iter().all(|m| m.loss >= 0.0));
}

#[test]
fn luck_and_skill_add_up_to_the_result_in_every_game() {
    for game in [Game::fog(), Game::chess(), Game::dice1(), Game::dice3()] {
        for seed in 0..2 {
            let record = random_game(game, seed, if game.has_dice() { 300 } else { 30 });
            for side in Color::ALL {
                let found = reviewed(&record, side, &quick());
                adds_up(&found);
            }
        }
    }
}

/// 1 c3 Nc6 2 d4 d6 3 Qa4 Nxd4 4 Qxe8: figure 4 of Mellemseter 2017.
const DARK_PIN: &str = "c2c3 b8c6 d2d4 d7d6 d1a4 c6d4 a4e8";

#[test]
fn a_taker_that_was_seen_is_certain() {
    let record = played(Game::fog(), DARK_PIN);
    let white = reviewed(&record, Color::White, &quick());
    let [pawn] = white.losses.as_slice() else {
        panic!("{:?}", white.losses);
    };
    assert_eq!((pawn.square.as_str(), pawn.piece, pawn.ply), ("d4", 'P', 5));
    assert_eq!((pawn.actual.piece, pawn.actual.from.as_str()), ('N', "c6"));
    assert_eq!((pawn.actual.chance, pawn.danger), (1.0, 1.0));
    assert_eq!(white.result, Some(1.0));
}

#[test]
fn a_loss_to_something_unseen_names_all_who_could_have_done_it() {
    let record = played(Game::fog(), "e2e4 b7b6 a2a3 c8b7 a3a4 b7e4");
    let white = reviewed(&record, Color::White, &quick());
    let [pawn] = white.losses.as_slice() else {
        panic!("{:?}", white.losses);
    };
    assert_eq!((pawn.square.as_str(), pawn.piece), ("e4", 'P'));
    assert_eq!((pawn.actual.piece, pawn.actual.from.as_str()), ('B', "b7"));
    let sum: f64 = pawn.takers.iter().map(|taker| taker.chance).sum();
    assert!(
        (sum - 1.0).abs() < 1e-9 && pawn.takers.len() > 1,
        "{pawn:?}"
    );
    assert!(pawn.takers.iter().any(|taker| taker.piece == 'N'));
    assert!(pawn.actual.chance > 0.05 && pawn.actual.chance < 0.95);
    assert!(pawn.danger > 0.01 && pawn.danger < 0.9, "{}", pawn.danger);
}

#[test]
fn quiet_first_moves_are_not_blamed() {
    let record = played(Game::fog(), "e2e4 e7e6 g1f3 b8c6 d2d4 d7d6 b1c3 g8f6");
    for side in Color::ALL {
        for m in reviewed(
            &record,
            side,
            &ReviewSettings {
                worlds: 12,
                nodes: 1000,
                ..quick()
            },
        )
        .moves
        {
            let blamed = matches!(m.class, MoveClass::Mistake | MoveClass::Blunder);
            assert!(!blamed, "{m:?}");
        }
    }
}

/// Two games that White cannot distinguish: in one a bishop on b7 attacks the pawn
/// on e4, in the other it does not. The review uses White's information, so its
/// moves get the same scores; only the values of the true positions differ.
#[test]
fn moves_are_judged_by_what_was_known_and_not_by_the_truth() {
    let games = ["e2e4 b7b6 a2a3 c8b7 a3a4", "e2e4 g7g6 a2a3 f8g7 a3a4"];
    let [hit, safe] = games.map(|moves| {
        let record = played(Game::fog(), moves);
        reviewed(&record, Color::White, &quick()).moves
    });
    assert_eq!(hit.len(), 3);
    for (one, other) in hit.iter().zip(&safe) {
        let marks = |m: &foglight_engine::review::MoveReview| {
            (m.value, m.loss, m.error, m.class, m.best.clone(), m.count)
        };
        assert_eq!(marks(one), marks(other));
    }
    assert_ne!(
        hit[2].truth, safe[2].truth,
        "what it tells beside them does"
    );
}

#[test]
fn giving_the_queen_to_a_seen_pawn_is_a_blunder() {
    // White's last move, Qxe7, loses the queen to a recapture.
    let record = played(Game::fog(), "e2e4 d7d5 d1g4 d5e4 g4e4 g8f6 e4e7");
    let settings = ReviewSettings {
        worlds: 12,
        nodes: 1000,
        ..quick()
    };
    let found = reviewed(&record, Color::White, &settings);
    let last = found.moves.last().expect("White moved");
    assert_eq!(last.class, MoveClass::Blunder, "{last:?}");
}

#[test]
fn the_same_settings_give_the_same_review() {
    let record = played(Game::fog(), DARK_PIN);
    let once = || reviewed(&record, Color::Black, &quick());
    assert_eq!(once(), once());
}

/// A belief of one position loses the game at the first hidden reply that it
/// did not draw: the review ends there and says so.
#[test]
fn a_review_that_loses_the_game_says_where() {
    let record = played(Game::fog(), "e2e4 g8f6 a2a3 f6e4 b2b3");
    let small = ReviewSettings {
        cap: 1,
        seed: 1,
        ..quick()
    };
    let found = reviewed(&record, Color::White, &small);
    let at = found.lost_at.expect("one position is too few");
    assert!(found.moves.iter().all(|m| m.ply < at));
    assert_eq!(found.result, None, "the end was not reviewed");
    let whole = reviewed(&record, Color::White, &quick());
    assert_eq!((whole.lost_at, whole.moves.len()), (None, 3));
}

#[test]
fn a_safe_move_is_told_from_one_that_hangs() {
    let record = played(Game::fog(), "e2e4 d7d5 e4d5 d8d5 d1g4");
    let found = reviewed(&record, Color::White, &quick());
    let queen = &found.moves[2];
    let safety = queen.safety.expect("in fog");
    assert_eq!(safety.played, 0.0, "the bishop on c8 captures on g4");
    assert!(safety.best > 0.5 && queen.best_san.is_some(), "{queen:?}");
}
