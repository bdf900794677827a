//! Laws of the protocol: written messages are read back, in both forms, and no
//! input line causes more than an error.

use foglight_rules::{Color, Square};
use foglight_uci::{
    Protocol, Reply, UciCommand,
    command::{GoLimits, ObserveCommand, PositionCommand, StartPosition},
    reply::{Declared, Id, OptionKind, SearchInfo, UciScore},
};
use proptest::{collection::vec, option, prelude::*};

const PROTOS: [Protocol; 2] = [Protocol::Uci, Protocol::Jsonl];

/// Words that are not keywords of the protocol.
fn word() -> impl Strategy<Value = String> {
    "x[a-zA-Z0-9=:,/<>é\"\\\\-]{0,8}"
}

fn phrase() -> impl Strategy<Value = String> {
    vec(word(), 1..4).prop_map(|words| words.join(" "))
}

fn side() -> impl Strategy<Value = Color> {
    prop_oneof![Just(Color::White), Just(Color::Black)]
}

fn start() -> impl Strategy<Value = StartPosition> {
    prop_oneof![
        Just(StartPosition::Startpos),
        phrase().prop_map(StartPosition::Fen)
    ]
}

fn position() -> impl Strategy<Value = PositionCommand> {
    prop_oneof![
        (start(), vec(word(), 0..5))
            .prop_map(|(start, moves)| PositionCommand::Open { start, moves }),
        (start(), side()).prop_map(|(start, you)| PositionCommand::Fog { start, you }),
        (phrase(), option::of(side())).prop_map(|(fen, you)| PositionCommand::View { fen, you }),
    ]
}

fn observe() -> impl Strategy<Value = ObserveCommand> {
    let square = (0..64u32).prop_map(Square::new);
    (
        any::<u32>(),
        phrase(),
        option::of(word()),
        option::of(square),
    )
        .prop_map(|(ply, fen, you, lost)| ObserveCommand {
            ply,
            fen,
            you,
            lost,
        })
}

fn limits() -> impl Strategy<Value = GoLimits> {
    let number = || option::of(any::<u64>());
    let clocks = (number(), number(), number(), number());
    let rest = (number(), number(), number(), any::<bool>(), any::<bool>());
    (clocks, rest).prop_map(
        |((wtime, btime, winc, binc), (movetime, nodes, depth, infinite, ponder))| GoLimits {
            wtime,
            btime,
            winc,
            binc,
            movetime,
            nodes,
            depth,
            infinite,
            ponder,
        },
    )
}

fn command() -> impl Strategy<Value = UciCommand> {
    prop_oneof![
        Just(UciCommand::Uci),
        any::<bool>().prop_map(|on| UciCommand::Debug { on }),
        Just(UciCommand::IsReady),
        (phrase(), option::of(phrase()))
            .prop_map(|(name, value)| UciCommand::SetOption { name, value }),
        Just(UciCommand::UciNewGame),
        position().prop_map(UciCommand::Position),
        observe().prop_map(UciCommand::Observe),
        limits().prop_map(UciCommand::Go),
        Just(UciCommand::Stop),
        Just(UciCommand::PonderHit),
        Just(UciCommand::Quit),
    ]
}

fn kind() -> impl Strategy<Value = OptionKind> {
    prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<[i64; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
        (phrase(), vec(phrase(), 0..4))
            .prop_map(|(default, vars)| OptionKind::Combo { default, vars }),
        Just(OptionKind::Button),
        prop_oneof![Just(String::new()), phrase()]
            .prop_map(|default| OptionKind::String { default }),
    ]
}

fn info() -> impl Strategy<Value = SearchInfo> {
    let score = prop_oneof![
        any::<i32>().prop_map(UciScore::Cp),
        any::<i32>().prop_map(UciScore::Mate)
    ];
    let numbers = (
        option::of(any::<u32>()),
        option::of(any::<u32>()),
        option::of(score),
    );
    let float = || option::of(-1.0..1.0f64);
    let counts = (
        option::of(any::<u64>()),
        option::of(any::<u64>()),
        option::of(any::<u64>()),
    );
    let texts = (vec(word(), 0..5), option::of(phrase()));
    (numbers, float(), counts, float(), texts).prop_map(
        |((depth, multipv, score), value, (nodes, nps, time), prob, (pv, string))| SearchInfo {
            depth,
            multipv,
            score,
            value,
            nodes,
            nps,
            time,
            prob,
            pv,
            string,
        },
    )
}

fn reply() -> impl Strategy<Value = Reply> {
    prop_oneof![
        phrase().prop_map(|name| Reply::Id(Id::Name(name))),
        phrase().prop_map(|author| Reply::Id(Id::Author(author))),
        (phrase(), kind()).prop_map(|(name, kind)| Reply::Option(Declared { name, kind })),
        Just(Reply::UciOk),
        Just(Reply::ReadyOk),
        info().prop_map(Reply::Info),
        (option::of(word()), option::of(word()))
            .prop_map(|(best, ponder)| Reply::BestMove { best, ponder }),
    ]
}

proptest! {
    #[test]
    fn commands_are_read_back(command in command()) {
        for proto in PROTOS {
            let line = proto.write_command(&command);
            prop_assert!(!line.contains(['\n', '\r']));
            prop_assert_eq!(proto.read_command(&line), Ok(command.clone()), "{}", line);
        }
    }

    #[test]
    fn replies_are_read_back(reply in reply()) {
        for proto in PROTOS {
            let line = proto.write_reply(&reply);
            prop_assert!(!line.contains(['\n', '\r']));
            prop_assert_eq!(proto.read_reply(&line), Ok(reply.clone()), "{}", line);
        }
    }

    #[test]
    fn no_line_breaks_a_reader(line in "\\PC{0,60}", words in "((uci|go|position|fog|fen|option|name|type|info|score|observe|ply|moves|you|value|default|spin|-?[0-9]{1,25}) ){0,9}") {
        for proto in PROTOS {
            for text in [&line, &words] {
                let _ = proto.read_command(text);
                let _ = proto.read_reply(text);
            }
        }
    }

    #[test]
    fn values_cannot_begin_a_line_of_their_own(value in "[a-z \r\n\u{85}\0]{0,20}") {
        let command = UciCommand::SetOption { name: "Agent".to_owned(), value: Some(value) };
        for proto in PROTOS {
            let line = proto.write_command(&command);
            prop_assert!(!line.contains(['\n', '\r', '\0']), "{line:?}");
        }
    }
}

#[test]
fn the_words_are_those_of_uci() {
    let lines = [
        "position startpos moves e2e4 e7e5",
        "position fog startpos you white",
        "position fog_fen 8/8/8/8/8/8/8/4K3 w - - - -",
        "observe ply 3 fen 8/8/8/8/8/8/8/4K3 w - - - - you e2e4 lost d4",
        "go wtime 1000 btime 900 winc 10 binc 10",
        "go ponder movetime 50",
        "setoption name Skill Level value 3",
        "setoption name Clear Hash",
    ];
    for line in lines {
        let command: UciCommand = line.parse().expect(line);
        assert_eq!(command.to_string(), line);
    }
    // Output of Stockfish 15.1.
    let line = "info depth 5 seldepth 7 multipv 1 score cp 34 lowerbound nodes 1289 nps 644500 \
                hashfull 0 tbhits 0 time 2 pv e2e4 e7e5";
    let Ok(Reply::Info(info)) = line.parse() else {
        panic!("an info");
    };
    assert_eq!((info.depth, info.score), (Some(5), Some(UciScore::Cp(34))));
    assert_eq!((info.nodes, info.time), (Some(1289), Some(2)));
    assert_eq!(info.pv, ["e2e4", "e7e5"]);
    let option = "option name Debug Log File type string default".parse();
    let debug = Declared {
        name: "Debug Log File".to_owned(),
        kind: OptionKind::String {
            default: String::new(),
        },
    };
    assert_eq!(option, Ok(Reply::Option(debug)));
}

#[test]
fn the_keys_are_those_of_the_documentation() {
    let cases = [
        (
            r#"{"t":"position","moves":["e2e4"]}"#,
            "position startpos moves e2e4",
        ),
        (
            r#"{"t":"position","fog":true,"you":"black"}"#,
            "position fog startpos you black",
        ),
        (
            r#"{"t":"position","fog_fen":"8 w"}"#,
            "position fog_fen 8 w",
        ),
        (
            r#"{"t":"observe","ply":1,"fen":"8 w","you":"e2e4","lost":"d4"}"#,
            "observe ply 1 fen 8 w you e2e4 lost d4",
        ),
        (r#"{"t":"go","nodes":100}"#, "go nodes 100"),
        (
            r#"{"t":"setoption","name":"Seed","value":"7"}"#,
            "setoption name Seed value 7",
        ),
        (r#"{"t":"isready"}"#, "isready"),
    ];
    for (json, text) in cases {
        let command = Protocol::Jsonl.read_command(json).expect(json);
        assert_eq!(command.to_string(), text);
        assert_eq!(Protocol::Jsonl.write_command(&command), json);
    }
    let best = Reply::BestMove {
        best: None,
        ponder: None,
    };
    assert_eq!(
        Protocol::Jsonl.write_reply(&best),
        r#"{"t":"bestmove","move":null}"#
    );
    let deep = "[".repeat(100_000);
    for bad in [
        &deep,
        "{}",
        r#"{"t":"go","nodes":1e400}"#,
        r#"{"t":"go","t":"go"}"#,
        "null",
    ] {
        assert!(Protocol::Jsonl.read_command(bad).is_err());
    }
}

/// The code spans of a table cell.
fn code(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_tables_of_the_documentation_say_the_same_in_both_forms() {
    let text = include_str!("../../../docs/protocol.md");
    let mut pairs = 0;
    for row in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let (words, objects) = (code(cells[0]), code(cells[1]));
        if !objects.iter().any(|object| object.starts_with('{')) {
            continue;
        }
        assert_eq!(words.len(), objects.len(), "{row}");
        for (word, object) in words.into_iter().zip(objects) {
            let command = Protocol::Uci.read_command(word);
            let reply = Protocol::Uci.read_reply(word);
            assert!(command.is_ok() || reply.is_ok(), "{word}");
            if let Ok(command) = command {
                assert_eq!(command.to_string(), word);
                assert_eq!(Protocol::Jsonl.read_command(object), Ok(command));
            }
            if let Ok(reply) = reply {
                assert_eq!(reply.to_string(), word);
                assert_eq!(Protocol::Jsonl.read_reply(object), Ok(reply));
            }
            pairs += 1;
        }
    }
    assert!(pairs > 20, "{pairs}");
}
