//! Figures 10 and 11: plausibility of sampled boards, and the error of their
//! value, by the number of moves. The paper used positions from chess games
//! played online; such games can be given, else the engine plays some.

use foglight_arena::report::{
    Figure,
    chart::{Ink, Plot, PlotLayer, Stroke},
};
use foglight_engine::{
    belief::{
        BeliefSet, EnemyMaterial, Evidence, Filter, Particles, Reinvigoration, Resample, World,
        sample_placement,
    },
    registry,
    search::analyser::best,
};
use foglight_play::{
    Agent, Analyser, AnalysisLimit, GameConfig, Providers, Rng, Session, rng::derive, seeded,
    session::play_agents,
};
use foglight_rules::{Action, ByColor, Color, Game, Position, Replay, State};
use rand::seq::IndexedRandom;

use super::reach::reachable;

/// Particles sampled at a time, as in the paper.
const PARTICLES: usize = 10;
/// Number of White's moves examined, and moves per point of a figure.
const MAX_MOVES: u32 = 40;
const WIDTH: u32 = 4;
/// Limit of the exact belief; beyond it a game is not examined further.
const MAX_WORLDS: usize = 60_000;
/// Nodes of the analysing search on each board.
const NODES: u64 = 300;
/// Random plies at the beginning, so that games differ.
const RANDOM_PLIES: u32 = 4;

/// The two generators of the paper.
const GENERATORS: [(&str, Reinvigoration); 2] = [
    ("uniform", Reinvigoration::Uniform),
    ("traced", Reinvigoration::Traced),
];

/// Sums over several particles.
#[derive(Clone, Copy, Default)]
struct Sum {
    made: u32,
    reachable: u32,
    asked: u32,
    believed: u32,
    /// Boards with a value, and the sum of their errors.
    valued: u32,
    error: f64,
}

/// Measured quality of the generators.
pub struct Quality {
    /// Sums by generator and by moves played.
    sums: [Vec<Sum>; 2],
}

/// What the figures are measured on and by.
pub struct QualitySource<'a> {
    /// Games of plain chess from the start position; without any, own ones are
    /// played.
    pub games: &'a [Vec<Action>],
    /// The paper used Stockfish.
    pub analyser: &'a dyn Analyser,
}

/// Measures both generators over `games` games.
pub fn quality(
    games: u64,
    seed: u64,
    source: &QualitySource<'_>,
    stop: &dyn Fn() -> bool,
) -> Quality {
    let bins = (MAX_MOVES / WIDTH) as usize;
    let mut quality = Quality {
        sums: [vec![Sum::default(); bins], vec![Sum::default(); bins]],
    };
    for number in 0..games {
        if stop() {
            break;
        }
        let mut rng = seeded(derive(seed, number));
        match source.games.is_empty() {
            true => quality.follow(&chess_game(&mut rng), source.analyser, &mut rng),
            false => match source.games.get(number as usize) {
                Some(actions) => quality.follow(actions, source.analyser, &mut rng),
                None => break,
            },
        }
    }
    quality
}

/// A game of plain chess between two small searches.
fn chess_game(rng: &mut Rng) -> Vec<Action> {
    let game = Game::chess();
    let mut session = Session::new(game, game.start(), Some(2 * MAX_MOVES));
    for _ in 0..RANDOM_PLIES {
        let moves = session.state().legal_moves();
        session.apply(Action::Move(*moves.choose(rng).expect("a move")));
    }
    let mut actions = session.actions().to_vec();
    let spec = "classic:nodes=400".parse().expect("a spec of this file");
    let [mut white, mut black] = [(); 2].map(|()| {
        registry::build(&spec, &game, &Providers::default()).expect("an agent of this file")
    });
    let agents: ByColor<&mut dyn Agent> = ByColor {
        white: &mut white,
        black: &mut black,
    };
    let start = *session.state().position();
    let session = Session::resume(session.state().clone(), Some(2 * MAX_MOVES));
    let config = GameConfig::new(game, start, 1, 0);
    actions.extend(play_agents(session, &config, agents, &|_| false).actions);
    actions
}

impl Quality {
    /// Follows a game as White would see it in fog.
    fn follow(&mut self, actions: &[Action], analyser: &dyn Analyser, rng: &mut Rng) {
        let game = Game::fog();
        let state = State::start(game);
        let start = World::of(state.position(), Color::Black);
        let mut roster = EnemyMaterial::new(&start, Color::Black);
        let first = Evidence::new(&game, state.observe(Color::White).view());
        let filter = Filter {
            count: PARTICLES,
            threshold: 1.0,
            early: true,
            reinvigoration: Reinvigoration::Traced,
            resample: Resample::Reject,
        };
        let mut traced = Particles::new(filter, start, first);
        let belief = BeliefSet::new(&game, Color::White, state.position());
        let mut belief = belief.with_cap(MAX_WORLDS, 1);
        let mut replay = Replay::new(state, actions);
        while let Some(Ok(_)) = replay.step() {
            let state = replay.state();
            let seen = state.observe(Color::White);
            roster.update(&seen.news());
            traced.update(&seen, rng);
            let exact = belief.update(&seen).is_ok() && belief.is_exact();
            if state.outcome().is_some() {
                return;
            }
            if state.position().turn().is_black() {
                continue;
            }
            let evidence = Evidence::new(&game, seen.view());
            let uniform =
                (0..PARTICLES).filter_map(|_| sample_placement(&roster, &evidence, None, rng));
            let made = [uniform.collect::<Vec<World>>(), traced.worlds().to_vec()];
            let moment = Moment {
                truth: *state.position(),
                moves: state.plies() / 2,
                evidence,
                roster: &roster,
                belief: exact.then_some(&belief),
            };
            self.compare(&moment, &made, analyser);
        }
    }

    fn compare(&mut self, moment: &Moment<'_>, made: &[Vec<World>; 2], analyser: &dyn Analyser) {
        let bin = ((moment.moves - 1) / WIDTH) as usize;
        let game = *moment.evidence.game();
        let value = |board: &Position| {
            let (moves, _) = best(analyser, &game, board, AnalysisLimit::nodes(NODES));
            moves.first().map(|(_, value)| *value)
        };
        let truth = value(&moment.truth);
        for (sums, worlds) in self.sums.iter_mut().zip(made) {
            let Some(sum) = sums.get_mut(bin) else {
                continue;
            };
            for world in worlds {
                let board = moment.evidence.position(world);
                sum.made += 1;
                if let (Some(truth), Some(value)) = (truth, value(&board)) {
                    sum.valued += 1;
                    sum.error += value - truth;
                }
                let can = reachable(world, Color::Black, moment.roster, moment.moves);
                sum.reachable += u32::from(can);
                if let Some(belief) = moment.belief {
                    sum.asked += 1;
                    sum.believed += u32::from(belief.contains(&board));
                }
            }
        }
    }

    /// The numbers behind the figures, as Markdown.
    pub fn table(&self) -> String {
        let mut text = String::from(
            "| moves | generator | boards | reachable at all | asked of the exact belief | member | valued | error of the value |\n|---|---|---|---|---|---|---|---|\n",
        );
        for bin in 0..self.sums[0].len() {
            for ((name, _), sums) in GENERATORS.iter().zip(&self.sums) {
                let sum = sums[bin];
                let share = |n: u32, of: u32| match of {
                    0 => "-".to_owned(),
                    _ => format!("{:.1} %", 100.0 * f64::from(n) / f64::from(of)),
                };
                let (from, to) = (bin as u32 * WIDTH + 1, (bin as u32 + 1) * WIDTH);
                text.push_str(&format!(
                    "| {from} to {to} | {name} | {} | {} | {} | {} | {} | {:+.3} |\n",
                    sum.made,
                    share(sum.reachable, sum.made),
                    sum.asked,
                    share(sum.believed, sum.asked),
                    sum.valued,
                    sum.error / f64::from(sum.valued.max(1)),
                ));
            }
        }
        text
    }

    /// Figures 10 and 11 as SVG.
    pub fn figures(&self) -> Vec<Figure> {
        let middle = |bin: usize| f64::from(bin as u32 * WIDTH) + f64::from(WIDTH + 1) / 2.0;
        let line =
            |at: usize, value: &dyn Fn(&Sum) -> Option<f64>, stroke: Stroke| PlotLayer::Line {
                points: self.sums[at]
                    .iter()
                    .enumerate()
                    .filter_map(|(bin, sum)| Some((middle(bin), value(sum)?)))
                    .collect(),
                stroke,
            };
        let share = |n: u32, of: u32| (of > 0).then(|| f64::from(n) / f64::from(of));
        let mut plausible = plot("Plausibility of particles", "share of particles");
        let mut error = plot(
            "Error of the value",
            "value of the particle less the true one",
        );
        error
            .notes
            .push("+1 is won, -1 is lost, for the side to move".to_owned());
        for (at, (name, _)) in GENERATORS.iter().enumerate() {
            let solid = Stroke::solid(Ink::Series(at), 2.0);
            let dashed = Stroke {
                dash: "5 3",
                ..solid
            };
            let reachable = |sum: &Sum| share(sum.reachable, sum.made);
            let believed = |sum: &Sum| share(sum.believed, sum.asked);
            plausible.layers.push(line(at, &reachable, solid));
            plausible.layers.push(line(at, &believed, dashed));
            plausible.legend.push((solid, format!("{name}, reachable")));
            plausible
                .legend
                .push((dashed, format!("{name}, in the belief")));
            let mean = |sum: &Sum| (sum.valued > 0).then(|| sum.error / f64::from(sum.valued));
            error.layers.push(line(at, &mean, solid));
            error.legend.push((solid, (*name).to_owned()));
        }
        let figure = |name: &str, plot: &Plot| Figure {
            name: name.to_owned(),
            svg: plot.svg().finish(&plot.title, true),
        };
        vec![
            figure("dmu-figure-10", &plausible),
            figure("dmu-figure-11", &error),
        ]
    }
}

/// A position at which particles are evaluated.
struct Moment<'a> {
    truth: Position,
    moves: u32,
    evidence: Evidence,
    roster: &'a EnemyMaterial,
    /// The exact belief, while it is within its limit.
    belief: Option<&'a BeliefSet>,
}

fn plot(title: &str, y: &str) -> Plot {
    Plot {
        title: title.to_owned(),
        x: "moves played".to_owned(),
        y: y.to_owned(),
        ..Plot::default()
    }
}

#[cfg(test)]
mod tests {
    use foglight_engine::search::SearchAnalyser;
    use foglight_rules::Record;

    use super::*;

    /// Traced particles come from play, uniform ones do not: early in a game
    /// traced particles are far more plausible, as in figure 10.
    #[test]
    fn traced_particles_are_more_plausible_early() {
        let source = QualitySource {
            games: &[],
            analyser: &SearchAnalyser::default(),
        };
        let quality = quality(3, 1, &source, &|| false);
        let early = |at: usize| quality.sums[at][1];
        assert!(early(0).made >= 100 && early(1).made >= 100);
        assert!(early(1).reachable > early(0).reachable);
        // Members of the exact belief were reached by legal moves.
        for sums in &quality.sums {
            for sum in sums {
                assert!(sum.asked == 0 || sum.believed <= sum.reachable);
            }
        }
        assert_eq!(quality.figures().len(), 2);
        // A game that is given is followed to its end, and no other is played.
        let moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6".split_whitespace();
        let game = Record::parse(Game::chess(), Game::chess().start(), moves);
        let given = QualitySource {
            games: &[game.expect("legal moves").actions],
            ..source
        };
        let quality = super::quality(5, 1, &given, &|| false);
        assert_eq!(quality.sums[0][0].made, 30);
        assert_eq!(quality.sums[0][1].made, 0);
        assert!(quality.table().contains("| 1 to 4 | uniform |"));
    }
}
