//! Beliefs from outside: verified over games, drawn, exported, reported.

mod common;

use common::{data, refusal, repository, run, run_with, stdout};

const MOVES: &str = "e2e4 d7d5 e4d5 g8f6 d2d4 f6d5 g1f3 c8g4";

/// A short verification: a few games of each type, followed to 3,000 positions.
#[test]
fn the_truth_is_in_every_belief_and_its_members_look_alike() {
    let oracles = repository("data/oracles");
    let oracles = oracles.to_str().expect("a path");
    let text = stdout(&[
        "verify",
        "belief",
        "--games",
        "9",
        "--oracles",
        oracles,
        "--stride",
        "20",
        "--max-positions",
        "3000",
        "--sample",
        "50",
        "--json",
    ]);
    let tallies: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let tallies = tallies.as_array().expect("rows");
    assert_eq!(tallies.len(), 4);
    for tally in tallies {
        assert_eq!(tally["faults"].as_array().map(Vec::len), Some(0), "{tally}");
        let (games, sides) = (tally["games"].as_u64(), tally["sides"].as_u64());
        assert_eq!(games.map(|n| 2 * n), sides, "{tally}");
        assert!(tally["plies"].as_u64() > games, "{tally}");
    }
    assert_eq!(tallies[0]["games"], 9);
    assert_eq!(tallies[1]["games"], 5);
}

/// Otherwise a verification in parts, with a seed for each, would count the
/// same games again.
#[test]
fn seeds_of_a_proof_share_no_games() {
    let believed = |games: &str, seed: &str| {
        let of = ["--agents", "random", "--games", games, "--seed", seed];
        let text = stdout(
            &[
                &["verify", "belief", "--max-positions", "3000", "--json"],
                &of[..],
            ]
            .concat(),
        );
        let tallies: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        tallies[0]["members"].as_u64().expect("a count")
    };
    let second = believed("2", "1") - believed("1", "1");
    for seed in ["2", "3"] {
        assert_ne!(second, believed("1", seed), "seed {seed}");
    }
}

#[test]
fn a_proof_needs_agents_and_files_that_exist() {
    let message = refusal(&run(&["verify", "belief", "--agents", "nobody"]));
    assert!(message.contains("expected one of"), "{message}");
    let message = refusal(&run(&[
        "verify",
        "belief",
        "--games",
        "0",
        "--oracles",
        "/nowhere",
    ]));
    assert!(message.contains("open_spiel_4x4"), "{message}");
}

#[test]
fn beliefs_are_drawn_for_one_piece_or_all() {
    let draw = |belief: &str, by: &str| {
        stdout(&[
            "draw",
            "--side",
            "white",
            "--moves",
            MOVES,
            "--belief",
            belief,
            "--belief-model",
            by,
        ])
    };
    let glowing = |svg: &str| svg.matches("height=\"100.0\"").count();
    let all = draw("all", "exact");
    assert!(glowing(&all) > 12, "{}", glowing(&all));
    assert!(all.contains("scale(0.72)"), "ghosts of what is likely");
    // The king cannot have moved far; in a uniform belief it is everywhere.
    let (exact, even) = (draw("king", "exact"), draw("king", "uniform"));
    assert!(glowing(&exact) < 10 && glowing(&even) > 15);
    assert!(glowing(&draw("king", "tensor")) > 0);
    // The drawing shows White's belief, not the true position.
    assert_eq!(all, draw("all", "exact"));
}

#[test]
fn beliefs_are_drawn_in_fog_only() {
    let output = run(&[
        "draw", "--game", "chess", "--side", "white", "--belief", "all",
    ]);
    assert!(refusal(&output).contains("expected --game fog"));
    let output = run(&[
        "draw", "--side", "white", "--moves", "e2e5", "--belief", "all",
    ]);
    assert!(refusal(&output).contains("ply 1"));
}

#[test]
fn a_film_shows_both_views_and_both_beliefs() {
    let page = stdout(&["export", "--moves", MOVES, "--html", "-"]);
    let start = page.find("application/json\">").expect("the data") + 18;
    let end = start + page[start..].find("</script>").expect("its end");
    let film: serde_json::Value = serde_json::from_str(&page[start..end]).expect("JSON");
    let frames = film["frames"].as_array().expect("frames");
    assert_eq!(frames.len(), 9);
    for frame in frames {
        assert_eq!(frame["truth"].as_str().map(str::len), Some(64));
        for side in ["white", "black"] {
            assert_eq!(frame[side]["seen"].as_str().map(str::len), Some(64));
            assert_eq!(frame[side]["heat"].as_str().map(str::len), Some(384));
        }
    }
    assert_eq!(frames[0]["white"]["count"], "1");
    assert!(
        !page.contains("http://") || page.contains("www.w3.org"),
        "nothing from elsewhere"
    );
}

/// The journal of two short games.
fn journal(dir: &tempfile::TempDir) -> String {
    let path = dir.path().join("games.jsonl");
    let path = path.to_str().expect("a path").to_owned();
    let out = format!("file={path}");
    stdout(&[
        "match",
        "-engine",
        "agent=pbsa:nodes=500,worlds=4,nodes-per-board=50",
        "-engine",
        "agent=ubsa:nodes=500,worlds=4,nodes-per-board=50",
        "-game",
        "fog",
        "-rounds",
        "1",
        "-games",
        "2",
        "-srand",
        "3",
        "-maxmoves",
        "30",
        "-jsonout",
        &out,
    ]);
    path
}

#[test]
fn a_recorded_game_becomes_a_film_and_a_report_of_beliefs() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = journal(&dir);
    let page = stdout(&[
        "export", &path, "--number", "2", "--cap", "5000", "--html", "-",
    ]);
    assert!(page.contains("ubsa:") && page.contains("pbsa:"));
    let message = refusal(&run(&["export", &path, "--number", "99", "--html", "-"]));
    assert!(message.contains("no game 99"), "{message}");
    let report = stdout(&["report", &path, "--beliefs=2000", "--out", "-"]);
    assert!(report.contains("Sizes of beliefs") && report.contains("Length of games"));
    assert!(report.contains("Size of beliefs"), "the figure by move");
}

#[test]
fn games_of_people_in_pgn_are_reported() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("games.pgn");
    let pgn = "[White \"Ann\"]\n[Black \"Bob\"]\n[Variant \"Fog of War\"]\n[Result \"1-0\"]\n\n1. e4 f6 2. Qh5 a6 3. Qxe8 1-0\n";
    std::fs::write(&path, pgn).expect("a file");
    let path = path.to_str().expect("text");
    let report = stdout(&["report", path, "--beliefs=2000", "--out", "-"]);
    assert!(report.contains("Ann") && report.contains("Bob"));
    assert!(
        report.contains("Sizes of beliefs"),
        "the sizes of both sides' beliefs"
    );
    std::fs::write(path, "1. e4 e9").expect("a file");
    let message = refusal(&run(&["report", path, "--out", "-"]));
    assert!(message.contains("games.pgn"), "{message}");
}

#[test]
fn beliefs_of_the_recorded_games_hold_the_truth() {
    let games = data("oracles/open_spiel_4x4.jsonl.gz");
    let first: serde_json::Value =
        serde_json::from_str(games.lines().next().expect("a game")).expect("JSON");
    let plies = first["plies"].as_array().expect("plies");
    let moves: Vec<&str> = plies
        .iter()
        .filter_map(|ply| ply["move"].as_str())
        .collect();
    let line = format!(
        "{} ; {}\n",
        first["start"].as_str().expect("a start"),
        moves.join(" ")
    );
    let arguments = [
        "belief",
        "--rules",
        "openspiel",
        "--side",
        "black",
        "--heat",
        "--tensor",
    ];
    let output = run_with(&arguments, line.as_bytes());
    let text = String::from_utf8(output.stdout).expect("text");
    let rows: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(rows.len(), moves.len() + 2);
    for row in &rows[..=moves.len()] {
        assert_eq!(row["truth"], true, "{row}");
        assert!(row["heat"].is_object());
        let layers = row["tensor"].as_array().expect("layers");
        let sum = |layer: usize| -> f64 {
            let numbers = layers[layer].as_array().expect("64 numbers");
            numbers.iter().filter_map(serde_json::Value::as_f64).sum()
        };
        let view = row["black"].as_str().expect("a view");
        let squares = view.chars().filter(|c| *c != '/').count();
        assert_eq!((layers.len(), sum(21)), (23, squares as f64));
        let fen = row["fen"].as_str().expect("a position");
        let board = fen.split(' ').next().expect("a board");
        let men = board.chars().filter(char::is_ascii_alphabetic).count() as f64;
        let believed: f64 = (0..12).map(sum).sum();
        assert!((believed - men).abs() < 1e-4, "{believed} men in {fen}");
    }
}

/// Every experiment in small, with its tables, figures and the command to
/// repeat it.
#[test]
fn studies_write_tables_and_figures() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().to_str().expect("a path");
    let text = stdout(&["experiment", "thesis", "--games", "2", "--out", out]);
    assert_eq!(
        text.lines().filter(|line| line.starts_with("| 1")).count(),
        5
    );
    assert!(text.contains("Again: `foglight experiment thesis --games 2 --seed 1`"));
    assert!(text.contains("| 13 depth 4 v depth 2 | 2 |"), "{text}");
    let page = std::fs::read_to_string(dir.path().join("index.html")).expect("a page");
    assert!(
        page.contains("<h2 id=\"thesis\">") && page.contains("<figure><svg"),
        "{page}"
    );
    let figures = std::fs::read_dir(dir.path().join("thesis"))
        .expect("figures")
        .count();
    assert!(figures > 40, "{figures}");
    assert!(dir.path().join("thesis.html").exists() && dir.path().join("thesis.md").exists());
    let text = stdout(&["experiment", "dmu", "--games", "4", "--out", out]);
    assert!(
        text.contains("| KQkb | full-state | random | 100; 4; 4 |"),
        "{text}"
    );
    assert!(dir.path().join("dmu/dmu-figure-10.svg").exists());
    let list = stdout(&["experiment", "list"]);
    for name in ["thesis", "ermlick", "dice", "dmu"] {
        assert!(list.contains(name));
    }
}

/// Both ways of keeping drop positions at the same moves; what they keep differs.
#[test]
fn retention_is_measured_by_replaying_a_journal() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = journal(&dir);
    let measured = |keep: &str| {
        let of = ["--max-positions", "300", "--keep", keep, "--json"];
        let text = stdout(&[&["verify", "retention", &path], &of[..]].concat());
        let rows: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(rows.as_array().map(Vec::len), Some(1), "{text}");
        assert_eq!(rows[0]["keep"], keep);
        rows[0].clone()
    };
    let rows = ["even", "weighted"].map(measured);
    for row in &rows {
        assert!(row["capped_moves"].as_u64() > Some(5), "{row}");
        assert!(row["mean_size"].as_f64() <= Some(300.0), "{row}");
        let kept = row["kept"].as_f64().expect("a share");
        let [low, high] = [0, 1].map(|i| row["kept_interval"][i].as_f64().expect("a bound"));
        assert!(0.0 <= low && low <= kept && kept <= high && high <= 1.0);
    }
    for key in ["capped_moves", "max_positions"] {
        assert_eq!(rows[0][key], rows[1][key], "{key}");
    }
    assert_eq!(rows[0]["exact"]["moves"], rows[1]["exact"]["moves"]);
    assert_ne!(rows[0]["exact"]["log_loss"], rows[1]["exact"]["log_loss"]);

    let none = dir.path().join("none.jsonl");
    let none = none.to_str().expect("a path");
    let message = refusal(&run(&["verify", "retention", none]));
    assert!(message.contains("none.jsonl"), "{message}");
    let chess = dir.path().join("chess.jsonl");
    std::fs::write(&chess, "").expect("a file");
    let chess = chess.to_str().expect("a path");
    let message = refusal(&run(&["verify", "retention", chess]));
    assert!(message.contains("games of fog"), "{message}");
}

/// A model fitted to games of an agent that captures predicts such games better
/// than even odds do, and can be read back.
#[test]
fn a_model_of_replies_is_fitted_to_a_journal() {
    let dir = tempfile::tempdir().expect("a folder");
    let [games, model] = ["games.jsonl", "replies.txt"].map(|name| {
        let path = dir.path().join(name);
        path.to_str().expect("a path").to_owned()
    });
    let out = format!("file={games}");
    let players = ["-engine", "agent=greedy", "-engine", "agent=greedy"];
    let plan = [
        "-game", "fog", "-rounds", "10", "-games", "2", "-srand", "4", "-jsonout", &out,
    ];
    stdout(&[&["match"], &players[..], &plan[..]].concat());
    let losses = |text: &str| -> Vec<f64> {
        let words = text.split_whitespace();
        words.filter_map(|word| word.parse().ok()).collect()
    };
    let fitted = stdout(&["train", "replies", &games, "--out", &model]);
    let [_, alone, mixed, even] = losses(&fitted)[..] else {
        panic!("{fitted}");
    };
    assert!(alone + 0.3 < even && mixed < even, "{fitted}");
    let again = stdout(&["train", "replies", &games, "--evaluate", &model]);
    assert!(losses(&again)[1] < alone + 0.1, "{again}");
    let message = refusal(&run(&["train", "replies", &games, "--evaluate", &games]));
    assert!(
        message.contains("games.jsonl: expected a number"),
        "{message}"
    );
}
