//! A ply as one viewer could see it: an entry of its move list.

use foglight_rules::{
    Action, Bitboard, Move, Observation, Role, Square, View, attacks, notation::san,
};
use serde::Serialize;

use super::{SideColor, VisibilityName, observation::CapturedPiece};
use crate::domain::ActionText;

/// One ply as seen by one side, derived from its observations before and after.
/// The move itself is not an input, so that the entry cannot contain more than
/// the two observations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MoveLogEntry {
    ply: u32,
    by: SideColor,
    #[serde(rename = "move")]
    #[cfg_attr(test, ts(type = "string | null"))]
    played: Option<ActionText>,
    san: Option<String>,
    kind: Option<VisibilityName>,
    from: Vec<String>,
    to: Vec<String>,
    piece: Option<char>,
    promotion: Option<char>,
    took: Option<CapturedPiece>,
    lost: Option<CapturedPiece>,
    roll: Option<String>,
    clock: Option<u64>,
}

impl MoveLogEntry {
    /// The move in SAN, as far as it is known.
    pub fn san(&self) -> Option<&str> {
        self.san.as_deref()
    }

    /// The entry of the ply between two observations of one side. Dice and
    /// clocks are public; `text` formats a move.
    pub fn between(
        before: &Observation,
        after: &Observation,
        text: &dyn Fn(Move) -> ActionText,
        roll: Option<String>,
        clock: Option<u64>,
    ) -> MoveLogEntry {
        let side = after.side();
        let news = after.news();
        let by = if news.own_move.is_some() { side } else { !side };
        let played = news.own_move.or(match news.action {
            Some(Action::Move(m)) => Some(m),
            _ => None,
        });
        let glimpse = match played {
            Some(m) => VisibleChange::of_move(before, m),
            None => VisibleChange::between(before.view(), after.view()),
        };
        let kind = match (by == side, played) {
            (true, _) => None,
            (false, Some(_)) => Some(VisibilityName::Known),
            (false, None) => Some(glimpse.kind(news.lost.is_some())),
        };
        MoveLogEntry {
            ply: after.plies(),
            by: by.into(),
            played: played.map(text),
            san: played.map(|m| match before.position() {
                Some(position) => san::write(before.game(), position, m),
                None => san::write_on(&before.view().board, m),
            }),
            kind,
            from: squares(glimpse.from),
            to: squares(glimpse.to),
            piece: glimpse.piece.map(|role| role.of(by).char()),
            promotion: played.and_then(Move::promotion).map(Role::char),
            took: news.captured.map(|taken| CapturedPiece::new(taken, !side)),
            lost: news.lost.map(|taken| CapturedPiece::new(taken, side)),
            roll,
            clock,
        }
    }
}

fn squares(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}

/// Squares that enemy pieces visibly left and entered.
struct VisibleChange {
    from: Bitboard,
    to: Bitboard,
    piece: Option<Role>,
}

impl VisibleChange {
    fn of_move(before: &Observation, m: Move) -> VisibleChange {
        VisibleChange {
            from: Bitboard::from_square(m.from()),
            to: Bitboard::from_square(m.to()),
            piece: before.view().board.role_at(m.from()),
        }
    }

    fn between(before: &View, after: &View) -> VisibleChange {
        let enemy = !before.side;
        let holds = |view: &View, square: Square, role: Role| {
            view.board.pieces(enemy, role).contains(square)
        };
        let mut glimpse = VisibleChange {
            from: Bitboard::EMPTY,
            to: Bitboard::EMPTY,
            piece: None,
        };
        let (watched_before, watched_after) = (watched(before), watched(after));
        for (square, piece) in before.board.masked(before.enemies() & watched_after).iter() {
            if !holds(after, square, piece.role) {
                glimpse.from.toggle(square);
                glimpse.piece = Some(piece.role);
            }
        }
        for (square, piece) in after.board.masked(after.enemies() & watched_before).iter() {
            if !holds(before, square, piece.role) {
                glimpse.to.toggle(square);
                glimpse.piece = Some(piece.role);
            }
        }
        glimpse
    }

    /// Classifies the change by the four types of Mellemseter 2017 and its two
    /// special ones.
    fn kind(&self, lost: bool) -> VisibilityName {
        foglight_rules::MoveVisibility::told(self.from.any(), self.to.any(), lost).into()
    }
}

/// Squares on which an enemy piece would be visible: the visible squares, and
/// those that an own pawn attacks.
fn watched(view: &View) -> Bitboard {
    let pawns = view.board.pieces(view.side, Role::Pawn);
    let diagonals = pawns.into_iter().fold(Bitboard::EMPTY, |set, pawn| {
        set | attacks::pawn_attacks(view.side, pawn)
    });
    (view.visible | diagonals) & view.size.mask()
}

#[cfg(test)]
mod tests {
    use foglight_rules::{Color, Game, State};

    use super::*;

    /// White's entries for each ply of a game.
    fn entries(game: Game, start: Option<&str>, moves: &str) -> Vec<MoveLogEntry> {
        let position = start.map(|fen| game.parse_fen(fen).expect("a FEN"));
        let mut state = State::new(game, position.unwrap_or(game.start()));
        let mut list = Vec::new();
        for text in moves.split(' ') {
            let before = state.observe(Color::White);
            let action = state.parse_action(text).expect("an action");
            state.play(action).expect("a legal action");
            if matches!(action, foglight_rules::Action::Roll(_)) {
                continue; // only moves have entries
            }
            list.push(MoveLogEntry::between(
                &before,
                &state.observe(Color::White),
                &ActionText::from,
                None,
                None,
            ));
        }
        list
    }

    #[test]
    fn a_piece_that_steps_before_a_pawn_is_a_surprise() {
        let list = entries(Game::fog(), None, "e2e4 d7d5 a2a3 h7h6");
        assert_eq!(
            list[0].played.as_ref().map(ActionText::as_str),
            Some("e2e4")
        );
        assert_eq!(list[0].kind, None);
        assert_eq!(
            (list[1].kind, &list[1].to),
            (Some(VisibilityName::Surprise), &vec!["d5".to_owned()])
        );
        assert_eq!(list[1].played, None, "the origin was not seen");
        assert_eq!(
            (list[3].kind, list[3].piece),
            (Some(VisibilityName::Dark), None)
        );
    }

    #[test]
    fn a_piece_taken_out_of_sight_is_an_adverse_surprise() {
        let fen = "4k3/8/8/8/8/2b5/8/N3K3 b - - 0 1";
        let list = entries(Game::fog(), Some(fen), "c3a1");
        assert_eq!(list[0].kind, Some(VisibilityName::AdverseSurprise));
        assert_eq!(
            list[0].lost,
            Some(CapturedPiece::new((Square::A1, Role::Knight), Color::White))
        );
    }

    #[test]
    fn a_piece_that_leaves_a_pawns_reach_is_a_retreat() {
        let fen = "4k3/8/8/3n4/4P3/8/8/4K3 b - - 0 1";
        let list = entries(Game::fog(), Some(fen), "d5b6");
        assert_eq!(
            (list[0].kind, &list[0].from),
            (Some(VisibilityName::Retreat), &vec!["d5".to_owned()])
        );
    }

    #[test]
    fn open_games_tell_every_move() {
        let list = entries(Game::chess(), None, "e2e4 g8f6");
        assert_eq!(
            list[1].played.as_ref().map(ActionText::as_str),
            Some("g8f6")
        );
        assert_eq!(list[1].piece, Some('n'));
        let dice = entries(Game::dice1(), None, "roll:N b1c3 roll:P e7e5");
        assert_eq!(
            dice[1].played.as_ref().map(ActionText::as_str),
            Some("e7e5")
        );
    }
}
