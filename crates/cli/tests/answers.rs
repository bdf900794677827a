//! Every command gives an answer that can be checked by other means: by the
//! rules of chess, by arithmetic, or by a committed figure.

mod common;

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
};

use common::{command, repository, run, run_with, stdout};
use serde_json::{Value, json};

/// A test of each command's answer; a command without one fails
/// [`every_command_has_an_answer`].
const ANSWERS: [(&str, fn()); 25] = [
    ("serve", serve_tells_its_agents),
    ("moves", moves_are_sorted_one_a_line),
    ("observe", fog_fens_of_all_rule_sets),
    ("perft", perft_counts_as_others_do),
    ("replay", replay_shows_what_both_see),
    ("belief", a_first_move_in_the_dark_may_be_any_of_twenty),
    ("draw", a_board_has_its_squares_and_men),
    ("export", an_exported_page_holds_every_position),
    ("agents", agents_are_those_that_play_the_game),
    ("match", matches_are_counted_and_reported),
    ("merge", two_shards_have_the_games_of_the_whole),
    ("eval", a_queen_is_worth_nine),
    ("suite", a_suite_counts_what_is_solved),
    ("solve", the_states_of_a_small_board_are_counted),
    ("train", positions_for_training_are_written),
    ("report", matches_are_counted_and_reported),
    ("stats", the_games_of_the_thesis_are_counted),
    ("play", two_people_play_the_shortest_mate),
    ("experiment", a_study_prints_published_and_own_figures),
    ("verify", beliefs_hold_the_truth),
    ("attack", a_plan_that_nothing_can_stop_takes_every_king),
    ("worker", a_cluster_that_is_not_there_is_named),
    ("cluster", a_cluster_that_is_not_there_is_named),
    ("uci", a_mate_in_one_is_found),
    ("bench", bench_prints_the_committed_signature),
];

/// The commands listed in a help text.
fn listed(words: &[&str]) -> Vec<String> {
    let help = stdout(&[words, &["--help"]].concat());
    let list = help.split("Commands:\n").nth(1);
    let list = list.and_then(|rest| rest.split("\n\n").next());
    list.into_iter()
        .flat_map(str::lines)
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_command_has_an_answer() {
    let tested: BTreeSet<&str> = ANSWERS.iter().map(|(name, _)| *name).collect();
    let commands = listed(&[]);
    let commands: BTreeSet<&str> = commands.iter().map(String::as_str).collect();
    assert_eq!(commands, tested);
}

#[test]
fn every_command_explains_itself_with_an_example() {
    let shows = |words: &[&str]| stdout(&[words, &["--help"]].concat()).contains("Example");
    for (name, _) in ANSWERS {
        let parts = listed(&[name]);
        let each = parts.iter().all(|part| shows(&[name, part]));
        assert!(shows(&[name]) || (each && !parts.is_empty()), "{name}");
    }
}

/// The output of the program as one JSON value.
fn answer(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).expect("JSON")
}

/// The output of the program as JSON lines, for some input.
fn rows(arguments: &[&str], input: &str) -> Vec<Value> {
    let output = run_with(arguments, input.as_bytes());
    let trouble = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{trouble}");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn text_of(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn serve_tells_its_agents() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = text_of(folder.path());
    let mut child = command(&["serve", "--port", "0", "--data", data])
        .spawn()
        .expect("the program");
    let mut line = String::new();
    let out = child.stdout.take().expect("its output");
    BufReader::new(out).read_line(&mut line).expect("a line");
    let address = line.trim().trim_start_matches("Foglight is at http://");
    let mut stream = TcpStream::connect(address.trim_end_matches('/')).expect("a server");
    let request = b"GET /api/agents HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    stream.write_all(request).expect("a request");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    child.kill().expect("a kill");
    child.wait().expect("an end");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let told: Value = serde_json::from_str(body).expect("JSON");
    let names = |list: &Value| -> Vec<Value> {
        let list = list.as_array().expect("a list").iter();
        list.map(|item| item["name"].clone()).collect()
    };
    assert_eq!(names(&told["games"]), ["chess", "fog", "dice1", "dice3"]);
    assert_eq!(
        names(&told["agents"]),
        names(&answer(&["agents", "--json"]))
    );
}

#[test]
fn replay_shows_what_both_see() {
    let rows = rows(&["replay", "--game", "fog"], "startpos ; e2e4 d7d5\n");
    assert_eq!(rows.len(), 4, "three positions and the result");
    let last = &rows[2];
    let fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(last["fen"], fen);
    assert_eq!(
        last["legal"].as_str().map(|t| t.split(' ').count()),
        Some(31)
    );
    let black = "rnbqkbnr/ppp.pppp/......../...p..../???.P?.?/???????./????????/????????";
    assert_eq!(last["black"], black);
    assert_eq!(rows[3], json!({ "result": null, "reason": null }));
}

/// No first move of White is visible to Black, nor does it capture a piece.
#[test]
fn a_first_move_in_the_dark_may_be_any_of_twenty() {
    let arguments = ["belief", "--game", "fog", "--side", "black"];
    let rows = rows(&arguments, "startpos ; e2e4\n");
    let counts: Vec<Option<u64>> = rows.iter().map(|row| row["count"].as_u64()).collect();
    assert_eq!(counts, [Some(1), Some(20), None]);
    assert!(
        rows[..2]
            .iter()
            .all(|row| row["truth"] == true && row["exact"] == true)
    );
}

#[test]
fn a_board_has_its_squares_and_men() {
    let whole = stdout(&["draw", "--game", "chess"]);
    assert_eq!(whole.matches("<use ").count(), 32);
    let own = stdout(&["draw", "--game", "fog", "--side", "white"]);
    assert_eq!(own.matches("<use ").count(), 16, "Black's are in the fog");
    assert_eq!(
        own.matches("url(#").count(),
        32,
        "and so is half of the board"
    );
}

#[test]
fn an_exported_page_holds_every_position() {
    let moves = "e2e4 d7d5 e4d5 d8d5";
    let page = stdout(&["export", "--moves", moves, "--html", "-"]);
    let data = page.split("type=\"application/json\">").nth(1);
    let data = data.and_then(|rest| rest.split("</script>").next());
    let data: Value = serde_json::from_str(data.expect("data")).expect("JSON");
    let frames = data["frames"].as_array().expect("frames");
    let played: Vec<&str> = frames.iter().filter_map(|f| f["played"].as_str()).collect();
    assert_eq!(played.join(" ").trim(), moves);
    let last = "RNBQKBNRPPPP.PPP...................q............ppp.pppprnb.kbnr";
    assert_eq!(frames[4]["truth"], last, "from a1 to h8");
}

#[test]
fn agents_are_those_that_play_the_game() {
    let all = answer(&["agents", "--json"]);
    let all = all.as_array().expect("a list");
    for game in ["chess", "fog", "dice1", "dice3"] {
        let plays = |agent: &&Value| {
            agent["games"]
                .as_array()
                .expect("games")
                .contains(&json!(game))
        };
        let expected: Vec<&Value> = all.iter().filter(plays).collect();
        assert!(expected.len() >= 4 && expected.len() < all.len(), "{game}");
        assert_eq!(
            answer(&["agents", "--json", "--game", game]),
            json!(expected)
        );
        let text = stdout(&["agents", "--game", game]);
        let named = expected.iter().filter_map(|agent| agent["name"].as_str());
        for name in named {
            assert!(
                text.starts_with(name) || text.contains(&format!("\n{name}  (")),
                "{name}"
            );
        }
    }
}

#[test]
fn two_shards_have_the_games_of_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let shards = [1, 2].map(|shard| {
        let journal = folder.path().join(format!("{shard}.jsonl"));
        let (file, part) = (format!("file={}", journal.display()), format!("{shard}/2"));
        let words = "match -engine agent=greedy name=Ada -engine agent=random name=Bob -game fog \
                     -rounds 3 -games 2 -repeat -srand 7 --json -quiet";
        let words = words.split_whitespace();
        let words: Vec<&str> = words.chain(["-shard", &part, "-jsonout", &file]).collect();
        (
            answer(&words)["games"].clone(),
            journal.display().to_string(),
        )
    });
    let [(first, one), (second, other)] = &shards;
    let whole = answer(&["merge", one, other, "--json"]);
    assert_eq!(
        (first, second, &whole["games"]),
        (&json!(4), &json!(2), &json!(6))
    );
}

#[test]
fn matches_are_counted_and_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let (journal, page) = (
        folder.path().join("games.jsonl"),
        folder.path().join("page.html"),
    );
    let file = format!("file={}", journal.display());
    let words = "match -engine agent=greedy name=Ada -engine agent=random name=Bob -game fog \
                 -rounds 5 -games 2 -repeat -srand 7 --json -quiet -jsonout";
    let words: Vec<&str> = words.split_whitespace().chain([&file[..]]).collect();
    let told = answer(&words);
    let text = std::fs::read_to_string(&journal).expect("a journal");
    let games: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let won = games.iter().filter(|game| {
        let result = if game["white"]["name"] == "Ada" {
            "1-0"
        } else {
            "0-1"
        };
        game["result"] == result
    });
    let won = won.count();
    assert_eq!((games.len(), &told["games"]), (10, &json!(10)));
    assert_eq!(told["summary"]["wdl"]["wins"], won);
    assert!(won >= 8, "greedy wins {won} of 10");
    stdout(&["report", text_of(&journal), "--out", text_of(&page)]);
    let page = std::fs::read_to_string(&page).expect("a page");
    assert!(page.contains("Ada") && page.contains("Bob"));
    assert!(page.contains("<b>10</b><span>games<"), "{page}");
}

#[test]
fn a_queen_is_worth_nine() {
    let fen = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
    let told = answer(&["eval", "--json", "--nodes", "500", "--fen", fen]);
    let parts = told["evaluators"].as_array().expect("a list");
    let points = parts.iter().find(|part| part["name"] == "pointwise");
    assert_eq!(points.expect("an evaluator")["raw"], 9.0);
    for evaluator in ["classic", "network", "fog"] {
        assert!(told[evaluator].as_i64() > Some(400), "{evaluator}: {told}");
    }
}

#[test]
fn a_suite_counts_what_is_solved() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mates.epd");
    let right = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"right\";\n";
    let wrong = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra7; id \"wrong\";\n";
    std::fs::write(&path, [right, wrong].concat()).expect("a file");
    let told = answer(&["suite", text_of(&path), "--nodes", "1000", "--json"]);
    assert_eq!((&told["problems"], &told["solved"]), (&json!(2), &json!(1)));
}

/// Placements of K, Q and k on 16 squares, any of them missing, with a king.
#[test]
fn the_states_of_a_small_board_are_counted() {
    let text = stdout(&["solve", "qmdp", "--fen", "3k/4/4/KQ2 w - - 0 1"]);
    let states = 2 * 16 + 3 * 16 * 15 + 16 * 15 * 14;
    assert!(text.starts_with(&format!("{states} states, ")), "{text}");
}

/// Each position is 40 bytes.
#[test]
fn positions_for_training_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("positions.bin");
    let words = "train data --games 2 --label search --nodes 50 --out";
    let words: Vec<&str> = words.split_whitespace().chain([text_of(&path)]).collect();
    let text = stdout(&words);
    let count = text
        .split_whitespace()
        .next()
        .and_then(|word| word.parse::<u64>().ok());
    let count = count.expect("a count");
    assert!(
        count > 50 && text.contains("positions of 2 games"),
        "{text}"
    );
    assert_eq!(std::fs::metadata(&path).expect("a file").len(), 40 * count);
}

/// The results are those printed in the thesis.
#[test]
fn the_games_of_the_thesis_are_counted() {
    let path = repository("data/thesis/games.txt");
    let text = stdout(&[
        "stats",
        text_of(&path),
        "--game",
        "fog",
        "--rules",
        "thesis",
    ]);
    assert!(text.starts_with("6 games\n"), "{text}");
    for (side, won) in [("White", "4"), ("Black", "2")] {
        let row = text
            .lines()
            .find(|line| line.starts_with(side))
            .expect("a row");
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words[1..3], ["6", won], "{row}");
    }
}

#[test]
fn two_people_play_the_shortest_mate() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    let words = "play --game chess --white human --black human --save";
    let words: Vec<&str> = words.split_whitespace().chain([text_of(&path)]).collect();
    let output = run_with(&words, b"f2f3\ne7e5\ng2g4\nd8h4\n");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("Black wins: checkmate. 0-1"), "{text}");
    let pgn = std::fs::read_to_string(&path).expect("a saved game");
    assert!(pgn.contains("\n1. f3 e5 2. g4 Qh4# 0-1\n"), "{pgn}");
}

#[test]
fn a_study_prints_published_and_own_figures() {
    let text = stdout(&[
        "experiment",
        "ermlick",
        "--games",
        "10",
        "--only",
        "greedy v random",
    ]);
    let row = text
        .lines()
        .find(|line| line.starts_with("| greedy v random | 10 |"));
    let cells: Vec<&str> = row.expect("a row").split(" | ").collect();
    assert_eq!(cells[2], "99.8 % as White", "as published");
    let own = cells[3].split(' ').next().expect("a share");
    let own: f64 = own.parse().expect("a number");
    assert!(own >= 80.0, "{own}");
}

#[test]
fn beliefs_hold_the_truth() {
    let text = stdout(&[
        "verify",
        "belief",
        "--games",
        "2",
        "--max-positions",
        "2000",
    ]);
    assert!(
        text.contains(" 2 games, 4 sides, ") && text.contains(" 0 faults"),
        "{text}"
    );
}

#[test]
fn a_mate_in_one_is_found() {
    let input = b"position startpos moves f2f3 e7e5 g2g4\ngo nodes 2000\n";
    let output = run_with(&["uci", "--agent", "classic"], input);
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(text.lines().last(), Some("bestmove d8h4"), "{text}");
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";

#[test]
fn moves_are_sorted_one_a_line() {
    let text = stdout(&["moves", "--game", "chess"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 20);
    assert!(lines.is_sorted());
    assert_eq!((lines[0], lines[19]), ("a2a3", "h2h4"));
    let kiwipete = stdout(&["moves", "--game", "fog", "--fen", KIWIPETE]);
    assert_eq!(kiwipete.lines().count(), 48);
}

#[test]
fn moves_before_a_roll_are_the_rolls() {
    let one = stdout(&["moves", "--game", "dice1"]);
    assert_eq!(one, "roll:N\nroll:P\n");
    let three = stdout(&["moves", "--game", "dice3"]);
    assert_eq!(three.lines().count(), 56);
    assert!(three.lines().any(|line| line == "roll:PNK"));
    let rolled = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 N";
    let knight = stdout(&["moves", "--game", "dice1", "--fen", rolled]);
    assert_eq!(knight, "b1a3\nb1c3\ng1f3\ng1h3\n");
}

#[test]
fn draws_do_not_hide_moves() {
    let bare = [
        "moves",
        "--game",
        "chess",
        "--fen",
        "8/8/8/3k4/8/8/8/K7 w - - 120 90",
    ];
    assert_eq!(stdout(&bare), "a1a2\na1b1\na1b2\n");
}

#[test]
fn fog_fens_of_all_rule_sets() {
    // White may capture en passant on d6; a black pawn blocks the pawn on a4.
    let fen = "4k3/8/8/p2pP3/P7/8/8/R3K2R w KQ d6 0 2";
    let top = "???????1/???????1";
    let bottom = "P??????1/1??????1/1??3?1/R3K2R w KQ";
    for (rules, middle, rest) in [
        ("chesscom", "???2??1/???pP??1", "d6 - -"),
        ("openspiel", "???2??1/???pP??1", "d6 0 2"),
        ("pychess", "???2??1/????P??1", "d6 - -"),
        ("thesis", "????1??1/p???P??1", "- - -"),
    ] {
        let fog = stdout(&[
            "observe", "--game", "fog", "--rules", rules, "--fen", fen, "--side", "white",
        ]);
        assert_eq!(fog, format!("{top}/{middle}/{bottom} {rest}\n"), "{rules}");
    }
}

#[test]
fn full_sight_shows_everything() {
    let arguments = ["observe", "--side", "black", "--sight", "black=full"];
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    assert_eq!(stdout(&arguments), fen);
}

#[test]
fn perft_counts_as_others_do() {
    let nodes = |arguments: &[&str]| -> u64 {
        let text = stdout(&[&["perft", "--json"], arguments].concat());
        let object: Value = serde_json::from_str(&text).expect("JSON");
        assert!(object["seconds"].is_number());
        object["nodes"].as_u64().expect("a number")
    };
    assert_eq!(nodes(&["--game", "fog", "--depth", "4"]), 197_742);
    assert_eq!(nodes(&["--game", "chess", "--depth", "4"]), 197_281);
    assert_eq!(
        nodes(&["--game", "fog", "--depth", "3", "--fen", KIWIPETE]),
        98_903
    );
    assert_eq!(nodes(&["--game", "fog", "--depth", "0"]), 1);
    let small = "rqkr/pppp/PPPP/RQKR w - - 0 1";
    assert_eq!(
        nodes(&["--rules", "openspiel", "--depth", "4", "--fen", small]),
        4786
    );
}

#[test]
fn divide_adds_up_to_perft() {
    for game in ["chess", "fog", "dice1", "dice3"] {
        let text = stdout(&[
            "perft", "--game", game, "--depth", "2", "--divide", "--json",
        ]);
        let object: Value = serde_json::from_str(&text).expect("JSON");
        let parts = object["divide"].as_object().expect("an object");
        let sum: u64 = parts.values().filter_map(Value::as_u64).sum();
        assert_eq!(Some(sum), object["nodes"].as_u64(), "{game}");
        let lines = stdout(&["moves", "--game", game]);
        assert_eq!(parts.len(), lines.lines().count(), "{game}");
    }
}

#[test]
fn bench_prints_the_committed_signature() {
    let text = stdout(&["bench", "--json"]);
    let ours: Value = serde_json::from_str(&text).expect("JSON");
    let committed: Value = serde_json::from_str(&common::data("bench.json")).expect("JSON");
    let key = |rows: &Value| -> Vec<(String, u64, u64)> {
        let number = |row: &Value, key: &str| row[key].as_u64().expect("a number");
        let rows = rows["rows"].as_array().expect("rows");
        rows.iter()
            .map(|row| {
                let name = row["name"].as_str().expect("a name").to_owned();
                (name, number(row, "signature"), number(row, "work"))
            })
            .collect()
    };
    assert_eq!(key(&ours), key(&committed));
    assert_eq!(ours["signature"], committed["signature"]);
}

#[test]
fn a_plan_that_nothing_can_stop_takes_every_king() {
    let dir = tempfile::tempdir().expect("a folder");
    let plans = dir.path().join("plans.txt");
    std::fs::write(
        &plans,
        "white ; k7/8/8/8/8/8/8/RK6 w - - 0 1 ; a1a8 ; by hand\n",
    )
    .expect("a file");
    let plans = plans.to_str().expect("a path");
    let words = ["attack", "--agent", "random", "--games", "3", "--json"];
    let counted = answer(&[&words[..], &["--kings-only", "--plans", plans]].concat());
    assert_eq!(counted["rows"][0]["kings"], 3, "{counted}");
}

#[test]
fn a_cluster_that_is_not_there_is_named() {
    for name in ["worker", "cluster"] {
        let output = run(&[name, "nats://127.0.0.1:1"]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {message}");
        assert!(message.contains("nats://127.0.0.1:1"), "{name}: {message}");
    }
}
