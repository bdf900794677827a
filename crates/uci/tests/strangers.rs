//! UCI clients that do not know this engine: no agent set, unknown tokens,
//! commands at odd moments. Every `go` gets its `bestmove`.

use std::sync::{Arc, Mutex};

use foglight_play::{Agent, Budget, Spec};
use foglight_rules::{Game, Move, Observation};
use foglight_uci::{
    Protocol,
    engine::{self, ServerSetup},
};

/// Replies to a script.
fn told(script: &str, setup: ServerSetup) -> Vec<String> {
    let mut output = Vec::new();
    engine::run(script.as_bytes(), &mut output, setup).expect("it ends");
    let output = String::from_utf8(output).expect("text");
    output.lines().map(str::to_owned).collect()
}

fn jsonl() -> ServerSetup {
    ServerSetup {
        protocol: Protocol::Jsonl,
        ..ServerSetup::default()
    }
}

/// Plays its first move and records its budget.
struct Listener(Arc<Mutex<Vec<Budget>>>);

impl Agent for Listener {
    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        self.0.lock().expect("a lock").push(budget.clone());
        observation.legal_moves()[0]
    }
}

/// The budgets of the `go` commands of a script, and the requested agents.
fn asked(script: &str, protocol: Protocol) -> (Vec<Budget>, Vec<String>) {
    let budgets = Arc::new(Mutex::new(Vec::new()));
    let specs = Arc::new(Mutex::new(Vec::new()));
    let (heard, named) = (Arc::clone(&budgets), Arc::clone(&specs));
    let build = move |spec: &Spec, _: &Game| {
        let mut spec = spec.clone();
        spec.options.remove("hash");
        named.lock().expect("a lock").push(spec.to_string());
        Ok(Box::new(Listener(Arc::clone(&heard))) as Box<dyn Agent>)
    };
    let setup = ServerSetup {
        protocol,
        build: Some(Arc::new(build)),
        ..ServerSetup::default()
    };
    told(script, setup);
    let budgets = std::mem::take(&mut *budgets.lock().expect("a lock"));
    let specs = std::mem::take(&mut *specs.lock().expect("a lock"));
    (budgets, specs)
}

const DICE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn the_strongest_plays_unless_somebody_is_named() {
    let variant = |name: &str| format!("setoption name UCI_Variant value {name}\ngo nodes 1\n");
    for (script, expected) in [
        ("go nodes 1\n".to_owned(), vec!["classic:eval=network"]),
        (variant("chess"), vec!["classic:eval=network"]),
        (variant("fogofwar"), vec!["foglight"]),
        (
            format!(
                "{}position fen {DICE} N\ngo nodes 1\n",
                variant("dicechess")
            ),
            vec!["dice"],
        ),
        (
            format!(
                "{}position fen {DICE} N\ngo nodes 1\n",
                variant("dicechess3")
            ),
            vec!["dice"],
        ),
        (
            "setoption name Sight value both\nposition fog startpos you white\ngo nodes 1\n".into(),
            vec!["classic:eval=network"],
        ),
        (
            format!(
                "position startpos\ngo nodes 1\nposition fog startpos you white\ngo nodes 1\n\
                 position fen {DICE} N\ngo nodes 1\nposition startpos moves roll:PNB\ngo nodes 1\n\
                 position startpos moves e2e4\ngo nodes 1\n"
            ),
            vec![
                "classic:eval=network",
                "foglight",
                "dice",
                "dice",
                "classic:eval=network",
            ],
        ),
        (
            "setoption name Agent value greedy\nposition fog startpos you white\ngo nodes 1\n"
                .into(),
            vec!["greedy"],
        ),
    ] {
        let (_, specs) = asked(&script, Protocol::Uci);
        assert_eq!(specs, expected, "{script}");
    }
}

/// The real agents, in every game.
#[test]
fn the_strongest_agents_answer_every_kind_of_limit() {
    for start in [
        "position startpos".to_owned(),
        "position fog startpos you white".to_owned(),
        "setoption name UCI_Variant value fogofwar\nposition startpos".to_owned(),
        format!("position fen {DICE} N"),
        "position startpos moves roll:PNB".to_owned(),
    ] {
        for limit in [
            "depth 2",
            "nodes 0",
            "movetime 0",
            "wtime 0 btime 0",
            "depth 0",
            "mate 2",
        ] {
            let lines = told(&format!("{start}\ngo {limit}\n"), ServerSetup::default());
            let last = lines.last().expect("an answer");
            assert!(last.starts_with("bestmove "), "{start} {limit}: {lines:?}");
            assert!(
                !last.starts_with("bestmove 0000"),
                "{start} {limit}: {lines:?}"
            );
        }
    }
}

/// Agents without a depth limit use a second, and do not search forever.
#[test]
fn a_depth_ends_agents_that_know_none() {
    for (agent, start) in [
        ("pomcp", "position fog startpos you white".to_owned()),
        ("despot", "position fog startpos you white".to_owned()),
        ("mcts", format!("position fen {DICE} N")),
    ] {
        let script = format!("setoption name Agent value {agent}\n{start}\ngo depth 2\n");
        let lines = told(&script, ServerSetup::default());
        let last = lines.last().expect("an answer");
        assert!(last.starts_with("bestmove "), "{agent}: {lines:?}");
    }
}

#[test]
fn words_that_are_unknown_after_go_are_passed_over() {
    for (go, nodes, depth, left) in [
        (
            "wtime 1000 foo 5 btime 1000 nodes 100",
            Some(100),
            None,
            Some(1000),
        ),
        ("foo", None, None, None),
        ("nodes x depth 3", None, Some(3), None),
        ("depth nodes 7", Some(7), None, None),
        ("nodes 7 nodes", Some(7), None, None),
        ("searchmoves e2e4 d2d4 nodes 7", Some(7), None, None),
        ("nodes 7 searchmoves e2e4 zzz", Some(7), None, None),
        (
            "mate 3 movestogo 40 wtime -20 nodes 7",
            Some(7),
            None,
            Some(0),
        ),
        ("mate movestogo x nodes 7", Some(7), None, None),
        ("nodes 99999999999999999999999", Some(u64::MAX), None, None),
        ("nodes 1e3 ♔ wtime 5.5 depth 2", None, Some(2), None),
    ] {
        let (budgets, _) = asked(&format!("position startpos\ngo {go}\n"), Protocol::Uci);
        assert_eq!(budgets.len(), 1, "{go}");
        assert_limits(&budgets[0], go, nodes, depth, left);
    }
    for (fields, nodes, depth, left) in [
        (
            r#""wtime":1000,"foo":5,"btime":1000,"nodes":100"#,
            Some(100),
            None,
            Some(1000),
        ),
        (r#""nodes":"x","depth":3"#, None, Some(3), None),
        (
            r#""nodes":null,"depth":[3],"infinite":"no","ponder":7"#,
            None,
            None,
            None,
        ),
        (
            r#""searchmoves":["e2e4"],"mate":3,"wtime":-20,"nodes":7"#,
            Some(7),
            None,
            Some(0),
        ),
        (
            r#""nodes":99999999999999999999999"#,
            Some(u64::MAX),
            None,
            None,
        ),
        (r#""nodes":1,"nodes":7"#, Some(7), None, None),
    ] {
        let script = format!("{{\"t\":\"position\"}}\n{{\"t\":\"go\",{fields}}}\n");
        let (budgets, _) = asked(&script, Protocol::Jsonl);
        assert_eq!(budgets.len(), 1, "{fields}");
        assert_limits(&budgets[0], fields, nodes, depth, left);
    }
}

fn assert_limits(
    budget: &Budget,
    go: &str,
    nodes: Option<u64>,
    depth: Option<u32>,
    left: Option<u128>,
) {
    assert_eq!(budget.nodes, nodes, "{go}");
    assert_eq!(budget.depth, depth, "{go}");
    assert_eq!(
        budget.clock.map(|clock| clock.left.as_millis()),
        left,
        "{go}"
    );
}

/// Scripts in which every `go` must be answered.
const ODD: [&str; 14] = [
    "go",
    "stop\ngo nodes 5\nstop",
    "go nodes 5\ngo nodes 5\ngo infinite\nstop",
    "go infinite\ngo ponder\nquit",
    "go nodes 5\nposition startpos moves e2e4\ngo nodes 5\nquit",
    "position fen nonsense\ngo nodes 5",
    "position startpos moves e2e5 e7e5\ngo nodes 5",
    "position startpos moves f2f3 e7e5 g2g4 d8h4\ngo nodes 5",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo infinite\nstop",
    "ucinewgame\nfoo bar\ngo foo bar\nfoo",
    "setoption name UCI_Variant value fogofwar\ngo nodes 5",
    "setoption name UCI_Variant value fogofwar\nposition startpos moves e2e4\ngo nodes 5",
    "position fog startpos you black\ngo nodes 5",
    "setoption name UCI_Variant value dicechess\nposition startpos\ngo nodes 5",
];

#[test]
fn every_go_is_answered() {
    for script in ODD {
        let lines = told(&format!("{script}\n"), ServerSetup::default());
        let asked = script.lines().filter(|line| line.starts_with("go")).count();
        let best = lines
            .iter()
            .filter(|line| line.starts_with("bestmove "))
            .count();
        assert_eq!(best, asked, "{script}: {lines:?}");
    }
    for (script, moves) in [
        ("{\"t\":\"go\"}", 1),
        ("{\"t\":\"go\",\"nodes\":-1,\"foo\":{}}", 1),
        (
            "{\"t\":\"go\",\"nodes\":5}\n{\"t\":\"go\",\"nodes\":5}\n{\"t\":\"quit\"}",
            2,
        ),
        (
            "{\"t\":\"stop\"}\n{\"t\":\"go\",\"infinite\":true}\n{\"t\":\"stop\"}",
            1,
        ),
        (
            "{\"t\":\"position\",\"fen\":\"nonsense\"}\n{\"t\":\"go\",\"nodes\":5}",
            1,
        ),
        (
            "nonsense\n{\"t\":\"position\",\"fog\":true,\"you\":\"white\"}\n{\"t\":\"go\",\"depth\":2}",
            1,
        ),
    ] {
        let lines = told(&format!("{script}\n"), jsonl());
        let best = lines
            .iter()
            .filter(|line| line.contains("\"bestmove\""))
            .count();
        assert_eq!(best, moves, "{script}: {lines:?}");
    }
}

/// After the end of the game, or out of turn, there is no move.
#[test]
fn no_move_is_told_as_such() {
    for script in [ODD[7], ODD[8], ODD[12], ODD[13]] {
        let lines = told(&format!("{script}\n"), ServerSetup::default());
        assert_eq!(
            lines.last().map(String::as_str),
            Some("bestmove 0000"),
            "{script}"
        );
    }
}
