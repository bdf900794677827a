//! Ensemble weights trained by evolution: mutate, play, keep the winner (Dukek
//! et al., section 3.3, name genetic algorithms as future work).

use foglight_rules::{Action, Color, Game, State};
use rand::{Rng as _, seq::IndexedRandom};

use super::selfplay::Tally;
use foglight_engine::{
    eval::ensemble::Ensemble,
    search::{PlainSearch, SearchMethod},
};
use foglight_play::{Budget, Rng, Session, rng::derive, seeded};

/// Settings of the evolution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvolutionConfig {
    /// Rounds of mutation and selection.
    pub generations: u32,
    pub children: u32,
    /// Pairs of games that each child plays against its parent.
    pub pairs: u32,
    /// Search depth of those games, in plies.
    pub depth: u32,
}

impl Default for EvolutionConfig {
    fn default() -> EvolutionConfig {
        EvolutionConfig {
            generations: 12,
            children: 4,
            pairs: 6,
            depth: 2, // default depth of the agent
        }
    }
}

/// Plies after which a game is scored by material.
const MAX_PLIES: u32 = 120;
const RANDOM: usize = 6;

/// A child with some weights changed by a factor, in one phase or all.
fn mutate(parent: &Ensemble, rng: &mut Rng) -> Ensemble {
    let mut child = *parent;
    let alike = rng.random_bool(0.5);
    let mut factors = [1.0; 6];
    for row in 0..3 {
        if row == 0 || !alike {
            factors = std::array::from_fn(|_| {
                if rng.random_bool(0.5) {
                    rng.random_range(-1.0f64..1.0).exp2()
                } else {
                    1.0
                }
            });
        }
        for (weight, factor) in child.weights[row].iter_mut().zip(factors) {
            *weight = (*weight * factor).clamp(0.01, 50.0);
        }
    }
    child
}

/// Plays one game and returns White's score. Unfinished games are scored by a
/// lead of two pawns.
fn play(game: &Game, players: [&Ensemble; 2], depth: u32, seed: u64) -> f64 {
    let mut rng = seeded(seed);
    let mut session = Session::new(*game, game.start(), None);
    let mut history = Vec::new();
    while session.outcome().is_none() && session.state().plies() < MAX_PLIES {
        let state = session.state();
        let position = *state.position();
        let m = if (state.plies() as usize) < RANDOM {
            *state
                .legal_moves()
                .choose(&mut rng)
                .expect("a running game has a move")
        } else {
            let evaluator = players[usize::from(position.turn().is_black())];
            let budget = Budget::default();
            let mut tree = PlainSearch::new(game, &history, evaluator, &budget);
            let ranked = tree.rank(SearchMethod::AlphaBeta, &position, depth);
            let ranked = ranked.expect("no budget ends this search");
            let best = ranked.iter().map(|(_, value)| *value).fold(0.0, f64::max);
            let equal: Vec<_> = ranked.iter().filter(|(_, value)| *value >= best).collect();
            equal.choose(&mut rng).expect("a running game has a move").0
        };
        history.push(position.hash());
        session.apply(Action::Move(m));
    }
    match session.outcome() {
        Some(outcome) => outcome.score(Color::White),
        None => by_material(session.state()),
    }
}

fn by_material(state: &State) -> f64 {
    use foglight_engine::eval::ensemble::{EvalContext, EvaluatorKind};
    let mut scene = EvalContext::new(state.game(), state.position(), &[]);
    match scene.raw(EvaluatorKind::Pointwise) {
        points if points >= 2.0 => 1.0,
        points if points <= -2.0 => 0.0,
        _ => 0.5,
    }
}

/// Pairs of games of two ensembles, same opening, colours swapped.
pub fn compare(one: &Ensemble, other: &Ensemble, pairs: u32, depth: u32, seed: u64) -> Tally {
    let mut tally = Tally::default();
    let game = Game::chess();
    for pair in 0..pairs {
        let seed = derive(seed, u64::from(pair));
        tally.add(play(&game, [one, other], depth, seed));
        tally.add(1.0 - play(&game, [other, one], depth, seed));
    }
    tally
}

/// Evolves weights from a start. `told` is called with each round's number, the
/// weights retained, and the best child's score against its parent.
pub fn evolve(
    start: &Ensemble,
    settings: &EvolutionConfig,
    seed: u64,
    told: &mut dyn FnMut(u32, &Ensemble, Tally),
) -> Ensemble {
    let mut rng = seeded(seed);
    let mut parent = *start;
    for generation in 1..=settings.generations {
        let mut best: Option<(Ensemble, Tally)> = None;
        for _ in 0..settings.children {
            let child = mutate(&parent, &mut rng);
            let seed = rng.random();
            let tally = compare(&child, &parent, settings.pairs, settings.depth, seed);
            if best.is_none_or(|(_, known)| tally.share() > known.share()) {
                best = Some((child, tally));
            }
        }
        let Some((child, tally)) = best else { break };
        if tally.share() > 0.5 {
            // Half way to the child: a few games are weak evidence.
            for (row, other) in parent.weights.iter_mut().zip(child.weights) {
                for (weight, goal) in row.iter_mut().zip(other) {
                    *weight = (*weight * goal).sqrt();
                }
            }
        }
        told(generation, &parent, tally);
    }
    parent
}
