//! The trap rate of recorded games: how often a reply loses the king to a move
//! that the player could not tell from the one that was played.
//!
//! For each reply the enemy's move before it is replaced by every move from the
//! true position after which the player would have observed the same. The player
//! would have answered alike, so a replacement after which its king can be taken
//! is a win for whoever knows it. No search is needed.

use std::ops::AddAssign;

use foglight_rules::{Action, Color, Game, Move, Position, ReplayError, Role, Square, View};
use serde::Serialize;

use crate::{
    record::GameRecord,
    stats::{
        interval::{Interval, proportion_interval},
        score::LEVEL,
    },
};

/// A reply, and the enemy moves before it that looked alike.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrapReply {
    /// Plies played before the reply.
    pub ply: u32,
    pub side: Color,
    /// The player's own value of the game, if it reported one.
    pub value: Option<f64>,
    /// Enemy moves that look alike; the one that was played is among them.
    pub alike: u64,
    /// Those of them after which the reply lets the king be taken.
    pub traps: u64,
}

/// Counts over replies.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct TrapCount {
    pub replies: u64,
    /// Replies with at least one trap.
    pub trapped: u64,
    pub alike: u64,
    pub traps: u64,
}

impl TrapCount {
    /// Interval of the share of replies with a trap.
    pub fn interval(self) -> Interval {
        proportion_interval(self.trapped, self.replies, LEVEL)
    }
}

impl AddAssign<&TrapReply> for TrapCount {
    fn add_assign(&mut self, reply: &TrapReply) {
        self.replies += 1;
        self.trapped += u64::from(reply.traps > 0);
        self.alike += reply.alike;
        self.traps += reply.traps;
    }
}

/// The replies of both sides of a fog game; none of a game with open sight or
/// dice.
pub fn traps(record: &GameRecord) -> Result<Vec<TrapReply>, ReplayError> {
    let game = record.record.game;
    let mut replies = Vec::new();
    let mut before: Option<Position> = None;
    record.record.replay().each(|state, action| {
        let position = state.position();
        let side = position.turn();
        if let (Some(before), Action::Move(reply)) = (before, action)
            && !game.has_full_view(side)
        {
            let (alike, traps) = judge(&game, &before, position, reply);
            let telemetry = record.telemetry.iter();
            let mut of_ply = telemetry.filter(|row| row.ply == state.plies());
            replies.push(TrapReply {
                ply: state.plies(),
                side,
                value: of_ply.find_map(|row| row.value),
                alike,
                traps,
            });
        }
        before = Some(*position);
    })?;
    Ok(replies)
}

/// The enemy moves from `before` that look like the one that led to `after`, and
/// those of them after which the reply lets the king be taken.
fn judge(game: &Game, before: &Position, after: &Position, reply: Move) -> (u64, u64) {
    let side = after.turn();
    let (mut alike, mut traps) = (0, 0);
    let children = game.legal_moves(before).into_iter().map(|m| {
        let mut next = *before;
        let taken = game.play_unchecked(&mut next, m);
        (next, taken.map(|role| (m.capture_square(), role)))
    });
    let children: Vec<(Position, Option<(Square, Role)>)> = children.collect();
    let played = children.iter().find(|(next, _)| next == after);
    let Some((_, lost)) = played else {
        return (0, 0);
    };
    let seen = View::new(game, after, side);
    for (next, taken) in &children {
        if taken != lost || game.outcome(next).is_some() || View::new(game, next, side) != seen {
            continue;
        }
        alike += 1;
        let mut answered = *next;
        game.play_unchecked(&mut answered, reply);
        let over = game.outcome(&answered).is_some();
        traps += u64::from(!over && answered.can_capture_king());
    }
    (alike, traps)
}

#[cfg(test)]
mod tests {
    use foglight_rules::{ByColor, Record};

    use super::*;
    use crate::record::PlayerInfo;

    fn replies(moves: &str) -> Vec<TrapReply> {
        let game = Game::fog();
        let record = Record::parse(game, game.start(), moves.split_whitespace());
        let player = |name: &str| PlayerInfo {
            name: name.to_owned(),
            agent: name.to_owned(),
            limits: String::new(),
        };
        let players = ByColor {
            white: player("A"),
            black: player("B"),
        };
        let record = GameRecord::new(record.expect("a game"), players);
        traps(&record).expect("a legal game")
    }

    /// After 1.c4 e6 Black cannot tell 2.h3 from 2.Qa4, against which 2...d5
    /// loses the king.
    #[test]
    fn an_unseen_queen_is_a_trap() {
        let last = *replies("c2c4 e7e6 h2h3 d7d5").last().expect("a reply");
        assert_eq!((last.ply, last.side, last.traps), (3, Color::Black, 1));
        assert!(last.alike > 15, "{last:?}");
        let safe = *replies("c2c4 e7e6 h2h3 g8f6").last().expect("a reply");
        assert_eq!((safe.alike, safe.traps), (last.alike, 0));
    }

    /// A move that was seen has no other in its place.
    #[test]
    fn what_is_seen_is_no_trap() {
        let last = *replies("c2c4 d7d5 c4d5 a7a6").last().expect("a reply");
        assert_eq!((last.alike, last.traps), (1, 0));
    }

    #[test]
    fn counts_add_up() {
        let mut count = TrapCount::default();
        for reply in &replies("c2c4 e7e6 h2h3 d7d5") {
            count += reply;
        }
        assert_eq!((count.replies, count.trapped, count.traps), (3, 1, 1));
        assert!(count.interval().contains(1.0 / 3.0));
    }
}
