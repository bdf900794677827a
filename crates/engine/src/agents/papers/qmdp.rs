//! The player of Gindi et al.: QMDP alpha vectors over a particle filter, on small
//! boards. With a full view it is the paper's "full-state" player.

use std::collections::HashMap;

use foglight_rules::{
    Board, Color, Game, Move, Observation, Piece, Position, Role, Setup, Size, Square, Variant,
};

use super::super::greedy::{Greedy, Style};
use crate::{
    belief::{
        EnemyMaterial, Evidence, Filter, Particles, Reinvigoration, Resample, World, known_start,
    },
    solve::{Qmdp, QmdpSettings, QmdpSolver},
};
use foglight_play::{
    Agent, Budget, Entry, OptionInfo, Options, Report, Rng, SpecError, Values, seeded,
};

pub const ENTRY: Entry = Entry {
    name: "qmdp",
    about: "QMDP: solved values of small boards, averaged over a particle filter (Gindi et al.)",
    options: &[
        OptionInfo::new(
            "preset",
            Values::Choice(&["best", "paper"]),
            "best",
            "paper: as published, late reinvigoration and no repetition penalty; \
                    options that are set override the preset",
        )
        .open(),
        OptionInfo::new(
            "pieces",
            Values::Text,
            "KQk",
            "initial pieces of both sides, White in upper case; known to both players in the paper",
        ),
        OptionInfo::new(
            "particles",
            Values::Whole(1, 1_000_000),
            "1000",
            "number of particles in the filter",
        )
        .up_to(3_000),
        OptionInfo::new(
            "threshold",
            Values::Number(0.0, 1.0),
            "0.1",
            "fraction of surviving particles below which new ones are drawn",
        )
        .open(),
        OptionInfo::new(
            "reinvigorate",
            Values::Choice(&["uniform", "traced", "history"]),
            "uniform",
            "how new particles are drawn",
        )
        // `history` replays the whole game at every move.
        .choices(&["uniform", "traced"]),
        OptionInfo::new(
            "resample",
            Values::Choice(&["reject", "sir"]),
            "reject",
            "reject inconsistent particles, or weight and resample (SIR)",
        )
        .open(),
        OptionInfo::new(
            "repetition-penalty",
            Values::Number(0.0, 10_000.0),
            "50",
            "subtracted from a move's value for each earlier occurrence of the resulting own placement; \
                    0 as in the paper, which has no draw by repetition",
        )
        .open(),
        OptionInfo::new(
            "iterations",
            Values::Whole(1, 100_000),
            "60",
            "iterations of value iteration",
        )
        .up_to(100),
    ],
    plays: |game| matches!(game.variant(), Variant::Fog(_)),
    build: |options, _| Ok(Box::new(QmdpPlayer::new(options)?)),
};

pub(crate) struct QmdpPlayer {
    pieces: Vec<Piece>,
    filter: Filter,
    settings: QmdpSettings,
    solution: Option<Qmdp>,
    /// A solution that is not finished.
    solving: Option<QmdpSolver>,
    particles: Option<Particles>,
    plies: Option<u32>,
    restless: f64,
    /// Number of occurrences of each placement of our pieces after our moves.
    stood: HashMap<Board, u32>,
    rng: Rng,
    greedy: Greedy,
    report: Report,
}

impl QmdpPlayer {
    fn new(options: &Options) -> Result<QmdpPlayer, SpecError> {
        let pieces = options.text("pieces");
        let valid = |piece: &Piece| piece.role != Role::Pawn;
        let read: Option<Vec<Piece>> = pieces
            .chars()
            .map(|letter| Piece::from_char(letter).filter(valid))
            .collect();
        let pieces = read.ok_or_else(|| SpecError::Value {
            agent: "qmdp".to_owned(),
            option: "pieces".to_owned(),
            value: pieces.to_owned(),
            valid: "letters of KQRBN and kqrbn".to_owned(),
        })?;
        let seed = options.text("preset") == "paper";
        let restless = match options.given("repetition-penalty") {
            None if seed => 0.0,
            _ => options.number("repetition-penalty"),
        };
        Ok(QmdpPlayer {
            pieces,
            filter: Filter {
                count: options.whole("particles").unwrap_or(1000) as usize,
                threshold: options.number("threshold"),
                early: !seed,
                reinvigoration: match options.text("reinvigorate") {
                    "traced" => Reinvigoration::Traced,
                    "history" => Reinvigoration::History,
                    _ => Reinvigoration::Uniform,
                },
                resample: match options.text("resample") {
                    "sir" => Resample::Sir,
                    _ => Resample::Reject,
                },
            },
            settings: QmdpSettings {
                iterations: options.whole("iterations").unwrap_or(60) as usize,
                ..QmdpSettings::default()
            },
            solution: None,
            solving: None,
            particles: None,
            plies: None,
            restless,
            stood: HashMap::new(),
            rng: seeded(0),
            greedy: Greedy::new(Style::Plain),
            report: Report::default(),
        })
    }

    /// Solves the game for the board's size and the observer's side, once, as
    /// far as the time allows; the next move continues. Does nothing while the
    /// side has pieces that the `pieces` option lacks.
    fn solve(&mut self, observation: &Observation, budget: &Budget) {
        let (size, side) = (observation.view().size, observation.side());
        let board = &observation.view().board;
        let solved = |role: Role| {
            let same = self.pieces.iter().filter(|piece| **piece == role.of(side));
            board.pieces(side, role).count() <= same.count()
        };
        if !Role::ALL.into_iter().all(solved) {
            return;
        }
        let known = self.solution.as_ref();
        if known.is_some_and(|qmdp| qmdp.size() == size && qmdp.side() == side) {
            return;
        }
        let game = observation.game();
        let same = |solving: &QmdpSolver| solving.solves() == (game, size, side);
        let mut solving = match self.solving.take().filter(same) {
            Some(solving) => solving,
            None => {
                let position = any_placement(game, size, &self.pieces);
                let begin = |at| QmdpSolver::new(game, &at, side, self.settings).ok();
                let Some(solving) = position.and_then(begin) else {
                    return;
                };
                solving
            }
        };
        while solving.step().is_some() {
            if budget.out_of_time() {
                self.solving = Some(solving);
                return;
            }
        }
        self.solution = Some(solving.finish());
    }

    fn update(&mut self, observation: &Observation) {
        if self.plies == Some(observation.plies()) || observation.position().is_some() {
            return;
        }
        self.plies = Some(observation.plies());
        match &mut self.particles {
            Some(particles) => {
                particles.update(observation, &mut self.rng);
            }
            None => self.particles = self.first_particles(observation),
        }
    }

    /// Particles at the start, which both players know; made up from the view
    /// and the `pieces` option in a game joined midway.
    fn first_particles(&mut self, observation: &Observation) -> Option<Particles> {
        let (game, enemy) = (observation.game(), !observation.side());
        let evidence = Evidence::new(game, observation.view());
        if let Some(start) = known_start(observation) {
            let world = World::of(&start, enemy);
            return Some(Particles::new(self.filter, world, evidence));
        }
        let position = any_placement(game, observation.view().size, &self.pieces)?;
        let roster = EnemyMaterial::new(&World::of(&position, enemy), enemy);
        Some(Particles::from_view(
            self.filter,
            roster,
            evidence,
            &mut self.rng,
        ))
    }

    /// The best move after the repetition penalty, with its value before the
    /// penalty.
    fn best(&self, observation: &Observation, values: &[f64]) -> Option<(Move, f64)> {
        let moves = observation.legal_moves().iter().zip(values);
        let marked = moves.map(|(m, value)| {
            let stood = self.stood.get(&own_after(observation, *m));
            let off = self.restless * f64::from(stood.copied().unwrap_or(0));
            (*m, *value, value - off)
        });
        let best = marked.max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0)));
        best.map(|(m, value, _)| (m, value))
    }

    /// The belief as positions with their probabilities.
    fn belief(&self, observation: &Observation) -> Vec<(Position, f64)> {
        if let Some(position) = observation.position() {
            return vec![(*position, 1.0)];
        }
        let Some(particles) = &self.particles else {
            return Vec::new();
        };
        let shares: HashMap<World, f64> = particles.belief();
        let mut shares: Vec<(World, f64)> = shares.into_iter().collect();
        shares.sort_by_key(|(world, _)| *world);
        let evidence = particles.evidence();
        let positions = shares.into_iter();
        positions
            .map(|(world, share)| (evidence.position(&world), share))
            .collect()
    }
}

impl Agent for QmdpPlayer {
    fn start(&mut self, game: &Game, side: Color, seed: u64) {
        self.rng = seeded(seed);
        self.greedy.start(game, side, seed);
        (self.particles, self.plies) = (None, None);
        self.stood.clear();
    }

    fn see(&mut self, observation: &Observation) {
        if observation.outcome().is_none() {
            self.update(observation);
        }
    }

    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        self.update(observation);
        self.solve(observation, budget);
        let belief = self.belief(observation);
        let weighed = belief.iter().map(|(position, share)| (position, *share));
        let solution = self.solution.as_ref();
        let values = solution.and_then(|qmdp| qmdp.products(observation.legal_moves(), weighed));
        let choice = values.and_then(|values| self.best(observation, &values));
        self.report = Report {
            value: choice.map(|(_, value)| value / self.settings.reward),
            metrics: vec![("worlds", belief.len() as f64)],
            ..Report::default()
        };
        match choice {
            Some((m, _)) => {
                *self.stood.entry(own_after(observation, m)).or_insert(0) += 1;
                m
            }
            None => self.greedy.act(observation, budget),
        }
    }

    fn report(&self) -> Option<Report> {
        Some(self.report.clone())
    }
}

/// The observer's own pieces after a move.
fn own_after(observation: &Observation, m: Move) -> Board {
    let view = observation.view();
    let mut own = view.board.masked(view.own());
    if let Some(piece) = own.clear(m.from()) {
        own.set(m.to(), piece);
    }
    own
}

/// An arbitrary position with these pieces, for uses that depend only on the
/// material.
fn any_placement(game: &Game, size: Size, pieces: &[Piece]) -> Option<Position> {
    let squares: Vec<Square> = size.mask().into_iter().collect();
    let board = squares.into_iter().zip(pieces.iter().copied()).collect();
    let parts = Setup {
        size,
        board,
        castling: foglight_rules::CastlingRights::NONE,
        ..Setup::start()
    };
    game.position(parts).ok()
}
