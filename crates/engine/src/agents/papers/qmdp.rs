//! The player of the DMU project (seed 004): QMDP alpha vectors over a particle
//! filter, on small boards. With full sight it is the source's "full-state"
//! player.

use std::collections::HashMap;

use foglight_rules::{
    Board, Color, Game, Move, Observation, Piece, Position, Role, Setup, Size, Square, Variant,
};

use super::super::greedy::{Greedy, Style};
use crate::{
    belief::{EnemyMaterial, Evidence, Filter, Particles, Reinvigoration, Resample, World},
    solve::{Qmdp, QmdpSettings},
};
use foglight_play::{
    Agent, Budget, Entry, OptionInfo, Options, Report, Rng, SpecError, Values, seeded,
};

pub const ENTRY: Entry = Entry {
    name: "qmdp",
    about: "exact values of small boards over a particle filter (seed 004)",
    options: &[
        OptionInfo::new(
            "preset",
            Values::Choice(&["best", "paper"]),
            "best",
            "seed: as the source has it, new particles late and no eye for repetition; \
                    options that are set come before the preset",
        )
        .open(),
        OptionInfo::new(
            "pieces",
            Values::Text,
            "KQk",
            "what both sides began with, upper case White; known to both in the source",
        ),
        OptionInfo::new(
            "particles",
            Values::Whole(1, 1_000_000),
            "1000",
            "particles of the filter",
        )
        .up_to(5_000),
        OptionInfo::new(
            "threshold",
            Values::Number(0.0, 1.0),
            "0.1",
            "share of particles below which new ones are made",
        )
        .open(),
        OptionInfo::new(
            "reinvigorate",
            Values::Choice(&["uniform", "traced", "history"]),
            "uniform",
            "how new particles are made",
        )
        // The third replays the whole game at every move.
        .choices(&["uniform", "traced"]),
        OptionInfo::new(
            "resample",
            Values::Choice(&["reject", "sir"]),
            "reject",
            "drop what does not fit, or weigh and draw anew",
        )
        .open(),
        OptionInfo::new(
            "repetition-penalty",
            Values::Number(0.0, 10_000.0),
            "50",
            "taken off a move's value for each time its own pieces stood so before; \
                    0 as in the source, which knows no draw by repetition",
        )
        .open(),
        OptionInfo::new(
            "iterations",
            Values::Whole(1, 100_000),
            "60",
            "rounds of value iteration",
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
            particles: None,
            plies: None,
            restless,
            stood: HashMap::new(),
            rng: seeded(0),
            greedy: Greedy::new(Style::Plain),
            report: Report::default(),
        })
    }

    /// Solves the board of this size for this side, once; not while the side
    /// has more than the pieces that are solved for.
    fn solve(&mut self, observation: &Observation) {
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
                let roster =
                    start.map(|position| EnemyMaterial::new(&World::of(&position, enemy), enemy));
                self.particles = roster.map(|roster| {
                    Particles::from_view(self.filter, roster, evidence, &mut self.rng)
                });
            }
        }
    }

    /// The best product once moves that repeat the own placement are marked
    /// down; with its own value.
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

/// Some position with these pieces, for what depends on the pieces only.
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
