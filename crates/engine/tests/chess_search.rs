//! Searches compared with full enumeration, and robustness on random positions.

#[path = "common/hang_guard.rs"]
mod hang_guard;
#[path = "common/positions.rs"]
mod positions;

use std::time::Duration;

use foglight_engine::{
    eval::{
        Classic, Evaluator,
        ensemble::{Ensemble, EvaluatorKind},
        evaluate,
    },
    search::{
        PlainSearch, SearchMethod, Searcher,
        alphabeta::{WON, plies_to_end},
    },
};
use foglight_play::{Budget, seeded};
use foglight_rules::{Action, FogRules, Game, Role, State};
use hang_guard::{CLOCK, ends_by_itself};
use rand::{Rng as _, seq::IndexedRandom};

use positions::{after, all_lose, random_position, random_positions, thinned, wins_within};

#[test]
fn alpha_beta_gives_the_value_of_minimax() {
    // Material and square values are cheap enough for full trees.
    let ensemble = Ensemble {
        weights: [[0.0, 1.0, 1.0, 0.0, 0.0, 0.0]; 3],
    };
    let mut rng = seeded(3);
    for game in [Game::chess(), Game::fog()] {
        let mut left_out = 0;
        // With few pieces three plies of 500 positions are affordable.
        for position in random_positions(&game, 500, 1) {
            let position = thinned(&game, &position, &mut rng);
            let budget = Budget::default();
            let mut tree = PlainSearch::new(&game, &[], &ensemble, &budget);
            let full = tree.minimax(&position, 3);
            let looked_at = tree.nodes;
            let pruned = tree.alphabeta(&position, 3, 0.0, 1.0);
            assert_eq!(full, pruned, "{}", game.fen(&position));
            left_out += u64::from(tree.nodes - looked_at < looked_at);
        }
        assert!(left_out > 250, "alpha-beta leaves nothing out");
    }
}

#[test]
fn every_search_of_the_seed_ranks_every_move() {
    let game = Game::chess();
    let ensemble = Ensemble::EQUAL;
    for position in random_positions(&game, 5, 9) {
        let legal = game.legal_moves(&position).len();
        for name in SearchMethod::NAMES {
            let plan = SearchMethod::from_name(name).expect("a listed name");
            let budget = match plan {
                SearchMethod::Breadth => Budget::nodes(2000),
                _ => Budget::default(),
            };
            let mut tree = PlainSearch::new(&game, &[], &ensemble, &budget);
            let ranked = tree.rank(plan, &position, 2).expect("within the budget");
            assert_eq!(ranked.len(), legal, "{name}");
            assert!(ranked.iter().all(|(_, value)| (0.0..=1.0).contains(value)));
        }
    }
}

#[test]
fn breadth_first_with_a_horizon_gives_minimax_values() {
    let game = Game::chess();
    let ensemble = Ensemble::only(EvaluatorKind::Pointwise);
    let budget = Budget::default();
    for position in random_positions(&game, 20, 5) {
        let mut tree = PlainSearch::new(&game, &[], &ensemble, &budget);
        let broad = tree.rank(SearchMethod::Horizon, &position, 2);
        let deep = tree.rank(SearchMethod::Minimax, &position, 2);
        assert_eq!(broad, deep, "{}", game.fen(&position));
    }
}

#[test]
fn modern_search_finds_every_forced_end() {
    let mut searcher = Searcher::new(8);
    let mut leaf = Classic::default();
    let mut rng = seeded(12);
    for (game, longest, wanted) in [(Game::chess(), 3, 60), (Game::fog(), 3, 60)] {
        let mut suite = Vec::new();
        while suite.len() < wanted {
            let Some(position) = random_position(&game, &mut rng) else {
                continue;
            };
            let position = thinned(&game, &position, &mut rng);
            if game.outcome(&position).is_some() {
                continue;
            }
            let shortest = (1..=longest)
                .step_by(2)
                .find(|&plies| wins_within(&game, &position, plies));
            // Wins in one ply are common, so only some enter the suite.
            if let Some(plies) = shortest.filter(|&plies| plies > 1 || suite.len() % 4 == 0) {
                suite.push((position, plies));
            }
        }
        for (position, plies) in suite {
            searcher.clear();
            let budget = Budget::nodes(200_000);
            let found = searcher.search(&game, &position, &[], &mut leaf, &budget);
            let fen = game.fen(&position);
            assert_eq!(found.score, WON - plies as i32, "{game}: {fen}");
            assert_eq!(plies_to_end(found.score), Some(plies), "{game}: {fen}");
            let best = after(&game, &position, found.best().expect("a move"));
            let kept = match game.outcome(&best) {
                Some(end) => end.winner == Some(position.turn()),
                None => all_lose(&game, &best, plies - 1),
            };
            assert!(kept, "{game}: {fen} {:?}", found.best());
        }
    }
}

#[test]
fn node_budgets_repeat_exactly() {
    for game in [Game::chess(), Game::fog()] {
        for position in random_positions(&game, 5, 21) {
            let run = || {
                let mut searcher = Searcher::new(2);
                let budget = Budget::nodes(20_000);
                searcher.search_top(&game, &position, &[], &mut Classic::default(), &budget, 3)
            };
            let found = run();
            assert_eq!(found, run());
            assert!(found.nodes <= 20_000);
        }
    }
}

#[test]
fn a_cleared_searcher_is_as_new() {
    let game = Game::chess();
    let positions = random_positions(&game, 4, 33);
    let mut kept = Searcher::new(2);
    let mut leaf = Classic::default();
    for position in &positions {
        kept.clear();
        let budget = Budget::nodes(5_000);
        let one = kept.search(&game, position, &[], &mut leaf, &budget);
        let mut fresh = Searcher::new(2);
        let other = fresh.search(&game, position, &[], &mut Classic::default(), &budget);
        assert_eq!(one, other);
    }
}

#[test]
fn the_best_few_are_in_order_and_distinct() {
    let game = Game::chess();
    let mut searcher = Searcher::new(4);
    let mut leaf = Classic::default();
    for position in random_positions(&game, 8, 17) {
        let top = game.legal_moves(&position).len().min(4);
        let budget = Budget::nodes(20_000);
        let found = searcher.search_top(&game, &position, &[], &mut leaf, &budget, top);
        let best = &found.moves[..top];
        assert!(best.windows(2).all(|pair| pair[0].score >= pair[1].score));
        assert_eq!(found.moves.len(), top);
        for root in best {
            assert_eq!(root.pv[0], root.m);
        }
        let mut raw: Vec<u16> = best.iter().map(|root| root.m.raw()).collect();
        raw.sort_unstable();
        raw.dedup();
        assert_eq!(raw.len(), top);
    }
}

#[test]
fn nothing_breaks_where_kings_are_taken() {
    let mut taken = 0;
    let mut searcher = Searcher::new(2);
    let mut leaf = Classic::default();
    for (i, rules) in FogRules::ALL.into_iter().enumerate() {
        let game = Game::fog_with(rules);
        for position in random_positions(&game, 150, 40 + i as u64) {
            let budget = Budget::nodes(1_000);
            let found = searcher.search(&game, &position, &[], &mut leaf, &budget);
            let legal = game.legal_moves(&position);
            let best = found.best().expect("a running game has a move");
            assert!(legal.contains(&best));
            if position.can_capture_king() {
                assert_eq!(position.captured(best), Some(Role::King));
                assert_eq!(found.score, WON - 1);
                taken += 1;
            }
        }
    }
    assert!(taken > 20, "{taken}");
}

#[test]
fn nothing_breaks_on_small_boards() {
    let mut searcher = Searcher::new(2);
    let mut leaf = Classic::default();
    let game = Game::fog();
    let mut rng = seeded(4);
    for start in [
        "rnkr/pppp/4/PPPP/RNKR w - - 0 1",
        "kqr1/p3/3P/1RQK w - - 0 1",
        "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1",
        "rnbqkr/pppppp/6/6/PPPPPP/RNBQKR w - - 0 1",
        "knb4/ppp4/7/7/7/4PPP/4BNK b - - 0 1",
    ] {
        for _ in 0..20 {
            let mut state = State::new(game, game.parse_fen(start).expect(start));
            while state.outcome().is_none() && state.plies() < 40 {
                let position = *state.position();
                let budget = Budget::nodes(300);
                let found = searcher.search(&game, &position, &[], &mut leaf, &budget);
                let random = *state.legal_moves().choose(&mut rng).expect("a move");
                let m = found
                    .best()
                    .filter(|_| rng.random_bool(0.5))
                    .unwrap_or(random);
                state.play(Action::Move(m)).expect("a legal move");
            }
        }
    }
}

#[test]
fn carried_scores_equal_scores_from_nothing() {
    let mut rng = seeded(8);
    let mut leaf = Classic::default();
    for game in [Game::chess(), Game::fog()] {
        for _ in 0..60 {
            let mut position = game.start();
            let mut carried = leaf.refresh(&position);
            for _ in 0..120 {
                let Some(&m) = game.legal_moves(&position).choose(&mut rng) else {
                    break;
                };
                let before = position;
                let taken = game.play_unchecked(&mut position, m);
                carried = leaf.update(&carried, &before, m, taken);
                assert_eq!(carried, leaf.refresh(&position), "{}", game.fen(&position));
                if taken == Some(Role::King) {
                    break;
                }
                let mirrored = position.mirrored();
                assert_eq!(
                    evaluate(&mut leaf, &position),
                    evaluate(&mut leaf, &mirrored)
                );
            }
        }
    }
}

#[test]
fn repetition_is_known_from_the_history() {
    // f6g8 repeats the start position for the third time, so its score is a draw.
    let game = Game::chess();
    let mut state = State::start(game);
    let mut history = vec![state.position().hash()];
    for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
        let action = state.parse_action(text).expect("a move");
        state.play_unchecked(action);
        history.push(state.position().hash());
    }
    let mut searcher = Searcher::new(2);
    let position = *state.position();
    let mut leaf = Classic::default();
    let top = game.legal_moves(&position).len();
    let mut budget = Budget::default();
    budget.depth = Some(4);
    let found = searcher.search_top(&game, &position, &history, &mut leaf, &budget, top);
    let back = found.moves.iter().find(|root| root.m.to_string() == "f6g8");
    assert_eq!(back.expect("the move").score, 0);
}

#[test]
fn a_time_budget_is_kept() {
    let game = Game::chess();
    let mut searcher = Searcher::new(2);
    let budget = Budget::time(Duration::from_millis(50), CLOCK);
    let found = ends_by_itself(budget, |budget| {
        searcher.search(&game, &game.start(), &[], &mut Classic::default(), budget)
    });
    assert!(found.depth >= 1 && found.best().is_some());
}
