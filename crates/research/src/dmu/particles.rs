//! Figures 10 and 11: plausibility of sampled boards, and the error of their
//! value, by the number of moves. The paper used positions from chess games
//! played online; here the engine plays the games, so that the experiment is
//! repeatable.

use foglight_arena::{
    queue::{JsonWork, Work},
    report::{
        Figure,
        chart::{Ink, Plot, PlotLayer, Stroke},
    },
};
use foglight_engine::{
    belief::{
        BeliefSet, EnemyMaterial, Evidence, Filter, Particles, Reinvigoration, Resample, World,
        sample_placement,
    },
    registry,
    search::{SearchAnalyser, analyser::best},
};
use foglight_play::{
    Agent, AnalysisLimit, GameConfig, Providers, Rng, Session, rng::derive, seeded,
    session::play_agents,
};
use foglight_rules::{Action, ByColor, Color, Game, Position, Replay, State};
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

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
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
struct Sum {
    made: u32,
    reachable: u32,
    asked: u32,
    believed: u32,
    error: f64,
}

impl Sum {
    fn add(&mut self, other: &Sum) {
        self.made += other.made;
        self.reachable += other.reachable;
        self.asked += other.asked;
        self.believed += other.believed;
        self.error += other.error;
    }
}

/// Measured quality of the generators.
#[derive(PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// Sums by generator and by moves played.
    sums: [Vec<Sum>; 2],
}

impl Default for Quality {
    fn default() -> Quality {
        let bins = (MAX_MOVES / WIDTH) as usize;
        Quality {
            sums: [vec![Sum::default(); bins], vec![Sum::default(); bins]],
        }
    }
}

/// What the games of the figures follow from.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct QualityOptions {
    pub seed: u64,
}

/// Games over which both generators are measured.
pub struct QualityGames(pub QualityOptions);

impl Work for QualityGames {
    type Output = Quality;
    type Tools = ();

    fn tools(&self) {}

    fn do_item(&self, item: u64, (): &mut (), _: &dyn Fn() -> bool) -> Option<Quality> {
        let mut rng = seeded(derive(self.0.seed, item));
        let actions = chess_game(&mut rng);
        let mut quality = Quality::default();
        quality.follow(&actions, &mut rng);
        Some(quality)
    }
}

impl JsonWork for QualityGames {
    const KIND: &'static str = "experiment dmu figures";
    type Options = QualityOptions;

    fn options(&self) -> &QualityOptions {
        &self.0
    }

    fn repeats(&self) -> bool {
        true
    }

    fn check(&self, _: u64, quality: &Quality) -> Result<(), String> {
        let bins = (MAX_MOVES / WIDTH) as usize;
        match quality.sums.iter().all(|sums| sums.len() == bins) {
            true => Ok(()),
            false => Err("sums of other figures".to_owned()),
        }
    }

    fn same(&self, one: &Quality, other: &Quality) -> bool {
        one == other
    }
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
    /// Adds the sums of another game.
    pub fn add(&mut self, other: &Quality) {
        for (sums, others) in self.sums.iter_mut().zip(&other.sums) {
            for (sum, other) in sums.iter_mut().zip(others) {
                sum.add(other);
            }
        }
    }

    /// Follows a game as White would see it in fog.
    fn follow(&mut self, actions: &[Action], rng: &mut Rng) {
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
        let analyser = SearchAnalyser::default();
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
            self.compare(&moment, &made, &analyser);
        }
    }

    fn compare(&mut self, moment: &Moment<'_>, made: &[Vec<World>; 2], analyser: &SearchAnalyser) {
        let bin = ((moment.moves - 1) / WIDTH) as usize;
        let game = *moment.evidence.game();
        let value = |board: &Position| {
            let (moves, _) = best(analyser, &game, board, AnalysisLimit::nodes(NODES));
            moves.first().map_or(0.0, |(_, value)| *value)
        };
        let truth = value(&moment.truth);
        for (sums, worlds) in self.sums.iter_mut().zip(made) {
            let Some(sum) = sums.get_mut(bin) else {
                continue;
            };
            for world in worlds {
                let board = moment.evidence.position(world);
                sum.made += 1;
                sum.error += value(&board) - truth;
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
            "| moves | generator | boards | reachable at all | asked of the exact belief | member | error of the value |\n|---|---|---|---|---|---|---|\n",
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
                    "| {from} to {to} | {name} | {} | {} | {} | {} | {:+.3} |\n",
                    sum.made,
                    share(sum.reachable, sum.made),
                    sum.asked,
                    share(sum.believed, sum.asked),
                    sum.error / f64::from(sum.made.max(1)),
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
            let mean = |sum: &Sum| (sum.made > 0).then(|| sum.error / f64::from(sum.made));
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
    use super::*;

    /// Traced particles come from play, uniform ones do not: early in a game
    /// traced particles are far more plausible, as in figure 10.
    #[test]
    fn traced_particles_are_more_plausible_early() {
        let games = QualityGames(QualityOptions { seed: 1 });
        let mut quality = Quality::default();
        for item in 0..3 {
            let of_game = games.do_item(item, &mut (), &|| false);
            quality.add(&of_game.expect("a game"));
        }
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
        assert!(quality.table().contains("| 1 to 4 | uniform |"));
    }
}
