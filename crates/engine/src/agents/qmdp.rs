//! The player of the DMU project (seed 004): QMDP alpha vectors over a particle
//! filter, on small boards. With full sight it is the source's "full-state"
//! player.

use std::collections::HashMap;

use foglight_rules::{
    Board, Color, Game, Move, Observation, Piece, Position, Setup, Size, Square, Variant,
};

use super::greedy::{Greedy, Style};
use crate::{
    belief::{Evidence, Filter, Particles, Regenerate, Resample, Roster, World},
    solve::{Qmdp, QmdpSettings},
};
use foglight_play::{
    Agent, Budget, Entry, OptionInfo, Options, Report, Rng, SpecError, Values, seeded,
};

/// In the registry.
pub const ENTRY: Entry = Entry {
    name: "qmdp",
    about: "exact values of small boards over a particle filter (seed 004)",
    options: &[
        OptionInfo {
            name: "preset",
            values: Values::Choice(&["best", "seed"]),
            default: "best",
            about: "seed: as the source has it, new particles late and no eye for repetition; \
                    options that are set come before the preset",
        },
        OptionInfo {
            name: "pieces",
            values: Values::Text,
            default: "KQk",
            about: "what both sides began with, upper case White; known to both in the source",
        },
        OptionInfo {
            name: "particles",
            values: Values::Whole(1, 1_000_000),
            default: "1000",
            about: "particles of the filter",
        },
        OptionInfo {
            name: "threshold",
            values: Values::Number(0.0, 1.0),
            default: "0.1",
            about: "share of particles below which new ones are made",
        },
        OptionInfo {
            name: "regenerate",
            values: Values::Choice(&["uniform", "traced", "history"]),
            default: "uniform",
            about: "how new particles are made",
        },
        OptionInfo {
            name: "resample",
            values: Values::Choice(&["reject", "sir"]),
            default: "reject",
            about: "drop what does not fit, or weigh and draw anew",
        },
        OptionInfo {
            name: "restless",
            values: Values::Number(0.0, 10_000.0),
            default: "50",
            about: "taken off a move's value for each time its own pieces stood so before; \
                    0 as in the source, which knows no draw by repetition",
        },
        OptionInfo {
            name: "iterations",
            values: Values::Whole(1, 100_000),
            default: "60",
            about: "rounds of value iteration",
        },
    ],
    plays: |game| matches!(game.variant(), Variant::Fog(_)),
    build: |options, _| Ok(Box::new(QmdpPlayer::new(options)?)),
};

/// The player.
pub struct QmdpPlayer {
    pieces: Vec<Piece>,
    filter: Filter,
    settings: QmdpSettings,
    solution: Option<Qmdp>,
    particles: Option<Particles>,
    plies: Option<u32>,
    restless: f64,
    /// How often the own pieces stood like this after a move.
    stood: HashMap<Board, u32>,
    rng: Rng,
    greedy: Greedy,
    report: Report,
}

impl QmdpPlayer {
    fn new(options: &Options) -> Result<QmdpPlayer, SpecError> {
        let pieces = options.text("pieces");
        let valid = |piece: &Piece| piece.role != foglight_rules::Role::Pawn;
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
        let seed = options.text("preset") == "seed";
        let restless = match options.given("restless") {
            None if seed => 0.0,
            _ => options.number("restless"),
        };
        Ok(QmdpPlayer {
            pieces,
            filter: Filter {
                count: options.whole("particles").unwrap_or(1000) as usize,
                threshold: options.number("threshold"),
                early: !seed,
                regenerate: match options.text("regenerate") {
                    "traced" => Regenerate::Traced,
                    "history" => Regenerate::History,
                    _ => Regenerate::Uniform,
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
            particles: None,
            plies: None,
            restless,
            stood: HashMap::new(),
            rng: seeded(0),
            greedy: Greedy::new(Style::Plain),
            report: Report::default(),
        })
    }

    /// Solves the board of this size for this side, once.
    fn solve(&mut self, observation: &Observation) {
        let (size, side) = (observation.view().size, observation.side());
        let known = self.solution.as_ref();
        if known.is_some_and(|qmdp| qmdp.size() == size && qmdp.side() == side) {
            return;
        }
        let game = observation.game();
        let solved = any_placement(game, size, &self.pieces)
            .and_then(|position| Qmdp::solve(game, &position, side, self.settings, |_, _| {}).ok());
        self.solution = solved;
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
            None => {
                let evidence = Evidence::new(observation.game(), observation.view());
                let enemy = !observation.side();
                let game = observation.game();
                let start = any_placement(game, observation.view().size, &self.pieces);
                let roster = start.map(|position| Roster::new(&World::of(&position, enemy), enemy));
                self.particles = roster
                    .map(|roster| Particles::spread(self.filter, roster, evidence, &mut self.rng));
            }
        }
    }

    /// The best product once moves that repeat the own placement are marked
    /// down; with its own value.
    fn best(&self, observation: &Observation, values: &[f64]) -> Option<(Move, f64)> {
        let moves = observation.moves().iter().zip(values);
        let marked = moves.map(|(m, value)| {
            let stood = self.stood.get(&own_after(observation, *m));
            let off = self.restless * f64::from(stood.copied().unwrap_or(0));
            (*m, *value, value - off)
        });
        let best = marked.max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0)));
        best.map(|(m, value, _)| (m, value))
    }

    /// The belief as positions with their shares.
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
        self.solve(observation);
        let belief = self.belief(observation);
        let weighed = belief.iter().map(|(position, share)| (position, *share));
        let solution = self.solution.as_ref();
        let values = solution.and_then(|qmdp| qmdp.products(observation.moves(), weighed));
        let choice = values.and_then(|values| self.best(observation, &values));
        self.report = Report {
            value: choice.map(|(_, value)| value / self.settings.reward),
            figures: vec![("worlds", belief.len() as f64)],
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

/// Some position with these pieces, for what depends on the pieces only.
fn any_placement(game: &Game, size: Size, pieces: &[Piece]) -> Option<Position> {
    let squares: Vec<Square> = size.mask().into_iter().collect();
    let board = squares.into_iter().zip(pieces.iter().copied()).collect();
    let parts = Setup {
        size,
        board,
        castling: foglight_rules::Rights::NONE,
        ..Setup::start()
    };
    game.position(parts).ok()
}
