//! Metapositions, after the Kriegspiel players that Mellemseter 2017 reports
//! (Ciancarini and others): one board that represents all possible positions. An
//! enemy pseudo-piece stands on every square where a piece of its type may be,
//! squares age while they are hidden, and a minimax over own move and
//! pseudo-legal reply chooses the move.

use foglight_rules::{
    Bitboard, Board, Color, Game, Move, MoveKind, Observation, Role, Square, Variant, attacks,
};
use rand::seq::IndexedRandom;

use crate::{
    belief::{BeliefTracker, Evidence},
    eval::michniewski::{square_value, value},
};
use foglight_play::{Agent, Budget, Entry, OptionInfo, Options, Report, Rng, Values, seeded};

pub const ENTRY: Entry = Entry {
    name: "metaposition",
    about: "two-ply minimax over a metaposition: pseudo-pieces on every possible square, ages of hidden squares",
    options: &[
        OptionInfo::new(
            "risk-weight",
            Values::Number(0.0, 10.0),
            "1.0",
            "factor on the expected loss to the best pseudo-legal reply",
        )
        .open(),
        OptionInfo::new(
            "exploration-weight",
            Values::Number(0.0, 10.0),
            "0.5",
            "factor on the ages of the hidden squares that a move reveals",
        )
        .open(),
        OptionInfo::new(
            "king-hunt-weight",
            Values::Number(0.0, 10.0),
            "1.0",
            "factor on the fraction of the enemy king's possible squares under attack",
        )
        .open(),
    ],
    plays: |game| matches!(game.variant(), Variant::Fog(_)),
    build: |options, _| Ok(Box::new(Metaposition::new(options))),
};

/// Value of a king in centipawns: more than all other pieces, but low enough that
/// a small probability of losing it does not dominate every move.
const KING: f64 = 6000.0;
/// Maximum age of a square, in plies.
const OLDEST: u32 = 12;

struct Metaposition {
    caution: f64,
    curiosity: f64,
    hunt: f64,
    meta: Option<Meta>,
    /// Used for the enemy's remaining material, and for the start position.
    keeper: BeliefTracker,
    rng: Rng,
    report: Report,
}

/// The metaposition: the union of all possible positions.
struct Meta {
    evidence: Evidence,
    plies: u32,
    /// Possible squares of hidden pieces, by piece type.
    pseudo: [Bitboard; 6],
    /// Number of hidden pieces, by piece type.
    count: [usize; 6],
    ages: [u32; 64],
}

fn worth(role: Role) -> f64 {
    match role {
        Role::King => KING,
        _ => f64::from(value(role)),
    }
}

/// Squares that a piece attacks; for pawns also the squares ahead.
fn reach(role: Role, side: Color, from: Square, occupied: Bitboard) -> Bitboard {
    let attacked = attacks::attacks(from, role.of(side), occupied);
    if role != Role::Pawn {
        return attacked;
    }
    let ahead = match side {
        Color::White => 8,
        Color::Black => -8,
    };
    let first = Bitboard::from_square(from).shift(ahead);
    let home = from.rank() == side.relative_rank(Square::A2.rank());
    attacked
        | first
        | if home {
            first.shift(ahead)
        } else {
            Bitboard::EMPTY
        }
}

impl Meta {
    /// A metaposition in which every piece type may be on every hidden square.
    fn new(evidence: Evidence, plies: u32) -> Meta {
        Meta {
            pseudo: [evidence.hidden_squares(); 6],
            count: [0; 6],
            ages: [0; 64],
            evidence,
            plies,
        }
    }

    /// Updates the metaposition after a ply: after an enemy move pseudo-pieces
    /// spread along all possible moves, then visible squares are cleared.
    fn follow(&mut self, after: Evidence, enemy_moved: bool, plies: u32) {
        if enemy_moved {
            self.spread(&after);
        }
        for (i, role) in Role::ALL.into_iter().enumerate() {
            // A piece that has become hidden is within one move of its last square.
            let gone = self.evidence.shown().pieces(role) & !after.shown().pieces(role);
            for from in gone {
                let own = after.own().occupied();
                self.pseudo[i] |= reach(role, !after.side(), from, own).with(from);
            }
            self.pseudo[i] &= after.hidden_squares();
        }
        for square in after.size().mask() {
            let age = &mut self.ages[square as usize];
            *age = if after.fixed().contains(square) {
                0
            } else {
                (*age + 1).min(OLDEST)
            };
        }
        (self.evidence, self.plies) = (after, plies);
    }

    fn spread(&mut self, after: &Evidence) {
        let enemy = !after.side();
        let walls = after.own().occupied() | after.shown().occupied();
        let last = after.size().last_rank(enemy);
        let before = self.pseudo;
        for (i, role) in Role::ALL.into_iter().enumerate() {
            for from in before[i] {
                self.pseudo[i] |= reach(role, enemy, from, walls);
            }
        }
        let promoted = self.pseudo[Role::Pawn as usize - 1] & last;
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            self.pseudo[role as usize - 1] |= promoted;
        }
        self.pseudo[Role::Pawn as usize - 1] &= !last;
    }

    fn count_hidden(&mut self, keeper: &BeliefTracker) {
        let Some(roster) = keeper.material() else {
            return;
        };
        self.count = [0; 6];
        for man in roster.hidden(self.evidence.shown(), &self.evidence) {
            self.count[man.role as usize - 1] += 1;
        }
    }

    /// The probability of an enemy capture on a square, and the value of the least
    /// valuable possible capturer.
    fn threat(&self, square: Square, own: Bitboard, shown: &[(Square, Role)]) -> (f64, f64) {
        let side = self.evidence.side();
        let seen = shown.iter().fold(own, |set, (at, _)| set.with(*at));
        let mut safe = 1.0;
        let mut cheapest = KING;
        for (i, role) in Role::ALL.into_iter().enumerate() {
            let from = match role {
                Role::Pawn => attacks::pawn_attacks(side, square),
                _ => attacks::attacks(square, role.of(!side), seen),
            };
            if shown
                .iter()
                .any(|(at, kind)| *kind == role && from.contains(*at))
            {
                (safe, cheapest) = (0.0, cheapest.min(worth(role)));
            }
            let dark = self.pseudo[i] & !own;
            let share = (from & dark).count() as f64 / dark.count().max(1) as f64;
            if share > 0.0 && self.count[i] > 0 {
                safe *= (1.0 - share).powi(self.count[i] as i32);
                cheapest = cheapest.min(worth(role));
            }
        }
        (1.0 - safe, cheapest)
    }
}

impl Metaposition {
    fn new(options: &Options) -> Metaposition {
        Metaposition {
            caution: options.number("risk-weight"),
            curiosity: options.number("exploration-weight"),
            hunt: options.number("king-hunt-weight"),
            meta: None,
            keeper: BeliefTracker::of_material(),
            rng: seeded(0),
            report: Report::default(),
        }
    }

    fn learn(&mut self, observation: &Observation) {
        self.keeper.see(observation);
        let evidence = Evidence::new(observation.game(), observation.view());
        let plies = observation.plies();
        let meta = self.meta.get_or_insert_with(|| Meta::new(evidence, plies));
        if meta.plies != plies {
            meta.follow(evidence, observation.news().own_move.is_none(), plies);
        }
        if plies == 0
            && let Some(belief) = self.keeper.belief()
        {
            // At the start the belief knows where the enemy's pieces may be.
            for (i, role) in Role::ALL.into_iter().enumerate() {
                let worlds = belief.worlds().iter();
                let squares = worlds.fold(Bitboard::EMPTY, |set, w| set | w.pieces(role));
                meta.pseudo[i] = squares & evidence.hidden_squares();
            }
        }
        meta.count_hidden(&self.keeper);
    }

    /// The score of a move after the best pseudo-legal reply.
    fn score(&self, observation: &Observation, meta: &Meta, m: Move) -> f64 {
        let side = observation.side();
        let taken = observation.captures(m);
        if taken == Some(Role::King) {
            return f64::INFINITY;
        }
        let (own, gone) = after_move(meta.evidence.own(), m, taken);
        let shown: Vec<(Square, Role)> = meta
            .evidence
            .shown()
            .iter()
            .filter(|(square, _)| Some(*square) != gone)
            .collect();
        let mut score = taken.map_or(0.0, worth);
        score += placement(observation, &own, side);
        score -= self.caution * best_reply(meta, &own, side, &shown);
        let seen = sight(
            &own,
            side,
            own.occupied() | meta.evidence.shown().occupied(),
        );
        let fresh = seen & meta.evidence.hidden_squares();
        let ages: u32 = fresh.into_iter().map(|s| meta.ages[s as usize]).sum();
        score += self.curiosity * f64::from(ages);
        let kings = meta.pseudo[Role::King as usize - 1];
        let covered = (seen & kings).count() as f64 / kings.count().max(1) as f64;
        score + self.hunt * 60.0 * covered
    }
}

/// The own pieces after a move, and the square of the captured piece.
fn after_move(own: &Board, m: Move, taken: Option<Role>) -> (Board, Option<Square>) {
    let mut own = *own;
    if let Some(piece) = own.clear(m.from()) {
        own.set(
            m.to(),
            m.promotion().map_or(piece, |role| role.of(piece.color)),
        );
    }
    if m.kind() == MoveKind::Castle
        && let Some(castling) = foglight_rules::Castling::ending_on(m.to())
        && let Some(rook) = own.clear(castling.rook.0)
    {
        own.set(castling.rook.1, rook);
    }
    (own, taken.map(|_| m.capture_square()))
}

/// Sum of piece values and square values of the own side.
fn placement(observation: &Observation, own: &Board, side: Color) -> f64 {
    let size = observation.view().size;
    let pieces = own.iter().filter(|(_, piece)| piece.role != Role::King);
    pieces
        .map(|(square, piece)| {
            let table = square_value(size, side, piece.role, square, false);
            worth(piece.role) + f64::from(table)
        })
        .sum()
}

/// The highest expected gain of a single enemy reply.
fn best_reply(meta: &Meta, own: &Board, side: Color, shown: &[(Square, Role)]) -> f64 {
    let losses = own.iter().map(|(square, piece)| {
        let (chance, taker) = meta.threat(square, own.occupied(), shown);
        let guarded = own.attackers(square, side, own.occupied()).any();
        let back = if guarded && piece.role != Role::King {
            taker
        } else {
            0.0
        };
        chance * (worth(piece.role) - back).max(0.0)
    });
    losses.fold(0.0, f64::max)
}

/// Squares attacked by the own pieces.
fn sight(own: &Board, side: Color, occupied: Bitboard) -> Bitboard {
    own.iter().fold(Bitboard::EMPTY, |seen, (square, piece)| {
        seen | attacks::attacks(square, piece.role.of(side), occupied)
    })
}

impl Agent for Metaposition {
    fn start(&mut self, _: &Game, _: Color, seed: u64) {
        (self.rng, self.meta) = (seeded(seed), None);
        self.keeper.start(seed);
    }

    fn see(&mut self, observation: &Observation) {
        self.learn(observation);
    }

    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
        self.learn(observation);
        let meta = self.meta.as_ref().expect("something was seen");
        let scored: Vec<(Move, f64)> = observation
            .legal_moves()
            .iter()
            .map(|m| (*m, self.score(observation, meta, *m)))
            .collect();
        let best = scored.iter().map(|(_, score)| *score);
        let best = best.fold(f64::NEG_INFINITY, f64::max);
        let equal: Vec<Move> = scored
            .iter()
            .filter(|(_, score)| *score >= best - 1e-9)
            .map(|(m, _)| *m)
            .collect();
        self.report = Report {
            nodes: scored.len() as u64,
            depth: 2,
            ..Report::default()
        };
        let choice = equal.choose(&mut self.rng).copied();
        choice.unwrap_or(observation.legal_moves()[0])
    }

    fn report(&self) -> Option<Report> {
        Some(self.report.clone())
    }
}
