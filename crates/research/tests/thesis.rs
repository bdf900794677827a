//! The thesis's figures and rows, computed from match records.

use foglight_arena::{
    record::{GameRecord, PlayerInfo, Telemetry},
    report::{MatchReport, Matchup, ReportOptions, Source, report},
    stats::running::KFactor,
};
use foglight_research::{
    experiments::{self, Published},
    thesis,
};
use foglight_rules::{ByColor, Color, FogRules, Game, Outcome, Record, Termination};

/// Games of A and B with alternating colours. A wins seven of ten, and in every
/// third game its last evaluation claimed a win.
fn games(count: u64) -> Vec<GameRecord> {
    let game = Game::fog_with(FogRules::Thesis);
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6"];
    let record = Record::parse(game, game.start(), moves).expect("legal moves");
    let named = |name: &str| PlayerInfo {
        name: name.to_owned(),
        agent: "thesis".to_owned(),
        limits: String::new(),
    };
    let one = |number: u64| {
        let a = [Color::White, Color::Black][number as usize % 2];
        let winner = if number * 7 % 10 < 7 { a } else { !a };
        let names = ByColor::new_with(|side| named(if side == a { "A" } else { "B" }));
        let outcome = Some(Outcome::win(winner, Termination::KingCaptured));
        let telemetry = (0..4).map(|ply| Telemetry {
            ply,
            value: None,
            centipawns: Some(if number.is_multiple_of(3) { 300 } else { -10 }),
            nodes: 1,
            depth: 1,
            metrics: Default::default(),
        });
        GameRecord {
            number: number + 1,
            pair: number / 2 + 1,
            telemetry: telemetry.collect(),
            ..GameRecord::new(
                Record {
                    outcome,
                    ..record.clone()
                },
                names,
            )
        }
    };
    (0..count).map(one).collect()
}

fn page(records: &[GameRecord]) -> MatchReport {
    let sources = [Source {
        name: "set 5",
        records,
    }];
    let figures = |matchup: &Matchup<'_>| thesis::figures(matchup, KFactor::default());
    let options = ReportOptions {
        figures: Some(&figures),
        ..ReportOptions::default()
    };
    report(&sources, &options)
}

#[test]
fn a_set_has_every_figure() {
    let page = page(&games(200));
    for kind in ["agents", "colours", "trend", "qq-changes", "qq-ratings"] {
        let drawn = page.figures.iter().filter(|f| f.name.ends_with(kind));
        assert_eq!(drawn.count(), 1, "{kind}");
    }
    for words in [
        "χ²",
        "Shapiro-Wilk",
        "Anderson-Darling",
        "A misjudged",
        "0.999",
    ] {
        assert!(page.html.contains(words), "{words}");
    }
    assert!(!page.html.contains("NaN"));
}

/// An agent against itself has no rating to plot, and few games allow no test.
#[test]
fn odd_sets_are_drawn_too() {
    let mut records = games(20);
    for record in &mut records {
        record.players.black = record.players.white.clone();
    }
    let twins = page(&records);
    assert!(!twins.figures.iter().any(|f| f.name.ends_with("trend")));
    for count in 0..8 {
        assert!(!page(&games(count)).html.contains("NaN"), "{count}");
    }
}

#[test]
fn a_row_has_the_tests_beside_the_published_ones() {
    let study = experiments::all().remove(0);
    let set = study
        .pairings
        .iter()
        .find_map(|pairing| match pairing.published {
            Published::Set(set) if pairing.label.starts_with("5 ") => Some(set),
            _ => None,
        });
    let set = set.expect("set 5");
    let row = thesis::row("5", &set, &games(200), KFactor::default());
    let cells: Vec<&str> = row.split(" | ").collect();
    assert_eq!(
        cells.len(),
        thesis::head()
            .lines()
            .next()
            .expect("a head")
            .split(" | ")
            .count()
    );
    assert_eq!(cells[1..4], ["200", "140, 0, 60", "70.0 %"], "{row}");
    assert!(cells[4].starts_with("0.0; 1.000"), "LOS: {row}");
    // 140 to 60: chi-square 64 with one degree of freedom, counted for both
    // sides.
    assert!(cells[6].starts_with("2.2e-16; "), "{row}");
}
