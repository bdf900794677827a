//! The games printed in appendix A of the thesis, as a check of readings that
//! its sets of games did not choose: how an agent by a reading could have made
//! the printed moves. Only the games whose players are known are asked: two
//! without features, two with risk assessment on both sides.

use std::fmt::Write as _;

use foglight_engine::registry;
use foglight_play::{Agent, Budget, ConfiguredAgent, Providers, Spec};
use foglight_rules::{Action, ByColor, Color, FogRules, Game, Move, Record, State};

const GAMES: &str = include_str!("../../../../data/thesis/games.txt");

/// What both players of each of the first four games had enabled.
const PLAYERS: [&str; 4] = ["risk=off", "risk=off", "risk=on", "risk=on"];

/// The chance below which a printed move counts as impossible, and with which
/// it enters the mean.
const IMPOSSIBLE: f64 = 1e-3;

/// How a reading explains the printed moves.
#[derive(Clone, Copy, Default, Debug)]
struct Explained {
    moves: u32,
    /// Moves among those that raised alpha.
    raised: u32,
    /// Moves drawn from several, and how many of these had no chance.
    drawn: u32,
    impossible: u32,
    /// Sum of the logarithms of the drawn moves' chances.
    log: f64,
    /// The chance of 1 Nc3 without and with risk assessment.
    first: [f64; 2],
}

impl Explained {
    /// The printed moves by agents with these options, as in `,weights=lead`.
    fn by(options: &str) -> Explained {
        let mut explained = Explained::default();
        let games = GAMES.lines().filter(|line| !line.starts_with('#'));
        for (line, players) in games.zip(PLAYERS) {
            explained.add(line, &format!("thesis:{players}{options}"));
        }
        explained
    }

    /// Geometric mean of the chances of drawn moves.
    fn mean(&self) -> f64 {
        (self.log / f64::from(self.drawn.max(1))).exp()
    }

    fn add(&mut self, line: &str, agent: &str) {
        let game = Game::fog_with(FogRules::Thesis);
        let moves = line.rsplit(';').next().expect("a list of moves");
        let record = Record::parse(game, game.start(), moves.split_whitespace());
        let record = record.expect("a printed game is legal");
        let mut players = ByColor::new_with(|_| player(agent, &game));
        players.white.start(&game, Color::White, 0);
        players.black.start(&game, Color::Black, 0);
        let risk = usize::from(agent.contains("risk=on"));
        let replay = record.replay().each(|state, action| {
            see(&mut players, state);
            let side = state.position().turn();
            let observation = state.observe(side);
            let player = players.get_mut(side);
            player.act(&observation, &Budget::default());
            let policy = player.report().expect("a report").policy;
            let Action::Move(m) = action else { return };
            let chance = self.judge(&policy, m);
            if state.plies() == 0 {
                self.first[risk] = chance;
            }
        });
        replay.expect("a printed game is legal");
    }

    /// The chance of a printed move.
    fn judge(&mut self, policy: &[(Move, f64)], m: Move) -> f64 {
        self.moves += 1;
        let Some((_, chance)) = policy.iter().find(|(raised, _)| *raised == m) else {
            return 0.0;
        };
        self.raised += 1;
        if policy.len() > 1 {
            self.drawn += 1;
            self.impossible += u32::from(*chance < IMPOSSIBLE);
            self.log += chance.max(IMPOSSIBLE).ln();
        }
        *chance
    }
}

fn player(agent: &str, game: &Game) -> ConfiguredAgent {
    let spec: Spec = agent.parse().expect("a spec of this file");
    registry::build(&spec, game, &Providers::default()).expect("an agent of this file")
}

fn see(players: &mut ByColor<ConfiguredAgent>, state: &State) {
    for side in Color::ALL {
        players.get_mut(side).see(&state.observe(side));
    }
}

/// The printed moves by several readings, in Markdown.
pub(super) fn printed(readings: &[(&str, &str)]) -> String {
    let mut text = "\nThe printed games with known players, by reading: moves among those that raised alpha; \
         of the moves drawn from several those without a chance, and the geometric mean of their chances; \
         the chance of 1 Nc3, with which all six printed games begin, without and with risk assessment:\n\n\
         | reading | among raised | without a chance | mean chance | 1 Nc3 |\n|---|---|---|---|---|\n"
        .to_owned();
    for (name, options) in readings {
        let found = Explained::by(options);
        let [plain, risk] = found.first.map(|chance| 100.0 * chance);
        let _ = writeln!(
            text,
            "| {name} | {} of {} | {} of {} | {:.1} % | {plain:.1} %, {risk:.1} % |",
            found.raised,
            found.moves,
            found.impossible,
            found.drawn,
            100.0 * found.mean(),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A check that the sets did not choose: chess.js's order explains more of
    /// the printed moves than the order of bitboards.
    #[test]
    fn the_printed_games_speak_for_the_order_of_chessjs() {
        let found = Explained::by("");
        let other = Explained::by(",generator=bitboard");
        assert_eq!((found.moves, other.moves), (160, 160));
        assert!(found.raised > other.raised + 8, "{found:?} {other:?}");
    }

    /// And against weights that let bad moves be the likeliest: some printed
    /// moves have no chance by them.
    #[test]
    fn the_printed_games_speak_against_the_sum() {
        let [sum, range] = ["", ",weights=range"].map(Explained::by);
        assert!(sum.impossible > 10 && range.impossible == 0);
        assert!(range.mean() > 2.0 * sum.mean(), "{sum:?} {range:?}");
        assert!(range.first[0] > 3.0 * sum.first[0]);
    }
}
