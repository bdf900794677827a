//! Reports contain the results of the games, escape untrusted text, and never
//! fail.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use foglight_arena::{
    record::{GameRecord, Telemetry},
    report::{BELIEF, MatchReport, ReportOptions, Source, report},
    schedule::{Format, SchedulePlan, Shard},
    tournament::{MatchEntrant, MatchEvent, Tournament},
};
use foglight_engine::registry;
use foglight_play::Providers;
use foglight_play::{InProcess, Limits};
use foglight_rules::{Color, Game, Outcome, State, Termination};

fn contestant(name: &str, spec: &str, game: Game) -> MatchEntrant {
    let parsed = spec.parse().expect("a spec");
    MatchEntrant {
        name: name.to_owned(),
        agent: spec.to_owned(),
        limits: Limits::default(),
        engine: None,
        make: Box::new(move || {
            let player = registry::build(&parsed, &game, &Providers::default());
            Ok(Box::new(InProcess(Box::new(player.expect("an agent")))))
        }),
        reusable: false,
    }
}

fn played(game: Game, names: &[(&str, &str)], rounds: u64) -> Vec<GameRecord> {
    let contestants = names
        .iter()
        .map(|(name, spec)| contestant(name, spec, game));
    let tournament = Tournament {
        game,
        contestants: contestants.collect(),
        plan: SchedulePlan {
            contestants: names.len(),
            format: Format::RoundRobin,
            rounds,
            games: 2,
            repeat: true,
            starts: vec![game.start()],
            seed: 7,
        },
        shard: Shard::WHOLE,
        concurrency: 2,
        max_moves: Some(200),
        sprt: None,
        recover: false,
        announce: true,
        time_scale: 1.0,
    };
    let mut records = Vec::new();
    let never = AtomicBool::new(false);
    let tally = tournament.run(None, Vec::new(), &never, |event| {
        if let MatchEvent::Finished { record, .. } = event {
            records.push(record.clone());
        }
    });
    assert_eq!(tally.expect("a match").games(), tournament.plan.len());
    records
}

fn of(records: &[GameRecord]) -> MatchReport {
    let sources = [Source {
        name: "games.jsonl",
        records,
    }];
    checked(report(&sources, &ReportOptions::default()))
}

/// Properties of every report: tags are closed, there are no external
/// resources, no number is NaN, and figures have unique names.
fn checked(report: MatchReport) -> MatchReport {
    let html = &report.html;
    for wrong in ["<script", "NaN", "inf ", "=\"http:", "src=", "url("] {
        let found = html.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        assert!(!found.contains(wrong), "{wrong}");
    }
    let texts = report.figures.iter().map(|figure| &figure.svg);
    for text in texts.chain([html]) {
        assert_balanced(text);
        assert!(!text.contains("NaN"));
    }
    let names: BTreeSet<&str> = report
        .figures
        .iter()
        .map(|figure| figure.name.as_str())
        .collect();
    assert_eq!(names.len(), report.figures.len());
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    assert!(
        names.iter().all(|name| name.chars().all(plain)),
        "{names:?}"
    );
    report
}

/// Asserts that every opened tag is closed, in order.
fn assert_balanced(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in text.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag ends");
        let name = tag.split_whitespace().next().expect("a tag has a name");
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') || ["!doctype", "meta"].contains(&name) => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// Writes the last page of each test to disk, for inspection.
fn keep(name: &str, report: &MatchReport) {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join(format!("{name}.html")), &report.html).expect("written");
}

#[test]
fn a_round_robin_has_every_figure() {
    let names = [
        ("Greedy", "greedy"),
        ("Random", "random"),
        ("Careful", "greedy:style=conservative"),
    ];
    let mut records = played(Game::fog(), &names, 60);
    for record in &mut records {
        record.telemetry = (0..record.plies() as u32)
            .map(|ply| Telemetry {
                ply,
                value: None,
                centipawns: Some(if record.number % 3 == 0 { 300 } else { -10 }),
                nodes: 1,
                depth: 1,
                metrics: BTreeMap::from([(
                    BELIEF.to_owned(),
                    f64::from(1 + ply * ply * (1 + record.number as u32 % 5)),
                )]),
            })
            .collect();
    }
    let report = of(&records);
    keep("round-robin", &report);
    for kind in ["ratings", "colours", "agents", "lengths", "ends", "beliefs"] {
        assert!(
            report
                .figures
                .iter()
                .any(|figure| figure.name.ends_with(kind)),
            "{kind}"
        );
    }
    for words in [
        "Cross table",
        "fog (chesscom)",
        "LOS",
        "greedy:style=conservative",
    ] {
        assert!(report.html.contains(words), "{words}");
    }
}

#[test]
fn numbers_are_those_of_the_games() {
    let mut records = played(Game::dice1(), &[("A", "random"), ("B", "random")], 5);
    for (i, record) in records.iter_mut().enumerate() {
        let a = record.side_of("A").expect("A plays");
        let winner = [Some(a), Some(a), Some(!a), None][i % 4];
        let reason = if winner.is_some() {
            Termination::KingCaptured
        } else {
            Termination::MoveLimit
        };
        record.record.outcome = Some(Outcome { winner, reason });
    }
    let report = of(&records); // + = - of A: 6 2 2
    assert!(
        report
            .html
            .contains("<td>6 2 2</td><td>70.0 %</td><td>–</td><td>–</td>"),
        "no luck known"
    );
    assert!(report.html.contains("A <i>v</i> B <span>7 : 3"));
}

/// First moves of agents, and means of their metrics.
#[test]
fn players_have_fingerprints() {
    let mut records = played(Game::fog(), &[("A", "random"), ("B", "random")], 2);
    for (i, record) in records.iter_mut().enumerate() {
        let mut state = State::start(Game::fog());
        let first = ["e2e4", "g1f3", "e2e4", "e2e4"][i];
        let parsed = [first, "b8c6", "a2a3"].map(|text| {
            let action = state.parse_action(text).expect("a move");
            state.play_unchecked(action);
            action
        });
        record.record.actions = parsed.to_vec();
        let telemetry = |ply: u32| Telemetry {
            ply,
            value: None,
            centipawns: None,
            nodes: 1,
            depth: 3 + ply,
            metrics: BTreeMap::from([("tree".to_owned(), f64::from(1000 * (ply + 1)))]),
        };
        record.telemetry = (0..3).map(telemetry).collect();
    }
    let html = of(&records).html;
    let row = |side: &str, moves: &str| format!("<th scope=\"row\">{side}</th><td>{moves}</td>");
    assert!(html.contains(&row("White", "e4 75.0 %, Nf3 25.0 %")));
    assert!(html.contains(&row("Black", "Nc6 100.0 %")));
    // Each agent has four first and third moves as White and two as Black.
    let both = |name: &str, mean: &str| row(name, &format!("{mean}</td><td>{mean}"));
    assert!(html.contains(&both("depth", "4.000")), "{html}");
    assert!(html.contains(&both("tree", "2\u{202f}000")));
    assert!(html.contains("<b>3.0</b><span>single moves a game</span>"));
}

/// The referee's check of beliefs, exact beliefs separate from others.
#[test]
fn beliefs_are_held_against_the_truth() {
    let mut records = played(Game::fog(), &[("A", "random"), ("B", "random")], 1);
    assert!(!of(&records).html.contains("The truth in beliefs"));
    let telemetry = |ply: u32, exact: f64, truth: f64| Telemetry {
        ply,
        value: None,
        centipawns: None,
        nodes: 1,
        depth: 1,
        metrics: BTreeMap::from([
            ("exact".to_owned(), exact),
            ("true_position_in_belief".to_owned(), truth),
        ]),
    };
    records[0].telemetry = vec![
        telemetry(0, 1.0, 1.0),
        telemetry(2, 1.0, 0.0),
        telemetry(4, 0.0, 0.0),
        telemetry(6, 0.0, 1.0),
        telemetry(8, 1.0, 1.0),
        telemetry(10, 0.0, 1.0),
    ];
    records[0].telemetry[5].metrics.remove("exact");
    let html = of(&records).html;
    let white = &records[0].players.white.name;
    let row = format!("<th scope=\"row\">{white}</th><td>2 of 3</td><td>1 of 2</td>");
    assert!(html.contains(&row), "{html}");
}

/// Luck that correlates with the score is removed, and the error shrinks.
#[test]
fn dice_games_show_their_luck() {
    let mut records = played(Game::dice1(), &[("A", "random"), ("B", "random")], 40);
    for record in &mut records {
        // A wins both games of three pairs in four, and loses those of the
        // rest.
        let a = record.side_of("A").expect("A plays");
        let winner = if record.pair % 4 == 0 { !a } else { a };
        record.record.outcome = Some(Outcome::win(winner, Termination::KingCaptured));
    }
    let luck = |record: &GameRecord| {
        let white = record.record.outcome?.score(Color::White);
        Some(white - 0.5)
    };
    let sources = [Source {
        name: "x",
        records: &records,
    }];
    let options = ReportOptions {
        luck: Some(&luck),
        ..ReportOptions::default()
    };
    let adjusted = checked(foglight_arena::report::report(&sources, &options));
    let cells = "<td>75.0 % ± 13.6</td><td>50.0 % ± 0.0</td>";
    assert!(adjusted.html.contains(cells), "raw and adjusted");
}

#[test]
fn odd_journals_make_pages_too() {
    let records = played(Game::fog(), &[("A", "greedy"), ("B", "random")], 20);
    keep("empty", &of(&[]));
    assert!(of(&[]).html.contains("No finished game yet"));
    for n in 1..10 {
        of(&records[..n]);
    }
    let all = |outcome: fn(&GameRecord) -> Option<Outcome>| {
        let mut records = records.clone();
        records
            .iter_mut()
            .for_each(|record| record.record.outcome = outcome(record));
        of(&records)
    };
    all(|_| Some(Outcome::draw(Termination::MoveLimit)));
    let swept = all(|record| {
        record
            .side_of("A")
            .map(|side| Outcome::win(side, Termination::Timeout))
    });
    assert!(swept.html.contains("Elo +∞ ± ∞"));
    all(|_| Some(Outcome::win(Color::Black, Termination::Disconnect)));
    let unfinished = all(|_| None);
    assert!(unfinished.html.contains("unfinished, left out"));
}

#[test]
fn an_agent_may_meet_itself_or_a_namesake() {
    let mut records = played(Game::chess(), &[("A", "random"), ("B", "random")], 3);
    for record in &mut records {
        record.players.black = record.players.white.clone();
        record.players.black.name = "Same".into();
        record.players.white.name = "Same".into();
    }
    let report = of(&records);
    assert!(report.html.contains("v</i> itself"));
    assert!(
        !report
            .figures
            .iter()
            .any(|figure| figure.name.ends_with("agents"))
    );
    records
        .iter_mut()
        .for_each(|record| record.players.black.agent = "other".into());
    let report = of(&records);
    assert!(report.html.contains("Same (random)") && report.html.contains("Same (other)"));
}

#[test]
fn files_are_pooled_by_matchup_and_kept_apart_by_game() {
    let fog = played(Game::fog(), &[("A", "greedy"), ("B", "random")], 4);
    let dice = played(Game::dice3(), &[("A", "greedy"), ("B", "random")], 4);
    let sources = [
        Source {
            name: "one",
            records: &fog,
        },
        Source {
            name: "two",
            records: &fog,
        },
        Source {
            name: "three",
            records: &dice,
        },
    ];
    let report = checked(report(&sources, &ReportOptions::default()));
    assert!(
        report.html.contains("<b>16</b><span>games"),
        "fog games of two files"
    );
    assert!(report.html.contains("<b>8</b><span>games"));
    assert!(
        report.html.contains("[0, 0, ") || report.html.contains("[0, "),
        "pairs do not mix files"
    );
    assert_eq!(report.html.matches("<section>").count(), 2);
}

#[test]
fn names_are_never_markup() {
    let mut records = played(Game::fog(), &[("A", "greedy"), ("B", "random")], 4);
    let wicked = "<img src=x onerror=alert(1)>\"'&\u{202e}\0\n".repeat(300);
    for record in &mut records {
        let side = record.side_of("A").expect("A plays");
        record.players.get_mut(side).name = wicked.clone();
        record.players.get_mut(side).agent = "</style><script>alert(1)</script>".into();
    }
    let sources = [Source {
        name: "../<b>.jsonl",
        records: &records,
    }];
    let report = report(&sources, &ReportOptions::default());
    keep("wicked", &report);
    let texts = report.figures.iter().map(|figure| &figure.svg);
    for text in texts.chain([&report.html]) {
        assert!(!text.contains("<img") && !text.contains("<script") && !text.contains("<b>."));
        assert!(!text.contains('\0') && !text.contains('\u{202e}'));
        assert_balanced(text);
    }
    assert!(report.html.len() < 400_000, "long names are cut");
}

#[test]
fn a_hundred_thousand_games_fit_on_a_page() {
    let some = played(
        Game::fog(),
        &[("A", "greedy"), ("B", "greedy:style=preservative")],
        50,
    );
    let records: Vec<GameRecord> = (0..100_000)
        .map(|i| GameRecord {
            number: i + 1,
            pair: i / 2 + 1,
            ..some[i as usize % some.len()].clone()
        })
        .collect();
    let began = Instant::now();
    let report = of(&records);
    keep("many", &report);
    // About half a second on an idle machine.
    assert!(began.elapsed() < Duration::from_secs(60));
    let (before, _) = report.html.split_once("</b><span>games<").expect("a fact");
    let (_, count) = before.rsplit_once("<b>").expect("a number");
    assert_eq!(count.replace(char::is_whitespace, ""), "100000");
    assert!(report.html.len() < 1_000_000, "{}", report.html.len());
}
