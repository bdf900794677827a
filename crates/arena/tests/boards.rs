//! Best responses to agents whose exploitability is known.

use foglight_arena::{attack::SmallBoard, tournament::MatchEntrant};
use foglight_play::{Agent, Budget, InProcess, Limits, Report};
use foglight_rules::{Action, Color, Game, Move, Observation, State};

/// Reports that any legal move is as likely as any other, and plays the first.
#[derive(Default)]
struct Even(Vec<Move>);

impl Agent for Even {
    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
        self.0 = observation.legal_moves().to_vec();
        self.0[0]
    }

    fn report(&self) -> Option<Report> {
        let share = 1.0 / self.0.len() as f64;
        Some(Report {
            policy: self.0.iter().map(|m| (*m, share)).collect(),
            ..Report::default()
        })
    }
}

/// Plays one move for certain: which one depends on its seed.
#[derive(Default)]
struct Certain(u64);

impl Agent for Certain {
    fn start(&mut self, _: &Game, _: Color, seed: u64) {
        self.0 = seed;
    }

    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
        let legal = observation.legal_moves();
        legal[self.0 as usize % legal.len()]
    }
}

fn entrant<A: Agent + Default + 'static>() -> MatchEntrant {
    MatchEntrant {
        name: "agent".to_owned(),
        agent: "agent".to_owned(),
        limits: Limits::default(),
        engine: None,
        make: Box::new(|| Ok(Box::new(InProcess(Box::new(A::default()))))),
        reusable: false,
    }
}

const QUEENS: &str = "kq2/4/4/2QK w - - 0 1";

fn board(engine: &MatchEntrant, plies: u32) -> SmallBoard<'_> {
    let game = Game::fog();
    SmallBoard {
        game,
        start: game.parse_fen(QUEENS).expect("a position"),
        plies,
        engine,
    }
}

/// White's moves, and those of them after which Black can take the king.
fn first_moves(game: &Game) -> (usize, usize) {
    let state = State::new(*game, game.parse_fen(QUEENS).expect("a position"));
    let moves = state.legal_moves();
    let exposed = moves.iter().filter(|m| {
        let mut next = state.clone();
        next.play(Action::Move(**m)).expect("a legal move");
        next.position().can_capture_king()
    });
    (moves.len(), exposed.count())
}

/// In two plies Black wins if and only if White left its king en prise, and then
/// Black sees it: its value is the share of such moves.
#[test]
fn the_best_response_to_even_odds_wins_what_is_offered() {
    let engine = entrant::<Even>();
    let board = board(&engine, 2);
    let (moves, exposed) = first_moves(&board.game);
    assert!(0 < exposed && exposed < moves);
    let response = board
        .best_response(Color::Black, &[1, 2, 3])
        .expect("no fault");
    let share = exposed as f64 / moves as f64;
    assert!((response.value - share).abs() < 1e-12, "{}", response.value);
    // The odds do not depend on the seed, so that fresh seeds give the same.
    let fresh = board.replay(&response, &[7, 8], 9).expect("no fault");
    assert!(fresh.iter().all(|value| (value - share).abs() < 1e-12));
}

/// Against one seed of an agent that plays for certain the responder knows the
/// position; it knows less of a mixture of seeds, and a plan against one of them
/// is worth less against others.
#[test]
fn more_seeds_are_exploited_less_and_fresh_ones_least() {
    let engine = entrant::<Certain>();
    let board = board(&engine, 6);
    let value = |side, seeds: &[u64]| {
        let response = board.best_response(side, seeds).expect("no fault");
        response.value
    };
    for side in Color::ALL {
        let all: Vec<u64> = (0..6).collect();
        let alone = all.iter().map(|seed| value(side, &[*seed]));
        let alone = alone.sum::<f64>() / all.len() as f64;
        let mixed = value(side, &all);
        assert!(mixed <= alone + 1e-12, "{side:?}: {mixed} of {alone}");
        // Against the very seeds of the mixture the plan wins its value.
        let response = board.best_response(side, &all).expect("no fault");
        let again = board.replay(&response, &all, 9).expect("no fault");
        let mean = again.iter().sum::<f64>() / all.len() as f64;
        assert!((mean - response.value).abs() < 1e-12);
    }
    let known = board.best_response(Color::Black, &[0]).expect("no fault");
    let others = board.replay(&known, &[1, 2, 3, 4, 5], 9).expect("no fault");
    let mean = others.iter().sum::<f64>() / 5.0;
    assert!(mean < known.value, "{mean} of {}", known.value);
}
