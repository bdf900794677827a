//! Dice chess against a second implementation: one byte per square, rays traced
//! step by step, the maximum rule by plain recursion (`common/mailbox/mod.rs`).

#[path = "common/mailbox/mod.rs"]
mod mailbox;
#[path = "common/random.rs"]
mod random;

use foglight_rules::{Action, Dice, Game, Move, Position, Role, State, Turn, perft};
use mailbox::{Mailbox, texts};
use rand::Rng;
use random::{pick, position, random};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// White is blocked: no piece can move, whatever is attacked.
const WALLED_IN: &str = "7k/8/8/1p6/pPp5/PRP5/PPP5/KB6 w - - 0 1";

fn ours(moves: &[Move]) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(Move::to_string).collect();
    texts.sort();
    texts
}

fn after_roll(game: &Game, position: &Position, dice: Dice) -> Position {
    let mut rolled = *position;
    game.roll_unchecked(&mut rolled, dice);
    rolled
}

/// Number of positions with each special kind of move.
#[derive(Default, Debug)]
struct Seen {
    en_passant: usize,
    castling: usize,
    promotion: usize,
}

impl Seen {
    fn note(&mut self, specials: [bool; 3]) {
        self.en_passant += usize::from(specials[0]);
        self.castling += usize::from(specials[1]);
        self.promotion += usize::from(specials[2]);
    }
}

#[test]
fn one_die_moves_and_chances() {
    let game = Game::dice1();
    let mut rng = random(1);
    let mut seen = Seen::default();
    for _ in 0..10_000 {
        let position = position(&mut rng, &game, false);
        let fen = game.fen(&position);
        let slow = Mailbox::new(&fen);
        seen.note(slow.specials(&slow.moves()));
        let chance = game.chance_outcomes(&position);
        let rolls: Vec<String> = chance.iter().map(|(dice, _)| dice.to_string()).collect();
        let expected: Vec<String> = slow.dice1_rolls().iter().map(char::to_string).collect();
        assert_eq!(rolls, expected, "{fen}");
        let share = 1.0 / expected.len() as f64;
        assert!(chance.iter().all(|&(_, p)| p == share), "{fen}");
        let sum: f64 = chance.iter().map(|(_, p)| p).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{fen}: {sum}");
        for (letter, (dice, _)) in slow.dice1_rolls().into_iter().zip(&chance) {
            let moves = game.legal_moves(&after_roll(&game, &position, *dice));
            assert_eq!(
                ours(&moves),
                texts(&slow.dice1_moves(letter)),
                "{fen} {dice}"
            );
        }
    }
    let enough = seen.en_passant > 500 && seen.castling > 1_000 && seen.promotion > 1_000;
    assert!(enough, "{seen:?}");
}

#[test]
fn one_die_promotes_on_every_roll_but_the_kings() {
    let game = Game::dice1();
    let position = game
        .parse_fen("7k/4P3/8/8/8/8/8/K7 w - - 0 1")
        .expect("FEN");
    let moves = |role| ours(&game.legal_moves(&after_roll(&game, &position, Dice::one(role))));
    assert_eq!(
        moves(Role::Pawn),
        ["e7e8b", "e7e8n", "e7e8q", "e7e8r"],
        "a one gives the choice"
    );
    assert_eq!(moves(Role::Knight), ["e7e8n"]);
    assert_eq!(moves(Role::Bishop), ["e7e8b"]);
    assert_eq!(moves(Role::Rook), ["e7e8r"]);
    assert_eq!(moves(Role::Queen), ["e7e8q"]);
    assert_eq!(moves(Role::King), ["a1a2", "a1b1", "a1b2"]);
    assert_eq!(game.chance_outcomes(&position).len(), 6);
}

#[test]
fn one_die_without_a_move_passes_unasked() {
    let game = Game::dice1();
    let position = game.parse_fen(WALLED_IN).expect("FEN");
    assert_eq!(game.chance_outcomes(&position), []);
    let state = State::new(game, position);
    assert_eq!(state.position().turn(), foglight_rules::Color::Black);
    assert_eq!(state.position().halfmoves(), 1, "a pass is a quiet ply");
    assert_eq!(state.turn(), Turn::Chance);
    // The same in play: Black's last move blocks White and Black rolls again.
    let before = "7k/8/1p6/8/pPp5/PRP5/PPP5/KB6 b - - 0 1 p";
    let mut state = State::new(game, game.parse_fen(before).expect("FEN"));
    let push = state.parse_action("b6b5").expect("a move");
    state.play(push).expect("a legal move");
    assert_eq!(
        game.fen(state.position()),
        "7k/8/8/1p6/pPp5/PRP5/PPP5/KB6 b - - 1 2 -"
    );
}

#[test]
fn one_die_whole_games() {
    let game = Game::dice1();
    let mut rng = random(2);
    let mut ends = 0;
    for _ in 0..100 {
        let mut state = State::start(game);
        let mut slow = Mailbox::new(&game.fen(state.position()));
        while let Turn::Chance = state.turn() {
            assert_eq!(game.fen(state.position()), slow.fen(true));
            let (dice, _) = pick(&mut rng, &state.chance_outcomes());
            state.play(Action::Roll(dice)).expect("a possible roll");
            let letter = dice.to_string().chars().next().expect("a letter");
            let legal = slow.dice1_moves(letter);
            assert_eq!(ours(&state.legal_moves()), texts(&legal), "{slow:?} {dice}");
            let m = pick(&mut rng, &legal);
            let action = state.parse_action(&m.uci()).expect("a move");
            state.play(action).expect("a legal move");
            slow = slow.dice1_play(m).0;
        }
        assert_eq!(game.fen(state.position()), slow.fen(true));
        ends += usize::from(!slow.both_kings());
    }
    assert!(ends > 80, "random games mostly end with a king: {ends}");
}

/// A roll that makes special moves likely.
fn roll_letters(rng: &mut random::Random) -> String {
    let choice = ["PNBRQK", "PPK", "KRP", "PPPNQ"];
    let from = pick(rng, &choice);
    let mut dice: Vec<usize> = (0..3)
        .map(|_| from.as_bytes()[rng.random_range(0..from.len())])
        .map(|byte| "PNBRQK".find(byte as char).expect("a letter"))
        .collect();
    dice.sort_unstable();
    dice.iter().map(|&i| mailbox::LETTERS[i]).collect()
}

#[test]
fn three_dice_maximum_rule() {
    let game = Game::dice3();
    let mut rng = random(3);
    let mut seen = Seen::default();
    let (mut several, mut bites, mut passes, mut kings) = (0, 0, 0, 0);
    for _ in 0..2_000 {
        let position = position(&mut rng, &game, true);
        let roll = roll_letters(&mut rng);
        let rolled = after_roll(&game, &position, Dice::parse(&roll).expect("dice"));
        let (slow, passed) = Mailbox::new(&game.fen(&position)).dice3_roll(&roll);
        let fen = slow.fen(true);
        assert_eq!(game.fen(&rolled), fen, "{position} {roll}");
        let legal = slow.dice3_moves();
        assert_eq!(ours(&game.legal_moves(&rolled)), texts(&legal), "{fen}");
        for &m in &legal {
            let ours = game.legal_moves(&rolled).into_iter();
            let mut next = rolled;
            let same = ours.clone().find(|o| o.to_string() == m.uci());
            game.play_unchecked(&mut next, same.expect("the same move"));
            let after = if slow.takes_king(m) {
                continue;
            } else {
                slow.dice3_play(m)
            };
            assert_eq!(game.fen(&next), after.fen(true), "{fen} {}", m.uci());
        }
        seen.note(slow.specials(&legal));
        several += usize::from(slow.passed_count() >= 2);
        bites += usize::from(slow.rule_bites());
        passes += usize::from(passed);
        kings += usize::from(legal.iter().any(|&m| slow.takes_king(m)));
    }
    let enough = seen.en_passant > 200 && seen.castling > 100 && seen.promotion > 200;
    assert!(enough, "{seen:?}");
    let rare = several > 500 && bites > 50 && passes > 10 && kings > 100;
    assert!(
        rare,
        "{several} with several passed squares, {bites} where the rule bites, \
         {passes} passes, {kings} kings to take"
    );
}

#[test]
fn three_dice_whole_games() {
    let game = Game::dice3();
    let mut rng = random(4);
    let (mut moves, mut several, mut ends) = (0, 0, 0);
    for _ in 0..40 {
        let mut state = State::start(game);
        let mut slow = Mailbox::new(&game.fen(state.position()));
        while state.outcome().is_none() {
            assert_eq!(game.fen(state.position()), slow.fen(true));
            if state.turn() == Turn::Chance {
                let roll = roll_letters(&mut rng);
                let dice = Dice::parse(&roll).expect("dice");
                state.play(Action::Roll(dice)).expect("a possible roll");
                slow = slow.dice3_roll(&roll).0;
                continue;
            }
            let legal = slow.dice3_moves();
            assert_eq!(ours(&state.legal_moves()), texts(&legal), "{slow:?}");
            let m = pick(&mut rng, &legal);
            let action = state.parse_action(&m.uci()).expect("a move");
            state.play(action).expect("a legal move");
            if slow.takes_king(m) {
                ends += 1;
                break;
            }
            slow = slow.dice3_play(m);
            moves += 1;
            several += usize::from(slow.passed_count() >= 2);
        }
    }
    assert!(
        moves > 1_000 && several > 100 && ends > 20,
        "{moves} moves, {several} with several passed squares, {ends} kings taken"
    );
}

#[test]
fn three_dice_chances() {
    let game = Game::dice3();
    let chance = game.chance_outcomes(&game.start());
    assert_eq!(chance.len(), 56);
    let sum: f64 = chance.iter().map(|(_, p)| p).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    let of = |text| {
        let dice = Dice::parse(text);
        chance.iter().find(|(d, _)| Some(*d) == dice).map(|c| c.1)
    };
    assert_eq!(of("PPP"), Some(1.0 / 216.0));
    assert_eq!(of("PPN"), Some(3.0 / 216.0));
    assert_eq!(of("PNB"), Some(6.0 / 216.0));
}

#[test]
fn three_dice_examples() {
    let game = Game::dice3();
    let moves = |fen: &str| {
        let position = game.parse_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        ours(&game.legal_moves(&position))
    };
    assert!(
        moves("7k/8/8/8/8/8/8/4K2R w K - 0 1 RK").contains(&"e1g1".to_owned()),
        "castling spends both dice"
    );
    assert!(
        !moves("7k/8/8/8/8/8/8/4K2R w K - 0 1 KK").contains(&"e1g1".to_owned()),
        "and needs both"
    );
    assert_eq!(
        moves("7k/8/8/8/8/4p3/4P3/B3K3 w - - 0 1 P"),
        Vec::<String>::new(),
        "a blocked pawn has no move"
    );
    assert_eq!(
        moves("7k/8/8/8/p7/P7/1P6/B3K3 w - - 0 1 PB"),
        ["b2b3", "b2b4"],
        "the bishop is shut in until the pawn has moved"
    );
    // A pawn that arrives beside two pawns in this turn may capture either en
    // passant.
    let arrive = "7k/8/8/2p1p3/3P4/8/8/K7 w - c6e6 0 1 PP";
    let mut state = State::new(game, game.parse_fen(arrive).expect("FEN"));
    let push = state.parse_action("d4d5").expect("a move");
    state.play(push).expect("a legal move");
    assert_eq!(ours(&state.legal_moves()), ["d5c6", "d5d6", "d5e6"]);
}

#[test]
fn perft_of_both_implementations() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    // With one die every move belongs to exactly one roll while no pawn can
    // promote: the counts equal those of king-capture chess, known from other
    // sources.
    let rows = [
        (START, [20, 400, 8902], [328, 16496]),
        (KIWIPETE, [48, 2049, 98903], [978, 13132]),
    ];
    for (fen, one_die, three_dice) in rows {
        let slow = Mailbox::new(fen);
        let game = Game::dice1();
        let position = game.parse_fen(fen).expect("FEN");
        let fast = [1, 2, 3].map(|depth| perft(&game, &position, depth));
        assert_eq!(
            fast,
            [1, 2, 3].map(|depth| slow.dice1_perft(depth)),
            "{fen}"
        );
        assert_eq!(fast, one_die, "{fen}");
        let game = Game::dice3();
        let position = game.parse_fen(fen).expect("FEN");
        let fast = [1, 2].map(|depth| perft(&game, &position, depth));
        assert_eq!(fast, [1, 2].map(|depth| slow.dice3_perft(depth)), "{fen}");
        assert_eq!(fast, three_dice, "{fen}");
    }
}
