//! `goal`, the goal-based agent of Chakrian et al. (section III.A): the value of
//! the captured piece minus the risk of the state after the move.

use foglight_rules::{Color, Game, Move, Observation, Position, Role, RoleSet};
use rand::seq::IndexedRandom;

use crate::dice::rolls::{pawn_attacks, rollable};
use foglight_play::{Agent, Budget, Entry, Rng, seeded};

pub const ENTRY: Entry = Entry {
    name: "goal",
    about: "maximises the value of the captured piece minus the risk to its own pieces (Chakrian et al.)",
    options: &[],
    plays: Game::has_dice,
    build: |_, _| Ok(Box::new(Goal { rng: seeded(0) })),
};

pub(crate) const fn goal_value(role: Role) -> f64 {
    match role {
        Role::Pawn => 1.0,
        Role::Knight => 2.0,
        Role::Bishop => 3.0,
        Role::Rook => 4.0,
        Role::Queen => 20.0,
        Role::King => 1000.0,
    }
}

/// The state risk: the sum over the pieces of `side` of their value times the
/// probability that the enemy's next die allows their capture.
pub fn state_risk(position: &Position, side: Color) -> f64 {
    let board = position.board();
    let size = position.size();
    let can = rollable(board, !side, position.ep_targets(!side), size);
    if can.is_empty() {
        return 0.0;
    }
    let pawns = board.pieces(!side, Role::Pawn).0;
    let promoting = pawn_attacks(pawns, !side) & size.last_rank(!side).0;
    let risk = board.side(side).into_iter().map(|square| {
        let takers = board.attackers(square, !side, board.occupied());
        let mut kinds = Role::ALL
            .into_iter()
            .filter(|&role| (takers & board.role(role)).any())
            .fold(0, |kinds, role| kinds | RoleSet::bit(role));
        if promoting & 1 << square as u32 != 0 {
            kinds |= 0x1f;
        }
        let role = board.role_at(square).expect("a piece stands there");
        goal_value(role) * f64::from(kinds.count_ones())
    });
    risk.sum::<f64>() / f64::from(can.count())
}

/// The value of the captured piece minus the state risk after the move.
pub fn goal_score(game: &Game, position: &Position, m: Move) -> f64 {
    let side = position.turn();
    let taken = position.captured(m).map_or(0.0, goal_value);
    let mut next = *position;
    game.play_unchecked(&mut next, m);
    taken - state_risk(&next, side)
}

struct Goal {
    rng: Rng,
}

impl Agent for Goal {
    fn start(&mut self, _: &Game, _: Color, seed: u64) {
        self.rng = seeded(seed);
    }

    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
        let position = observation.position().expect("dice chess hides nothing");
        let score = |m: &Move| goal_score(observation.game(), position, *m);
        let scored: Vec<(Move, f64)> = observation
            .legal_moves()
            .iter()
            .map(|m| (*m, score(m)))
            .collect();
        let top = scored
            .iter()
            .map(|(_, s)| *s)
            .fold(f64::NEG_INFINITY, f64::max);
        let best: Vec<Move> = scored
            .iter()
            .filter(|(_, s)| *s >= top)
            .map(|(m, _)| *m)
            .collect();
        *best.choose(&mut self.rng).expect("a move to choose")
    }
}
