//! Size of the game, measured on played games: section 2.5 of the thesis asks
//! for it and could only quote. Shannon (1950) used thirty moves to the power
//! of eighty; here both numbers are those of the games in the report.

use foglight_rules::{ByColor, Move, Record, State, View};

/// Branching of one game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct BranchingFactor {
    pub plies: u32,
    /// Total number of legal moves over the game.
    pub moves: u64,
    /// Decimal logarithm of the product, over all plies, of the alternatives
    /// that a side can distinguish: its own moves, and its possible views after
    /// the opponent's. Mean of both sides; `None` without fog.
    pub told: Option<f64>,
}

impl BranchingFactor {
    /// Replays a game; `None` for games with dice or with illegal actions.
    pub fn of(record: &Record) -> Option<BranchingFactor> {
        let game = record.game;
        if game.has_dice() {
            return None;
        }
        let mut breadth = BranchingFactor::default();
        let mut told = ByColor::new_with(|_| 0.0);
        let replayed = record.replay().each(|state, _| {
            let moves = state.legal_moves();
            breadth.plies += 1;
            breadth.moves += moves.len() as u64;
            if game.fog_rules().is_some() {
                let mover = state.position().turn();
                *told.get_mut(mover) += (moves.len() as f64).log10();
                *told.get_mut(!mover) += (views(state, &moves) as f64).log10();
            }
        });
        replayed.ok()?;
        breadth.told = game.fog_rules().map(|_| (told.white + told.black) / 2.0);
        Some(breadth)
    }
}

/// Number of different views of the other side after one of these moves.
fn views(state: &State, moves: &[Move]) -> usize {
    let (game, position) = (state.game(), state.position());
    let mut views: Vec<View> = Vec::new();
    for m in moves {
        let mut next = *position;
        game.play_unchecked(&mut next, *m);
        let view = View::new(game, &next, !position.turn());
        if !views.contains(&view) {
            views.push(view);
        }
    }
    views.len()
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Complexity {
    pub games: usize,
    /// Mean number of legal moves in a position.
    pub branching: f64,
    /// Mean number of plies of a game.
    pub plies: f64,
    /// Decimal logarithm of `branching` to the power of `plies`.
    pub tree: f64,
    /// Decimal logarithm of the histories that one side can distinguish.
    pub told: Option<f64>,
}

impl Complexity {
    /// Complexity over several games; `None` without games.
    pub fn of(games: &[BranchingFactor]) -> Option<Complexity> {
        let plies: u64 = games.iter().map(|game| u64::from(game.plies)).sum();
        if plies == 0 {
            return None;
        }
        let moves: u64 = games.iter().map(|game| game.moves).sum();
        let branching = moves as f64 / plies as f64;
        let length = plies as f64 / games.len() as f64;
        let told: Option<f64> = games.iter().map(|game| game.told).sum();
        Some(Complexity {
            games: games.len(),
            branching,
            plies: length,
            tree: length * branching.log10(),
            told: told.map(|sum| sum / games.len() as f64),
        })
    }

    /// The numbers beside Shannon's and later estimates, as the thesis quotes
    /// them (section 2.5), in Markdown; for Kriegspiel those of beliefs.
    pub fn table(&self) -> String {
        let power = |log: f64| format!("10^{log:.1}");
        let told = self.told.map(|told| {
            let what = "histories that a side can distinguish";
            let published = "at most 10^130 beliefs; 10^25 x 2^(10^25)";
            (what, power(told), published)
        });
        let rows = [
            (
                "moves in a position",
                format!("{:.1}", self.branching),
                "30",
            ),
            ("plies of a game", format!("{:.1}", self.plies), "80"),
            (
                "placements of 32 different pieces (64P32)",
                power(all_placements()),
                "10^54",
            ),
            ("placements of full armies", power(shannon()), "10^43"),
            (
                "placements of what may be left, at most",
                power(placements()),
                "10^47",
            ),
            ("games", power(self.tree), "10^120; 10^123"),
        ];
        let rows = rows.into_iter().chain(told);
        let rows =
            rows.map(|(what, ours, published)| format!("| {what} | {ours} | {published} |\n"));
        let head = format!(
            "| what | {} games | published |\n|---|---|---|\n",
            self.games
        );
        head + &rows.collect::<String>()
    }
}

/// Decimal logarithm of 64! / 32!, the thesis's 64P32.
fn all_placements() -> f64 {
    log_factorial(64) - log_factorial(32)
}

/// Decimal logarithm of Shannon's 64! / (32! 8!^2 2!^6): full armies, with
/// equal pieces interchangeable.
fn shannon() -> f64 {
    all_placements() - 2.0 * log_factorial(8) - 6.0 * log_factorial(2)
}

fn log_factorial(n: u32) -> f64 {
    (1..=n).map(|k| f64::from(k).log10()).sum()
}

/// Decimal logarithm of the placements of the possible remains of two armies:
/// any piece but the kings may be captured, pawns stand on their 48 squares and
/// may have promoted. It bounds fog as well, where a king of either side may
/// stand attacked.
fn placements() -> f64 {
    let armies = ByPawns::new();
    let mut total = 0.0;
    for white in 0..=8 {
        for black in 0..=8 {
            let pawns = choose(48, white) * choose(48 - white, black);
            total += pawns * armies.others(white, black);
        }
    }
    total.log10()
}

/// Maximum number of pieces besides king and pawns.
const MAX_ROWS: usize = 15;

/// For each number of pawns and of other pieces: the sum, over all multisets of
/// piece types, of one over the product of the factorials of their counts.
struct ByPawns([[f64; MAX_ROWS + 1]; 9]);

impl ByPawns {
    fn new() -> ByPawns {
        let mut sums = [[0.0; MAX_ROWS + 1]; 9];
        for (pawns, sums) in sums.iter_mut().enumerate() {
            let spare = 8 - pawns;
            for_armies(|counts, promoted| {
                if promoted <= spare {
                    let alike: f64 = counts.iter().map(|n| factorial(*n)).product();
                    sums[counts.iter().sum::<usize>()] += 1.0 / alike;
                }
            });
        }
        ByPawns(sums)
    }

    /// Placements of both sides' kings and other pieces on the squares that the
    /// pawns leave free.
    fn others(&self, white: usize, black: usize) -> f64 {
        let free = 64 - white - black;
        let mut ways = 0.0;
        for (ours, a) in self.0[white].iter().enumerate() {
            for (theirs, b) in self.0[black].iter().enumerate() {
                let left = free - 2 - ours - theirs;
                ways += a * b * factorial(free) / factorial(left);
            }
        }
        ways
    }
}

/// Enumerates the counts of knights, bishops, rooks and queens, with the number
/// of promoted pawns among them.
fn for_armies(mut tell: impl FnMut([usize; 4], usize)) {
    const START: [usize; 4] = [2, 2, 2, 1];
    let up_to = |kind: usize| 0..=START[kind] + 8;
    for knights in up_to(0) {
        for bishops in up_to(1) {
            for rooks in up_to(2) {
                for queens in up_to(3) {
                    let counts = [knights, bishops, rooks, queens];
                    let beyond = counts.iter().zip(START);
                    let promoted = beyond.map(|(n, start)| n.saturating_sub(start)).sum();
                    if promoted <= 8 {
                        tell(counts, promoted);
                    }
                }
            }
        }
    }
}

fn factorial(n: usize) -> f64 {
    (1..=n).map(|k| k as f64).product()
}

fn choose(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}

#[cfg(test)]
mod tests {
    use foglight_rules::Game;

    use super::*;

    fn played(game: Game, moves: &str) -> Record {
        let record = Record::parse(game, game.start(), moves.split_whitespace());
        record.expect("legal moves")
    }

    /// Values quoted by the thesis: Shannon's "roughly 10^43" and 64P32, "about
    /// 10^54".
    #[test]
    fn published_numbers_are_met() {
        assert_eq!(shannon().round(), 43.0);
        assert_eq!(all_placements().round(), 54.0);
        // It includes captures and promotions, so it is above Shannon's; it
        // ignores that a pawn must get past others to promote, so it is above
        // the later 10^47. Verified by another program.
        assert!((placements() - 49.379).abs() < 1e-3, "{}", placements());
    }

    /// 20 moves each, and neither side sees any part of the opponent's first
    /// move.
    #[test]
    fn the_first_two_moves_are_counted() {
        let game = BranchingFactor::of(&played(Game::fog(), "a2a3 a7a6")).expect("no dice");
        assert_eq!((game.plies, game.moves), (2, 40));
        assert!((game.told.expect("fog") - 20f64.log10()).abs() < 1e-12);
        // After e4 White may see a pawn on a6, b5, d5, f5 or h5, a knight on
        // a6, that e5 is blocked, or nothing.
        let seen = BranchingFactor::of(&played(Game::fog(), "e2e4 d7d5")).expect("no dice");
        let white = 20f64.log10() + 8f64.log10();
        let black = 20f64.log10();
        let mean = (white + black) / 2.0;
        assert!((seen.told.expect("fog") - mean).abs() < 1e-12, "{seen:?}");
        assert_eq!(
            BranchingFactor::of(&played(Game::chess(), "e2e4")).and_then(|game| game.told),
            None
        );
    }

    #[test]
    fn means_are_over_moves_and_games() {
        let game = |plies, moves| BranchingFactor {
            plies,
            moves,
            told: Some(f64::from(plies)),
        };
        let found = Complexity::of(&[game(10, 100), game(30, 700)]).expect("games");
        assert_eq!((found.branching, found.plies), (20.0, 20.0));
        assert!((found.tree - 20.0 * 20f64.log10()).abs() < 1e-12);
        assert_eq!(found.told, Some(20.0));
        assert_eq!(Complexity::of(&[]), None);
    }
}
