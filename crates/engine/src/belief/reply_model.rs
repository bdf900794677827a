//! A model of the enemy's choice of a move, cheap enough to weigh every reply in
//! every world: a softmax over scores that add up from the square left and the
//! square reached.

use std::{
    fmt::Write as _,
    sync::{Arc, LazyLock},
};

use foglight_rules::{
    Bitboard, Color, Move, MoveKind, Position, Role, Square, attacks, piece_attacks,
};

use super::evidence::Evidence;

/// Classes of squares by the observer's cheapest attacker: none, pawn, minor
/// piece, rook, queen, king.
const GUARDS: usize = 6;
/// Classes of threats: none, or the dearest of pawn, minor piece, rook, queen,
/// king.
const THREATS: usize = 6;
/// Nothing, or a piece type of the observer.
const TARGETS: usize = 7;
const STAGES: usize = 3;
const ROLES: usize = 6;
const SQUARES: usize = 64;

const LEAVE_SQUARE: usize = 0;
const LEAVE_GUARD: usize = LEAVE_SQUARE + STAGES * ROLES * SQUARES;
const REACH_SQUARE: usize = LEAVE_GUARD + ROLES * GUARDS;
const REACH_TARGET: usize = REACH_SQUARE + STAGES * ROLES * SQUARES;
const REACH_THREAT: usize = REACH_TARGET + ROLES * TARGETS * GUARDS;
const PROMOTE: usize = REACH_THREAT + ROLES * THREATS;
pub(super) const CASTLE: usize = PROMOTE + ROLES;

/// The number of parameters.
pub const REPLY_FEATURES: usize = CASTLE + 1;

/// The parameters of the model: the score of each feature of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplyModel {
    scores: Vec<f32>,
}

impl ReplyModel {
    /// A model with these scores, one per feature.
    pub fn new(scores: Vec<f32>) -> Option<ReplyModel> {
        (scores.len() == REPLY_FEATURES).then_some(ReplyModel { scores })
    }

    /// Reads the result of [`ReplyModel::text`].
    pub fn parse(text: &str) -> Result<ReplyModel, String> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let words = lines.flat_map(str::split_whitespace);
        let scores: Result<Vec<f32>, _> = words
            .map(|word| {
                let score = word.parse::<f32>().ok().filter(|score| score.is_finite());
                score.ok_or_else(|| format!("expected a number, found '{word}'"))
            })
            .collect();
        let scores = scores?;
        let found = scores.len();
        ReplyModel::new(scores)
            .ok_or_else(|| format!("expected {REPLY_FEATURES} numbers, found {found}"))
    }

    /// The scores as text, in rows of eight.
    pub fn text(&self) -> String {
        let mut text =
            String::from("# Scores of features of moves, written by `foglight train replies`\n");
        for row in self.scores.chunks(8) {
            let words: Vec<String> = row.iter().map(|score| format!("{score:.3}")).collect();
            writeln!(text, "{}", words.join(" ")).expect("text takes any line");
        }
        text
    }

    /// The summed score of these features.
    pub fn score(&self, features: impl IntoIterator<Item = usize>) -> f32 {
        features.into_iter().map(|i| self.scores[i]).sum()
    }
}

/// The model that ships with the program.
pub(super) fn shipped() -> Arc<ReplyModel> {
    static SHIPPED: LazyLock<Arc<ReplyModel>> = LazyLock::new(|| {
        let text = include_str!("../../../../data/weights/replies.txt");
        Arc::new(ReplyModel::parse(text).expect("the shipped model is complete"))
    });
    SHIPPED.clone()
}

/// What the scores of all replies depend on beside the move itself. It follows
/// from the observer's own pieces and view, so it is the same in every world.
pub struct ReplyContext {
    enemy: Color,
    stage: usize,
    evidence: Evidence,
    guards: [u8; SQUARES],
}

impl ReplyContext {
    /// The context of the enemy's move after this many plies, given the view
    /// before it.
    pub fn new(evidence: &Evidence, plies: u32) -> ReplyContext {
        ReplyContext {
            enemy: !evidence.side(),
            stage: match plies {
                0..12 => 0,
                12..40 => 1,
                _ => 2,
            },
            evidence: *evidence,
            guards: guards(evidence),
        }
    }

    /// The features of the square that a move leaves.
    pub(super) fn leaving(&self, role: Role, from: Square) -> [usize; 2] {
        let guard = self.guards[from as usize] as usize;
        [
            LEAVE_SQUARE + self.place(role, from),
            LEAVE_GUARD + at(role) * GUARDS + guard,
        ]
    }

    /// The features of the square that a move reaches.
    pub(super) fn reaching(&self, role: Role, to: Square) -> [usize; 3] {
        let guard = self.guards[to as usize] as usize;
        let target = self.evidence.own().piece_at(to);
        let target = target.map_or(0, |piece| piece.role as usize);
        [
            REACH_SQUARE + self.place(role, to),
            REACH_TARGET + (at(role) * TARGETS + target) * GUARDS + guard,
            REACH_THREAT + at(role) * THREATS + self.threat(role, to),
        ]
    }

    /// The feature of a promotion.
    pub(super) fn promoting(role: Role) -> usize {
        PROMOTE + at(role)
    }

    /// All features of a move of the enemy in a position.
    pub fn features(&self, position: &Position, m: Move) -> Vec<usize> {
        let role = position
            .board()
            .role_at(m.from())
            .expect("a move has a mover");
        let mut features = self.leaving(role, m.from()).to_vec();
        features.extend(self.reaching(role, m.to()));
        features.extend(m.promotion().map(ReplyContext::promoting));
        features.extend((m.kind() == MoveKind::Castle).then_some(CASTLE));
        features
    }

    fn place(&self, role: Role, square: Square) -> usize {
        let square = match self.enemy {
            Color::White => square,
            Color::Black => self.evidence.size().mirror(square),
        };
        (self.stage * ROLES + at(role)) * SQUARES + square as usize
    }

    /// The dearest piece of the observer that a mover would attack from a
    /// square, if it is worth more than the mover or has no guard.
    fn threat(&self, role: Role, from: Square) -> usize {
        let own = self.evidence.own();
        let hit = match role {
            Role::Pawn => attacks::pawn_attacks(self.enemy, from),
            _ => piece_attacks(role, from, known(&self.evidence)),
        } & own.occupied();
        let gains = |square: &Square| {
            let target = own.role_at(*square).expect("the observer's piece");
            self.guards[*square as usize] == 0 || class(target) > class(role)
        };
        let targets = hit.into_iter().filter(gains);
        let classes = targets.filter_map(|square| own.role_at(square)).map(class);
        classes.max().unwrap_or(0)
    }
}

fn at(role: Role) -> usize {
    role as usize - 1
}

/// Pawn, minor piece, rook, queen, king, from 1.
fn class(role: Role) -> usize {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 2,
        Role::Rook => 3,
        Role::Queen => 4,
        Role::King => 5,
    }
}

/// The pieces known to stand: they include every blocker of the observer's lines.
fn known(evidence: &Evidence) -> Bitboard {
    evidence.own().occupied() | evidence.shown().occupied() | evidence.blocked()
}

/// The class of the observer's cheapest attacker of each square.
fn guards(evidence: &Evidence) -> [u8; SQUARES] {
    let mut guards = [0; SQUARES];
    let side = evidence.side();
    let own = evidence.own();
    for role in [
        Role::King,
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ] {
        for from in own.role(role) {
            let hit = match role {
                Role::Pawn => attacks::pawn_attacks(side, from),
                _ => piece_attacks(role, from, known(evidence)),
            };
            for square in hit {
                guards[square as usize] = class(role) as u8;
            }
        }
    }
    guards
}
