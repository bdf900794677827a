//! The king-capture move generator of all games: pseudo-legal moves on any board.
//!
//! It passes whole target sets to its [`Sink`], so that counting costs one
//! population count per piece and only listing enumerates moves.

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use crate::{
    castling::Castling,
    moves::{Move, MoveKind, MoveList, PROMOTIONS},
    position::Position,
};

/// A set of roles, one bit each from pawn to king, such as those that may move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RoleSet(pub u8);

impl RoleSet {
    /// The set of all roles.
    pub const ALL: RoleSet = RoleSet(0x3f);

    /// A set of one role.
    pub const fn one(role: Role) -> RoleSet {
        RoleSet(RoleSet::bit(role))
    }

    /// The bit that stands for a role.
    #[inline]
    pub const fn bit(role: Role) -> u8 {
        1 << (role as u8 - 1)
    }

    /// Whether the role is in the set.
    #[inline]
    pub const fn has(self, role: Role) -> bool {
        self.0 & RoleSet::bit(role) != 0
    }

    /// The number of roles in the set.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has no role.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The roles of the set, pawn first.
    pub fn iter(self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(move |&role| self.has(role))
    }
}

impl FromIterator<Role> for RoleSet {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> RoleSet {
        RoleSet(
            roles
                .into_iter()
                .fold(0, |set, role| set | RoleSet::one(role).0),
        )
    }
}

/// Receives moves from [`generate`].
pub(crate) trait Sink {
    /// Receives moves of the piece on `from` to each of `targets`.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Receives pawn moves to each of `targets` from `offset` squares behind.
    fn pawns(&mut self, targets: Bitboard, offset: i32, kind: MoveKind);
    /// Receives pawn moves to each of `targets`, with all four promotions.
    fn promotions(&mut self, targets: Bitboard, offset: i32);
    /// Receives a castling or an en passant capture.
    fn single(&mut self, m: Move);
}

#[derive(Default)]
pub(crate) struct Counter(pub(crate) usize);

impl Sink for Counter {
    #[inline]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += targets.count();
    }
    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i32, _: MoveKind) {
        self.0 += targets.count();
    }
    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i32) {
        self.0 += 4 * targets.count();
    }
    #[inline]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}

fn behind(to: Square, offset: i32) -> Square {
    Square::new((to as i32 - offset) as u32)
}

impl Sink for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(from, to, MoveKind::Normal));
        }
    }
    #[inline]
    fn pawns(&mut self, targets: Bitboard, offset: i32, kind: MoveKind) {
        for to in targets {
            self.push(Move::new(behind(to, offset), to, kind));
        }
    }
    #[inline]
    fn promotions(&mut self, targets: Bitboard, offset: i32) {
        for to in targets {
            for role in PROMOTIONS {
                self.push(Move::new(behind(to, offset), to, MoveKind::Promotion(role)));
            }
        }
    }
    #[inline]
    fn single(&mut self, m: Move) {
        self.push(m);
    }
}

/// Generates all pseudo-legal moves of the side to move with pieces of these
/// roles.
#[inline]
pub(crate) fn generate<S: Sink>(position: &Position, roles: RoleSet, sink: &mut S) {
    let board = position.board();
    let us = position.turn();
    let own = board.side(us);
    let occupied = board.occupied();
    let targets = position.size().mask() & !own;

    if roles.has(Role::Pawn) {
        pawn_moves(position, sink);
    }
    if roles.has(Role::Knight) {
        for from in own & board.role(Role::Knight) {
            sink.piece(from, attacks::knight_attacks(from) & targets);
        }
    }
    if roles.has(Role::Bishop) {
        for from in own & board.role(Role::Bishop) {
            sink.piece(from, attacks::bishop_attacks(from, occupied) & targets);
        }
    }
    if roles.has(Role::Rook) {
        for from in own & board.role(Role::Rook) {
            sink.piece(from, attacks::rook_attacks(from, occupied) & targets);
        }
    }
    if roles.has(Role::Queen) {
        for from in own & board.role(Role::Queen) {
            sink.piece(from, attacks::queen_attacks(from, occupied) & targets);
        }
    }
    if roles.has(Role::King) {
        for from in own & board.role(Role::King) {
            sink.piece(from, attacks::king_attacks(from) & targets);
        }
        castlings(position, sink);
    }
}

/// Targets of pawns: one step, two steps, and the two diagonals.
pub(crate) struct PawnTargets {
    pub(crate) single: Bitboard,
    pub(crate) double: Bitboard,
    pub(crate) west: Bitboard,
    pub(crate) east: Bitboard,
}

/// One step of a pawn as a difference of square numbers.
#[inline]
pub(crate) const fn forward(side: Color) -> i32 {
    match side {
        Color::White => 8,
        Color::Black => -8,
    }
}

/// Empty squares ahead of `side`'s pawns and the squares that they attack,
/// regardless of occupants.
#[inline]
pub(crate) fn pawn_targets(position: &Position, side: Color) -> PawnTargets {
    let pawns = position.board().pieces(side, Role::Pawn);
    let empty = !position.board().occupied() & position.size().mask();
    let ahead = forward(side);
    let single = pawns.shift(ahead) & empty;
    let double = if position.size().is_full() {
        let third = Bitboard::from_rank(side.relative_rank(Rank::Third));
        (single & third).shift(ahead) & empty
    } else {
        Bitboard::EMPTY
    };
    const NOT_A: Bitboard = Bitboard(!0x0101_0101_0101_0101);
    const NOT_H: Bitboard = Bitboard(!0x8080_8080_8080_8080);
    PawnTargets {
        single,
        double,
        west: (pawns & NOT_A).shift(ahead - 1),
        east: (pawns & NOT_H).shift(ahead + 1),
    }
}

#[inline]
fn pawn_moves<S: Sink>(position: &Position, sink: &mut S) {
    let us = position.turn();
    let enemy = position.board().side(!us);
    let last = position.size().last_rank(us);
    let ahead = forward(us);
    let targets = pawn_targets(position, us);
    for (set, offset) in [
        (targets.single, ahead),
        (targets.west & enemy, ahead - 1),
        (targets.east & enemy, ahead + 1),
    ] {
        sink.pawns(set & !last, offset, MoveKind::Normal);
        sink.promotions(set & last, offset);
    }
    sink.pawns(targets.double, 2 * ahead, MoveKind::DoubleStep);
    if position.ep_squares().any() {
        let pawns = position.board().pieces(us, Role::Pawn);
        for to in position.ep_targets(us) {
            for from in attacks::pawn_attacks(!us, to) & pawns {
                sink.single(Move::new(from, to, MoveKind::EnPassant));
            }
        }
    }
}

#[inline]
fn castlings<S: Sink>(position: &Position, sink: &mut S) {
    if position.castling().is_empty() {
        return;
    }
    for castling in Castling::of(position.turn()) {
        let blocked = (position.board().occupied() & castling.between).any();
        if position.castling().has(castling) && !blocked {
            sink.single(Move::new(
                castling.king.0,
                castling.king.1,
                MoveKind::Castle,
            ));
        }
    }
}

impl Position {
    /// The king-capture moves of the side to move, ignoring draws and dice; empty
    /// once a king is captured.
    #[inline]
    pub fn king_capture_moves(&self, roles: RoleSet) -> MoveList {
        let mut moves = MoveList::new();
        if self.both_kings() {
            generate(self, roles, &mut moves);
        }
        moves
    }

    /// Number of [`Position::king_capture_moves`], without listing them.
    #[inline]
    pub fn count_king_capture_moves(&self) -> usize {
        let mut counter = Counter::default();
        if self.both_kings() {
            generate(self, RoleSet::ALL, &mut counter);
        }
        counter.0
    }

    /// Whether both kings are on the board.
    #[inline]
    pub fn both_kings(&self) -> bool {
        self.board().role(Role::King).more_than_one()
    }
}
