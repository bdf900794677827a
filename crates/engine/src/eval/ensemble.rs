//! The evaluators of Dukek et al. (c. 2021), each usable alone: capture,
//! pointwise, positional, check opportunity, checkmate opportunity, pattern.
//!
//! All scores are for White: positive where White is better, as section 4 of
//! the paper says, then mapped to 0..1. Its pseudo-code departs from its prose
//! in places; the prose is followed:
//!
//! - algorithms 1 and 2 add up without regard to side; here Black's part counts
//!   against White;
//! - algorithm 3 (check opportunity) repeats the code of algorithm 1; here the
//!   moves that give check are counted;
//! - algorithm 5 (pattern) scores a draw against the side to move, while the
//!   text wants to punish "a move that causes a draw": here the side that has
//!   just moved is punished.
//!
//! The paper does not say how scores are mapped: a logistic curve is used, each
//! evaluator with its own unit.

use foglight_rules::{Color, Game, MoveList, Position, Role};

use super::michniewski;

/// An evaluator of Dukek et al.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EvaluatorKind {
    /// Captures available to the side to move (4.1).
    Capture,
    /// Material of both sides (4.2).
    Pointwise,
    /// Piece-square values of both sides (4.3).
    Positional,
    /// Number of moves that give check (4.4).
    Check,
    /// Whether a move mates (4.5).
    Checkmate,
    /// Draws by stalemate, repetition or the fifty-move rule (4.6).
    Pattern,
}

impl EvaluatorKind {
    /// All evaluators, in the paper's order.
    pub const ALL: [EvaluatorKind; 6] = [
        EvaluatorKind::Capture,
        EvaluatorKind::Pointwise,
        EvaluatorKind::Positional,
        EvaluatorKind::Check,
        EvaluatorKind::Checkmate,
        EvaluatorKind::Pattern,
    ];

    /// The name in options and tables.
    pub const fn name(self) -> &'static str {
        match self {
            EvaluatorKind::Capture => "capture",
            EvaluatorKind::Pointwise => "pointwise",
            EvaluatorKind::Positional => "positional",
            EvaluatorKind::Check => "check",
            EvaluatorKind::Checkmate => "checkmate",
            EvaluatorKind::Pattern => "pattern",
        }
    }

    /// The raw score that maps to 0.73, in the evaluator's own unit.
    const fn unit(self) -> f64 {
        match self {
            EvaluatorKind::Capture => 9.0,
            EvaluatorKind::Pointwise => 4.0,
            EvaluatorKind::Positional => 1.0,
            EvaluatorKind::Check => 2.0,
            EvaluatorKind::Checkmate | EvaluatorKind::Pattern => 0.25,
        }
    }
}

/// A position with intermediate results that the evaluators share.
pub struct EvalContext<'a> {
    game: &'a Game,
    position: &'a Position,
    /// Hashes of the positions before it, oldest first.
    history: &'a [u64],
    moves: MoveList,
    /// Moves of the side to move that give check, and whether one mates. `None`
    /// until computed.
    checks: Option<(u32, bool)>,
}

impl<'a> EvalContext<'a> {
    /// Analyses a position of chess or king-capture chess.
    pub fn new(game: &'a Game, position: &'a Position, history: &'a [u64]) -> EvalContext<'a> {
        EvalContext {
            game,
            position,
            history,
            moves: game.legal_moves(position),
            checks: None,
        }
    }

    /// The moves of the side to move.
    pub fn moves(&self) -> &MoveList {
        &self.moves
    }

    /// The score of an evaluator for White, in its own unit: pawns or moves;
    /// infinite for a mate.
    pub fn raw(&mut self, kind: EvaluatorKind) -> f64 {
        match kind {
            EvaluatorKind::Capture => self.for_mover(self.captures()),
            EvaluatorKind::Pointwise => self.pointwise(),
            EvaluatorKind::Positional => self.positional(),
            EvaluatorKind::Check => {
                let checks = f64::from(self.checks().0);
                self.for_mover(checks)
            }
            EvaluatorKind::Checkmate => self.checkmate(),
            EvaluatorKind::Pattern => self.pattern(),
        }
    }

    /// The score mapped to 0..1: 1 for White, 0 for Black.
    pub fn squeezed(&mut self, kind: EvaluatorKind) -> f64 {
        1.0 / (1.0 + (-self.raw(kind) / kind.unit()).exp())
    }

    fn for_mover(&self, score: f64) -> f64 {
        if self.position.turn().is_white() {
            score
        } else {
            -score
        }
    }

    fn captures(&self) -> f64 {
        let taken = self.moves.iter().filter_map(|&m| self.position.captured(m));
        pawns(taken.map(michniewski::value).sum())
    }

    fn pointwise(&self) -> f64 {
        let material = |side| michniewski::material(self.position.board(), side);
        pawns(material(Color::White) - material(Color::Black))
    }

    fn positional(&self) -> f64 {
        let late = Phase::of(self.position) == Phase::End;
        let size = self.position.size();
        let values = self.position.board().iter().map(|(square, piece)| {
            let value = michniewski::square_value(size, piece.color, piece.role, square, late);
            signed(piece.color, value)
        });
        pawns(values.sum())
    }

    /// Moves that give check, and whether one of them mates.
    fn checks(&mut self) -> (u32, bool) {
        if let Some(known) = self.checks {
            return known;
        }
        let mut checks = (0, false);
        if self.game.is_king_capture() && self.position.can_capture_king() {
            checks.1 = true;
        }
        for &m in &self.moves {
            let mut next = *self.position;
            self.game.play_unchecked(&mut next, m);
            if next.in_check() {
                checks.0 += 1;
                checks.1 |= !self.game.is_king_capture() && next.legal_moves().is_empty();
            }
        }
        self.checks = Some(checks);
        checks
    }

    fn checkmate(&mut self) -> f64 {
        if let Some(winner) = self.game.outcome(self.position).and_then(|end| end.winner) {
            return if winner == Color::White {
                f64::INFINITY
            } else {
                f64::NEG_INFINITY
            };
        }
        let mates = self.checks().1;
        if mates {
            self.for_mover(f64::INFINITY)
        } else {
            0.0
        }
    }

    fn pattern(&self) -> f64 {
        let hash = self.position.hash();
        let before = self.history.iter().filter(|&&known| known == hash).count();
        let quiet = self.game.halfmove_limit().unwrap_or(u16::MAX);
        let drawn = before >= 2
            || self.position.halfmoves() >= quiet
            || self
                .game
                .outcome(self.position)
                .is_some_and(|end| end.winner.is_none());
        if drawn { self.for_mover(1.0) } else { 0.0 }
    }
}

fn pawns(hundredths: i32) -> f64 {
    f64::from(hundredths) / 100.0
}

fn signed(side: Color, value: i32) -> i32 {
    if side.is_white() { value } else { -value }
}

/// Game phases of Dukek et al. (3.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Pieces are being developed.
    Opening,
    /// Neither opening nor endgame.
    Middle,
    /// Few pieces are left.
    End,
}

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middle, Phase::End];

    /// The phase of a position: an endgame has at most a third of the pieces
    /// left (queen 4, rook 2, minor pieces 1, of 24); an opening is within the
    /// first ten moves with nearly all of them.
    pub fn of(position: &Position) -> Phase {
        let board = position.board();
        let count = |role| board.role(role).count();
        let pieces = count(Role::Knight)
            + count(Role::Bishop)
            + 2 * count(Role::Rook)
            + 4 * count(Role::Queen);
        match pieces {
            0..=8 => Phase::End,
            20.. if position.fullmoves() <= 10 => Phase::Opening,
            _ => Phase::Middle,
        }
    }
}

/// Weights of the six evaluators, for each phase.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ensemble {
    /// By phase, then in the order of [`EvaluatorKind::ALL`].
    pub weights: [[f64; 6]; 3],
}

impl Ensemble {
    /// Equal weights in every phase.
    pub const EQUAL: Ensemble = Ensemble {
        weights: [[1.0; 6]; 3],
    };

    pub fn only(kind: EvaluatorKind) -> Ensemble {
        let row = EvaluatorKind::ALL.map(|known| f64::from(u8::from(known == kind)));
        Ensemble { weights: [row; 3] }
    }

    /// Weights trained by `foglight train ensemble`.
    pub fn tuned() -> Ensemble {
        Ensemble::parse(include_str!("../../../../data/weights/ensemble.txt"))
            .expect("the weights of the repository are whole")
    }

    /// Parses six numbers, or three times six: opening, middle game, endgame.
    /// Numbers are separated by blanks, slashes or line ends.
    pub fn parse(text: &str) -> Option<Ensemble> {
        let lines = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or(""));
        let words = lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || c == '/'));
        let numbers: Option<Vec<f64>> = words
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().ok().filter(|n: &f64| (0.0..=1e6).contains(n)))
            .collect();
        let numbers = numbers?;
        let row = |i: usize| -> [f64; 6] { std::array::from_fn(|k| numbers[i * 6 + k]) };
        let weights = match numbers.len() {
            6 => [row(0); 3],
            18 => [row(0), row(1), row(2)],
            _ => return None,
        };
        let heavy = weights.iter().all(|row| row.iter().sum::<f64>() > 0.0);
        heavy.then_some(Ensemble { weights })
    }

    /// The text that [`Ensemble::parse`] reads.
    pub fn text(&self) -> String {
        let row = |row: &[f64; 6]| row.map(|weight| format!("{weight:.3}")).join(" ");
        self.weights
            .iter()
            .map(|weights| row(weights) + "\n")
            .collect()
    }

    /// The weighted mean of the mapped scores: 1 for White, 0 for Black.
    pub fn value(&self, scene: &mut EvalContext) -> f64 {
        let phase = Phase::of(scene.position) as usize;
        let weights = &self.weights[phase];
        let mut sum = 0.0;
        for (kind, &weight) in EvaluatorKind::ALL.into_iter().zip(weights) {
            if weight > 0.0 {
                sum += weight * scene.squeezed(kind);
            }
        }
        sum / weights.iter().sum::<f64>()
    }
}
