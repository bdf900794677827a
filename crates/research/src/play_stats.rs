//! Effects that Ermlick (2023) observes in his bots without counting them: won
//! endgames that take long, queens that capture without scouting, and enemy
//! bishops that are left alone inside one's own half.

use foglight_arena::record::GameRecord;
use foglight_rules::{Action, Color, Move, MoveKind, Role, Square, State};

use crate::csv;

/// A decisive lead in material: a queen, in centipawns.
const CLEAR: i32 = 900;

/// Statistics of one player over its games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlayStats {
    /// Plies from the first move of an uninterrupted lead of at least a queen
    /// to the capture of the king, for each game won so.
    pub(crate) conversion_plies: Vec<u32>,
    /// Drawn games with such a lead.
    pub(crate) unconverted: u32,
    /// Captures by its queen, the king excepted.
    pub(crate) queen_captures: u32,
    /// Such captures after which the queen was recaptured at once.
    pub(crate) retaken: u32,
    /// Recaptures by a piece that it had not seen before the capture.
    pub unseen: u32,
    /// Turns on which an enemy bishop in its own half could be captured.
    pub(crate) intruders: u32,
    /// Such turns on which it captured nothing.
    pub(crate) spared: u32,
}

impl PlayStats {
    /// Statistics of the player with this name.
    pub fn of<'a>(records: impl IntoIterator<Item = &'a GameRecord>, name: &str) -> PlayStats {
        let mut habits = PlayStats::default();
        for record in records {
            if let Some(side) = record.side_of(name) {
                habits.add(record, side);
            }
        }
        habits
    }

    fn add(&mut self, record: &GameRecord, side: Color) {
        let mut clear_since = None;
        let actions = &record.record.actions;
        let mut i = 0;
        let replayed = record.record.replay().each(|state, action| {
            let lead = side.fold_wb(1, -1) * csv::material(state.position().board());
            clear_since = match lead >= CLEAR {
                true => clear_since.or(Some(i)),
                false => None,
            };
            if let (Action::Move(m), true) = (action, state.position().turn() == side) {
                self.raid(state, m, actions.get(i + 1));
                self.stand_off(state, m);
            }
            i += 1;
        });
        replayed.expect("a game that was played or read is legal");
        let winner = record.record.outcome.map(|outcome| outcome.winner);
        match (clear_since, winner) {
            (Some(since), Some(Some(winner))) if winner == side => {
                self.conversion_plies.push((actions.len() - since) as u32);
            }
            (Some(_), Some(None)) => self.unconverted += 1,
            _ => {}
        }
    }

    /// Counts a move of the player, and the reply to it.
    fn raid(&mut self, state: &State, m: Move, answer: Option<&Action>) {
        let board = state.position().board();
        let taken = board
            .role_at(m.to())
            .filter(|_| m.kind() != MoveKind::Castle);
        let is_raid = board.role_at(m.from()) == Some(Role::Queen)
            && taken.is_some_and(|role| role != Role::King);
        if !is_raid {
            return;
        }
        self.queen_captures += 1;
        let Some(Action::Move(answer)) = answer else {
            return;
        };
        if answer.to() == m.to() && answer.kind() != MoveKind::Castle {
            self.retaken += 1;
            let seen = state.observe(state.position().turn()).view().visible;
            self.unseen += u32::from(!seen.contains(answer.from()));
        }
    }

    /// Counts a turn on which an enemy bishop inside the player's half could be
    /// captured.
    fn stand_off(&mut self, state: &State, m: Move) {
        let position = state.position();
        let side = position.turn();
        let bishops = position.board().pieces(!side, Role::Bishop);
        let inside = |square: Square| match side {
            Color::White => (square.rank() as u32) < 4,
            Color::Black => square.rank() as u32 >= 4,
        };
        let takes = |m: &Move| bishops.contains(m.to()) && inside(m.to());
        if state.legal_moves().iter().any(takes) {
            self.intruders += 1;
            self.spared += u32::from(position.captured(m).is_none());
        }
    }

    /// Mean and median of the conversion plies; `None` without any.
    pub fn hunt(&self) -> Option<(f64, u32)> {
        let mut sorted = self.conversion_plies.clone();
        sorted.sort_unstable();
        let median = *sorted.get(sorted.len() / 2)?;
        let mean = sorted.iter().sum::<u32>() as f64 / sorted.len() as f64;
        Some((mean, median))
    }

    /// Header of the table, in Markdown.
    pub fn head() -> &'static str {
        "\nFrom a lead of a queen that lasted to the end of a game until the king was taken, in single moves; queens that took something, how often they were retaken at once, and by whom; and turns on which an enemy bishop inside the own half could be taken and nothing was:\n\n\
         | pairing | player | led by a queen | mean, median moves to the king | drawn all the same | queen took | retaken at once | by a piece not seen before | bishops inside | left alone |\n|---|---|---|---|---|---|---|---|---|---|\n"
    }

    /// Table row of a player.
    pub fn row(&self, pairing: &str, player: &str) -> String {
        let hunt = self.hunt().map_or("-".to_owned(), |(mean, median)| {
            format!("{mean:.1}, {median}")
        });
        let share = |part: u32, whole: u32| match whole {
            0 => "-".to_owned(),
            _ => format!(
                "{part} ({:.0} %)",
                100.0 * f64::from(part) / f64::from(whole)
            ),
        };
        let led = self.conversion_plies.len() as u32 + self.unconverted;
        format!(
            "| {pairing} | {player} | {led} | {hunt} | {} | {} | {} | {} | {} | {} |\n",
            self.unconverted,
            self.queen_captures,
            share(self.retaken, self.queen_captures),
            share(self.unseen, self.queen_captures),
            self.intruders,
            share(self.spared, self.intruders),
        )
    }
}

#[cfg(test)]
mod tests {
    use foglight_arena::record::PlayerInfo;
    use foglight_rules::{ByColor, Game, Outcome, Record, Termination};

    use super::*;

    /// A game of `one` (White) against `other` (Black).
    fn played(moves: &str, agreed: Option<Outcome>) -> GameRecord {
        let game = Game::fog();
        let record = Record::parse(game, game.start(), moves.split_whitespace());
        let record = record.expect("legal moves");
        let named = |name: &str| PlayerInfo {
            name: name.to_owned(),
            agent: name.to_owned(),
            limits: String::new(),
        };
        let outcome = record.outcome.or(agreed);
        let players = ByColor {
            white: named("one"),
            black: named("other"),
        };
        GameRecord::new(Record { outcome, ..record }, players)
    }

    /// The queen captures on f7, and the king recaptures.
    #[test]
    fn a_queen_that_takes_unscouted_is_retaken() {
        let game = played("e2e4 a7a6 d1h5 a6a5 h5f7 e8f7", None);
        let habits = PlayStats::of([&game], "one");
        assert_eq!((habits.queen_captures, habits.retaken), (1, 1));
        assert_eq!(habits.unseen, 1, "the pawn on f7 hides the king behind it");
        assert_eq!(PlayStats::of([&game], "other").queen_captures, 0);
        let row = habits.row("test", "one");
        assert!(row.contains("| 1 | 1 (100 %) | 1 (100 %) |"), "{row}");
    }

    /// The bishop on b5 can be captured by a pawn, and is once.
    #[test]
    fn a_bishop_inside_is_taken_or_left_alone() {
        let game = played("e2e4 a7a6 f1b5 h7h6 a2a3 a6b5", None);
        let habits = PlayStats::of([&game], "other");
        assert_eq!((habits.intruders, habits.spared), (2, 1));
        assert_eq!(PlayStats::of([&game], "one").intruders, 0);
        let row = habits.row("test", "other");
        assert!(row.ends_with("| 2 | 1 (50 %) |\n"), "{row}");
    }

    /// White captures a free queen, and the king four plies later; the captured
    /// queen was not one that had captured.
    #[test]
    fn a_hunt_lasts_from_the_lead_to_the_king() {
        let moves = "e2e4 e7e5 d1h5 d8h4 h5h4 a7a6 h4d8 a6a5 d8e8";
        let habits = PlayStats::of([&played(moves, None)], "one");
        assert_eq!(habits.conversion_plies, [4]);
        assert_eq!(habits.hunt(), Some((4.0, 4)));
        assert_eq!(
            (habits.queen_captures, habits.retaken, habits.unconverted),
            (1, 0, 0)
        );
        let drawn = Outcome::draw(Termination::Agreement);
        let unfinished = moves.rsplit_once(' ').map_or("", |(before, _)| before);
        let dragged = PlayStats::of([&played(unfinished, Some(drawn))], "one");
        assert_eq!(
            (dragged.conversion_plies.len(), dragged.unconverted),
            (0, 1)
        );
    }
}
