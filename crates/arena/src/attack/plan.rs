//! Plans of an attacker as text.
//!
//! A line is `SIDE ; FEN-or-startpos ; STEP STEP ... ; where it was found`. A step
//! is a move or several, `c2c4|c2c3`, of which the first legal one is played. A
//! step that begins with `?` is skipped where none of its moves is legal; any
//! other step ends the plan there. Lines that begin with `#` are notes.

use std::{fmt, str::FromStr};

use foglight_rules::{Color, Game, Move, Observation, Position, Role, Square, notation::uci};

/// A plan: moves that one side plays without regard to what it sees. Without
/// steps the side plays by itself from the first move on.
#[derive(Clone, PartialEq, Debug)]
pub struct AttackPlan {
    /// The attacker.
    pub side: Color,
    /// The position before the first move, which both sides know.
    pub start: Position,
    pub steps: Vec<PlanStep>,
    /// Where it was found.
    pub source: String,
}

/// A step of a plan: moves in the order of preference.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PlanStep {
    moves: Vec<String>,
    optional: bool,
}

/// Reasons for which a text is not a list of plans.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct PlanError {
    /// Line number, from 1.
    pub line: usize,
    pub fault: String,
}

/// Reads the plans of a file.
pub fn read_plans(game: &Game, text: &str) -> Result<Vec<AttackPlan>, PlanError> {
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(i, line)| {
            AttackPlan::parse(game, line).map_err(|fault| PlanError { line: i + 1, fault })
        })
        .collect()
}

impl AttackPlan {
    /// The plan without steps: the attacker plays by itself.
    pub fn by_itself(side: Color, start: Position) -> AttackPlan {
        AttackPlan {
            side,
            start,
            steps: Vec::new(),
            source: String::new(),
        }
    }

    fn parse(game: &Game, line: &str) -> Result<AttackPlan, String> {
        let parts: Vec<&str> = line.splitn(4, ';').map(str::trim).collect();
        let [side, start, steps, source] = parts[..] else {
            return Err("expected 'SIDE ; FEN ; STEPS ; where it was found'".to_owned());
        };
        let side = match side {
            "white" => Color::White,
            "black" => Color::Black,
            _ => return Err(format!("'{}': expected white or black", short(side))),
        };
        let start = match start {
            "startpos" => game.start(),
            fen => game
                .parse_fen(fen)
                .map_err(|error| format!("in the FEN of {game}: {error}"))?,
        };
        let steps = steps.split_whitespace().map(str::parse);
        let plan = AttackPlan {
            side,
            start,
            steps: steps.collect::<Result<_, String>>()?,
            source: source.to_owned(),
        };
        plan.check(game)?;
        Ok(plan)
    }

    /// Whether the plan has a step, and the first one is legal if it must be
    /// played and the attacker moves first.
    fn check(&self, game: &Game) -> Result<(), String> {
        let Some(first) = self.steps.first() else {
            return Err("expected at least one step".to_owned());
        };
        let due = self.start.turn() == self.side && !first.optional;
        if due && first.choose(&game.legal_moves(&self.start)).is_none() {
            return Err(format!(
                "'{first}': expected a move that is legal at the start"
            ));
        }
        Ok(())
    }

    /// Whether both play the same, wherever they were found.
    pub fn is_like(&self, other: &AttackPlan) -> bool {
        (self.side, self.start, &self.steps) == (other.side, other.start, &other.steps)
    }

    /// Whether a move of the plan is played where these are legal.
    pub(crate) fn begins(&self, legal: &[Move]) -> bool {
        let due = self.steps.iter().find(|step| !step.optional);
        let optional = self.steps.iter().take_while(|step| step.optional);
        let mut first = optional.chain(due);
        first.any(|step| step.choose(legal).is_some())
    }

    /// The line of a file that holds this plan.
    pub fn line(&self, game: &Game) -> String {
        format!(
            "{} ; {} ; {self} ; {}",
            self.side.fold_wb("white", "black"),
            start_name(game, &self.start),
            self.source
        )
    }
}

/// A starting position as the files name it.
pub(crate) fn start_name(game: &Game, start: &Position) -> String {
    match *start == game.start() {
        true => "startpos".to_owned(),
        false => game.fen(start),
    }
}

/// The steps.
impl fmt::Display for AttackPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps: Vec<String> = self.steps.iter().map(PlanStep::to_string).collect();
        f.write_str(&steps.join(" "))
    }
}

impl PlanStep {
    /// The step of one move.
    pub fn of(m: Move) -> PlanStep {
        PlanStep {
            moves: vec![m.to_string()],
            optional: false,
        }
    }

    /// Adds a move for where the others are not legal.
    pub(crate) fn or(&mut self, m: Move) {
        let text = m.to_string();
        if !self.moves.contains(&text) {
            self.moves.push(text);
        }
    }

    /// Makes a required step optional, and an optional one required.
    pub(crate) fn turn_optional(&mut self) {
        self.optional = !self.optional;
    }

    /// Its first move that is legal.
    fn choose(&self, legal: &[Move]) -> Option<Move> {
        let found = self.moves.iter().map(|text| uci::find(text, legal));
        found.flatten().next()
    }
}

impl FromStr for PlanStep {
    type Err = String;

    fn from_str(text: &str) -> Result<PlanStep, String> {
        let (optional, moves) = match text.strip_prefix('?') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let moves: Vec<String> = moves.split('|').map(str::to_owned).collect();
        match moves.iter().find(|text| !is_move(text)) {
            Some(wrong) => Err(format!(
                "'{}': expected a move such as c2c4, moves such as c2c4|c2c3, or ?c4d5",
                short(wrong)
            )),
            None => Ok(PlanStep { moves, optional }),
        }
    }
}

impl fmt::Display for PlanStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.optional { "?" } else { "" };
        write!(f, "{mark}{}", self.moves.join("|"))
    }
}

fn is_move(text: &str) -> bool {
    let square = |at: std::ops::Range<usize>| {
        let part = text.get(at);
        part.and_then(|part| part.parse::<Square>().ok()).is_some()
    };
    let promotion = matches!(text.get(4..), Some("" | "q" | "r" | "b" | "n" | "k"));
    square(0..2) && square(2..4) && promotion
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Where an attacker stands in its plan.
#[derive(Clone, Debug)]
pub(crate) struct PlanCursor<'a> {
    /// The steps to come; `None` once the plan is over.
    left: Option<&'a [PlanStep]>,
}

impl<'a> PlanCursor<'a> {
    pub(crate) fn new(plan: &'a AttackPlan) -> PlanCursor<'a> {
        PlanCursor {
            left: Some(&plan.steps),
        }
    }

    /// The attacker's move: a capture of the king if there is one, else the next
    /// step. `None` once the plan is over, from then on.
    pub(crate) fn next(&mut self, observation: &Observation) -> Option<Move> {
        let left = self.left?;
        let legal = observation.legal_moves();
        let king = |m: &&Move| observation.captures(**m) == Some(Role::King);
        if let Some(&m) = legal.iter().find(king) {
            return Some(m);
        }
        self.left = None;
        for (i, step) in left.iter().enumerate() {
            match step.choose(legal) {
                Some(m) => {
                    self.left = Some(&left[i + 1..]);
                    return Some(m);
                }
                None if step.optional => {}
                None => return None,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::{Action, State};

    use super::*;

    fn plan(line: &str) -> Result<AttackPlan, String> {
        AttackPlan::parse(&Game::fog(), line)
    }

    #[test]
    fn plans_are_read_and_written() {
        let line = "black ; startpos ; e7e5|e7e6 ?e5d4 d8h4 h4e1 ; a book";
        assert_eq!(plan(line).expect("a plan").line(&Game::fog()), line);
        let line = "white ; startpos ; ?e2e4 f1b5 ; the step before may be played";
        assert_eq!(plan(line).expect("a plan").line(&Game::fog()), line);
    }

    #[test]
    fn a_plan_begins_with_its_first_legal_step() {
        let game = Game::fog();
        let legal = game.legal_moves(&game.start());
        for (steps, begins) in [
            ("c2c4 d1a4", true),
            ("?d1a4 c2c4", true),
            ("?d1a4 ?c2c4 a4e8", true),
            ("?d1a4 a4e8 c2c4", false),
            ("?d1a4", false),
        ] {
            let steps = steps.split(' ').map(|step| step.parse().expect("a step"));
            let plan = AttackPlan {
                steps: steps.collect(),
                ..AttackPlan::by_itself(Color::White, game.start())
            };
            assert_eq!(plan.begins(&legal), begins, "{plan}");
        }
    }

    #[test]
    fn an_error_names_the_line_and_what_was_expected() {
        for (wrong, expected) in [
            ("white ; startpos ; c9c4 ; x", "'c9c4': expected a move"),
            ("white ; startpos ; c2c4| ; x", "'': expected a move"),
            ("white ; startpos ; ; x", "at least one step"),
            ("white ; startpos ; c2c5 ; x", "legal at the start"),
            ("white ; startpos ; c7c5 ; x", "legal at the start"),
            ("white ; startpos ; c2c5 ?c2c4 ; x", "legal at the start"),
            ("green ; startpos ; c2c4 ; x", "white or black"),
            ("white ; 8/8 ; c2c4 ; x", "in the FEN"),
            ("white ; c2c4", "SIDE ; FEN ; STEPS"),
        ] {
            let text = format!("# a note\n\n{wrong}\n");
            let error = read_plans(&Game::fog(), &text).expect_err(wrong);
            assert_eq!(error.line, 3);
            assert!(error.fault.contains(expected), "{wrong}: {error}");
        }
    }

    /// The moves of a plan for White against these replies.
    fn moves(plan: &AttackPlan, replies: &[&str]) -> Vec<String> {
        let mut state = State::start(Game::fog());
        let mut cursor = PlanCursor::new(plan);
        let mut played = Vec::new();
        let mut replies = replies.iter();
        while let Some(m) = cursor.next(&state.observe(Color::White)) {
            played.push(m.to_string());
            state.play(Action::Move(m)).expect("a legal move");
            let Some(reply) = replies.next() else { break };
            let reply = state.parse_action(reply).expect("a reply");
            state.play(reply).expect("a legal reply");
        }
        played
    }

    #[test]
    fn steps_are_played_skipped_or_the_end() {
        let steps = |steps| plan(&format!("white ; startpos ; {steps} ; x")).expect("a plan");
        let attack = steps("c2c4|c2c3 ?c4d5 d1a4 g1f3");
        let quiet = ["a7a6", "b7b6", "a6a5", "h7h6"];
        assert_eq!(moves(&attack, &quiet), ["c2c4", "d1a4", "g1f3"]);
        // A king that can be captured is captured, whatever the plan says.
        let taken = ["d7d5", "a7a6", "h7h6"];
        let expected = ["c2c4", "c4d5", "d1a4", "a4e8"];
        assert_eq!(moves(&attack, &taken), expected);
        // A step that is not legal ends the plan.
        assert_eq!(moves(&steps("c2c4 c4d5 g1f3"), &quiet), ["c2c4"]);
    }
}
