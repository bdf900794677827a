//! Scripted games: lines in, text out.

use std::collections::BTreeSet;

use foglight_arena::record::{GameRecord, PlayerInfo};
use foglight_engine::registry;
use foglight_play::{Agent, Budget, Providers, Report};
use foglight_play::{
    InProcess, Limits,
    contract::{CallLog, CheckedAgent},
};
use foglight_rules::{ByColor, Color, Game, Move, Observation, State, Termination, notation::pgn};

use super::{
    picture::Style,
    save,
    session::{Look, TerminalSession},
    table::{Chair, TerminalGame},
};

fn agent(spec: &str, game: Game) -> Chair {
    let spec = spec.parse().expect("a spec");
    let player = registry::build(&spec, &game, &Providers::default()).expect("an agent");
    Some(Box::new(InProcess(Box::new(player))))
}

fn named(name: &str) -> PlayerInfo {
    PlayerInfo {
        name: name.into(),
        agent: name.into(),
        limits: String::new(),
    }
}

struct Played {
    text: String,
    record: GameRecord,
}

fn play_from(game: Game, fen: Option<&str>, chairs: ByColor<Chair>, script: &[u8]) -> Played {
    let start = fen.map_or(game.start(), |fen| game.parse_fen(fen).expect("a position"));
    let table = TerminalGame::new(game, start, 7, chairs, Limits::default());
    let players = ByColor {
        white: named("W"),
        black: named("B"),
    };
    let mut saved = save::SavedGame::new(None, players, 7);
    let mut out = Vec::new();
    let look = Look {
        style: Style { ascii: true },
        terminal: false,
    };
    let ran = TerminalSession::new(script, &mut out, look).run(table, &mut saved);
    ran.expect("streams in memory do not fail");
    Played {
        text: String::from_utf8(out).expect("text"),
        record: saved.record().expect("a game").clone(),
    }
}

fn people() -> ByColor<Chair> {
    ByColor {
        white: None,
        black: None,
    }
}

fn by_people(game: Game, fen: Option<&str>, script: &str) -> Played {
    play_from(game, fen, people(), script.as_bytes())
}

fn actions(played: &Played) -> Vec<String> {
    let actions = played.record.record.actions.iter();
    actions.map(ToString::to_string).collect()
}

#[test]
fn san_and_uci_castling_and_mate() {
    let played = by_people(
        Game::chess(),
        None,
        "e4\ne7e5\nNf3\nNc6\nBc4\nNf6\nO-O\nd7d6\nresign\n",
    );
    assert_eq!(
        actions(&played).join(" "),
        "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 d7d6"
    );
    assert!(played.text.contains("Black wins: resign. 0-1"));
    assert!(
        played.text.contains("Black plays e5."),
        "nothing is hidden in chess"
    );
    assert!(!played.text.contains("Pass the keyboard"));
    let mate = by_people(Game::chess(), None, "f3\ne5\ng4\nQh4#\n");
    assert!(mate.text.contains("Black wins: checkmate"), "{}", mate.text);
}

#[test]
fn bad_input_never_ends_a_game() {
    let mut script = b"e5\ne2e9\n0000\n\xff\xfe\n\n".to_vec();
    script.extend(vec![b'x'; 100_000]);
    script.extend(b"\nhelp\nmoves\nflip\naccept\nboard\ne4\nquit\n");
    let played = play_from(Game::chess(), None, people(), &script);
    assert_eq!(actions(&played), ["e2e4"]);
    assert_eq!(played.record.record.outcome, None);
    assert!(
        played.text.matches("expected").count() >= 4,
        "{}",
        played.text
    );
    for words in [
        "gives up",
        "Na3 Nc3",
        "No draw was offered",
        "The game stops here",
        "     h g f",
    ] {
        assert!(played.text.contains(words), "{words}");
    }
}

#[test]
fn promotion_is_asked_for() {
    let fen = Some("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    for (script, expected) in [
        ("a8\nx\nback\na8\nknight\nquit\n", "a7a8n"),
        ("a7a8\nR\nquit\n", "a7a8r"),
        ("a8=Q\nquit\n", "a7a8q"),
        ("a7a8b\nquit\n", "a7a8b"),
    ] {
        let played = by_people(Game::fog(), fen, &format!("\n{script}"));
        assert_eq!(actions(&played), [expected], "{}", played.text);
    }
    let played = by_people(Game::fog(), fen, "\na8\n");
    assert!(
        actions(&played).is_empty(),
        "the input ended at the question"
    );
}

#[test]
fn the_end_of_input_ends_cleanly_anywhere() {
    let script = "\ne4\n\nd5\n\nexd5\n\nresign\nreplay white\nn\nn\nq\nquit\n";
    for cut in 0..script.len() {
        by_people(Game::fog(), None, &script[..cut]);
    }
}

#[test]
fn two_people_hide_the_board_and_losses_are_told() {
    let played = by_people(
        Game::fog(),
        None,
        "\ne4\n\nd5\n\nexd5\n\nQxd5\n\nresign\nquit\n",
    );
    assert_eq!(played.text.matches("Pass the keyboard to White").count(), 3);
    assert_eq!(played.text.matches("Pass the keyboard to Black").count(), 2);
    assert!(played.text.contains("You lose a pawn on d5."));
    assert!(played.text.contains("You take a pawn on d5."));
    assert!(
        played.text.contains("took: p") && played.text.contains("lost: P"),
        "{}",
        played.text
    );
    assert!(!played.text.contains("plays"), "moves are not told in fog");
    let outcome = played.record.record.outcome.expect("an end");
    assert_eq!(
        (outcome.winner, outcome.reason),
        (Some(Color::Black), Termination::Resign)
    );
    let before = played
        .text
        .split("Pass the keyboard to Black")
        .next()
        .expect("White's turn");
    assert!(before.contains("? ? ?"), "fog is shown");
}

/// The text printed while the game runs depends only on the side's
/// observations: two games that look the same to White print the same to White.
#[test]
fn nothing_hidden_is_printed() {
    struct Fixed(Vec<&'static str>);
    impl Agent for Fixed {
        fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
            let text = self.0.remove(0);
            let mut moves = observation.legal_moves().iter();
            *moves.find(|m| m.to_string() == text).expect("a legal move")
        }
    }
    let script = "e4\nmoves\nNd5\nh4\nboard\ndraw\nNf3\nquit\n";
    let texts: BTreeSet<String> = [vec!["g7g6", "b8c6", "g8f6"], vec!["h7h6", "e7e6", "c7c6"]]
        .into_iter()
        .map(|moves| {
            let black: Chair = Some(Box::new(InProcess(Box::new(Fixed(moves)))));
            let chairs = ByColor { white: None, black };
            play_from(Game::fog(), None, chairs, script.as_bytes()).text
        })
        .collect();
    assert_eq!(texts.len(), 1, "{texts:#?}");
}

#[test]
fn dice_are_rolled_shown_and_obeyed() {
    for game in [Game::dice1(), Game::dice3()] {
        let mut script = String::new();
        let mut known = 0;
        // Types the first legal move, as a person who reads the dice would.
        for _ in 0..12 {
            let played = by_people(game, None, &format!("{script}quit\n"));
            let last = played
                .record
                .record
                .states()
                .expect("legal")
                .pop()
                .expect("a state");
            assert!(actions(&played).len() > known, "a game goes on");
            known = actions(&played).len();
            let Some(m) = last.legal_moves().first().copied() else {
                break;
            };
            script.push_str(&format!("{m}\n"));
        }
        let played = by_people(game, None, &format!("{script}quit\n"));
        assert!(played.text.contains("White> "), "{}", played.text);
        assert!(played.text.contains("You roll ") && played.text.contains("  dice: "));
        assert!(played.text.contains("Black rolls "), "dice are public");
        assert_eq!(
            actions(&played)[0],
            actions(&by_people(game, None, "quit\n"))[0],
            "the seed decides"
        );
    }
}

/// Agent that reports this evaluation.
struct Opinion(i32);

impl Agent for Opinion {
    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
        observation.legal_moves()[0]
    }

    fn report(&self) -> Option<Report> {
        Some(Report {
            centipawns: Some(self.0),
            ..Report::default()
        })
    }
}

#[test]
fn an_agent_takes_a_draw_only_if_it_is_not_better() {
    for (opinion, agreed) in [(50, false), (0, true), (-80, true)] {
        let black: Chair = Some(Box::new(InProcess(Box::new(Opinion(opinion)))));
        let chairs = ByColor { white: None, black };
        let played = play_from(
            Game::chess(),
            None,
            chairs,
            b"draw\ne4\ndraw\nresign\nquit\n",
        );
        assert!(
            played.text.contains("Black declines the draw."),
            "before it has thought"
        );
        let reason = played.record.record.outcome.expect("an end").reason;
        assert_eq!(reason == Termination::Agreement, agreed, "{opinion}");
    }
    let silent = ByColor {
        white: None,
        black: agent("random", Game::chess()),
    };
    let played = play_from(Game::chess(), None, silent, b"e4\ndraw\nquit\n");
    assert!(played.text.contains("Black declines the draw."));
}

#[test]
fn people_agree_on_a_draw() {
    let played = by_people(Game::chess(), None, "e4\ndraw\ne5\naccept\nquit\n");
    assert!(played.text.contains("Black offers a draw"));
    assert!(played.text.contains("A draw: agreement. 1/2-1/2"));
    let declined = by_people(Game::chess(), None, "draw\ne4\ne5\nd4\naccept\nquit\n");
    assert!(
        declined.text.contains("No draw was offered."),
        "a move declines"
    );
}

#[test]
fn an_agent_that_fails_loses() {
    struct Panics;
    impl Agent for Panics {
        fn act(&mut self, _: &Observation, _: &Budget) -> Move {
            panic!("as the test wants it")
        }
    }
    let black: Chair = Some(Box::new(InProcess(Box::new(Panics))));
    let chairs = ByColor { white: None, black };
    let played = play_from(Game::fog(), None, chairs, b"e4\nquit\n");
    assert!(
        played.text.contains("White wins: disconnect"),
        "{}",
        played.text
    );
}

#[test]
fn a_finished_game_is_replayed_from_every_side() {
    let fen = Some("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1");
    let script = "\nKxe2\n\nresign\nnonsense\nreplay black\nn\nq\nreplay truth\nn\np\n99\nx\nq\nreplay white\nlast\nq\nquit\n";
    let played = by_people(Game::fog(), fen, script);
    let shown: Vec<&str> = played.text.split("> ").collect();
    let after = |words: &str| {
        let at = shown.iter().position(|part| part.contains(words));
        at.unwrap_or_else(|| panic!("{words} in {}", played.text))
    };
    after("Expected replay white|black|truth");
    assert!(
        shown[after("White moves (semi-retreat)")].contains("  2  ? ?"),
        "Black no longer sees e2"
    );
    assert!(shown[after("White plays Kxe2")].contains("  8  . . . . k . . ."));
    after("Expected n (next)");
    assert!(played.text.contains("0/1") && played.text.contains("1/1"));
}

#[test]
fn games_are_saved_and_read_again() {
    let folder = std::env::temp_dir().join(format!("foglight-play-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (line, text) = (folder.join("a.jsonl"), folder.join("a.pgn"));
    let script = format!(
        "\ne4\n\nd5\n\nresign\nsave {}\nsave {}\nsave {}\nsave x.txt\nquit\n",
        line.display(),
        text.display(),
        text.display()
    );
    let played = by_people(Game::fog(), None, &script);
    let read = std::fs::read_to_string(&line).expect("a file");
    assert_eq!(
        GameRecord::from_json(read.trim()).expect("a record"),
        played.record
    );
    let read = std::fs::read_to_string(&text).expect("a file");
    let game = pgn::read(&read).next().expect("a game").expect("legal");
    assert_eq!(game.actions, played.record.record.actions);
    assert!(
        played.text.contains("not saved"),
        "a file is never overwritten"
    );
    assert!(
        played
            .text
            .contains("expected a name that ends with .pgn or .jsonl")
    );
    assert!(save::check(&text).is_err() && save::check(&folder.join("new.pgn")).is_ok());
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn two_agents_play_to_the_end() {
    for game in Game::ALL {
        let chairs = ByColor {
            white: agent("greedy", game),
            black: agent("random", game),
        };
        let played = play_from(game, None, chairs, b"replay truth\nlast\nq\nquit\n");
        let outcome = played.record.record.outcome.expect("an end");
        assert!(played.text.contains(outcome.result()), "{game}");
        let line = played.record.to_json();
        assert_eq!(
            GameRecord::from_json(&line).expect("a record"),
            played.record
        );
        let last = played.record.record.states().expect("legal").pop();
        assert_eq!(last.as_ref().and_then(State::outcome), Some(outcome));
    }
}

/// The terminal calls its agents as the contract says, in games that end on the
/// board and by resignation.
#[test]
fn the_terminal_keeps_the_contract_of_agents() {
    for game in Game::ALL {
        for (white, script) in [(true, "quit\n"), (false, "resign\nyes\nquit\n")] {
            let log = CallLog::default();
            let checked = |spec: &str| -> Chair {
                let spec = spec.parse().expect("a spec");
                let agent = registry::build(&spec, &game, &Providers::default());
                let agent = CheckedAgent::new(agent.expect("an agent"), &log);
                Some(Box::new(InProcess(Box::new(agent))))
            };
            let chairs = ByColor {
                white: if white { checked("greedy") } else { None },
                black: checked("random"),
            };
            play_from(game, None, chairs, script.as_bytes());
            assert_eq!(log.breaches(), Vec::<String>::new(), "{game} {script:?}");
            assert_eq!(log.games(), 1 + usize::from(white), "{game} {script:?}");
        }
    }
}
