//! Mobility, outposts, open files, threats, and pieces around passed pawns.

use foglight_rules::{Bitboard, Color, Position, Role, Square, attacks};

use super::{
    TermSink, ahead_of,
    pawns::{beside, files_of, gone, pawn_attacks},
    weights::{
        BISHOP_PAIR, BISHOP_PAWNS, HANGING, MINOR_THREAT, MOBILITY_BISHOP, MOBILITY_KNIGHT,
        MOBILITY_QUEEN, MOBILITY_ROOK, OUTPOST, PASSED_BLOCKED, PASSED_ENEMY_KING, PASSED_FREE,
        PASSED_OWN_KING, PAWN_THREAT, ROOK_HALF_OPEN, ROOK_OPEN, ROOK_THREAT,
    },
};

const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

/// Squares attacked by one side.
pub(super) struct Sight {
    /// By piece type: pawn, knight, bishop, rook, queen, king.
    pub(super) by: [Bitboard; 6],
    pub(super) all: Bitboard,
    /// The squares around the enemy king.
    pub(super) ring: Bitboard,
    /// Pieces that attack the ring.
    pub(super) attackers: i32,
    /// Their weights times the squares attacked.
    pub(super) units: i32,
}

impl Sight {
    #[inline]
    pub(super) fn new(position: &Position, side: Color) -> Sight {
        let board = position.board();
        let mask = position.size().mask();
        let pawns = pawn_attacks(board, side) & mask;
        let king = match board.king(side) {
            Some(king) => attacks::king_attacks(king) & mask,
            None => Bitboard::EMPTY,
        };
        let ring = match board.king(!side) {
            Some(king) => {
                let near = attacks::king_attacks(king).with(king);
                let front = Bitboard(match side {
                    Color::White => near.0 >> 8,
                    Color::Black => near.0 << 8,
                });
                (near | front) & mask
            }
            None => Bitboard::EMPTY,
        };
        Sight {
            by: [
                pawns,
                Bitboard::EMPTY,
                Bitboard::EMPTY,
                Bitboard::EMPTY,
                Bitboard::EMPTY,
                king,
            ],
            all: pawns | king,
            ring,
            attackers: 0,
            units: 0,
        }
    }

    #[inline]
    fn take(&mut self, role: Role, seen: Bitboard) {
        const PRESSURE: [i32; 6] = [0, 2, 2, 3, 4, 0];
        let index = role as usize - 1;
        self.by[index] |= seen;
        self.all |= seen;
        let near = seen & self.ring;
        if near.any() {
            self.attackers += 1;
            self.units += PRESSURE[index] * near.count() as i32;
        }
    }
}

/// Squares used to evaluate the pieces of one side.
struct Ground {
    side: Color,
    free: Bitboard,
    own_pawns: Bitboard,
    enemy_pawns: Bitboard,
    guarded: Bitboard,
}

#[inline]
pub(super) fn tally_pieces<T: TermSink>(
    position: &Position,
    sights: &mut [Sight; 2],
    tally: &mut T,
) {
    let board = position.board();
    let pawn_guards = [sights[0].by[0], sights[1].by[0]];
    for (i, side) in [Color::White, Color::Black].into_iter().enumerate() {
        let own_pawns = board.pieces(side, Role::Pawn);
        let king = board.pieces(side, Role::King);
        let ground = Ground {
            side,
            free: position.size().mask() & !(own_pawns | king | pawn_guards[1 - i]),
            own_pawns,
            enemy_pawns: board.pieces(!side, Role::Pawn),
            guarded: pawn_guards[i],
        };
        tally_side(position, &ground, &mut sights[i], tally);
    }
}

#[inline]
fn tally_side<T: TermSink>(position: &Position, ground: &Ground, sight: &mut Sight, tally: &mut T) {
    let board = position.board();
    let mask = position.size().mask();
    let side = ground.side;
    let occupied = board.occupied();
    let own = board.side(side);
    let queens = board.role(Role::Queen);
    let mobility = |group: super::weights::WeightGroup, seen: Bitboard, tally: &mut T| {
        let count = (seen & ground.free).count().min(group.len - 1);
        tally.add(side, group.start + count, 1);
    };
    for square in own & board.role(Role::Knight) {
        let seen = attacks::knight_attacks(square) & mask;
        sight.take(Role::Knight, seen);
        mobility(MOBILITY_KNIGHT, seen, tally);
        tally_outpost(ground, square, 0, tally);
    }
    let bishops = own & board.role(Role::Bishop);
    for square in bishops {
        let seen = attacks::bishop_attacks(square, occupied ^ queens) & mask;
        sight.take(Role::Bishop, seen);
        mobility(MOBILITY_BISHOP, seen, tally);
        tally_outpost(ground, square, 1, tally);
        let colour = if LIGHT.contains(square) {
            LIGHT
        } else {
            !LIGHT
        };
        let pawns = (ground.own_pawns & colour).count() as i32;
        tally.add(side, BISHOP_PAWNS.start, pawns);
    }
    if (bishops & LIGHT).any() && (bishops & !LIGHT).any() {
        tally.add(side, BISHOP_PAIR.start, 1);
    }
    let through = occupied ^ queens ^ (own & board.role(Role::Rook));
    for square in own & board.role(Role::Rook) {
        let seen = attacks::rook_attacks(square, through) & mask;
        sight.take(Role::Rook, seen);
        mobility(MOBILITY_ROOK, seen, tally);
        let file = files_of(Bitboard::from_square(square));
        if (file & ground.own_pawns).is_empty() {
            let open = (file & ground.enemy_pawns).is_empty();
            let group = if open { ROOK_OPEN } else { ROOK_HALF_OPEN };
            tally.add(side, group.start, 1);
        }
    }
    for square in own & queens {
        let seen = attacks::queen_attacks(square, occupied) & mask;
        sight.take(Role::Queen, seen);
        mobility(MOBILITY_QUEEN, seen, tally);
    }
}

#[inline]
fn tally_outpost<T: TermSink>(ground: &Ground, square: Square, kind: usize, tally: &mut T) {
    const BEYOND: [u64; 2] = [0x0000_ffff_ff00_0000, 0x0000_00ff_ffff_0000];
    let zone = Bitboard(BEYOND[usize::from(ground.side.is_black())]);
    if !(zone & ground.guarded).contains(square) {
        return;
    }
    let file = files_of(Bitboard::from_square(square));
    let chasers = ground.enemy_pawns & beside(file) & ahead_of(ground.side, square);
    if chasers.is_empty() {
        tally.add(ground.side, OUTPOST.start + kind, 1);
    }
}

/// Adds threats: pieces attacked by less valuable ones, or attacked and
/// undefended.
#[inline]
pub(super) fn tally_threats<T: TermSink>(position: &Position, sights: &[Sight; 2], tally: &mut T) {
    let board = position.board();
    for (i, side) in [Color::White, Color::Black].into_iter().enumerate() {
        let (own, enemy) = (&sights[i], &sights[1 - i]);
        let targets = board.side(!side);
        let attacked = |by: Bitboard, role| (by & targets & board.role(role)).count() as i32;
        let by_pawn = own.by[0] & targets;
        if by_pawn.any() {
            let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
            for (k, role) in roles.into_iter().enumerate() {
                tally.add(side, PAWN_THREAT.start + k, attacked(by_pawn, role));
            }
        }
        let by_minor = own.by[1] | own.by[2];
        tally.add(side, MINOR_THREAT.start, attacked(by_minor, Role::Rook));
        tally.add(
            side,
            MINOR_THREAT.start + 1,
            attacked(by_minor, Role::Queen),
        );
        tally.add(side, ROOK_THREAT.start, attacked(own.by[3], Role::Queen));
        let hanging = own.all & targets & !enemy.all & !board.role(Role::King);
        tally.add(side, HANGING.start, hanging.count() as i32);
    }
}

/// Adds passed pawns and the pieces around them.
#[inline]
pub(super) fn tally_passed<T: TermSink>(
    position: &Position,
    passed: Bitboard,
    sights: &[Sight; 2],
    tally: &mut T,
) {
    let board = position.board();
    for square in passed {
        let side = if board.side(Color::White).contains(square) {
            Color::White
        } else {
            Color::Black
        };
        let gone = gone(position, side, square);
        let Some(next) = square.offset(if side.is_white() { 8 } else { -8 }) else {
            continue;
        };
        if board.side(!side).contains(next) {
            tally.add(side, PASSED_BLOCKED.start, 1);
        }
        if gone < 4 {
            continue;
        }
        let enemy = &sights[usize::from(side.is_white())];
        if !board.occupied().contains(next) && !enemy.all.contains(next) {
            tally.add(side, PASSED_FREE.start, 1);
        }
        let steps = |king: Option<Square>| king.map_or(0, |king| king.distance(next) as i32);
        let own_steps = steps(board.king(side));
        let enemy_steps = steps(board.king(!side));
        let weight = gone as i32 - 3;
        tally.add(side, PASSED_OWN_KING.start, own_steps * weight);
        tally.add(side, PASSED_ENEMY_KING.start, enemy_steps * weight);
    }
}
