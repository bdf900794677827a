//! Dukek et al. (c. 2021): a round robin of each evaluator alone, the ensemble,
//! the modern search and limited Stockfish. The paper names the evaluators and
//! Stockfish as opponent and prints no results.

use std::time::Duration;

use foglight_engine::book::Book;
use foglight_play::{Limits, Rng, Session, seeded};
use foglight_rules::{Action, Game, Position};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldPlayer {
    /// Agent from the registry.
    Agent(&'static str),
    /// Stockfish limited to this rating.
    Stockfish(u32),
}

#[derive(Clone, Debug)]
pub struct EvaluatorField {
    /// Name on the command line.
    pub name: &'static str,
    /// One-line description with the source.
    pub about: &'static str,
    pub game: Game,
    pub players: Vec<(String, FieldPlayer)>,
    /// Games of every two players.
    pub games: u64,
    /// Limits of every player per move.
    pub limits: Limits,
}

/// The field of Dukek et al.
pub fn field() -> EvaluatorField {
    const ALONE: [(&str, &str); 6] = [
        ("capture", "ensemble:weights=capture"),
        ("pointwise", "ensemble:weights=pointwise"),
        ("positional", "ensemble:weights=positional"),
        ("check", "ensemble:weights=check"),
        ("checkmate", "ensemble:weights=checkmate"),
        ("pattern", "ensemble:weights=pattern"),
    ];
    const TOGETHER: [(&str, &str); 3] = [
        ("ensemble, equal weights", "ensemble:preset=paper,book=off"),
        ("ensemble, learnt weights", "ensemble"),
        ("classic", "classic"),
    ];
    let agents = ALONE.into_iter().chain(TOGETHER);
    let agents = agents.map(|(name, spec)| (name.to_owned(), FieldPlayer::Agent(spec)));
    let outside = [1350, 2000].map(|elo| (format!("Stockfish {elo}"), FieldPlayer::Stockfish(elo)));
    EvaluatorField {
        name: "evaluators",
        about: "each evaluator alone, the ensemble, classic and Stockfish in a round robin (Dukek et al., c. 2021)",
        game: Game::chess(),
        players: agents.chain(outside).collect(),
        games: 20,
        limits: Limits {
            movetime: Some(Duration::from_millis(50)),
            margin: Duration::from_millis(500),
            ..Limits::default()
        },
    }
}

/// `count` starting positions for pairs of games, on the named opening lines,
/// each after six plies.
pub fn starts(count: usize, seed: u64) -> Vec<Position> {
    let mut rng = seeded(seed);
    (0..count.max(1)).map(|_| start(&mut rng)).collect()
}

fn start(rng: &mut Rng) -> Position {
    const PLIES: usize = 6;
    loop {
        let game = Game::chess();
        let mut session = Session::new(game, game.start(), None);
        let played = (0..PLIES).all(|_| {
            let m = Book::named().choose(session.state().position(), rng);
            m.map(|m| session.apply(Action::Move(m))).is_some()
        });
        if played {
            return *session.state().position();
        }
    }
}

#[cfg(test)]
mod tests {
    use foglight_engine::registry;
    use foglight_play::{Providers, Spec};

    use super::*;

    #[test]
    fn every_player_of_the_field_can_play() {
        let field = field();
        for (name, player) in &field.players {
            if let FieldPlayer::Agent(spec) = player {
                let spec: Spec = spec.parse().expect("a spec");
                let built = registry::build(&spec, &field.game, &Providers::default());
                assert!(built.is_ok(), "{name}: {:?}", built.err());
            }
        }
        let starts = starts(50, 3);
        assert!(starts.iter().all(|start| start.fullmoves() == 4));
        assert_eq!(starts, super::starts(50, 3));
    }
}
