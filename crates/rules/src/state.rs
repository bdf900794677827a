//! The true state of one game in progress.

use shakmaty::{Color, Role, Square};

use crate::{
    action::{Action, MoveError, Turn},
    dice::Dice,
    fog_rules::FogRules,
    games::{Game, Variant},
    move_visibility::MoveVisibility,
    moves::Move,
    observation::{Announcement, Observation},
    outcome::{Outcome, Termination},
    position::Position,
};

/// The last ply, with full information.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The side that moved.
    pub side: Color,
    /// The move that was played.
    pub played: Move,
    /// Role and square of the captured piece.
    pub taken: Option<(Square, Role)>,
    /// How much of the move the opponent saw.
    pub sighting: MoveVisibility,
}

/// A game in progress, with the history that draw rules need.
#[derive(Clone, Debug)]
pub struct State {
    game: Game,
    position: Position,
    /// Hashes of the positions since the last irreversible move.
    history: Vec<u64>,
    plies: u32,
    last: Option<(Position, PlayedAction)>,
    action: Option<Action>,
    outcome: Option<Outcome>,
}

/// A move and its capture. Its visibility is computed on demand.
#[derive(Clone, Copy, Debug)]
struct PlayedAction {
    m: Move,
    taken: Option<(Square, Role)>,
}

impl State {
    /// Starts a game from its usual position.
    pub fn start(game: Game) -> State {
        State::new(game, game.start())
    }

    /// Starts a game from a position of [`Game::position`].
    pub fn new(game: Game, mut position: Position) -> State {
        game.apply_forced_pass(&mut position);
        let mut state = State {
            game,
            position,
            history: vec![position.hash()],
            plies: 0,
            last: None,
            action: None,
            outcome: None,
        };
        state.outcome = state.board_outcome();
        state
    }

    /// The rules of the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The true position, including hidden pieces: for referees only.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Number of plies played.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The outcome, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The player to act, chance, or the outcome. Parity is no substitute: a turn
    /// may have several plies.
    pub fn turn(&self) -> Turn {
        match self.outcome {
            Some(outcome) => Turn::Over(outcome),
            None if self.game.has_dice() && self.position.dice().is_none() => Turn::Chance,
            None => Turn::Player(self.position.turn()),
        }
    }

    /// The legal moves of the side to move; empty before a roll.
    pub fn legal_moves(&self) -> Vec<Move> {
        match self.turn() {
            Turn::Player(_) => self.game.legal_moves(&self.position).to_vec(),
            _ => Vec::new(),
        }
    }

    /// The possible rolls with their probabilities; empty unless dice are due.
    pub fn chance_outcomes(&self) -> Vec<(Dice, f64)> {
        match self.turn() {
            Turn::Chance => self.game.chance_outcomes(&self.position),
            _ => Vec::new(),
        }
    }

    /// All legal actions: the moves, or the rolls.
    pub fn legal_actions(&self) -> Vec<Action> {
        let rolls = self
            .chance_outcomes()
            .into_iter()
            .map(|(dice, _)| Action::Roll(dice));
        rolls
            .chain(self.legal_moves().into_iter().map(Action::Move))
            .collect()
    }

    /// Plays a legal action; returns an error and changes nothing otherwise.
    pub fn play(&mut self, action: Action) -> Result<(), MoveError> {
        let legal = match action {
            Action::Roll(dice) => self.chance_outcomes().iter().any(|(roll, _)| *roll == dice),
            Action::Move(m) => self.legal_moves().contains(&m),
        };
        if !legal {
            return Err(MoveError::illegal(&action.to_string()));
        }
        self.play_unchecked(action);
        Ok(())
    }

    /// Plays an action that the caller knows to be legal.
    pub fn play_unchecked(&mut self, action: Action) {
        self.action = Some(action);
        match action {
            Action::Roll(dice) => {
                self.game.roll_unchecked(&mut self.position, dice);
                self.outcome = self.board_outcome();
            }
            Action::Move(m) => self.play_move(m),
        }
    }

    fn play_move(&mut self, m: Move) {
        let before = self.position;
        let taken = self.game.play_unchecked(&mut self.position, m);
        let ply = PlayedAction {
            m,
            taken: taken.map(|role| (m.capture_square(), role)),
        };
        self.last = Some((before, ply));
        self.plies += 1;
        if self.position.halfmoves() == 0 {
            self.history.clear();
        }
        self.history.push(self.position.hash());
        self.outcome = self.board_outcome();
    }

    /// The last ply and how much of it the opponent saw.
    pub fn last(&self) -> Option<Ply> {
        let (before, ply) = self.last.as_ref()?;
        Some(Ply {
            side: before.turn(),
            played: ply.m,
            taken: ply.taken,
            sighting: MoveVisibility::of(&self.game, before, ply.m, &self.position),
        })
    }

    /// The draw that a player may claim, in rule sets where draws by repetition
    /// or the 50-move rule are not automatic.
    pub fn claimable_draw(&self) -> Option<Termination> {
        let claimed = self
            .game
            .fog_rules()
            .is_some_and(FogRules::draws_are_claimed);
        (claimed && self.outcome.is_none())
            .then(|| self.counted_draw())
            .flatten()
    }

    /// Ends the game by the claimable draw. Returns whether there was one.
    pub fn claim_draw(&mut self) -> bool {
        match self.claimable_draw() {
            Some(reason) => {
                self.outcome = Some(Outcome::draw(reason));
                true
            }
            None => false,
        }
    }

    /// Ends the game for a reason outside the board: a clock, a resignation, an
    /// agreement.
    pub fn adjudicate(&mut self, outcome: Outcome) {
        self.outcome.get_or_insert(outcome);
    }

    /// The observation of `side`: all that it may know now.
    pub fn observe(&self, side: Color) -> Observation {
        let mine = self
            .last
            .as_ref()
            .is_some_and(|(before, _)| before.turn() == side);
        let mut news = match &self.last {
            None => Announcement::default(),
            Some((_, ply)) if mine => Announcement {
                own_move: Some(ply.m),
                captured: ply.taken,
                ..Announcement::default()
            },
            Some((_, ply)) => Announcement {
                lost: ply.taken,
                ..Announcement::default()
            },
        };
        news.action = self.action.filter(|_| self.game.has_full_view(side));
        let acts = self.turn() == Turn::Player(side);
        let moves = if acts { self.legal_moves() } else { Vec::new() };
        Observation::new(
            self.game,
            &self.position,
            side,
            self.plies,
            self.turn(),
            moves,
            news,
        )
    }

    fn board_outcome(&self) -> Option<Outcome> {
        if let Some(outcome) = self.game.outcome(&self.position) {
            return Some(outcome);
        }
        let claimed = self
            .game
            .fog_rules()
            .is_some_and(FogRules::draws_are_claimed);
        if claimed {
            return None;
        }
        self.counted_draw().map(Outcome::draw)
    }

    /// A draw by repetition or by the half-move limit, if there is one.
    fn counted_draw(&self) -> Option<Termination> {
        let limit = self.game.halfmove_limit();
        if limit.is_some_and(|limit| self.position.halfmoves() >= limit) {
            return Some(Termination::FiftyMoves);
        }
        let repeats = match self.game.variant() {
            Variant::Chess => true,
            Variant::Fog(rules) => rules.has_repetition(),
            Variant::Dice1 | Variant::Dice3 => false,
        };
        (repeats && self.repetition_count() >= 3).then_some(Termination::Repetition)
    }

    /// Number of occurrences of the current position, including this one.
    pub fn repetition_count(&self) -> usize {
        let hash = self.position.hash();
        self.history.iter().filter(|&&known| known == hash).count()
    }
}
