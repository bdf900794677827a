//! Statistics of fog games, as defined by the thesis (Mellemseter 2017, section
//! 6.2.1): captures of a more valuable piece by a less valuable one when
//! possible (its assumption 4.4), dark pins, mates, shuffling, and bishops and
//! knights given for pawns on the second rank; also results by colour.

use std::collections::BTreeMap;

use foglight_rules::{Action, ByColor, Color, Move, Outcome, Record, ReplayError, Role, State};

/// Statistics of one side in one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SideStats {
    /// Turns on which it could capture a more valuable piece with a less
    /// valuable one.
    pub chances: u32,
    /// Turns on which it made such a capture.
    pub used: u32,
    /// Moves of a pinned piece whose pinner it did not see: they expose the
    /// king.
    pub dark_pins: u32,
    /// Whether it was ever mated, by the rules of chess.
    pub mated: bool,
    /// Whether one of its pieces shuffled between two squares for four
    /// consecutive turns.
    pub shuffled: bool,
    /// Bishops and knights that took a pawn on its start square and were retaken
    /// at once.
    pub given: u32,
}

/// Statistics of both sides in a game, and its outcome.
fn of(record: &Record) -> Result<(ByColor<SideStats>, Option<Outcome>), ReplayError> {
    let mut deeds = ByColor::<SideStats>::default();
    let mut moves = ByColor::<Vec<Move>>::default();
    let mut raider = None;
    let last = record.replay().each(|state, action| {
        let Action::Move(m) = action else { return };
        let side = state.position().turn();
        let own = deeds.get_mut(side);
        let dearer = |m: Move| takes_dearer(state, m);
        own.chances += u32::from(state.legal_moves().into_iter().any(dearer));
        own.used += u32::from(dearer(m));
        own.dark_pins += u32::from(leaves_dark_pin(state, m));
        own.mated |= is_mated(state);
        let retaken = raider == Some(m.to()) && state.position().captured(m).is_some();
        raider = takes_home_pawn(state, m).then_some(m.to());
        deeds.get_mut(!side).given += u32::from(retaken);
        moves.get_mut(side).push(m);
    })?;
    for side in Color::ALL {
        deeds.get_mut(side).shuffled = moves.get(side).windows(4).any(is_to_and_fro);
    }
    deeds.get_mut(last.position().turn()).mated |= is_mated(&last);
    Ok((deeds, last.outcome()))
}

/// Whether the move captures a more valuable piece, by table 2 of the thesis:
/// pawn, knight, bishop, rook, queen, king.
fn takes_dearer(state: &State, m: Move) -> bool {
    let position = state.position();
    let taken: Option<Role> = position.captured(m);
    taken.is_some_and(|taken| position.mover(m) < taken)
}

/// Whether a bishop or knight captures a pawn on its start square.
fn takes_home_pawn(state: &State, m: Move) -> bool {
    let position = state.position();
    let home = (!position.turn()).fold_wb(1, 6);
    matches!(position.mover(m), Role::Bishop | Role::Knight)
        && position.captured(m) == Some(Role::Pawn)
        && m.to().rank() as u32 == home
}

/// Whether a move opens a line from an enemy piece that the mover did not see
/// to the mover's king. A king that moves into an attack was not pinned.
fn leaves_dark_pin(state: &State, m: Move) -> bool {
    let position = state.position();
    let side = position.turn();
    if position.mover(m) == Role::King {
        return false;
    }
    let mut after = *position;
    state.game().play_unchecked(&mut after, m);
    let opened = after.king_attackers(!side) & !position.king_attackers(!side);
    let seen = state.observe(side).view().enemies();
    (opened & !seen).any()
}

fn is_mated(state: &State) -> bool {
    let position = state.position();
    position.both_kings() && position.in_check() && position.legal_moves().is_empty()
}

fn is_to_and_fro(moves: &[Move]) -> bool {
    let back = |pair: &[Move]| (pair[0].from(), pair[0].to()) == (pair[1].to(), pair[1].from());
    moves.windows(2).all(back)
}

/// Statistics of a player over all of its games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerStats {
    /// Games played, by colour.
    pub games: ByColor<u32>,
    /// Games won, by colour.
    pub won: ByColor<u32>,
    /// Games drawn, by colour.
    pub drawn: ByColor<u32>,
    /// Turns on which it could capture a more valuable piece with a less
    /// valuable one.
    pub chances: u32,
    /// Turns on which it made such a capture.
    pub used: u32,
    /// Moves out of a dark pin.
    pub dark_pins: u32,
    /// Games in which it was mated.
    pub mated: u32,
    /// Games in which one of its pieces shuffled.
    pub shuffled: u32,
    /// Bishops and knights given for a pawn on its start square.
    pub given: u32,
}

impl PlayerStats {
    fn add(&mut self, side: Color, deeds: &SideStats, outcome: Option<Outcome>) {
        *self.games.get_mut(side) += 1;
        if let Some(outcome) = outcome {
            *self.won.get_mut(side) += u32::from(outcome.winner == Some(side));
            *self.drawn.get_mut(side) += u32::from(outcome.winner.is_none());
        }
        self.chances += deeds.chances;
        self.used += deeds.used;
        self.dark_pins += deeds.dark_pins;
        self.mated += u32::from(deeds.mated);
        self.shuffled += u32::from(deeds.shuffled);
        self.given += deeds.given;
    }
}

/// Statistics of each player, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameStats {
    pub games: usize,
    pub players: BTreeMap<String, PlayerStats>,
}

impl GameStats {
    /// Replays a game and counts its statistics for both players.
    pub fn add(&mut self, names: &ByColor<String>, record: &Record) -> Result<(), ReplayError> {
        let (deeds, ended) = of(record)?;
        self.games += 1;
        for side in Color::ALL {
            let tally = self.players.entry(names.get(side).clone()).or_default();
            tally.add(side, deeds.get(side), ended);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::{FogRules, Game};

    use super::*;

    fn deeds(start: Option<&str>, moves: &str) -> ByColor<SideStats> {
        let game = Game::fog_with(FogRules::Thesis);
        let start = start.map(|fen| game.parse_fen(fen).expect("a FEN"));
        let start = start.unwrap_or(game.start());
        let record = Record::parse(game, start, moves.split_whitespace());
        of(&record.expect("legal moves")).expect("it replays").0
    }

    #[test]
    fn figure_4_of_the_thesis_is_a_dark_pin() {
        let found = deeds(None, "c2c3 b8c6 d2d4 d7d6 d1a4 c6d4 a4e8");
        assert_eq!((found.white.dark_pins, found.black.dark_pins), (0, 1));
        // The queen captures the king with a less valuable piece: one chance,
        // used.
        assert_eq!((found.white.chances, found.white.used), (1, 1));
        assert_eq!((found.black.chances, found.black.used), (0, 0));
    }

    #[test]
    fn a_pinner_that_is_seen_makes_no_dark_pin() {
        // The rook on e4 sees the rook on e8 and leaves the file.
        let found = deeds(Some("4r1k1/8/8/8/4R3/8/8/4K3 w - - 0 1"), "e4d4");
        assert_eq!(found.white.dark_pins, 0);
        let found = deeds(Some("4r1k1/8/8/8/4N3/8/8/4K3 w - - 0 1"), "e4d6");
        assert_eq!(found.white.dark_pins, 1, "a knight does not see the file");
    }

    #[test]
    fn chances_are_counted_whether_they_are_used_or_not() {
        let start = Some("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
        let found = deeds(start, "e4d5");
        assert_eq!((found.white.chances, found.white.used), (1, 1));
        let found = deeds(start, "e1e2");
        assert_eq!((found.white.chances, found.white.used), (1, 0));
        let found = deeds(Some("4k3/8/8/3p4/8/5B2/8/4K3 w - - 0 1"), "f3d5");
        assert_eq!(found.white.chances, 0, "a pawn is worth less than a bishop");
    }

    #[test]
    fn mates_and_pieces_that_go_back_and_forth() {
        let found = deeds(None, "f2f3 e7e5 g2g4 d8h4");
        assert!(found.white.mated && !found.black.mated);
        let found = deeds(None, "g1f3 b8c6 f3g1 c6b8 g1f3 g8f6 f3g1");
        assert!(found.white.shuffled && !found.black.shuffled);
    }

    #[test]
    fn a_bishop_given_for_a_pawn_at_home_is_counted() {
        let found = deeds(None, "e2e4 a7a6 f1c4 a6a5 c4f7 e8f7");
        assert_eq!((found.white.given, found.black.given), (1, 0));
        let kept = deeds(None, "e2e4 a7a6 f1c4 a6a5 c4f7 a5a4");
        assert_eq!(kept.white.given, 0, "not retaken");
        let away = deeds(None, "e2e4 d7d5 f1b5 d5e4 b5d7 e8d7");
        assert_eq!(away.white.given, 0, "d7 is empty");
    }

    #[test]
    fn players_are_told_apart_by_name_and_colour() {
        let game = Game::fog_with(FogRules::Thesis);
        let won = Record {
            game,
            start: game.start(),
            actions: Vec::new(),
            outcome: Some(Outcome::win(
                Color::Black,
                foglight_rules::Termination::Resign,
            )),
        };
        let mut events = GameStats::default();
        let names = |white: &str, black: &str| ByColor {
            white: white.to_owned(),
            black: black.to_owned(),
        };
        for names in [names("a", "b"), names("b", "a"), names("a", "b")] {
            events.add(&names, &won).expect("a game");
        }
        let (a, b) = (&events.players["a"], &events.players["b"]);
        assert_eq!((a.games.white, a.games.black), (2, 1));
        assert_eq!((a.won.white, a.won.black, b.won.black), (0, 1, 2));
    }
}
