//! The game as far as the engine was told of it.

use foglight_rules::{
    Action, Announcement, Bitboard, Castling, Color, Game, MoveKind, Observation, Position, Replay,
    Square, State, View, notation::uci,
};

use crate::{
    command::{self, ObserveCommand, StartPosition},
    text::quoted,
};

/// Game state of the engine.
pub(crate) enum EngineGame {
    /// A game without hidden information.
    Open(Box<OpenGame>),
    /// A fog game, observed by one side.
    Fog(FogGame),
}

/// The part of a game that an agent has observed.
pub(crate) struct ShownGame {
    pub side: Color,
    count: usize,
    state: Option<State>,
}

impl ShownGame {
    pub fn nothing(side: Color) -> ShownGame {
        ShownGame {
            side,
            count: 0,
            state: None,
        }
    }
}

impl EngineGame {
    /// The game's standard start: public in an open game, as White in fog.
    pub fn start(game: Game) -> EngineGame {
        let start = StartPosition::Startpos;
        let table = match game.fog_rules() {
            Some(_) => FogGame::new(game, &start, Color::White).map(EngineGame::Fog),
            None => OpenGame::new(game, &start).map(EngineGame::Open),
        };
        table.expect("the start is a position of every game")
    }

    /// The game of a `position` command before its moves, and whether it
    /// differs from the previous one.
    pub fn set(
        before: Option<EngineGame>,
        game: Game,
        position: &command::PositionCommand,
    ) -> Result<(EngineGame, bool), String> {
        match (before, position) {
            (Some(EngineGame::Open(open)), command::PositionCommand::Open { start, moves })
                if open.is_continued_by(start, moves) =>
            {
                Ok((EngineGame::Open(open), false))
            }
            _ => EngineGame::new(game, position).map(|table| (table, true)),
        }
    }

    fn new(game: Game, position: &command::PositionCommand) -> Result<EngineGame, String> {
        match position {
            command::PositionCommand::Open { start, moves } if game.fog_rules().is_some() => {
                if !moves.is_empty() {
                    return Err(
                        "position: in fog moves are not told; expected position fog \
                                startpos you white and observe after it"
                            .to_owned(),
                    );
                }
                let side = position_of(&game, start)?.turn();
                FogGame::new(game, start, side).map(EngineGame::Fog)
            }
            command::PositionCommand::Open { start, .. } => {
                OpenGame::new(game, start).map(EngineGame::Open)
            }
            _ if game.fog_rules().is_none() => Err(format!(
                "position: {game} has no fog; expected setoption name UCI_Variant value fogofwar \
                 before it"
            )),
            command::PositionCommand::Fog { start, you } => {
                FogGame::new(game, start, *you).map(EngineGame::Fog)
            }
            command::PositionCommand::View { fen, you } => {
                FogGame::analysis(game, fen, *you).map(EngineGame::Fog)
            }
        }
    }

    /// The current observation of the side that acts, or that observes.
    pub fn observation(&self) -> Observation {
        match self {
            EngineGame::Open(open) => {
                let state = open.replay.state();
                state.observe(state.position().turn())
            }
            EngineGame::Fog(fog) => fog.last().clone(),
        }
    }

    /// Shows an agent all observations it has not received yet, in order.
    pub fn show(&self, shown: &mut ShownGame, see: &mut dyn FnMut(&Observation)) {
        match self {
            EngineGame::Open(open) => {
                let state = shown.state.take().unwrap_or_else(|| {
                    let state = State::new(open.game, open.base);
                    see(&state.observe(shown.side));
                    state
                });
                let mut replay = Replay::new(state, &open.actions[shown.count..]);
                while let Some(Ok(_)) = replay.step() {
                    see(&replay.state().observe(shown.side));
                }
                shown.count = open.actions.len();
                shown.state = replay.finish().ok();
            }
            EngineGame::Fog(fog) => {
                fog.log[shown.count..].iter().for_each(see);
                shown.count = fog.log.len();
            }
        }
    }
}

fn position_of(game: &Game, start: &StartPosition) -> Result<Position, String> {
    match start {
        StartPosition::Startpos => Ok(game.start()),
        StartPosition::Fen(fen) => game
            .parse_fen(fen)
            .map_err(|error| format!("position: {error}")),
    }
}

/// A game without hidden information, with its history.
pub(crate) struct OpenGame {
    game: Game,
    start: StartPosition,
    texts: Vec<String>,
    base: Position,
    actions: Vec<Action>,
    replay: Replay<'static>,
}

impl OpenGame {
    fn new(game: Game, start: &StartPosition) -> Result<Box<OpenGame>, String> {
        let base = position_of(&game, start)?;
        Ok(Box::new(OpenGame {
            game,
            start: start.clone(),
            texts: Vec::new(),
            base,
            actions: Vec::new(),
            replay: Replay::new(State::new(game, base), &[]),
        }))
    }

    fn is_continued_by(&self, start: &StartPosition, moves: &[String]) -> bool {
        self.start == *start && moves.starts_with(&self.texts)
    }

    /// Plays the added moves; stops at the first illegal one.
    pub fn advance(&mut self, moves: &[String]) -> Result<(), String> {
        for text in &moves[self.texts.len()..] {
            let action = self
                .replay
                .play_text(text)
                .map_err(|error| format!("position: move {}: {error}", self.texts.len() + 1))?;
            self.texts.push(text.clone());
            self.actions.push(action);
        }
        Ok(())
    }
}

/// A fog game, as reported to one side.
pub(crate) struct FogGame {
    game: Game,
    side: Color,
    /// Observations so far, never empty.
    log: Vec<Observation>,
}

impl FogGame {
    fn new(game: Game, start: &StartPosition, side: Color) -> Result<FogGame, String> {
        let state = State::new(game, position_of(&game, start)?);
        Ok(FogGame {
            game,
            side,
            log: vec![state.observe(side)],
        })
    }

    fn analysis(game: Game, fen: &str, you: Option<Color>) -> Result<FogGame, String> {
        let read = |side| {
            game.parse_fog_fen(fen, side)
                .map_err(|error| format!("position: {error}"))
        };
        let side = match you {
            Some(side) => side,
            None => read(Color::White)?.turn,
        };
        if game.has_full_view(side) {
            return FogGame::new(game, &StartPosition::Fen(fen.to_owned()), side);
        }
        let view = read(side)?;
        Ok(FogGame {
            game,
            side,
            log: vec![Observation::from_view(
                game,
                view,
                0,
                Announcement::default(),
            )],
        })
    }

    fn last(&self) -> &Observation {
        self.log.last().expect("the log begins with the start")
    }

    /// Adds the observation after a ply. Returns its inconsistencies with
    /// earlier observations; it is accepted nevertheless.
    pub fn observe(&mut self, observe: &ObserveCommand) -> Result<Vec<String>, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("observe ply {}: {error}", observe.ply);
        let view = self
            .game
            .parse_fog_fen(&observe.fen, self.side)
            .map_err(|error| wrong(&error))?;
        let last = self.last();
        if observe.ply == last.plies() && view == *last.view() {
            return Ok(Vec::new());
        }
        let (news, mut doubts) = news(last, observe);
        doubts.extend(doubts_of_order(last, observe, &view));
        doubts.extend(doubts_of_pieces(last, news, observe, &view));
        let seen = match self.game.has_full_view(self.side) {
            false => Observation::from_view(self.game, view, observe.ply, news),
            true => {
                let position = self.game.parse_fen(&observe.fen).map_err(|e| wrong(&e))?;
                let seen = State::new(self.game, position).observe(self.side);
                seen.without_start().after(observe.ply, news)
            }
        };
        self.log.push(seen);
        let say = |doubt| {
            format!(
                "observation of ply {} contradicts what came before: {doubt}",
                observe.ply
            )
        };
        Ok(doubts.into_iter().map(say).collect())
    }
}

/// Announcement of an observation, given the previous one.
fn news(last: &Observation, observe: &ObserveCommand) -> (Announcement, Vec<String>) {
    let mut news = Announcement::default();
    let mut doubts = Vec::new();
    if let Some(text) = &observe.you {
        match uci::find(text, last.legal_moves()) {
            Ok(m) => {
                news.own_move = Some(m);
                news.action = Some(Action::Move(m)).filter(|_| last.position().is_some());
                news.captured = last.captures(m).map(|role| (m.capture_square(), role));
            }
            Err(_) => doubts.push(format!("{} could not be played", quoted(text))),
        }
    }
    if let Some(square) = observe.lost {
        match last.view().board.piece_at(square) {
            Some(piece) if piece.color == last.side() => news.lost = Some((square, piece.role)),
            _ => doubts.push(format!("no own piece stood on {square} to be lost")),
        }
    }
    (news, doubts)
}

fn doubts_of_order(last: &Observation, observe: &ObserveCommand, view: &View) -> Vec<String> {
    let mut doubts = Vec::new();
    let next = last.plies().saturating_add(1);
    if observe.ply != next {
        doubts.push(format!("ply {next} was expected"));
        return doubts;
    }
    let before = last.view().turn;
    if view.turn == before {
        doubts.push(format!("it is still {before}'s turn"));
    }
    let mine = before == last.side();
    if mine != observe.you.is_some() {
        let whose = if mine {
            "this side's own"
        } else {
            "the opponent's"
        };
        doubts.push(format!("the ply was {whose} move"));
    }
    doubts
}

/// Checks that own pieces stand where own moves and losses put them.
fn doubts_of_pieces(
    last: &Observation,
    news: Announcement,
    observe: &ObserveCommand,
    view: &View,
) -> Option<String> {
    if observe.ply != last.plies().saturating_add(1) {
        return None;
    }
    let mut own: Bitboard = last.view().own();
    if let Some(m) = news.own_move {
        own = own.without(m.from()).with(m.to());
        if let (MoveKind::Castle, Some(castling)) = (m.kind(), Castling::ending_on(m.to())) {
            own = own.without(castling.rook.0).with(castling.rook.1);
        }
    }
    if let Some((square, _)) = news.lost {
        own = own.without(square);
    }
    let differ: Vec<String> = (own ^ view.own())
        .into_iter()
        .map(|square: Square| square.to_string())
        .collect();
    (!differ.is_empty()).then(|| format!("own pieces differ on {}", differ.join(" ")))
}
