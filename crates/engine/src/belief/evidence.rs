//! Constraints that a view puts on the enemy's half of the board.

use foglight_rules::{
    Bitboard, Board, CastlingRights, Color, FogRules, Game, Position, Role, Setup, Size, Square,
    View, attacks, en_passant_pawn,
};

use super::world::World;

/// A view as a test of worlds.
///
/// A world gives the observer the same view if and only if (1) it agrees with
/// it on every visible square, (2) no enemy piece stands on a pawn's diagonal
/// that is not visible, and (3) an enemy piece stands on every square before a
/// pawn that is not visible. For a slider's line is empty up to a visible
/// blocker in both, the other pieces see the same squares whatever stands
/// there, and a pawn sees a step if and only if it is free and a diagonal if
/// and only if there is something to capture. So visibility is never computed
/// for a world.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evidence {
    game: Game,
    side: Color,
    size: Size,
    turn: Color,
    own: Board,
    own_rights: CastlingRights,
    seen: Bitboard,
    /// Squares whose content is known: visible, or unseen diagonals of pawns.
    fixed: Bitboard,
    /// The enemy pieces on the squares of `fixed`.
    shown: World,
    /// Unseen squares that must hold some enemy piece.
    blocked: Bitboard,
    /// The square on which the observer may capture en passant.
    ep_square: Option<Square>,
    counters: Option<(u16, u16)>,
}

impl Evidence {
    /// Derives the constraints from a view in this game.
    pub fn new(game: &Game, view: &View) -> Evidence {
        let own = view.board.masked(view.own());
        let unseen = view.size.mask() & !view.visible;
        let pawns = own.role(Role::Pawn);
        let (blocked, diagonals) = if view.is_full() {
            (Bitboard::EMPTY, Bitboard::EMPTY)
        } else {
            (blocked(game, view, pawns), diagonals(view.side, pawns))
        };
        let mut evidence = Evidence {
            game: *game,
            side: view.side,
            size: view.size,
            turn: view.turn,
            own,
            own_rights: view.castling.of(view.side),
            seen: view.visible,
            fixed: view.visible | (diagonals & unseen),
            shown: World::from_board(&view.board, !view.side),
            blocked: blocked & unseen,
            ep_square: (view.turn == view.side)
                .then_some(view.ep_squares.first())
                .flatten(),
            counters: view.counters,
        };
        if let Some(passed) = evidence.ep_square {
            evidence.note_double_step(passed);
        }
        evidence
    }

    /// Records a double step over this square: the pawn stands beyond it and
    /// its origin is empty, whether these squares are visible or not.
    fn note_double_step(&mut self, passed: Square) {
        let pawn = en_passant_pawn(passed);
        let origin = match self.side {
            Color::White => passed.offset(8),
            Color::Black => passed.offset(-8),
        };
        let known = Bitboard::from_square(passed).with(pawn);
        self.fixed |= known | origin.map_or(Bitboard::EMPTY, Bitboard::from_square);
        self.blocked &= !self.fixed;
        self.shown.clear(pawn);
        self.shown.put(pawn, Role::Pawn);
    }

    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    #[inline]
    pub fn game(&self) -> &Game {
        &self.game
    }

    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The observer's own pieces.
    #[inline]
    pub fn own(&self) -> &Board {
        &self.own
    }

    /// The squares visible to the observer.
    #[inline]
    pub fn seen(&self) -> Bitboard {
        self.seen
    }

    /// The observer's own castling rights.
    #[inline]
    pub(crate) fn own_rights(&self) -> CastlingRights {
        self.own_rights
    }

    /// The same evidence with another side to move, for hypothetical positions.
    pub(super) fn with_turn(mut self, turn: Color) -> Evidence {
        (self.turn, self.ep_square) = (turn, None);
        self
    }

    /// The squares whose content is known.
    #[inline]
    pub fn fixed(&self) -> Bitboard {
        self.fixed
    }

    /// The enemy pieces on the known squares.
    #[inline]
    pub fn shown(&self) -> &World {
        &self.shown
    }

    /// Unseen squares that hold some enemy piece.
    #[inline]
    pub fn blocked(&self) -> Bitboard {
        self.blocked
    }

    /// The square on which the observer may capture en passant.
    #[inline]
    pub fn ep_square(&self) -> Option<Square> {
        self.ep_square
    }

    /// Halfmove clock and move number, where they are public.
    #[inline]
    pub fn counters(&self) -> Option<(u16, u16)> {
        self.counters
    }

    /// Squares on which hidden enemy pieces may stand.
    pub fn hidden_squares(&self) -> Bitboard {
        self.size.mask() & !self.fixed & !self.own.occupied()
    }

    /// Whether this world gives the observer this view. Ignores the en passant
    /// square, which depends on the last move.
    #[inline]
    pub fn is_consistent(&self, world: &World) -> bool {
        world.differing(&self.shown, self.fixed).is_empty()
            && self.blocked.is_subset(world.occupied())
            && (world.occupied() & self.own.occupied()).is_empty()
    }

    /// The whole position: the observer's half and this world. Counters not
    /// public are those of the start of a game.
    pub fn position(&self, world: &World) -> Position {
        let mut board = self.own;
        for (square, role) in world.iter() {
            board.set(square, role.of(!self.side));
        }
        let (halfmoves, fullmoves) = self.counters.unwrap_or((0, 1));
        let passed = match self.turn == self.side {
            true => self.ep_square,
            false => world.ep_square(!self.side),
        };
        let rights = self.own_rights.bits() | world.rights().bits();
        self.game
            .position(Setup {
                size: self.size,
                board,
                turn: self.turn,
                castling: CastlingRights::from_bits(rights),
                ep_squares: passed.map_or(Bitboard::EMPTY, Bitboard::from_square),
                dice: foglight_rules::Dice::NONE,
                halfmoves,
                fullmoves,
            })
            .expect("a world and its own half make a position")
    }

    /// The world of a position, if the observer's half of it is this one.
    pub(crate) fn world_of(&self, position: &Position) -> Option<World> {
        let mine = position.board().masked(position.board().side(self.side));
        let same = mine == self.own
            && position.castling().of(self.side) == self.own_rights
            && position.turn() == self.turn
            && position.size() == self.size;
        same.then(|| World::of(position, !self.side))
    }
}

/// Squares before pawns that are blocked if they are not visible.
fn blocked(game: &Game, view: &View, pawns: Bitboard) -> Bitboard {
    let rules = game.fog_rules();
    if rules.is_some_and(FogRules::blocked_pawn_sees_blocker) {
        return Bitboard::EMPTY;
    }
    let ahead = match view.side {
        Color::White => 8,
        Color::Black => -8,
    };
    let first = pawns.shift(ahead);
    if !view.size.is_full() {
        return first;
    }
    let third = Bitboard::from_rank(view.side.relative_rank(Square::A3.rank()));
    let free = first & third & view.visible & !view.board.occupied();
    first | free.shift(ahead)
}

/// Every square that pawns of `side` attack.
fn diagonals(side: Color, pawns: Bitboard) -> Bitboard {
    pawns.into_iter().fold(Bitboard::EMPTY, |set, pawn| {
        set | attacks::pawn_attacks(side, pawn)
    })
}
