//! Probabilities of the enemy's replies in a world, by the [`ReplyModel`] of one
//! ply compiled into tables.

use foglight_rules::{
    Bitboard, Castling, Color, FogRules, PROMOTIONS, Role, Square, attacks, piece_attacks,
};

use super::{
    evidence::Evidence,
    reply_model::{CASTLE, ReplyContext, ReplyModel},
    world::{Change, World},
};

/// Share of the probability that is spread evenly over all moves, so that the
/// model rules no move out.
pub const REPLY_EVEN_SHARE: f32 = 0.2;

type Table = [[f32; 64]; 6];

/// The odds of every move of one enemy ply. A move's odds are the product of
/// those of the square it leaves and the square it reaches.
pub(super) struct ReplyOdds {
    enemy: Color,
    mask: Bitboard,
    own: Bitboard,
    leave: Table,
    reach: Table,
    promote: [f32; 6],
    castle: f32,
    en_passant: bool,
    /// Rank on which pawns may make a double step after one step.
    third: Bitboard,
    last: Bitboard,
}

/// What turns odds into probabilities in one world.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    by_odds: f32,
    even: f32,
}

impl Scale {
    /// The probability of a move with these odds.
    #[inline]
    pub(super) fn probability(self, odds: f32) -> f32 {
        odds * self.by_odds + self.even
    }
}

impl ReplyOdds {
    pub(super) fn new(model: &ReplyModel, before: &Evidence, plies: u32) -> ReplyOdds {
        let context = ReplyContext::new(before, plies);
        let table = |score: &dyn Fn(Role, Square) -> f32| -> Table {
            Role::ALL.map(|role| {
                let mut row = [0.0; 64];
                for square in before.size().mask() {
                    row[square as usize] = score(role, square).exp();
                }
                row
            })
        };
        let (enemy, size) = (!before.side(), before.size());
        let rules = before.game().fog_rules();
        ReplyOdds {
            enemy,
            mask: size.mask(),
            own: before.own().occupied(),
            leave: table(&|role, from| model.score(context.leaving(role, from))),
            reach: table(&|role, to| model.score(context.reaching(role, to))),
            promote: Role::ALL.map(|role| model.score([ReplyContext::promoting(role)]).exp()),
            castle: model.score([CASTLE]).exp(),
            en_passant: rules.is_none_or(FogRules::has_en_passant),
            third: match size.is_full() {
                true => Bitboard::from_rank(enemy.relative_rank(Square::A3.rank())),
                false => Bitboard::EMPTY,
            },
            last: size.last_rank(enemy),
        }
    }

    /// The odds of a move of a piece that was of this type before it.
    #[inline]
    pub(super) fn of(&self, was: Role, change: Change) -> f32 {
        let row = was as usize - 1;
        let mut odds = self.leave[row][change.from as usize] * self.reach[row][change.to as usize];
        if was != change.is {
            odds *= self.promote[change.is as usize - 1];
        } else if change.castling().is_some() {
            odds *= self.castle;
        }
        odds
    }

    /// The scale of a world: the sum and the number of all moves in it.
    #[inline]
    pub(super) fn scale(&self, world: &World) -> Scale {
        let occupied = world.occupied() | self.own;
        let open = self.mask & !world.occupied();
        let (mut sum, mut count) = (0.0, 0);
        let pieces = [
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
            Role::King,
        ];
        for role in pieces {
            let (leave, reach) = (
                &self.leave[role as usize - 1],
                &self.reach[role as usize - 1],
            );
            for from in world.pieces(role) {
                let targets = piece_attacks(role, from, occupied) & open;
                let odds: f32 = targets.into_iter().map(|to| reach[to as usize]).sum();
                sum += leave[from as usize] * odds;
                count += targets.count();
            }
        }
        let (pawns, steps) = self.pawns(world, occupied);
        let (castlings, ways) = self.castlings(world, occupied);
        let count = (count + steps + ways) as f32;
        Scale {
            by_odds: (1.0 - REPLY_EVEN_SHARE) / (sum + pawns + castlings),
            even: REPLY_EVEN_SHARE / count,
        }
    }

    /// The odds and the number of pawn moves.
    #[inline]
    fn pawns(&self, world: &World, occupied: Bitboard) -> (f32, usize) {
        let row = Role::Pawn as usize - 1;
        let free = self.mask & !occupied;
        let ahead = match self.enemy {
            Color::White => 8,
            Color::Black => -8,
        };
        let passed = world.ep_square(self.enemy).filter(|_| self.en_passant);
        let prey = self.own | passed.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let (mut sum, mut count) = (0.0, 0);
        for from in world.pieces(Role::Pawn) {
            let first = Bitboard::from_square(from).shift(ahead) & free;
            let second = (first & self.third).shift(ahead) & free;
            let takes = attacks::pawn_attacks(self.enemy, from) & prey;
            let leave = self.leave[row][from as usize];
            for to in first | second | takes {
                let odds = leave * self.reach[row][to as usize];
                if self.last.contains(to) {
                    let by_role = PROMOTIONS.map(|role| self.promote[role as usize - 1]);
                    sum += odds * by_role.iter().sum::<f32>();
                    count += PROMOTIONS.len();
                } else {
                    sum += odds;
                    count += 1;
                }
            }
        }
        (sum, count)
    }

    fn castlings(&self, world: &World, occupied: Bitboard) -> (f32, usize) {
        let (mut sum, mut count) = (0.0, 0);
        if world.rights().is_empty() {
            return (sum, count);
        }
        for castling in Castling::of(self.enemy) {
            if world.rights().has(castling) && (occupied & castling.between).is_empty() {
                let ((from, to), is) = (castling.king, Role::King);
                sum += self.of(is, Change { from, to, is });
                count += 1;
            }
        }
        (sum, count)
    }
}

#[cfg(test)]
mod tests {
    use foglight_play::seeded;
    use foglight_rules::{Action, Game, MoveKind, State, View};
    use rand::seq::IndexedRandom;

    use super::*;
    use crate::belief::reply_model::{REPLY_FEATURES, shipped};

    /// In the true world the probabilities of the enemy's legal moves add up to
    /// 1, castling, en passant and promotions included.
    #[test]
    fn probabilities_of_all_moves_add_up_to_one() {
        let mut rng = seeded(4);
        let mut kinds = std::collections::HashSet::new();
        for _ in 0..40 {
            let mut state = State::start(Game::fog());
            for _ in 0..200 {
                let position = *state.position();
                let enemy = position.turn();
                let evidence =
                    Evidence::new(state.game(), &View::new(state.game(), &position, !enemy));
                let odds = ReplyOdds::new(&shipped(), &evidence, state.plies());
                let world = World::of(&position, enemy);
                let scale = odds.scale(&world);
                let moves = state.game().legal_moves(&position);
                let mut total = 0.0;
                for m in &moves {
                    kinds.insert(m.kind());
                    let was = world.role_at(m.from()).expect("a mover");
                    let is = m.promotion().unwrap_or(was);
                    let (from, to) = (m.from(), m.to());
                    total += scale.probability(odds.of(was, Change { from, to, is }));
                }
                assert!((total - 1.0).abs() < 1e-3, "{total}");
                let m = *moves.choose(&mut rng).expect("a move");
                state.play_unchecked(Action::Move(m));
                if state.outcome().is_some() {
                    break;
                }
            }
        }
        assert!(kinds.contains(&MoveKind::Castle) && kinds.contains(&MoveKind::EnPassant));
    }

    /// Tables and features of the same move agree.
    #[test]
    fn odds_are_the_exponential_of_the_score() {
        let scores = (0..REPLY_FEATURES)
            .map(|i| (i % 17) as f32 * 0.05)
            .collect();
        let model = ReplyModel::new(scores).expect("a model");
        let game = Game::fog();
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q2/PPPBBPpP/R3K2R b KQkq - 0 1";
        let position = game.parse_fen(fen).expect("a position");
        let evidence = Evidence::new(&game, &View::new(&game, &position, Color::White));
        let odds = ReplyOdds::new(&model, &evidence, 20);
        let context = ReplyContext::new(&evidence, 20);
        let world = World::of(&position, Color::Black);
        for m in game.legal_moves(&position) {
            let was = world.role_at(m.from()).expect("a mover");
            let is = m.promotion().unwrap_or(was);
            let (from, to) = (m.from(), m.to());
            let score = model.score(context.features(&position, m));
            let ratio = odds.of(was, Change { from, to, is }) / score.exp();
            assert!((ratio - 1.0).abs() < 1e-4, "{m} {ratio}");
        }
    }
}
