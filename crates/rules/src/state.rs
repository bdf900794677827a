//! One game being played: the only keeper of the truth.

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

/// The last single move, as the referee knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// Who moved.
    pub side: Color,
    /// The move.
    pub played: Move,
    /// What it took, and where that stood.
    pub taken: Option<(Square, Role)>,
    /// What the other side could tell of it.
    pub sighting: MoveVisibility,
}

/// A game being played, with the history that draws depend on.
#[derive(Clone, Debug)]
pub struct State {
    game: Game,
    position: Position,
    /// Hashes of the positions since the last move that cannot be undone.
    history: Vec<u64>,
    plies: u32,
    last: Option<(Position, PlayedAction)>,
    action: Option<Action>,
    outcome: Option<Outcome>,
}

/// A move and what it took. What the other side saw of it is worked out when asked for.
#[derive(Clone, Copy, Debug)]
struct PlayedAction {
    m: Move,
    taken: Option<(Square, Role)>,
}

impl State {
    /// The start of a game.
    pub fn start(game: Game) -> State {
        State::new(game, game.start())
    }

    /// A game from a position of [`Game::position`].
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
        state.outcome = state.judge();
        state
    }

    /// The rules.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The truth. Nobody but a referee should ask for it.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Single moves played so far.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Who acts now. Never inferred from parity: a turn may hold several moves.
    pub fn turn(&self) -> Turn {
        match self.outcome {
            Some(outcome) => Turn::Over(outcome),
            None if self.game.has_dice() && self.position.dice().is_none() => Turn::Chance,
            None => Turn::Player(self.position.turn()),
        }
    }

    /// The legal moves of the player who acts now.
    pub fn legal_moves(&self) -> Vec<Move> {
        match self.turn() {
            Turn::Player(_) => self.game.legal_moves(&self.position).to_vec(),
            _ => Vec::new(),
        }
    }

    /// The rolls that can come now, with their probabilities.
    pub fn chance_outcomes(&self) -> Vec<(Dice, f64)> {
        match self.turn() {
            Turn::Chance => self.game.chance_outcomes(&self.position),
            _ => Vec::new(),
        }
    }

    /// Everything that may be done now: the moves, or the rolls.
    pub fn legal_actions(&self) -> Vec<Action> {
        let rolls = self
            .chance_outcomes()
            .into_iter()
            .map(|(dice, _)| Action::Roll(dice));
        rolls
            .chain(self.legal_moves().into_iter().map(Action::Move))
            .collect()
    }

    /// Does what is legal, or says why not and changes nothing.
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

    /// Does what is known to be legal.
    pub fn play_unchecked(&mut self, action: Action) {
        self.action = Some(action);
        match action {
            Action::Roll(dice) => {
                self.game.roll_unchecked(&mut self.position, dice);
                self.outcome = self.judge();
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
        self.outcome = self.judge();
    }

    /// The last single move and what the other side could tell of it.
    pub fn last(&self) -> Option<Ply> {
        let (before, ply) = self.last.as_ref()?;
        Some(Ply {
            side: before.turn(),
            played: ply.m,
            taken: ply.taken,
            sighting: MoveVisibility::of(&self.game, before, ply.m, &self.position),
        })
    }

    /// A draw that a player may claim, in rule sets where draws by counting do
    /// not come by themselves.
    pub fn claimable_draw(&self) -> Option<Termination> {
        let claimed = self
            .game
            .fog_rules()
            .is_some_and(FogRules::draws_are_claimed);
        (claimed && self.outcome.is_none())
            .then(|| self.counted_draw())
            .flatten()
    }

    /// Ends the game by the draw that may be claimed. Says whether there was one.
    pub fn claim_draw(&mut self) -> bool {
        match self.claimable_draw() {
            Some(reason) => {
                self.outcome = Some(Outcome::draw(reason));
                true
            }
            None => false,
        }
    }

    /// Ends the game for a reason that is not on the board: a clock, a
    /// resignation, an agreement.
    pub fn adjudicate(&mut self, outcome: Outcome) {
        self.outcome.get_or_insert(outcome);
    }

    /// All that `side` may know now.
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

    fn judge(&self) -> Option<Outcome> {
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

    /// A draw by repetition or by too many quiet moves, if the position is one.
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

    /// How often the position has stood on the board, now included.
    pub fn repetition_count(&self) -> usize {
        let hash = self.position.hash();
        self.history.iter().filter(|&&known| known == hash).count()
    }
}
