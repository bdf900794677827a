//! This program as an engine, used by a GUI and by a saboteur.

use std::{
    io::{BufRead, BufReader, PipeWriter, Write, pipe},
    sync::{Arc, mpsc},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use foglight_play::{Agent, Budget, Spec};
use foglight_rules::{Color, Game, Move, Observation, State};
use foglight_uci::{
    Protocol,
    engine::{self, BuildEngineAgent, ServerSetup},
};

const PATIENCE: Duration = Duration::from_secs(120);

/// A session with the engine on a thread.
struct Talk {
    input: Option<PipeWriter>,
    lines: mpsc::Receiver<String>,
    engine: Option<JoinHandle<std::io::Result<()>>>,
}

impl Talk {
    fn new(setup: ServerSetup) -> Talk {
        let (to_engine, input) = pipe().expect("a pipe");
        let (output, from_engine) = pipe().expect("a pipe");
        let engine =
            thread::spawn(move || engine::run(BufReader::new(to_engine), from_engine, setup));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Talk {
            input: Some(input),
            lines,
            engine: Some(engine),
        }
    }

    fn with(agent: &str) -> Talk {
        Talk::new(ServerSetup {
            agent: Some(agent.parse().expect("an agent")),
            ..ServerSetup::default()
        })
    }

    /// A session with a test agent, whatever agent is set.
    fn built_by(build: fn() -> Box<dyn Agent>) -> Talk {
        let build: Arc<BuildEngineAgent> = Arc::new(move |_: &Spec, _: &Game| Ok(build()));
        Talk::new(ServerSetup {
            build: Some(build),
            ..ServerSetup::default()
        })
    }

    fn say(&mut self, text: &str) {
        let input = self.input.as_mut().expect("still open");
        writeln!(input, "{text}").expect("the engine listens");
    }

    fn line(&self) -> String {
        self.lines
            .recv_timeout(PATIENCE)
            .expect("an answer in time")
    }

    /// Lines up to one that begins with `start`, inclusive.
    fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines[lines.len() - 1].starts_with(start) {
                return lines;
            }
        }
    }

    fn ask(&mut self, text: &str, start: &str) -> Vec<String> {
        self.say(text);
        self.until(start)
    }

    /// The move of the next `bestmove`.
    fn best(&self) -> String {
        let lines = self.until("bestmove");
        let words = lines[lines.len() - 1].split(' ').nth(1);
        words.expect("a move").to_owned()
    }

    fn go(&mut self, text: &str) -> String {
        self.say(text);
        self.best()
    }

    /// Whether there is no output for a while.
    fn is_silent(&self) -> bool {
        self.lines.recv_timeout(Duration::from_millis(100)).is_err()
    }

    /// Closes the input and waits for the end; returns the remaining output.
    fn close(mut self) -> Vec<String> {
        self.input = None;
        self.join()
    }

    fn join(&mut self) -> Vec<String> {
        let engine = self.engine.take().expect("joined once");
        let deadline = Instant::now() + PATIENCE;
        while !engine.is_finished() {
            assert!(Instant::now() < deadline, "the engine does not end");
            thread::sleep(Duration::from_millis(2));
        }
        engine.join().expect("no panic").expect("no error");
        self.lines.iter().collect()
    }
}

/// Searches until it is stopped, then plays its last move.
struct Slow;

impl Agent for Slow {
    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        let mut nodes = 0;
        while !budget.out_of_time() && budget.allows(nodes) {
            thread::sleep(Duration::from_millis(1));
            nodes += 1;
        }
        observation.legal_moves()[observation.legal_moves().len() - 1]
    }
}

fn slow() -> Talk {
    Talk::built_by(|| Box::new(Slow))
}

fn is_legal_at_start(text: &str) -> bool {
    let state = State::start(Game::chess());
    state.parse_action(text).is_ok()
}

#[test]
fn introduces_itself_with_its_options() {
    let mut talk = Talk::new(ServerSetup::default());
    let lines = talk.ask("uci", "uciok");
    assert!(lines[0].starts_with("id name Foglight"));
    for start in [
        "option name UCI_Variant type combo default chess var chess var fogofwar var dicechess var dicechess3",
        "option name Agent type string default ",
        "option name Rules type combo default chesscom var chesscom",
        "option name Seed type spin",
        "option name Threads type spin",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(start)), "{start}");
    }
    assert_eq!(talk.ask("isready", "").len(), 1);
    talk.say("quit");
    talk.join();
}

#[test]
fn plays_every_game_with_every_agent_of_the_registry() {
    for entry in foglight_engine::registry::AGENTS {
        for game in [Game::chess(), Game::dice1(), Game::dice3()] {
            if !(entry.plays)(&game) {
                continue;
            }
            let mut talk = Talk::with(&format!("{}:nodes=50", entry.name));
            talk.say(&format!(
                "setoption name UCI_Variant value {}",
                foglight_uci::variant::name(&game)
            ));
            let roll = if game.has_dice() { " N" } else { "" };
            let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
            talk.say(&format!("position fen {fen}{roll}"));
            let best = talk.go("go nodes 50");
            assert!(is_legal_at_start(&best), "{} {game} {best}", entry.name);
            talk.close();
        }
        if (entry.plays)(&Game::fog()) {
            let mut talk = Talk::with(&format!("{}:nodes=50", entry.name));
            talk.say("setoption name UCI_Variant value fogofwar");
            talk.say("position fog startpos you white");
            let best = talk.go("go nodes 50");
            assert!(is_legal_at_start(&best), "{} {best}", entry.name);
        }
    }
}

#[test]
fn chess_follows_the_moves() {
    let mut talk = Talk::with("greedy");
    talk.say("position startpos moves e2e4 d7d5");
    assert_eq!(talk.go("go nodes 10"), "e4d5");
    talk.say("position startpos moves e2e4 d7d5 e4d5");
    assert_eq!(talk.go("go nodes 10"), "d8d5");
    talk.say("position fen 4k3/8/8/8/8/8/q7/R3K3 w Q - 0 1");
    assert_eq!(talk.go("go wtime 1000 btime 1000"), "a1a2");
}

#[test]
fn dice_take_a_seventh_field_and_rolls_as_moves() {
    let mut talk = Talk::with("random");
    talk.say("setoption name UCI_Variant value dicechess");
    talk.say("position startpos moves roll:N b1c3 roll:P");
    let best = talk.go("go");
    let from = best.as_bytes()[1];
    assert_eq!(from, b'7', "a black pawn moves: {best}");
    talk.say("setoption name UCI_Variant value dicechess3");
    talk.say("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 NNN");
    let best = talk.go("go");
    assert!(["a3", "c3", "f3", "h3"].contains(&&best[2..]), "{best}");
}

#[test]
fn fog_goes_by_observations() {
    let mut talk = Talk::with("greedy");
    talk.say("setoption name UCI_Variant value fogofwar");
    let mut state = State::start(Game::fog());
    talk.say("position fog startpos you white");
    for text in ["e2e4", "d7d5"] {
        let action = state.parse_action(text).expect("legal");
        state.play(action).expect("legal");
        let seen = state.observe(Color::White);
        let you = seen
            .news()
            .own_move
            .map_or(String::new(), |m| format!(" you {m}"));
        talk.say(&format!(
            "observe ply {} fen {}{you}",
            seen.plies(),
            seen.view()
        ));
    }
    talk.say("isready");
    assert_eq!(talk.line(), "readyok", "nothing contradicts");
    assert_eq!(talk.go("go"), "e4d5");
    // A single view suffices for analysis.
    talk.say(&format!(
        "position fog_fen {}",
        state.observe(Color::White).view()
    ));
    assert_eq!(talk.go("go"), "e4d5");
}

#[test]
fn full_sight_is_shown_the_position() {
    struct Whole;
    impl Agent for Whole {
        fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
            assert_eq!(observation.plies(), 2);
            assert!(observation.position().is_some());
            observation.legal_moves()[0]
        }
    }
    let mut talk = Talk::built_by(|| Box::new(Whole));
    talk.say("setoption name UCI_Variant value fogofwar");
    talk.say("setoption name Sight value white");
    talk.say("position fog startpos you white");
    talk.say(
        "observe ply 1 fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 you e2e4",
    );
    talk.say("observe ply 2 fen rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    let lines = talk.ask("go", "bestmove");
    assert_eq!(lines.len(), 1, "{lines:?}");
}

#[test]
fn stop_isready_and_ponderhit_are_heard_during_a_search() {
    let mut talk = slow();
    talk.say("position startpos");
    talk.say("go infinite");
    assert_eq!(talk.ask("isready", ""), ["readyok"]);
    assert!(talk.is_silent());
    assert!(is_legal_at_start(&talk.go("stop")));
    talk.say("go ponder movetime 50");
    assert!(talk.is_silent());
    assert!(is_legal_at_start(&talk.go("ponderhit")));
    // An agent that answered long ago still waits for `stop`.
    let mut talk = Talk::with("random");
    talk.say("go infinite");
    assert_eq!(
        talk.line(),
        "info string no position was given: this is the start"
    );
    assert!(talk.is_silent());
    assert!(is_legal_at_start(&talk.go("stop")));
}

#[test]
fn option_values_with_line_breaks_set_nothing() {
    let mut talk = Talk::with("random");
    talk.say("setoption name Agent value gre\redy");
    assert!(talk.line().starts_with("info string error: "));
    talk.say("setoption name Agent value\r\nnonsense\r");
    for _ in 0..2 {
        assert!(talk.line().starts_with("info string error: "));
    }
    assert!(is_legal_at_start(&talk.go("go")));
    // In JSON the line break arrives, and must not be written as one.
    let mut talk = Talk::new(ServerSetup {
        protocol: Protocol::Jsonl,
        ..ServerSetup::default()
    });
    talk.say(r#"{"t":"setoption","name":"Agent","value":"greedy\r\nbestmove e2e4"}"#);
    let line = talk.line();
    assert!(
        line.starts_with(r#"{"t":"info","string":"error: "#),
        "{line}"
    );
    assert!(talk.is_silent());
}

#[test]
fn setoption_during_a_search_waits_for_its_end() {
    let mut talk = slow();
    talk.say("position startpos");
    talk.say("go infinite");
    talk.say("setoption name Threads value 100000");
    talk.say("setoption name UCI_Variant value fogofwar");
    assert!(talk.is_silent());
    talk.say("stop");
    assert!(talk.line().starts_with("bestmove "));
    assert!(talk.line().starts_with("info string error: option Threads"));
    assert_eq!(talk.ask("isready", ""), ["readyok"]);
}

#[test]
fn unknown_names_and_numbers_out_of_range_are_told() {
    let mut talk = Talk::with("random");
    for (line, part) in [
        ("frobnicate", "command 'frobnicate'"),
        ("setoption name Nonsense value 3", "no option 'Nonsense'"),
        ("setoption", "setoption name N value V"),
        ("setoption name Agent value nobody", "no agent 'nobody'"),
        (
            "setoption name Agent value greedy:style=wild",
            "plain|conservative",
        ),
        (
            "setoption name UCI_Variant value atomic",
            "expected one of chess",
        ),
        ("setoption name Threads value 0", "from 1 to 256"),
        (
            "setoption name Seed value 99999999999999999999",
            "from 0 to",
        ),
        ("setoption name Rules value house", "chesscom"),
        ("position", "startpos|fen"),
        ("position fen 9/8 w - - 0 1", "position: "),
        ("position startpos moves e2e5", "not a legal move"),
        ("observe ply 1 fen 8/8/8/8/8/8/8/4K3 w - - - -", "before it"),
        ("observe ply 1", "without fen"),
        (&"x".repeat(3 << 20), "at most 1048576 bytes"),
    ] {
        talk.say(line);
        let answer = talk.line();
        assert!(answer.starts_with("info string error: "), "{answer}");
        assert!(answer.contains(part), "{answer}");
    }
    talk.say("position startpos");
    let best = talk.go("go depth 99999999999999999999 nodes 99999999999999999999 wtime -5 winc 99999999999999999999 movetime 99999999999999999999");
    assert!(is_legal_at_start(&best));
}

#[test]
fn go_without_a_position_plays_the_start() {
    for (variant, expected) in [("chess", true), ("fogofwar", true), ("dicechess", false)] {
        let mut talk = Talk::with("random");
        talk.say(&format!("setoption name UCI_Variant value {variant}"));
        let best = talk.go("go");
        assert_eq!(is_legal_at_start(&best), expected, "{best}");
        assert!(expected || best == "0000", "before the roll nothing moves");
    }
}

#[test]
fn two_go_are_two_searches_and_stop_ends_both() {
    let mut talk = slow();
    talk.say("position startpos");
    talk.say("go infinite\ngo infinite\nstop");
    assert!(is_legal_at_start(&talk.best()));
    assert!(is_legal_at_start(&talk.best()));
    assert!(talk.is_silent());
    talk.say("go nodes 5\ngo nodes 5");
    talk.best();
    talk.best();
    assert_eq!(talk.ask("isready", ""), ["readyok"]);
}

#[test]
fn stop_before_go_is_nothing() {
    let mut talk = slow();
    talk.say("stop\nponderhit\nstop");
    talk.say("position startpos");
    let started = Instant::now();
    talk.go("go movetime 60");
    assert!(started.elapsed() >= Duration::from_millis(60));
}

#[test]
fn the_end_of_input_ends_a_search_with_an_answer() {
    for go in [
        "go infinite",
        "go ponder",
        "go",
        "go wtime 3600000",
        "go nodes 30",
    ] {
        let mut talk = slow();
        talk.say("position startpos");
        talk.say(go);
        let rest = talk.close();
        assert_eq!(rest.len(), 1, "{go}: {rest:?}");
        assert!(rest[0].starts_with("bestmove "), "{rest:?}");
    }
    let mut talk = slow();
    talk.say("position startpos\ngo infinite\nquit");
    talk.join();
}

#[test]
fn ten_thousand_observations_are_taken_in() {
    let mut talk = Talk::with("greedy");
    talk.say("setoption name UCI_Variant value fogofwar");
    talk.say("position fog startpos you white");
    let mut state = State::start(Game::fog().with_halfmove_limit(None));
    let mut texts = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle();
    for ply in 1..=10_000 {
        // The state only generates views: repetition would end a real game.
        if state.outcome().is_some() {
            state = State::new(*state.game(), *state.position());
        }
        let action = state
            .parse_action(texts.next().expect("endless"))
            .expect("legal");
        state.play_unchecked(action);
        let seen = state.observe(Color::White);
        let you = seen
            .news()
            .own_move
            .map_or(String::new(), |m| format!(" you {m}"));
        talk.say(&format!("observe ply {ply} fen {}{you}", seen.view()));
    }
    talk.say("isready");
    assert_eq!(talk.line(), "readyok");
    assert!(is_legal_at_start(&talk.go("go")));
}

#[test]
fn contradictions_are_told_and_a_move_is_made() {
    let view = "????????/????????/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    let cases = [
        (
            format!("observe ply 2 fen {view} w KQ - - -"),
            "ply 1 was expected",
        ),
        (
            format!("observe ply 1 fen {view} w KQ - - - you e2e4"),
            "still white's turn",
        ),
        (
            format!("observe ply 1 fen {view} b KQ - - -"),
            "this side's own move",
        ),
        (
            format!("observe ply 1 fen {view} b KQ - - - you e2e5"),
            "'e2e5' could not be played",
        ),
        (
            format!("observe ply 1 fen {view} b KQ - - - you e2e4 lost d5"),
            "no own piece stood on d5",
        ),
        (
            format!("observe ply 1 fen {view} b KQ - - - you d2d4"),
            "own pieces differ on d2 e2 d4 e4",
        ),
    ];
    for (line, part) in cases {
        let mut talk = Talk::with("greedy");
        talk.say("setoption name UCI_Variant value fogofwar");
        talk.say("position fog startpos you white");
        talk.say(&line);
        let answers = talk.ask("isready", "readyok");
        assert!(
            answers
                .iter()
                .any(|line| line.contains("contradicts") && line.contains(part)),
            "{answers:?}"
        );
        talk.say(&format!("observe ply 2 fen {view} w KQ - - -"));
        assert_ne!(talk.go("go"), "0000");
    }
}

#[test]
fn an_agent_that_panics_does_not_take_the_engine_with_it() {
    struct Faulty;
    impl Agent for Faulty {
        fn see(&mut self, observation: &Observation) {
            assert!(observation.plies() == 0, "on purpose, to be caught");
        }
        fn act(&mut self, _: &Observation, _: &Budget) -> Move {
            panic!("on purpose, to be caught")
        }
    }
    let mut talk = Talk::built_by(|| Box::new(Faulty));
    for position in ["position startpos", "position startpos moves e2e4 e7e5"] {
        talk.say(position);
        let lines = talk.ask("go", "bestmove");
        assert!(
            lines[0].starts_with("info string error: the agent failed"),
            "{lines:?}"
        );
        assert_ne!(lines[lines.len() - 1], "bestmove 0000");
    }
}

#[test]
fn the_same_seed_gives_the_same_moves() {
    let game = |seed: u64| {
        let mut talk = Talk::with("random");
        talk.say(&format!("setoption name Seed value {seed}"));
        let mut moves = Vec::new();
        let mut state = State::start(Game::chess());
        for _ in 0..20 {
            let list = moves.join(" ");
            talk.say(&format!("position startpos moves {list}"));
            let best = talk.go("go nodes 1");
            state
                .play(state.parse_action(&best).expect("legal"))
                .expect("legal");
            moves.push(best);
            if state.outcome().is_some() {
                break;
            }
        }
        moves
    };
    assert_eq!(game(3), game(3));
    assert_ne!(game(3), game(4));
}

/// A script that sends everything at once and quits still gets its answers, and
/// a fog position needs no variant set before it.
#[test]
fn a_script_is_answered_before_it_quits() {
    for script in [
        "position startpos\ngo nodes 500\nquit\n",
        "position fog startpos you white\nobserve ply 0 fen \
         ????????/????????/????????/????????/8/8/PPPPPPPP/RNBQKBNR w KQ - - -\n\
         go nodes 500\nquit\n",
        "setoption name UCI_Variant value dicechess\nposition fen \
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 P\ngo nodes 500\nquit\n",
    ] {
        let mut output = Vec::new();
        engine::run(script.as_bytes(), &mut output, ServerSetup::default()).expect("it ends");
        let output = String::from_utf8(output).expect("text");
        let best = output.lines().last().expect("an answer");
        let m = best.strip_prefix("bestmove ").expect(best);
        let m = m.split_whitespace().next().expect("a move");
        assert!(is_legal_at_start(m), "{output}");
    }
}
