//! Bounded beliefs: weights change nothing while nothing is dropped, updates
//! repeat, and weights and backlog keep the truth more often.

use std::collections::HashSet;

use foglight_engine::{
    agents::greedy::{Greedy, Style},
    belief::{BeliefSet, BeliefTracker, Keeping},
};
use foglight_play::{Agent, Budget};
use foglight_rules::{Action, Color, FogRules, Game, State};

/// The states of a game of greedy players.
fn states(game: Game, seed: u64, plies: usize) -> Vec<State> {
    let mut players = Color::ALL.map(|_| Greedy::new(Style::Plain));
    for (side, player) in Color::ALL.into_iter().zip(&mut players) {
        player.start(&game, side, 2 * seed + u64::from(side.is_black()));
    }
    let mut states = vec![State::start(game)];
    for _ in 0..plies {
        let mut state = states.last().expect("a state").clone();
        if state.outcome().is_some() {
            break;
        }
        let side = state.position().turn();
        let player = &mut players[usize::from(side.is_black())];
        let m = player.act(&state.observe(side), &Budget::default());
        state.play_unchecked(Action::Move(m));
        states.push(state);
    }
    states
}

/// A belief that weighs and never drops is the exact belief.
#[test]
fn weights_rule_nothing_out() {
    for rules in FogRules::ALL {
        let game = Game::fog_with(rules);
        let states = states(game, 5, 24);
        let exact = BeliefSet::new(&game, Color::White, states[0].position());
        let mut weighed = exact.clone().with_keeping(Keeping::weighted());
        let mut exact = exact;
        for state in &states[1..] {
            let seen = state.observe(Color::White);
            exact.update(&seen).expect("a belief");
            weighed.update(&seen).expect("a belief");
            let set = |belief: &BeliefSet| belief.worlds().iter().copied().collect::<HashSet<_>>();
            assert_eq!(set(&exact), set(&weighed), "{rules:?}");
            assert!(weighed.is_exact());
            let weights = (0..weighed.count()).map(|place| weighed.weight(place));
            assert!(weights.clone().all(|weight| weight > 0.0));
            let mean = weights.map(f64::from).sum::<f64>() / weighed.count() as f64;
            assert!((mean - 1.0).abs() < 1e-3, "{mean}");
            let truth = weighed.standing(state.position()).expect("the truth");
            assert!(truth.probability > 0.0 && truth.rank >= 1.0);
            if exact.count() > 50_000 {
                break;
            }
        }
    }
}

#[test]
fn threads_and_repetition_change_no_weighed_belief() {
    let game = Game::fog();
    let states = states(game, 3, 40);
    let new = || {
        let belief = BeliefSet::new(&game, Color::Black, states[0].position());
        belief.with_cap(3000, 9).with_keeping(Keeping::weighted())
    };
    let (mut one, mut two) = (new(), new().with_threads(2));
    let mut capped = 0;
    for state in &states[1..] {
        let seen = state.observe(Color::Black);
        let [first, second] = [&mut one, &mut two].map(|belief| belief.update(&seen));
        assert_eq!(first, second);
        assert_eq!(one.worlds(), two.worlds());
        assert!(one.count() <= 3000);
        capped += usize::from(!one.is_exact());
    }
    assert!(capped > 10, "{capped}");
}

/// How often the truth is in capped beliefs of both sides before their moves.
fn kept(tracker: &BeliefTracker, games: u64) -> (usize, usize) {
    let (mut kept, mut all) = (0, 0);
    for seed in 0..games {
        let states = states(Game::fog(), seed, 80);
        for side in Color::ALL {
            let mut tracker = tracker.clone();
            tracker.start(seed);
            for state in &states {
                tracker.see(&state.observe(side));
                let belief = tracker.belief().expect("a belief");
                if !belief.is_exact() && state.position().turn() == side {
                    all += 1;
                    kept += usize::from(belief.contains(state.position()));
                }
            }
        }
    }
    (kept, all)
}

#[test]
fn a_backlog_keeps_the_truth_more_often() {
    let even = BeliefTracker::new(2000, 1);
    let backlog = even.clone().keeping(Keeping::weighted()).with_backlog();
    let [even, backlog] = [even, backlog].map(|tracker| kept(&tracker, 20));
    let share = |(kept, all): (usize, usize)| kept as f64 / all as f64;
    let shares = [even, backlog].map(share);
    assert!(even.1 > 300, "{even:?}");
    assert!(shares[1] > shares[0], "{shares:?}");
}
