//! Successors of worlds: the observer's own move, and every enemy reply that is
//! consistent with the next observation.

use foglight_rules::{
    Bitboard, Castling, Color, FogRules, Move, MoveKind, PROMOTIONS, Role, Square, attacks,
    en_passant_pawn, piece_attacks,
};

use super::{
    evidence::Evidence,
    reply_odds::ReplyOdds,
    world::{Change, World},
};

/// Successors of a world after one ply. A successor is reported by its key and
/// a small number, and constructed only if it is new: most are reached many
/// times by transposition.
pub(super) trait Step {
    /// Reports every consistent successor with the probability of the step; one
    /// may be reported twice.
    fn step(&self, world: &World, tell: &mut impl FnMut(u128, u32, f32));

    /// Constructs the successor with this number.
    fn make(&self, world: &World, code: u32) -> World;
}

impl Step for Reply<'_> {
    #[inline]
    fn step(&self, world: &World, tell: &mut impl FnMut(u128, u32, f32)) {
        let key = world.key();
        let mut scale = None;
        self.expand(world, &mut |was, change| {
            let probability = self.odds.as_ref().map_or(1.0, |odds| {
                let scale = scale.get_or_insert_with(|| odds.scale(world));
                scale.probability(odds.of(was, change))
            });
            tell(
                world.key_after(key, was, change),
                change.code(),
                probability,
            );
        });
    }

    #[inline]
    fn make(&self, world: &World, code: u32) -> World {
        world.after(Change::of_code(code))
    }
}

impl Step for OwnMove<'_> {
    #[inline]
    fn step(&self, world: &World, tell: &mut impl FnMut(u128, u32, f32)) {
        if let Some(next) = self.apply(world) {
            tell(next.key(), 0, 1.0);
        }
    }

    fn make(&self, world: &World, _: u32) -> World {
        self.played_in(world)
    }
}

/// An enemy ply: the evidence before it, the evidence after it, and the capture
/// if any.
pub(super) struct Reply<'a> {
    before: &'a Evidence,
    after: &'a Evidence,
    enemy: Color,
    mask: Bitboard,
    /// Squares that no piece can have left, given the new view.
    stay: Bitboard,
    /// Squares whose content is not known now.
    loose: Bitboard,
    lost: Option<(Square, Role)>,
    /// Squares on which the mover may arrive, given the announced capture.
    arrivals: Arrivals,
    /// Whether a pawn may have moved; a public halfmove clock tells.
    pawns_move: bool,
    pieces_move: bool,
    /// Whether double steps leave an en passant square for the observer.
    passing: bool,
    /// The model of the enemy's choice, if worlds are weighed.
    odds: Option<ReplyOdds>,
}

/// Possible destinations, given the announced capture.
enum Arrivals {
    /// Nothing was captured: only empty squares.
    Empty,
    /// A piece was captured here: only this square.
    Only(Bitboard),
}

/// Differences between a world and the new view, which the move must explain.
struct Gap {
    occupied: Bitboard,
    wrong: Bitboard,
    missing: Bitboard,
}

impl<'a> Reply<'a> {
    pub(super) fn new(
        before: &'a Evidence,
        after: &'a Evidence,
        lost: Option<(Square, Role)>,
    ) -> Reply<'a> {
        let clock = after.counters().map(|(halfmoves, _)| halfmoves);
        Reply {
            before,
            after,
            enemy: !after.side(),
            mask: after.size().mask(),
            stay: after.blocked() | after.shown().occupied(),
            loose: !after.fixed(),
            lost,
            arrivals: match lost {
                None => Arrivals::Empty,
                Some((square, _)) => Arrivals::Only(Bitboard::from_square(square)),
            },
            pawns_move: lost.is_some() || clock.is_none_or(|clock| clock == 0),
            pieces_move: lost.is_some() || clock.is_none_or(|clock| clock > 0),
            passing: has_en_passant(after),
            odds: None,
        }
    }

    /// Weighs the replies by a model of the enemy's choice.
    pub(super) fn weighed(mut self, odds: ReplyOdds) -> Reply<'a> {
        self.odds = Some(odds);
        self
    }

    /// Emits every enemy move that gives the observer its new view, with the
    /// mover's type before the move.
    #[inline]
    pub(super) fn expand(&self, world: &World, emit: &mut impl FnMut(Role, Change)) {
        let enemy = world.occupied();
        let gap = Gap {
            occupied: enemy | self.before.own().occupied(),
            wrong: world.differing(self.after.shown(), self.after.fixed()),
            missing: self.after.blocked() & !enemy,
        };
        if gap.wrong.count() > 4 || gap.missing.more_than_one() {
            return;
        }
        if self.pawns_move {
            self.pawn_moves(world, &gap, emit);
        }
        if self.pieces_move && self.after.ep_square().is_none() {
            self.piece_moves(world, &gap, emit);
            if self.lost.is_none() && !world.rights().is_empty() {
                self.castlings(world, &gap, emit);
            }
        }
    }

    /// Destinations of a piece that leaves `from` as `role` that do not
    /// contradict the view.
    #[inline]
    fn fitting(&self, gap: &Gap, from: Square, role: Role) -> Bitboard {
        let wrong = gap.wrong.without(from);
        let fitting = if wrong.is_empty() {
            self.loose
        } else if wrong.more_than_one() {
            return Bitboard::EMPTY;
        } else {
            wrong & self.after.shown().pieces(role)
        };
        if gap.missing.is_empty() {
            fitting
        } else {
            fitting & gap.missing
        }
    }

    /// The possible destinations, given the announced capture.
    #[inline]
    fn open(&self, gap: &Gap) -> Bitboard {
        match self.arrivals {
            Arrivals::Empty => self.mask & !gap.occupied,
            Arrivals::Only(square) => square,
        }
    }

    #[inline]
    fn piece_moves(&self, world: &World, gap: &Gap, emit: &mut impl FnMut(Role, Change)) {
        const PIECES: [Role; 5] = [
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
            Role::King,
        ];
        let open = self.open(gap);
        for role in PIECES {
            for from in world.pieces(role) & !self.stay {
                let fitting = self.fitting(gap, from, role) & open;
                if fitting.is_empty() {
                    continue;
                }
                for to in piece_attacks(role, from, gap.occupied) & fitting {
                    let is = role;
                    emit(role, Change { from, to, is });
                }
            }
        }
    }

    #[inline]
    fn pawn_moves(&self, world: &World, gap: &Gap, emit: &mut impl FnMut(Role, Change)) {
        for from in world.pieces(Role::Pawn) & !self.stay {
            match self.lost {
                None => self.pawn_steps(gap, from, emit),
                Some(lost) => self.pawn_captures(world, gap, from, lost, emit),
            }
        }
    }

    #[inline]
    fn pawn_steps(&self, gap: &Gap, from: Square, emit: &mut impl FnMut(Role, Change)) {
        let free = self.mask & !gap.occupied;
        let Some(first) = ahead(self.enemy, from).filter(|to| free.contains(*to)) else {
            return;
        };
        if self.after.ep_square().is_none() {
            self.arrive(gap, from, first, emit);
        }
        let home = self.enemy.relative_rank(Square::A2.rank());
        if !self.after.size().is_full() || from.rank() != home {
            return;
        }
        let Some(second) = ahead(self.enemy, first).filter(|to| free.contains(*to)) else {
            return;
        };
        let takers = attacks::pawn_attacks(self.enemy, first) & self.after.own().role(Role::Pawn);
        let passed = (self.passing && takers.any()).then_some(first);
        if passed == self.after.ep_square() && self.fitting(gap, from, Role::Pawn).contains(second)
        {
            let (to, is) = (second, Role::Pawn);
            emit(Role::Pawn, Change { from, to, is });
        }
    }

    fn pawn_captures(
        &self,
        world: &World,
        gap: &Gap,
        from: Square,
        (square, role): (Square, Role),
        emit: &mut impl FnMut(Role, Change),
    ) {
        let targets = attacks::pawn_attacks(self.enemy, from);
        if targets.contains(square) {
            self.arrive(gap, from, square, emit);
        }
        let passed = world.ep_square(self.enemy).filter(|to| {
            targets.contains(*to) && role == Role::Pawn && en_passant_pawn(*to) == square
        });
        if let Some(to) = passed {
            self.arrive(gap, from, to, emit);
        }
    }

    /// Emits a pawn's arrival, with all promotions on the last rank.
    #[inline]
    fn arrive(&self, gap: &Gap, from: Square, to: Square, emit: &mut impl FnMut(Role, Change)) {
        let mut arrive = |is| {
            if self.fitting(gap, from, is).contains(to) {
                emit(Role::Pawn, Change { from, to, is });
            }
        };
        if self.after.size().last_rank(self.enemy).contains(to) {
            PROMOTIONS.into_iter().for_each(arrive);
        } else {
            arrive(Role::Pawn);
        }
    }

    fn castlings(&self, world: &World, gap: &Gap, emit: &mut impl FnMut(Role, Change)) {
        for castling in Castling::of(self.enemy) {
            let blocked = (gap.occupied & castling.between).any();
            if !world.rights().has(castling) || blocked {
                continue;
            }
            let ((from, to), is) = (castling.king, Role::King);
            let change = Change { from, to, is };
            if self.after.is_consistent(&world.after(change)) {
                emit(is, change);
            }
        }
    }
}

/// The square one step ahead of a pawn.
#[inline]
fn ahead(side: Color, from: Square) -> Option<Square> {
    from.offset(match side {
        Color::White => 8,
        Color::Black => -8,
    })
}

/// A ply of the observer itself.
pub(super) struct OwnMove<'a> {
    after: &'a Evidence,
    played: Move,
    took: Option<(Square, Role)>,
    /// Whether the enemy must have a move or must have none. `None` if the game
    /// ended for another reason.
    enemy_moves: Option<bool>,
}

impl<'a> OwnMove<'a> {
    pub(super) fn new(
        after: &'a Evidence,
        played: Move,
        took: Option<(Square, Role)>,
        enemy_moves: Option<bool>,
    ) -> OwnMove<'a> {
        OwnMove {
            after,
            played,
            took,
            enemy_moves,
        }
    }

    /// The world after the move, or `None` if the move would have shown or
    /// captured something else.
    pub(super) fn apply(&self, world: &World) -> Option<World> {
        if let Some((square, role)) = self.took
            && world.role_at(square) != Some(role)
        {
            return None;
        }
        let next = self.played_in(world);
        let goes_on = self
            .enemy_moves
            .is_none_or(|expected| can_move(&next, self.after) == expected);
        (self.after.is_consistent(&next) && goes_on).then_some(next)
    }

    /// The world after the move, regardless of the observation.
    fn played_in(&self, world: &World) -> World {
        let mut next = *world;
        if let Some((square, _)) = self.took {
            next.clear(square);
        }
        next.touch(Bitboard::from_square(self.played.to()));
        next.set_passed(self.ep_square(&next));
        next
    }

    /// The square of a double step on which this enemy could capture.
    fn ep_square(&self, world: &World) -> Option<Square> {
        if self.played.kind() != MoveKind::DoubleStep || !has_en_passant(self.after) {
            return None;
        }
        let square = en_passant_pawn(self.played.to());
        let takers = attacks::pawn_attacks(self.after.side(), square) & world.pieces(Role::Pawn);
        takers.any().then_some(square)
    }
}

fn has_en_passant(evidence: &Evidence) -> bool {
    let rules = evidence.game().fog_rules();
    rules.is_none_or(FogRules::has_en_passant)
}

/// Whether the enemy has any move in this world.
fn can_move(world: &World, evidence: &Evidence) -> bool {
    let enemy = !evidence.side();
    let own = evidence.own().occupied();
    let occupied = world.occupied() | own;
    let open = evidence.size().mask() & !world.occupied();
    let step = |from: Square| ahead(enemy, from).is_some_and(|to| !occupied.contains(to));
    let takes = |from: Square| (attacks::pawn_attacks(enemy, from) & own & open).any();
    let passed = world.ep_square(enemy);
    passed.is_some()
        || world.iter().any(|(from, role)| match role {
            Role::Pawn => step(from) || takes(from),
            _ => (piece_attacks(role, from, occupied) & open).any(),
        })
}
