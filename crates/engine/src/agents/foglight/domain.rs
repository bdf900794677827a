//! Fog-of-war chess as an extensive-form game for the solver.

use std::sync::Arc;

use foglight_rules::{Color, Game, Move, PackedPosition, Position, Role, View};

use foglight_solver::{ExtensiveGame, Side, Successor, mix};

use super::{history::Thirds, leaves::LeafEvaluator};

/// Discount of a win per ply of distance, so that the agent converts won games
/// instead of shuffling.
const HURRY: f32 = 0.0005;

/// Fog-of-war chess from the perspective of one side.
#[derive(Clone)]
pub struct FogSubgame {
    pub game: Game,
    pub us: Color,
    pub leaves: LeafEvaluator,
    /// Ply of the game at which it is a draw, for comparison with exact
    /// solutions.
    pub horizon: Option<u32>,
    /// Plies played before the root.
    pub plies: u32,
    /// Positions whose next occurrence draws the game.
    pub thirds: Arc<Thirds>,
}

impl FogSubgame {
    /// The solver's side that plays a colour.
    pub fn side(&self, color: Color) -> Side {
        if color == self.us {
            Side::Us
        } else {
            Side::Them
        }
    }

    /// The value of a decided position for the side to move. If that side can
    /// capture the king it has won, since it always sees the king it attacks.
    fn ended(&self, position: &Position, depth: u32) -> Option<f32> {
        if let Some(outcome) = self.game.outcome(position) {
            let score = 2.0 * outcome.score(position.turn()) - 1.0;
            return Some(score as f32 * (1.0 - HURRY * depth as f32));
        }
        let limit = self.game.halfmove_limit();
        if limit.is_some_and(|limit| position.halfmoves() >= limit) {
            return Some(0.0);
        }
        let ply = self.plies + depth;
        if self.horizon.is_some_and(|horizon| ply >= horizon) {
            return Some(0.0);
        }
        let hurry = if self.horizon.is_some() { 0.0 } else { HURRY };
        position
            .can_capture_king()
            .then(|| 1.0 - hurry * (depth + 1) as f32)
    }
}

impl ExtensiveGame for FogSubgame {
    type State = PackedPosition;

    fn expand(
        &mut self,
        state: &PackedPosition,
        depth: u32,
        successors: &mut Vec<Successor<PackedPosition>>,
    ) {
        let position = state.unpack();
        let mover = position.turn();
        let sign = self.side(mover).sign() as f32;
        let mut open: Vec<(Move, Position, Option<Role>)> = Vec::new();
        let mut places = Vec::new();
        for m in self.game.legal_moves(&position) {
            let mut next = position;
            let taken = self.game.play_unchecked(&mut next, m);
            let ended = self.ended(&next, depth + 1);
            if ended.is_none() {
                places.push(successors.len());
                open.push((m, next, taken));
            }
            let seen = |color| observation_key(&View::new(&self.game, &next, color));
            successors.push(Successor {
                state: PackedPosition::new(&next),
                action: m.raw(),
                actor: self.side(!mover),
                observations: [seen(self.us), seen(!self.us)],
                value: ended.map_or(0.0, |value| -sign * value),
                terminal: ended.is_some(),
            });
        }
        let values = self.leaves.values(&self.game, &position, &open);
        for ((place, value), (_, next, _)) in places.into_iter().zip(values).zip(&open) {
            let value = sign * value;
            let drawn = self.thirds.draws(next, value);
            successors[place].value = if drawn { 0.0 } else { value };
            successors[place].terminal = drawn;
        }
    }
}

/// Hash of a view, which is all that a player observes in a ply.
pub fn observation_key(view: &View) -> u64 {
    let board = &view.board;
    let word = |role| board.role(role).0;
    let counters = view
        .counters
        .map_or(0, |(half, full)| u64::from(half) << 16 | u64::from(full));
    let rest = u64::from(view.castling.bits()) | counters << 8;
    let a = mix(
        view.visible.0 ^ 0x9e37_79b9_7f4a_7c15,
        board.side(Color::White).0 ^ 0xd134_2543_de82_ef95,
    );
    let b = mix(
        word(Role::Pawn) ^ 0xbf58_476d_1ce4_e5b9,
        word(Role::Knight) ^ a,
    );
    let c = mix(
        word(Role::Bishop) ^ 0x94d0_49bb_1331_11eb,
        word(Role::Rook) ^ b,
    );
    let d = mix(
        word(Role::Queen) ^ 0xa076_1d64_78bd_642f,
        word(Role::King) ^ c,
    );
    mix(view.ep_squares.0 ^ d, rest ^ 0xe703_7ed1_a0b4_28db)
}
