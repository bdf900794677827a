//! The eight evaluation terms at highest, lowest and intermediate scores, as in the
//! unit tests of Chakrian et al., and the two terms of the goal-based agent.

use foglight_engine::{
    agents::papers::goal::{goal_score, state_risk},
    dice::{EvalTerm, EvalTerms},
};
use foglight_rules::{Color, Game, Position};

fn position(fen: &str) -> Position {
    Game::dice1().parse_fen(fen).expect("a position")
}

fn score(part: EvalTerm, fen: &str) -> f64 {
    let index = EvalTerm::ALL
        .iter()
        .position(|p| *p == part)
        .expect("one of eight");
    EvalTerms::default().scores(&position(fen), Color::White)[index]
}

#[test]
fn material() {
    let most = "4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    assert_eq!(score(EvalTerm::Material, most), 39.0);
    let least = "rnbqkbnr/pppppppp/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(score(EvalTerm::Material, least), -39.0);
    for (piece, value) in [("Q", 9.0), ("R", 5.0), ("B", 3.0), ("N", 3.0), ("P", 1.0)] {
        let fen = format!("4k3/8/8/3{piece}4/8/8/8/4K3 w - - 0 1");
        assert_eq!(score(EvalTerm::Material, &fen), value);
    }
    assert_eq!(
        score(EvalTerm::Material, "8/8/8/8/8/8/8/4K3 w - - 0 1"),
        1000.0
    );
}

#[test]
fn mobility() {
    // Both kings have three squares in their corners and cancel out.
    for (piece, squares) in [
        ("Q", 27.0),
        ("R", 14.0),
        ("B", 13.0),
        ("N", 8.0),
        ("P", 1.0),
    ] {
        let fen = format!("k7/8/8/8/3{piece}4/8/8/7K w - - 0 1");
        assert_eq!(score(EvalTerm::Mobility, &fen), squares, "{piece}");
    }
    // A knight in the corner has two, a pawn on its start square two, a blocked
    // pawn none.
    assert_eq!(
        score(EvalTerm::Mobility, "k7/8/8/8/8/8/8/N6K w - - 0 1"),
        2.0
    );
    assert_eq!(
        score(EvalTerm::Mobility, "k7/8/8/8/8/8/3P4/7K w - - 0 1"),
        2.0
    );
    assert_eq!(
        score(EvalTerm::Mobility, "k7/8/8/8/3p4/3P4/8/7K w - - 0 1"),
        0.0
    );
    assert_eq!(
        score(
            EvalTerm::Mobility,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        ),
        0.0
    );
}

#[test]
fn king_safety() {
    // Highest: at home with eight own pieces around it; the other king, at home
    // alone, scores 2.
    let highest = "4k3/8/8/8/8/5PPP/5PKP/5RBR w - - 0 1";
    assert_eq!(score(EvalTerm::KingSafety, highest), 10.0 - 2.0);
    // Lowest: far from home, alone, attacked by an adjacent queen.
    let lowest = "4k3/8/8/3qK3/8/8/8/8 w - - 0 1";
    assert_eq!(score(EvalTerm::KingSafety, lowest), -3.0 - 2.0);
    // Intermediate: each adjacent own piece adds one.
    let one = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    assert_eq!(score(EvalTerm::KingSafety, one), 1.0);
}

#[test]
fn centre_control() {
    // Highest: all sixteen squares occupied or attacked.
    let highest = "k7/8/8/1R1BB1R1/1R1QQ1R1/8/8/7K w - - 0 1";
    assert_eq!(score(EvalTerm::Centre, highest), 7.0);
    let lowest = "K7/8/8/1r1bb1r1/1r1qq1r1/8/8/7k w - - 0 1";
    assert_eq!(score(EvalTerm::Centre, lowest), -7.0);
    // A pawn on d4 occupies d4 and attacks e5 (and c5 of the ring).
    assert_eq!(
        score(EvalTerm::Centre, "k7/8/8/8/3P4/8/8/7K w - - 0 1"),
        2.25
    );
    assert_eq!(score(EvalTerm::Centre, "k7/8/8/8/8/8/8/7K w - - 0 1"), 0.0);
}

#[test]
fn king_tropism() {
    // Proximity is 7 next to the king and 1 in the far corner; queens count three
    // times, knights twice.
    assert_eq!(
        score(EvalTerm::Tropism, "k7/1Q6/8/8/8/8/8/7K w - - 0 1"),
        21.0
    );
    assert_eq!(
        score(EvalTerm::Tropism, "k7/1N6/8/8/8/8/8/7K w - - 0 1"),
        14.0
    );
    assert_eq!(
        score(EvalTerm::Tropism, "k7/1R6/8/8/8/8/8/7K w - - 0 1"),
        7.0
    );
    assert_eq!(
        score(EvalTerm::Tropism, "k6Q/8/8/8/8/8/8/7K w - - 0 1"),
        3.0
    );
    assert_eq!(
        score(EvalTerm::Tropism, "k7/8/8/8/8/8/1q6/K7 w - - 0 1"),
        -21.0
    );
}

#[test]
fn trapped_pieces() {
    // The knight in the corner and both of its target squares are attacked.
    let trapped = "n2B3k/8/8/8/R7/8/8/7K w - - 0 1";
    assert_eq!(score(EvalTerm::Trapped, trapped), 1.0);
    let free = "7k/8/8/3n4/8/8/3R4/7K w - - 0 1";
    assert_eq!(score(EvalTerm::Trapped, free), 0.0);
    let own = "7k/8/8/8/r7/8/8/N2b3K w - - 0 1";
    assert_eq!(score(EvalTerm::Trapped, own), -1.0);
}

/// Extreme boards for each term, far beyond the effect of a single piece. Swapping
/// the colours negates the score.
#[test]
fn highest_and_lowest() {
    // The reachable position with the most legal moves, 218.
    let most_moves = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    // Eight queens and two knights next to a king in the centre.
    let nearest = "8/8/2QQQN2/2QkQN2/2QQQ3/8/8/K7 w - - 0 1";
    // All black pieces are attacked and none has a safe square.
    let hunted = "1nbn3k/8/8/8/8/8/QQQQ2K1/QQQQ4 w - - 0 1";
    for (part, fen, least) in [
        (EvalTerm::Mobility, most_moves, 200.0),
        (EvalTerm::Tropism, nearest, 190.0),
        (EvalTerm::Trapped, hunted, 3.0),
        (EvalTerm::Eatable, hunted, 19.0),
        (EvalTerm::Suicide, hunted, 9.5),
    ] {
        let highest = score(part, fen);
        assert!(highest >= least, "{part:?}: {highest}");
        let (board, rest) = fen.split_once(' ').expect("two fields");
        let swap = |c: char| match c.is_ascii_uppercase() {
            true => c.to_ascii_lowercase(),
            false => c.to_ascii_uppercase(),
        };
        let mirrored: Vec<String> = board
            .split('/')
            .rev()
            .map(|rank| rank.chars().map(swap).collect())
            .collect();
        let mirrored = format!("{} {rest}", mirrored.join("/"));
        assert_eq!(score(part, &mirrored), -highest, "{part:?}");
    }
}

#[test]
fn eatable_and_suicide() {
    // Rook and queen attack each other.
    let both = "7k/8/8/3q4/8/8/3R4/7K w - - 0 1";
    assert_eq!(score(EvalTerm::Eatable, both), 9.0 - 5.0 - 10.0);
    // Only the knight attacks: two white piece types can move, one captures.
    let queen = "7k/8/8/3q4/8/4N3/8/K7 w - - 0 1";
    assert_eq!(score(EvalTerm::Eatable, queen), 9.0);
    assert_eq!(score(EvalTerm::Suicide, queen), 9.0 / 2.0);
    let knight = "7K/8/8/3Q4/8/4n3/8/k7 w - - 0 1";
    assert_eq!(score(EvalTerm::Suicide, knight), -9.0 / 2.0);
    assert_eq!(score(EvalTerm::Suicide, "7k/8/8/8/8/8/8/K7 w - - 0 1"), 0.0);
}

#[test]
fn positional_parts_stay_below_a_pawn_and_parts_switch_off() {
    let fen = "4k3/8/8/1R1BB1R1/1R1QQ1R1/8/8/4K3 w - - 0 1";
    let mut parts = EvalTerms { weights: [0.0; 8] };
    assert_eq!(parts.evaluate(&position(fen), Color::White), 0.0);
    let weights = EvalTerms::default().weights;
    parts.weights[1..6].copy_from_slice(&weights[1..6]);
    assert_eq!(parts.evaluate(&position(fen), Color::White), 1.0);
    assert_eq!(parts.evaluate(&position(fen), Color::Black), -1.0);
}

#[test]
fn a_lost_king_is_a_lost_game() {
    let gone = position("8/8/8/8/8/8/8/4K3 w - - 0 1");
    let parts = EvalTerms::default();
    assert_eq!(parts.win_probability(&gone, Color::White), 1.0);
    assert_eq!(parts.win_probability(&gone, Color::Black), 0.0);
}

#[test]
fn the_goal_based_agent_weighs_prey_against_risk() {
    let game = Game::dice1();
    // The rook can capture a pawn protected by the king: 1 minus 4 times the
    // probability 1 that Black, which can only move its king, rolls the king.
    let taking = position("8/3k4/3p4/8/8/8/3R4/7K w - - 0 1 R");
    let m = game
        .legal_moves(&taking)
        .into_iter()
        .find(|m| m.to_string() == "d2d6");
    let score = goal_score(&game, &taking, m.expect("a capture"));
    assert_eq!(score, 1.0 - 4.0);
    // Black's rook attacks the white king and queen; Black's king can move too.
    let risky = position("7k/8/8/8/r2K4/8/8/Q7 b - - 0 1");
    assert_eq!(state_risk(&risky, Color::White), (1000.0 + 20.0) / 2.0);
}
