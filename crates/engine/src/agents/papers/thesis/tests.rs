//! Claims of the thesis about its agent, and the effects of its extensions.

use foglight_rules::{Bitboard, Color, FogRules, Game, Move, Observation, Role, Square, State};

use super::{
    Carry, Select, ThesisSettings, mix,
    pawns::{PawnTrack, weakness},
    search::Search,
    sense::{Sense, cheaper_than},
};
use crate::{
    belief::{BeliefTracker, EnemyMaterial, World},
    registry,
};
use foglight_play::{Agent, Budget, Providers};

fn settings() -> ThesisSettings {
    ThesisSettings {
        risk: 1.0,
        ordering: false,
        depth: 2,
        deepen: false,
        by_offset: true,
        select: Select::Best,
        may_pass: false,
        by_tables: false,
        carry: Carry::Off,
        king_risk: 200.0,
        lines: false,
        king_place: false,
        mobility: false,
        phase: false,
        unprotected: false,
        pawns: false,
        king: false,
    }
}

fn game() -> Game {
    Game::fog_with(FogRules::Thesis)
}

fn state(fen: &str) -> State {
    State::new(game(), game().parse_fen(fen).expect("a position"))
}

pub(super) fn sense_by(fen: &str, settings: &ThesisSettings) -> Sense {
    let state = state(fen);
    let side = state.position().turn();
    let roster = EnemyMaterial::new(&World::of(state.position(), !side), !side);
    Sense::new(&state.observe(side), &roster, None, settings)
}

fn sense(fen: &str) -> Sense {
    sense_by(fen, &settings())
}

pub(super) fn seen(fen: &str) -> Observation {
    let state = state(fen);
    state.observe(state.position().turn())
}

/// The moves that raised alpha with their scores, and the principal variation.
fn searched(fen: &str, settings: &ThesisSettings) -> (Vec<(Move, f64)>, Vec<Move>) {
    let sense = sense_by(fen, settings);
    let budget = Budget::default();
    let mut search = Search::new(&sense, settings, &budget);
    let (_, raised) = search.run(&seen(fen));
    (raised, search.line().to_vec())
}

/// The score of one root move, searched with a full window.
fn score(fen: &str, settings: &ThesisSettings) -> f64 {
    let (raised, _) = searched(fen, settings);
    raised.last().expect("a move").1
}

pub(super) const QUIET: ThesisSettings = ThesisSettings {
    risk: 0.0,
    ordering: true,
    depth: 2,
    deepen: false,
    by_offset: true,
    select: Select::Best,
    may_pass: false,
    by_tables: false,
    carry: Carry::Off,
    king_risk: 200.0,
    lines: false,
    king_place: false,
    mobility: false,
    phase: false,
    unprotected: false,
    pawns: false,
    king: false,
};

#[test]
fn material_counts_seen_and_hidden_men_alike() {
    // White sees the knight on b3 from a1; the black king is hidden.
    let sense = sense("4k3/8/8/8/8/1n6/8/R3K3 w - - 0 1");
    let score = sense.evaluate(&sense.root);
    // Rook 5 against knight 3.2 plus square values: about 1.8.
    assert!((1.0..2.6).contains(&score), "{score}");
}

#[test]
fn the_score_is_in_pawns_for_the_side_to_move() {
    // A pawn with its square value; eq. 4.1 scales centipawns by 0.01.
    let with = sense("k7/8/8/8/4P3/8/8/K7 w - - 0 1");
    let without = sense("k7/8/8/8/8/8/8/K7 w - - 0 1");
    let pawn = with.evaluate(&with.root) - without.evaluate(&without.root);
    assert!((pawn - 1.20).abs() < 0.5, "{pawn}");
    let turned = with.root.after_null_move();
    assert_eq!(with.evaluate(&turned), -with.evaluate(&with.root));
}

#[test]
fn hidden_men_count_the_average_of_their_dark_squares() {
    // The only hidden piece besides the king is a knight, which counts with the
    // average of its values on the hidden squares.
    let with = sense("k6n/8/8/8/8/8/8/R6K w - - 0 1");
    let without = sense("k7/8/8/8/8/8/8/R6K w - - 0 1");
    let knight = without.evaluate(&without.root) - with.evaluate(&with.root);
    // 3.2 plus a mean square value between -0.5 (corner) and 0.2 (centre).
    assert!((2.7..3.4).contains(&knight), "{knight}");
}

#[test]
fn hidden_bishops_are_averaged_over_their_colour() {
    // A dark-squared and a light-squared bishop have different hidden squares, and
    // so different averages.
    let on_light = sense("k6b/8/8/8/8/8/3B4/R6K w - - 0 1");
    let on_dark = sense("k5b1/8/8/8/8/8/3B4/R6K w - - 0 1");
    let (a, b) = (
        on_light.evaluate(&on_light.root),
        on_dark.evaluate(&on_dark.root),
    );
    assert!(a != b, "{a} {b}");
}

#[test]
fn nothing_but_material_and_squares_counts() {
    // Doubled pawns, a bare king and an unprotected rook.
    let sense = sense("k7/8/8/8/8/P7/P6R/4K3 w - - 0 1");
    assert_eq!(sense.extras(&sense.root), 0.0);
}

#[test]
fn only_what_is_seen_moves_in_the_search() {
    let sense = sense("rnbqkbnr/pppp1ppp/8/4p3/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2");
    for position in [sense.root, sense.root.after_null_move()] {
        for m in sense.moves(&position) {
            assert!(sense.seen.contains(m.from()) && sense.seen.contains(m.to()));
        }
    }
    // White sees the pawn on e5, and only that pawn's moves among Black's.
    let replies = sense.moves(&sense.root.after_null_move());
    assert!(!replies.is_empty());
    assert!(replies.iter().all(|m| m.from() == Square::E5));
}

#[test]
fn an_enemy_without_seen_moves_passes() {
    // No black piece is visible: at depth 4 only White's two moves are searched.
    let deep = ThesisSettings { depth: 4, ..QUIET };
    let fen = "7k/8/8/8/8/8/8/KR6 w - - 0 1";
    let (_, line) = searched(fen, &deep);
    assert!(line.len() >= 2, "{line:?}");
    let state = state(fen);
    let own = state.position().board().side(Color::White);
    assert!(own.contains(line[0].from()));
    let second = own.without(line[0].from()).with(line[0].to());
    assert!(second.contains(line[1].from()), "{line:?}");
}

#[test]
fn quiescence_sees_the_recapture() {
    // The queen on d1 can capture the pawn on d5, which the pawn on e6 protects;
    // both pawns are visible.
    let fen = "3k4/8/4p3/3p4/6B1/8/8/K2Q4 w - - 0 1";
    let one = ThesisSettings { depth: 1, ..QUIET };
    let (raised, _) = searched(fen, &one);
    assert_ne!(raised.last().expect("a move").0.to_string(), "d1d5");
}

#[test]
fn the_principal_line_is_kept() {
    // Rook captures queen, pawn captures rook: both moves are visible.
    let fen = "4k3/8/8/4p3/2Nq4/8/8/3RK3 w - - 0 1";
    let (raised, line) = searched(fen, &QUIET);
    let line: Vec<String> = line.iter().map(Move::to_string).collect();
    assert_eq!(line, ["d1d4", "e5d4"]);
    assert_eq!(raised.last().expect("a move").0.to_string(), "d1d4");
    // The report of the agent contains the same line.
    let spec = "thesis:ordering=on,select=best".parse().expect("a spec");
    let mut agent = registry::build(&spec, &game(), &Providers::default()).expect("an agent");
    agent.start(&game(), Color::White, 1);
    agent.act(&seen(fen), &Budget::default());
    let report = agent.report().expect("a report");
    assert_eq!(report.pv.len(), 2);
    assert_eq!(report.depth, 2);
}

#[test]
fn squares_are_scanned_from_a8_to_h1() {
    let start = Game::fog_with(FogRules::Thesis).start();
    let fen = game().fen(&start);
    let sense = sense(&fen);
    let (plain, budget) = (settings(), Budget::default());
    let search = Search::new(&sense, &plain, &budget);
    let moves = search.ordered(&sense.root, seen(&fen).legal_moves().to_vec());
    // White's a2 pawn comes first, as the thesis says; Black's would be the a7
    // pawn, since the rook before it has no move.
    assert_eq!(moves[0].from(), Square::A2);
    assert_eq!(moves.last().map(|m| m.from()), Some(Square::G1));
}

#[test]
fn captures_come_first_when_ordered() {
    let fen = "3k4/8/8/q2R4/8/8/8/4K3 w - - 0 1";
    let sense = sense_by(fen, &QUIET);
    let budget = Budget::default();
    let search = Search::new(&sense, &QUIET, &budget);
    let moves = search.ordered(&sense.root, seen(fen).legal_moves().to_vec());
    let takes = |m: &Move| sense.root.captured(*m).is_some();
    let captures = moves.iter().filter(|m| takes(m)).count();
    assert_eq!(captures, 2);
    assert!(moves[..captures].iter().all(takes));
}

/// Three moves with these scores, and the chance of each, the best first.
fn chances(scores: [f64; 3], select: Select) -> [f64; 3] {
    let fen = game().fen(&game().start());
    let observation = seen(&fen);
    let moves = observation.legal_moves();
    let raised = [0, 1, 2].map(|i| (moves[i], scores[i]));
    let drawn = mix(&raised, select);
    assert_eq!(drawn[0].0, moves[2]);
    [0, 1, 2].map(|i| (drawn[i].1 * 1e6).round() / 1e6)
}

#[test]
fn raised_moves_are_drawn_by_score() {
    assert_eq!(chances([0.1, 0.4, 0.5], Select::Sum), [0.5, 0.4, 0.1]);
    // Behind in material, the worst move is the likeliest.
    assert_eq!(chances([-6.0, -3.0, -1.0], Select::Sum), [0.1, 0.3, 0.6]);
    // A share below zero has no chance, and delays the next.
    assert_eq!(chances([-1.0, 2.0, 3.0], Select::Sum), [0.75, 0.25, 0.0]);
    assert_eq!(chances([-1.0, 0.0, 1.0], Select::Sum), [1.0, 0.0, 0.0]);
    // The lowest score weighs one pawn, the others that plus their lead.
    assert_eq!(chances([-2.0, 0.0, 1.0], Select::Lead), [0.5, 0.375, 0.125]);
    // Scaled, the scores are 0, 2/3 and 1.
    let total = 1.0 + (2.0_f64 / 3.0).exp() + 1.0_f64.exp();
    let range = chances([-2.0, 0.0, 1.0], Select::Range);
    assert!((range[0] - 1.0_f64.exp() / total).abs() < 1e-5, "{range:?}");
    assert!((range[2] - 1.0 / total).abs() < 1e-5, "{range:?}");
}

#[test]
fn moves_of_a_piece_come_in_the_order_of_chessjs() {
    let fen = "4k3/8/8/8/2N5/8/8/R3K3 w Q - 0 1";
    let sense = sense(fen);
    let (plain, budget) = (settings(), Budget::default());
    let search = Search::new(&sense, &plain, &budget);
    let moves = search.ordered(&sense.root, seen(fen).legal_moves().to_vec());
    let of = |from: Square| -> Vec<String> {
        let own = moves.iter().filter(|m| m.from() == from);
        own.map(Move::to_string).collect()
    };
    let knight = ["a5", "b6", "d6", "e5", "e3", "d2", "b2", "a3"];
    assert_eq!(of(Square::C4), knight.map(|to| format!("c4{to}")));
    let rook = ["a2", "a3", "a4", "a5", "a6", "a7", "a8", "b1", "c1", "d1"];
    assert_eq!(of(Square::A1), rook.map(|to| format!("a1{to}")));
    assert_eq!(moves.last().map(Move::to_string).as_deref(), Some("e1c1"));
}

#[test]
fn blacks_tables_are_turned_both_ways() {
    // The queen's table has 5 on b3 and 0 on g3; all others are symmetric.
    let value = |fen: &str| {
        let sense = sense(fen);
        sense.evaluate(&sense.root)
    };
    let white = value("8/8/8/8/4k3/1Q6/8/K7 w - - 0 1") - value("8/8/8/8/3k4/6Q1/8/7K w - - 0 1");
    let black = value("7k/8/6q1/3K4/8/8/8/8 b - - 0 1") - value("k7/8/1q6/4K3/8/8/8/8 b - - 0 1");
    assert!((white - 0.05).abs() < 1e-9, "{white}");
    assert!((black - 0.05).abs() < 1e-9, "{black}");
}

#[test]
fn the_best_move_is_the_last_that_raised_alpha() {
    let fen = game().fen(&game().start());
    let observation = seen(&fen);
    let moves = observation.legal_moves();
    let raised = [(moves[0], -2.0), (moves[1], 0.0)];
    assert_eq!(mix(&raised, Select::Best), [(moves[1], 1.0)]);
    let (raised, _) = searched(&fen, &settings());
    assert!(raised.windows(2).all(|pair| pair[0].1 < pair[1].1));
}

#[test]
fn men_are_counted_by_what_is_taken_and_shown() {
    let mut keeper = BeliefTracker::of_material();
    let mut state = State::start(game());
    keeper.see(&state.observe(Color::White));
    for text in ["e2e4", "d7d5", "e4d5", "g8f6"] {
        let action = state.parse_action(text).expect("a legal move");
        state.play(action).expect("a legal move");
        keeper.see(&state.observe(Color::White));
    }
    let observation = state.observe(Color::White);
    let sense = Sense::new(
        &observation,
        keeper.material().expect("men"),
        None,
        &settings(),
    );
    // One pawn was captured; the others are hidden or visible.
    let shown = observation.view().board.pieces(Color::Black, Role::Pawn);
    assert_eq!(sense.hidden_men(Role::Pawn) as usize + shown.count(), 7);
    assert_eq!(sense.hidden_men(Role::King), 1);
}

#[test]
fn cheaper_pieces_are_those_of_table_2() {
    assert!(cheaper_than(Role::Pawn).is_empty());
    assert_eq!(cheaper_than(Role::Knight), [Role::Pawn]);
    assert_eq!(cheaper_than(Role::Bishop), [Role::Pawn, Role::Knight]);
    assert_eq!(
        cheaper_than(Role::Rook),
        [Role::Pawn, Role::Knight, Role::Bishop]
    );
    assert_eq!(cheaper_than(Role::Queen).len(), 4);
    assert_eq!(cheaper_than(Role::King).len(), 5);
}

#[test]
fn risk_is_the_chance_of_eq_4_5() {
    // A hidden black knight; the white rook on a1 is attacked from b3 and c2.
    let sense = sense("k6n/8/8/8/8/8/8/R6K w - - 0 1");
    let seen = sense.seen;
    let total = 64 - seen.count();
    let dark = |squares: [Square; 2]| {
        let dark = squares.into_iter().filter(|square| !seen.contains(*square));
        dark.count() as f64
    };
    let rook = 5.0 * dark([Square::B3, Square::C2]) / total as f64;
    let king = 200.0 * dark([Square::F2, Square::G3]) / total as f64;
    let risk = sense.risk(&sense.root);
    assert!((risk - rook - king).abs() < 1e-9, "{risk} {rook} {king}");
    assert_eq!(sense.side, Color::White);
}

#[test]
fn bishops_risk_counts_squares_of_one_colour() {
    // A dark-squared bishop attacks no piece on a light square.
    let safe = sense("k6b/8/8/8/8/8/8/K6R w - - 0 1");
    let risky = sense("k5b1/8/8/8/8/8/8/K6R w - - 0 1");
    // h1 is a light square: only the bishop from g8 can attack it.
    let (a, b) = (safe.risk(&safe.root), risky.risk(&risky.root));
    assert!(a != b, "{a} {b}");
    let rook_only = b - a;
    assert!(rook_only.abs() > 0.1, "{rook_only}");
}

#[test]
fn risk_is_taken_off_at_the_depth_limit_only() {
    let fen = "k6n/8/8/8/8/8/8/R6K w - - 0 1";
    let risky = ThesisSettings {
        risk: 1.0,
        depth: 1,
        ..QUIET
    };
    let calm = ThesisSettings { depth: 1, ..QUIET };
    // Risk lowers the score of the search, not the static evaluation.
    assert!(score(fen, &risky) < score(fen, &calm));
    let (a, b) = (sense_by(fen, &risky), sense_by(fen, &calm));
    assert_eq!(a.evaluate(&a.root), b.evaluate(&b.root));
}

#[test]
fn severity_scales_the_risk() {
    let fen = "k6n/8/8/8/8/8/8/R6K w - - 0 1";
    let by = |risk: f64| {
        let settings = ThesisSettings {
            risk,
            depth: 1,
            ..QUIET
        };
        score(fen, &settings)
    };
    assert!(by(0.0) > by(0.1) && by(0.1) > by(0.5) && by(0.5) > by(1.0));
}

/// Figure 27: Black's knight on c6 sees White's knight on e5. If the enemy has to
/// move that knight Black's score is too high; it is lower if the enemy may pass.
#[test]
fn an_enemy_that_may_pass_is_not_forced_to_lose_a_piece() {
    let fen = "r1bqkb1r/ppp1pppp/2n2n2/3pN3/3P4/8/PPP1PPPP/RNBQKB1R b KQkq - 0 4";
    let free = ThesisSettings {
        may_pass: true,
        ..QUIET
    };
    assert!(score(fen, &free) < score(fen, &QUIET));
}

#[test]
fn tables_move_hidden_pieces_to_good_squares() {
    let fen = "k6n/8/8/8/8/8/8/R6K w - - 0 1";
    let tables = ThesisSettings {
        by_tables: true,
        ..settings()
    };
    let (even, tables) = (sense(fen), sense_by(fen, &tables));
    // Weighted by likelihood, a hidden knight is worth more than on average.
    assert!(tables.evaluate(&tables.root) < even.evaluate(&even.root));
    assert!(tables.risk(&tables.root) != even.risk(&even.root));
}

#[test]
fn pawns_are_inferred_from_start_squares() {
    let mut state = State::start(game());
    let start = World::of(state.position(), Color::Black);
    let roster = EnemyMaterial::new(&start, Color::Black);
    let mut track = PawnTrack::new(&state.observe(Color::White), &roster);
    let home = Bitboard::from_rank(Square::A7.rank());
    assert_eq!(track.possible(), home);
    for text in ["d2d4", "g8f6", "d1d3", "f6g8", "d3h7"] {
        let action = state.parse_action(text).expect("a legal move");
        state.play(action).expect("a legal move");
        track.see(&state.observe(Color::White));
        assert!(
            (state.position().board().pieces(Color::Black, Role::Pawn) & !track.possible())
                .is_empty()
        );
    }
    // The queen captured on h7, so no black pawn can be there.
    assert!(!track.possible().contains(Square::H7));
    assert!(!track.possible().contains(Square::D4));
}

#[test]
fn weak_pawns_count() {
    let none = Bitboard::EMPTY;
    let set = |squares: &[Square]| {
        let squares = squares.iter().copied();
        squares.fold(none, |set, square| set.with(square))
    };
    let doubled = set(&[Square::A2, Square::A3]);
    assert_eq!(weakness(Color::White, doubled, none, none), 10 + 24);
    let together = set(&[Square::A2, Square::B2]);
    assert_eq!(weakness(Color::White, together, none, none), 0);
    // A possible pawn on the next file counts as support.
    let alone = set(&[Square::A7]);
    assert_eq!(weakness(Color::Black, alone, none, none), 12);
    assert_eq!(weakness(Color::Black, alone, set(&[Square::B6]), none), 0);
    // A backward pawn: behind its neighbour, its next square attacked.
    let behind = set(&[Square::B3, Square::C4]);
    assert_eq!(weakness(Color::White, behind, none, set(&[Square::A5])), 8);
}

#[test]
fn risk_is_carried_down_the_search() {
    let fen = "k6n/8/8/8/8/8/8/R6K w - - 0 1";
    let calm = ThesisSettings { depth: 3, ..QUIET };
    let carried = ThesisSettings {
        risk: 1.0,
        carry: Carry::All,
        ..calm
    };
    // Every own move of the line is charged, so the loss exceeds the lowest risk
    // after a single move.
    let sense = sense_by(fen, &carried);
    let first = seen(fen);
    let risks = first.legal_moves().iter().map(|m| {
        let mut next = sense.root;
        sense.game.play_unchecked(&mut next, *m);
        sense.risk(&next)
    });
    let least = risks.fold(f64::INFINITY, f64::min);
    assert!(least > 0.0);
    let lost = |settings: &ThesisSettings| score(fen, &calm) - score(fen, settings);
    assert!(lost(&carried) > least);
    let one = ThesisSettings {
        carry: Carry::One,
        ..carried
    };
    assert!(lost(&one) > 0.0 && lost(&one) < lost(&carried));
}

#[test]
fn attacks_on_likely_squares_of_the_king_count() {
    let settings = ThesisSettings {
        king_place: true,
        ..QUIET
    };
    let fen = "6k1/5ppp/8/8/4N3/8/8/K7 w - - 0 1";
    let sense = sense_by(fen, &settings);
    let after = |text: &str| {
        let legal = seen(fen).legal_moves().to_vec();
        let m = legal.into_iter().find(|m| m.to_string() == text);
        let mut next = sense.root;
        sense
            .game
            .play_unchecked(&mut next, m.expect("a legal move"));
        sense.extras(&next)
    };
    // From f6 the knight attacks e8, g8, d7 and h7, from c3 no hidden back rank.
    assert!(after("e4f6") > after("e4c3") && after("e4c3") == 0.0);
}

#[test]
fn the_kings_share_of_the_risk_can_be_lowered() {
    let fen = "k6n/8/8/8/8/8/8/R6K w - - 0 1";
    let lowered = ThesisSettings {
        king_risk: 9.0,
        ..settings()
    };
    let (full, low) = (sense(fen), sense_by(fen, &lowered));
    let (full, low) = (full.risk(&full.root), low.risk(&low.root));
    // Of the king's share 9 parts in 200 are left, and all of the rook's.
    assert!(low > 0.0 && low < full / 4.0, "{low} {full}");
}

#[test]
fn the_remedies_of_the_evaluation_count() {
    let better = |settings: ThesisSettings, good: &str, bad: &str| {
        let (good, bad) = (sense_by(good, &settings), sense_by(bad, &settings));
        let difference = |sense: &Sense| sense.extras(&sense.root);
        assert!(difference(&good) > difference(&bad));
    };
    let mobile = ThesisSettings {
        mobility: true,
        ..QUIET
    };
    better(
        mobile,
        "k7/8/8/8/3Q4/8/8/K7 w - - 0 1",
        "k7/8/8/8/8/8/1P6/KQ6 w - - 0 1",
    );
    let unprotected = ThesisSettings {
        unprotected: true,
        ..QUIET
    };
    better(
        unprotected,
        "k7/8/8/8/8/8/1N6/K7 w - - 0 1",
        "k7/8/8/8/8/7N/8/K7 w - - 0 1",
    );
    let king = ThesisSettings {
        king: true,
        ..QUIET
    };
    better(
        king,
        "k7/8/8/8/8/8/PPP5/1K6 w - - 0 1",
        "k7/8/8/PPP5/8/8/8/1K6 w - - 0 1",
    );
    let lines = ThesisSettings {
        lines: true,
        ..QUIET
    };
    // The rook's file without pawns, then a bishop outside its pawns.
    better(
        lines,
        "k7/8/8/8/8/8/1P6/R3K3 w - - 0 1",
        "k7/8/8/8/8/8/P7/R3K3 w - - 0 1",
    );
    better(
        lines,
        "k7/8/8/8/3B4/8/8/4K3 w - - 0 1",
        "k7/8/8/8/8/2P1P3/3B4/4K3 w - - 0 1",
    );
    let pawns = ThesisSettings {
        pawns: true,
        ..QUIET
    };
    better(
        pawns,
        "k7/8/8/8/8/8/PP6/7K w - - 0 1",
        "k7/8/8/8/8/P7/P7/7K w - - 0 1",
    );
}

#[test]
fn late_in_the_game_kings_belong_to_the_centre() {
    let late = ThesisSettings {
        phase: true,
        ..QUIET
    };
    let value = |fen: &str, settings: &ThesisSettings| {
        let sense = sense_by(fen, settings);
        sense.evaluate(&sense.root)
    };
    let (centre, corner) = (
        "7k/8/8/8/3K4/8/8/8 w - - 0 1",
        "7k/8/8/8/8/8/8/K7 w - - 0 1",
    );
    assert!(value(centre, &late) > value(corner, &late));
    assert!(value(centre, &QUIET) < value(corner, &QUIET));
}
