//! Laws that hold in every game, checked on states of random play.

#[path = "common/mailbox/mod.rs"]
mod mailbox;
#[path = "common/random.rs"]
mod random;

mod common;

use foglight_rules::{
    Action, Announcement, Color, FogRules, Game, Move, MoveKind, Outcome, PackedPosition, Position,
    RoleSet, Setup, Sight, Square, State, Termination, Turn, View,
};
use mailbox::{Mailbox, texts};
use proptest::{prelude::*, test_runner::RngSeed};
use rand::Rng;
use random::{Random, pick, placement, random};
use serde::Deserialize;

/// Small boards in addition to the random ones.
const SMALL: [&str; 5] = [
    "rqkr/pppp/PPPP/RQKR w - - 0 1",
    "rkqr/pppp/4/PPPP/RKQR w - - 0 1",
    "rnbqk/ppppp/5/5/PPPPP/RNBQK w - - 0 1",
    "rnbqkb/pppppp/6/PPPPPP/RNBQKB w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR b - - 0 1",
];

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_261_116),
        ..ProptestConfig::default()
    }
}

#[derive(Deserialize)]
struct PerftRow {
    fen: String,
}

/// The positions of the perft suites that are valid in king-capture games and
/// chess.
fn perft_positions() -> Vec<String> {
    let text = common::data("oracles/king_capture_perft.json");
    let rows: Vec<PerftRow> = serde_json::from_str(&text).expect("rows");
    rows.into_iter().map(|row| row.fen).collect()
}

/// The usual start, a perft position, a small board, or a random one of any size.
fn start(game: Game, rng: &mut Random) -> State {
    for _ in 0..1_000 {
        let fen = match rng.random_range(0..4) {
            0 => return State::start(game),
            1 => {
                let all = perft_positions();
                all[rng.random_range(0..all.len())].clone()
            }
            2 => pick(rng, &SMALL).to_owned(),
            _ => {
                let (files, ranks) = (rng.random_range(4..=8), rng.random_range(4..=8));
                placement(rng, files, ranks, game == Game::dice3())
            }
        };
        if let Ok(position) = game.parse_fen(&fen) {
            return State::new(game, position);
        }
    }
    unreachable!("most texts are positions of every game")
}

/// A random game of at most `plies` actions; the law is checked in every state.
fn walk(mut state: State, rng: &mut Random, plies: usize, mut law: impl FnMut(&State)) {
    for _ in 0..plies {
        law(&state);
        let actions = state.legal_actions();
        if actions.is_empty() {
            assert!(state.outcome().is_some(), "{state:?}");
            return;
        }
        state.play(pick(rng, &actions)).expect("a legal action");
    }
    law(&state);
}

fn games() -> impl Strategy<Value = Game> {
    prop::sample::select(Game::ALL.to_vec())
}

fn fog_games() -> impl Strategy<Value = Game> {
    prop::sample::select(FogRules::ALL.map(Game::fog_with).to_vec())
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    let mut texts: Vec<String> = moves.into_iter().map(|m| m.to_string()).collect();
    texts.sort();
    texts
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn positions_survive_hash_bytes_and_text(game in games(), seed: u64) {
        let mut rng = random(seed);
        let state = start(game, &mut rng);
        walk(state, &mut rng, 120, |state| {
            let position = state.position();
            assert_eq!(position.hash(), position.recomputed_hash(), "{position}");
            assert_eq!(PackedPosition::new(position).unpack(), *position);
            let text = game.fen(position);
            let read = game.parse_fen(&text).unwrap_or_else(|e| panic!("{game} {text}: {e}"));
            assert_eq!(read, *position, "{game} {text}");
        });
    }

    #[test]
    fn fog_fens_give_back_the_view(game in fog_games(), seed: u64, full: bool) {
        let mut rng = random(seed);
        let game = if full { game.with_sight(Color::White, Sight::Full) } else { game };
        let state = start(game, &mut rng);
        walk(state, &mut rng, 120, |state| {
            for side in Color::ALL {
                let view = *state.observe(side).view();
                let text = view.to_string();
                let read = game.parse_fog_fen(&text, side);
                assert_eq!(read.as_ref(), Ok(&view), "{game} {text}");
            }
        });
    }

    #[test]
    fn mirrored_games_agree(game in games(), seed: u64) {
        let mut rng = random(seed);
        let state = start(game, &mut rng);
        let mut twin = State::new(game, state.position().mirrored());
        let mut state = state;
        for _ in 0..100 {
            assert_mirrored(&state, &twin);
            let actions = state.legal_actions();
            if actions.is_empty() {
                break;
            }
            let action = pick(&mut rng, &actions);
            let size = state.position().size();
            state.play(action).expect("a legal action");
            let mirrored = match action {
                Action::Roll(_) => action,
                Action::Move(m) => Action::Move(mirror_move(m, |square| size.mirror(square))),
            };
            twin.play(mirrored).expect("the mirrored action is legal");
        }
    }

    #[test]
    fn fog_moves_follow_from_the_view(game in fog_games(), seed: u64) {
        let mut rng = random(seed);
        let state = start(game, &mut rng);
        walk(state, &mut rng, 120, |state| {
            let Turn::Player(side) = state.turn() else { return };
            let view = *state.observe(side).view();
            assert_eq!(sorted(view.fog_moves()), sorted(state.legal_moves()), "{game} {view}");
            let read = game.parse_fog_fen(&view.to_string(), side).expect("a fog FEN");
            assert_eq!(sorted(read.fog_moves()), sorted(state.legal_moves()), "{game} {view}");
            let other = state.observe(!side);
            assert!(other.legal_moves().is_empty() && other.view().fog_moves().is_empty());
        });
    }

    #[test]
    fn play_refuses_what_is_not_legal(game in games(), seed: u64) {
        let mut rng = random(seed);
        let state = start(game, &mut rng);
        let mut tries = random(seed ^ 1);
        walk(state, &mut rng, 60, |state| {
            let before = format!("{state:?}");
            let mut copy = state.clone();
            for _ in 0..20 {
                let wild = Move::from_raw(tries.random::<u16>() & 0x7fff);
                // A legal move with another kind is a different move.
                let near = state.legal_moves().first().map(|m| Move::new(m.from(), m.to(), MoveKind::EnPassant));
                for m in [Some(wild), near].into_iter().flatten() {
                    if !state.legal_moves().contains(&m) {
                        assert!(copy.play(Action::Move(m)).is_err(), "{m:?} in {state:?}");
                    }
                }
            }
            for (dice, _) in foglight_rules::Dice::rolls(tries.random_range(1..=3)) {
                if !state.chance_outcomes().iter().any(|(roll, _)| *roll == dice) {
                    assert!(copy.play(Action::Roll(dice)).is_err(), "{dice} in {state:?}");
                }
            }
            assert_eq!(format!("{copy:?}"), before);
        });
    }

    #[test]
    fn only_full_sight_holds_the_position(rules in prop::sample::select(FogRules::ALL.to_vec()), seed: u64) {
        let mut rng = random(seed);
        let game = Game::fog_with(rules).with_sight(Color::Black, Sight::Full);
        let state = start(game, &mut rng);
        walk(state, &mut rng, 80, |state| {
            let (white, black) = (state.observe(Color::White), state.observe(Color::Black));
            assert_eq!(white.position(), None);
            assert_eq!(black.position(), Some(state.position()));
            assert!(black.view().is_full());
            assert_eq!(black.view().board, *state.position().board());
            let blind = State::new(Game::fog_with(rules), *state.position());
            assert_eq!(white.view(), blind.observe(Color::White).view(), "not helped by the other's sight");
            assert_eq!(blind.observe(Color::Black).position(), None);
        });
    }

    /// The last action is announced only to a side with full view, and these
    /// announcements are sufficient to replay the game.
    #[test]
    fn full_sight_is_told_every_action(game in games(), full: bool, seed: u64) {
        let mut rng = random(seed);
        let game = match full && game.fog_rules().is_some() {
            true => game.with_sight(Color::Black, Sight::Full),
            false => game,
        };
        let mut state = start(game, &mut rng);
        let mut again = state.clone();
        for _ in 0..60 {
            let actions = state.legal_actions();
            if actions.is_empty() {
                break;
            }
            state.play(pick(&mut rng, &actions)).expect("one of the legal actions");
            let told = Color::ALL.map(|side| {
                let told = state.observe(side).news().action;
                assert_eq!(told.is_some(), game.has_full_view(side), "{game}");
                told
            });
            if let Some(action) = told.into_iter().flatten().next() {
                again.play(action).expect("what was told was played");
                assert_eq!(again.position(), state.position());
            }
        }
    }

    #[test]
    fn without_fog_everything_is_seen(game in prop::sample::select(vec![Game::chess(), Game::dice1(), Game::dice3()]), seed: u64) {
        let mut rng = random(seed);
        let state = start(game, &mut rng);
        walk(state, &mut rng, 40, |state| {
            for side in Color::ALL {
                let seen = state.observe(side);
                assert!(seen.view().is_full());
                assert_eq!(seen.position(), Some(state.position()));
            }
        });
    }
}

#[test]
fn packed_positions_are_small() {
    assert!(size_of::<PackedPosition>() <= 40);
}

fn mirror_move(m: Move, mirror: impl Fn(Square) -> Square) -> Move {
    Move::new(mirror(m.from()), mirror(m.to()), m.kind())
}

fn assert_mirrored(state: &State, twin: &State) {
    let size = state.position().size();
    let mirror = |square| size.mirror(square);
    // The move number increases after Black's move, so it cannot agree.
    let plain = |p: &Position| p.with_counters(p.halfmoves(), 1);
    let mirrored = state.position().mirrored();
    assert_eq!(plain(&mirrored), plain(twin.position()), "{mirrored}");
    assert_eq!(
        state.outcome().map(|o| o.mirrored()),
        twin.outcome(),
        "{mirrored}"
    );
    assert_eq!(state.claimable_draw(), twin.claimable_draw());
    assert_eq!(state.chance_outcomes(), twin.chance_outcomes());
    let moves = state
        .legal_moves()
        .into_iter()
        .map(|m| mirror_move(m, mirror));
    assert_eq!(sorted(moves), sorted(twin.legal_moves()), "{mirrored}");
    assert_eq!(
        state.last().map(|ply| ply.sighting),
        twin.last().map(|ply| ply.sighting)
    );
    for side in Color::ALL {
        let (ours, theirs) = (state.observe(side), twin.observe(!side));
        assert_eq!(mirror_rows(ours.view()), theirs.view().rows());
        let place = |(square, role)| (mirror(square), role);
        let news = Announcement {
            own_move: ours.news().own_move.map(|m| mirror_move(m, mirror)),
            captured: ours.news().captured.map(place),
            lost: ours.news().lost.map(place),
            action: ours.news().action.map(|action| match action {
                Action::Move(m) => Action::Move(mirror_move(m, mirror)),
                roll => roll,
            }),
        };
        assert_eq!(news, theirs.news());
    }
}

fn mirror_rows(view: &View) -> String {
    let rows: Vec<String> = view.rows().split('/').rev().map(str::to_owned).collect();
    let swap = |c: char| match c {
        c if c.is_ascii_uppercase() => c.to_ascii_lowercase(),
        c => c.to_ascii_uppercase(),
    };
    rows.join("/").chars().map(swap).collect()
}

/// Another true position with the same view must give the same moves: hidden
/// enemy pieces are moved, changed or removed as long as the view is unchanged.
#[test]
fn hidden_pieces_do_not_change_the_moves() {
    let mut rng = random(11);
    let mut changed = [0; 4];
    for round in 0..400 {
        let which = round % 4;
        let game = Game::fog_with(FogRules::ALL[which]);
        let state = start(game, &mut rng);
        let mut tries = random(round as u64);
        walk(state, &mut rng, 40, |state| {
            let Turn::Player(side) = state.turn() else {
                return;
            };
            let Some(other) = another_truth(state, side, &mut tries) else {
                return;
            };
            let view = View::new(&game, state.position(), side);
            if View::new(&game, &other, side) == view {
                changed[which] += 1;
                assert_eq!(
                    sorted(game.legal_moves(&other)),
                    sorted(state.legal_moves()),
                    "{view}"
                );
            }
        });
    }
    assert!(changed.iter().all(|&n| n > 500), "{changed:?}");
}

fn another_truth(state: &State, side: Color, rng: &mut Random) -> Option<Position> {
    let mut setup: Setup = state.position().setup();
    let seen = state.game().visible_squares(state.position(), side);
    let hidden: Vec<Square> = (setup.size.mask() & !seen).into_iter().collect();
    let pieces: Vec<Square> = hidden
        .iter()
        .copied()
        .filter(|square| setup.board.occupied().contains(*square))
        .collect();
    if pieces.is_empty() {
        return None;
    }
    let piece = setup.board.clear(pick(rng, &pieces))?;
    let to = pick(rng, &hidden);
    if piece.role == foglight_rules::Role::King || rng.random_bool(0.7) {
        if setup.board.occupied().contains(to) {
            return None;
        }
        setup.board.set(to, piece);
    }
    setup.castling = setup.castling.of(side);
    // The clock may be public; all else is equal.
    state.game().position(setup).ok()
}

#[test]
fn king_capture_moves_equal_a_ray_walk_on_every_rectangle() {
    let game = Game::fog();
    let mut rng = random(12);
    let mut promotions = 0;
    for files in 4..=8 {
        for ranks in 4..=8 {
            let mut positions = 0;
            while positions < 200 {
                let Ok(position) = game.parse_fen(&placement(&mut rng, files, ranks, false)) else {
                    continue;
                };
                positions += 1;
                let slow = Mailbox::new(&position.to_string());
                let moves = position.king_capture_moves(RoleSet::ALL);
                promotions += moves.iter().filter(|m| m.promotion().is_some()).count();
                assert_eq!(position.count_king_capture_moves(), moves.len());
                assert_eq!(sorted(moves), texts(&slow.moves()), "{position}");
            }
        }
    }
    assert!(promotions > 5_000, "{promotions}");
}

mod plain_chess {
    use super::*;
    use shakmaty::{
        CastlingMode, Chess, EnPassantMode, KnownOutcome, Outcome as Theirs, Position as _,
        fen::Fen, uci::UciMove,
    };

    /// Endings with little material, where random play mates, stalemates and runs
    /// out of material.
    const ENDINGS: [&str; 6] = [
        "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
        "8/8/8/4k3/8/3nB3/8/4K3 w - - 0 1",
        "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",
        "k7/2R5/1K6/8/8/8/8/8 w - - 0 1",
        "8/5b2/8/4k3/8/8/6p1/2B1K3 w - - 0 1",
        "k7/7R/6R1/8/8/8/8/K7 w - - 0 1",
    ];

    fn their_outcome(position: &Chess) -> Option<Outcome> {
        let winner = match position.outcome() {
            Theirs::Unknown => return None,
            Theirs::Known(KnownOutcome::Decisive { winner }) => Some(winner),
            Theirs::Known(KnownOutcome::Draw) => None,
        };
        let reason = match winner {
            Some(_) => Termination::Checkmate,
            None if position.is_stalemate() => Termination::Stalemate,
            None => Termination::InsufficientMaterial,
        };
        Some(Outcome { winner, reason })
    }

    fn their_moves(position: &Chess) -> Vec<String> {
        let mut moves: Vec<String> = position
            .legal_moves()
            .iter()
            .map(|m| m.to_uci(CastlingMode::Standard).to_string())
            .collect();
        moves.sort();
        moves
    }

    fn same_game(fen: &str, rng: &mut Random) -> Option<Outcome> {
        let game = Game::chess();
        let read: Fen = fen.parse().expect("FEN");
        let mut theirs: Chess = read.into_position(CastlingMode::Standard).expect("legal");
        let mut state = State::new(game, game.parse_fen(fen).expect("FEN"));
        for _ in 0..300 {
            let text = Fen::from_position(&theirs, EnPassantMode::Legal).to_string();
            assert_eq!(game.fen(state.position()), text);
            let verdict = game.outcome(state.position());
            assert_eq!(verdict, their_outcome(&theirs), "{text}");
            if state.outcome().is_some() {
                return state.outcome();
            }
            assert_eq!(sorted(state.legal_moves()), their_moves(&theirs), "{text}");
            let m = pick(rng, &state.legal_moves());
            let uci: UciMove = m.to_string().parse().expect("UCI");
            theirs.play_unchecked(uci.to_move(&theirs).expect("legal"));
            state.play(Action::Move(m)).expect("legal");
        }
        None
    }

    #[test]
    fn moves_and_outcomes_equal_shakmatys() {
        let mut rng = random(13);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let game = Game::chess();
        let mut starts = perft_positions();
        starts.retain(|fen| game.parse_fen(fen).is_ok());
        assert!(starts.len() >= 6, "{}", starts.len());
        starts.extend(ENDINGS.map(str::to_owned));
        starts.push(start.to_owned());
        let mut ends: Vec<Termination> = Vec::new();
        for fen in starts.iter().cycle().take(1_000) {
            ends.extend(same_game(fen, &mut rng).map(|outcome| outcome.reason));
        }
        for reason in [
            Termination::Checkmate,
            Termination::Stalemate,
            Termination::InsufficientMaterial,
            Termination::FiftyMoves,
            Termination::Repetition,
        ] {
            let count = ends.iter().filter(|&&end| end == reason).count();
            assert!(count >= 5, "{count} {reason}");
        }
    }
}

fn play_all(state: &mut State, moves: &str) {
    for text in moves.split(' ') {
        let action = state
            .parse_action(text)
            .unwrap_or_else(|e| panic!("{} {e}", state.game()));
        state.play(action).expect("a legal move");
    }
}

const THERE_AND_BACK: &str = "g1f3 g8f6 f3g1 f6g8";

#[test]
fn threefold_in_chess() {
    let mut state = State::start(Game::chess());
    play_all(&mut state, THERE_AND_BACK);
    play_all(&mut state, "g1f3 g8f6 f3g1");
    assert_eq!((state.outcome(), state.repetition_count()), (None, 2));
    play_all(&mut state, "f6g8");
    assert_eq!(
        state.outcome(),
        Some(Outcome::draw(Termination::Repetition))
    );
    assert!(state.legal_moves().is_empty());
}

#[test]
fn lost_castling_rights_make_another_position() {
    let mut state = State::start(Game::chess());
    play_all(&mut state, "h2h4 h7h5 h1h3 h8h6 h3h1 h6h8");
    play_all(&mut state, "h1h3 h8h6 h3h1 h6h8");
    assert_eq!(
        (state.outcome(), state.repetition_count()),
        (None, 2),
        "the first time both could still castle there"
    );
    play_all(&mut state, "h1h3 h8h6");
    assert_eq!(
        state.outcome(),
        Some(Outcome::draw(Termination::Repetition)),
        "this one stood with the same rights all three times"
    );
}

#[test]
fn fifty_moves_in_chess_but_mate_comes_first() {
    let game = Game::chess();
    let at = |fen: &str| State::new(game, game.parse_fen(fen).expect("FEN"));
    let mut quiet = at("7k/8/8/8/8/8/R7/K7 w - - 99 80");
    assert_eq!(quiet.outcome(), None);
    play_all(&mut quiet, "a2b2");
    assert_eq!(
        quiet.outcome(),
        Some(Outcome::draw(Termination::FiftyMoves))
    );
    let mut mate = at("7k/8/6K1/8/8/8/R7/8 w - - 99 80");
    play_all(&mut mate, "a2a8");
    assert_eq!(
        mate.outcome(),
        Some(Outcome::win(Color::White, Termination::Checkmate))
    );
}

#[test]
fn dice_know_no_repetition_but_quiet_plies() {
    for game in [Game::dice1(), Game::dice3()] {
        let fen = |clock: u32| format!("7k/8/8/8/8/8/8/K6R w - - {clock} 80 R");
        let at = |game: Game| State::new(game, game.parse_fen(&fen(99)).expect("FEN"));
        let mut state = at(game);
        assert_eq!(state.outcome(), None);
        play_all(&mut state, "h1g1");
        assert_eq!(
            state.outcome(),
            Some(Outcome::draw(Termination::FiftyMoves))
        );
        let mut endless = at(game.with_halfmove_limit(None));
        play_all(&mut endless, "h1g1");
        assert_eq!(endless.outcome(), None, "the draw can be switched off");
    }
    let game = Game::dice1();
    let mut state = State::start(game);
    for _ in 0..3 {
        play_all(
            &mut state,
            "roll:N g1f3 roll:N g8f6 roll:N f3g1 roll:N f6g8",
        );
    }
    assert_eq!((state.outcome(), state.repetition_count()), (None, 4));
}
