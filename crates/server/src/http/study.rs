//! Routes of the analysis page: positions, agents' analyses, beliefs, rules.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use axum::{Json, body::Bytes, extract::State};
use foglight_engine::belief::BeliefReplay;
use foglight_rules::{Announcement, Color, Game, Observation, Replay, State as GameState, Turn};
use serde::{Deserialize, Serialize};

use super::{ApiError, ApiResult, App, games::start_of, limits, read};
use crate::{
    domain::{Network, game_of},
    game::session::MAX_PLIES,
    rules_pages,
    study::{self, PositionAnalysis},
    wire::{EngineMove, HeatMap, ObservationDto, OutcomeDto, SideColor},
    workers::{memory_of, pause},
};

fn side_of(text: Option<&str>) -> ApiResult<Option<Color>> {
    match text {
        None => Ok(None),
        Some("white") => Ok(Some(Color::White)),
        Some("black") => Ok(Some(Color::Black)),
        Some(_) => Err(ApiError::input("side: expected white or black")),
    }
}

/// Request to analyse a view with an agent.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(rename = "StudyRequest", optional_fields = nullable))]
pub(crate) struct AskRequest {
    #[serde(default = "fog")]
    game: String,
    rules: Option<String>,
    fen: String,
    side: Option<String>,
    agent: String,
}

fn fog() -> String {
    "fog".into()
}

/// The view to analyse: that of a position, or a given fog FEN.
fn view_of(
    game: &Game,
    fen: &str,
    side: Option<Color>,
) -> ApiResult<(Observation, Option<ObservationDto>)> {
    let dark = |text: &str| {
        let board = text.split_whitespace().next().unwrap_or_default();
        board.contains(['?', '*', 'f'])
    };
    if game.fog_rules().is_some() && dark(fen) {
        if fen.len() > limits::MAX_FEN {
            return Err(ApiError::input("expected a FEN of at most 128 bytes"));
        }
        let to_move = fen.split_whitespace().nth(1);
        let side = side.unwrap_or(Color::from_white(to_move != Some("b")));
        let view = game.parse_fog_fen(fen, side);
        let view = view.map_err(|e| ApiError::input(format!("in the fog FEN: {e}")))?;
        let observation = Observation::from_view(*game, view, 0, Announcement::default());
        return Ok((observation, None));
    }
    let (_, position) = start_of(game, Some(fen))?;
    let state = GameState::new(*game, position);
    let side = side.unwrap_or(position.turn());
    Ok((
        state.observe(side),
        Some(ObservationDto::from(&state.observe(!side))),
    ))
}

/// An agent's analysis of a view.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct StudyAnswer {
    observation: ObservationDto,
    /// The opponent's view, if the request gave the true position.
    other: Option<ObservationDto>,
    #[serde(rename = "move")]
    played: String,
    report: EngineMove,
    /// The side's belief, if anything is hidden.
    belief: Option<BeliefAnswer>,
}

/// Number of positions consistent with a view, and the heat map of enemy
/// pieces.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BeliefAnswer {
    count: usize,
    exact: bool,
    heat: HeatMap,
}

pub async fn ask(
    State(app): State<Arc<App>>,
    network: Network,
    body: Bytes,
) -> ApiResult<Json<StudyAnswer>> {
    let request: AskRequest = read(&body)?;
    let game = game_of(&request.game, request.rules.as_deref())?;
    let side = side_of(request.side.as_deref())?;
    let (observation, other) = view_of(&game, &request.fen, side)?;
    if observation.legal_moves().is_empty() {
        return Err(ApiError::input(
            "nothing to ask: expected a running game, the dice thrown, and the side to move",
        ));
    }
    let seen = ObservationDto::from(&observation);
    let size = observation.view().size;
    let start = observation.position().copied().unwrap_or(game.start());
    let agents = app.agents.clone();
    let hidden = !game.has_full_view(observation.side());
    let belief = if hidden { BELIEF / 4 } else { 0 };
    let memory = memory_of(&request.agent) + belief;
    let asked = app.work(network, memory, move |stop| {
        study::ask(&request.agent, &game, &start, &observation, &agents, stop)
    });
    let PositionAnalysis { m, report, belief } = asked.await?.map_err(ApiError::input)?;
    let belief = belief.map(|(count, exact, heat)| BeliefAnswer {
        count,
        exact,
        heat: HeatMap::new(&heat, size),
    });
    Ok(Json(StudyAnswer {
        observation: seen,
        other,
        played: m.to_string(),
        report: EngineMove::from(&report),
        belief,
    }))
}

/// A sequence of moves from a start.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub(crate) struct LineRequest {
    #[serde(default = "fog")]
    game: String,
    rules: Option<String>,
    #[serde(alias = "fen")]
    start: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    side: Option<String>,
    /// First ply of the response.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    from: usize,
}

/// Maximum number of actions in a line: the plies of the longest game, and a
/// roll for each.
const MAX_MOVES: usize = 2 * MAX_PLIES as usize;
/// Maximum number of plies in one response; clients page through the rest.
const MAX_ROWS: usize = 100;
/// Maximum number of positions in a belief, and the KiB that it needs: those
/// positions and their successors.
const CAP: usize = 100_000;
const BELIEF: u64 = 96 << 10;

/// KiB of the states of a line: each knows those before it.
pub(crate) fn memory_of_states(actions: usize) -> u64 {
    let actions = actions as u64;
    1024 + actions + actions * actions / 128
}

impl LineRequest {
    fn memory(&self) -> u64 {
        memory_of_states(self.moves.len().min(MAX_MOVES))
    }

    fn states(&self) -> ApiResult<Vec<GameState>> {
        let game = game_of(&self.game, self.rules.as_deref())?;
        let (_, start) = start_of(&game, self.start.as_deref())?;
        if self.moves.len() > MAX_MOVES {
            let text = format!("expected at most {MAX_MOVES} moves");
            return Err(ApiError::input(text));
        }
        let mut replay = Replay::new(GameState::new(game, start), &[]);
        let mut states = vec![replay.state().clone()];
        for (i, text) in self.moves.iter().enumerate() {
            let played = replay.play_text(text);
            played.map_err(|e| ApiError::input(format!("move {}: {e}", i + 1)))?;
            states.push(replay.state().clone());
            pause();
        }
        Ok(states)
    }
}

/// A side's belief at a ply.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BeliefStep {
    ply: u32,
    count: usize,
    exact: bool,
    /// Whether the true position is in the belief.
    truth: bool,
    heat: HeatMap,
}

/// A range of plies of a line.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BeliefPart {
    rows: Vec<BeliefStep>,
    /// First ply of the next range.
    next: Option<usize>,
    /// The ply from which the bounded belief lost the true position; it has no
    /// rows from there on.
    lost_at: Option<u32>,
}

pub async fn belief(
    State(app): State<Arc<App>>,
    network: Network,
    body: Bytes,
) -> ApiResult<Json<BeliefPart>> {
    let request: LineRequest = read(&body)?;
    let side = side_of(request.side.as_deref())?.unwrap_or(Color::White);
    let memory = request.memory() + BELIEF;
    let part = app.work(network, memory, move |stop| {
        let states = request.states()?;
        let from = request.from.min(states.len());
        Ok::<_, ApiError>(followed(&states, side, from, CAP, stop))
    });
    Ok(Json(part.await??))
}

/// A side's beliefs of at most `cap` positions, at [`MAX_ROWS`] plies from `from`
/// on.
fn followed(
    states: &[GameState],
    side: Color,
    from: usize,
    cap: usize,
    stop: &AtomicBool,
) -> BeliefPart {
    let mut trace = BeliefReplay::new(&states[0], side, Some(cap), 1);
    let mut part = BeliefPart {
        rows: Vec::new(),
        next: Some(from + MAX_ROWS).filter(|next| *next < states.len()),
        lost_at: None,
    };
    for (i, state) in states.iter().enumerate().take(from + MAX_ROWS) {
        pause();
        if stop.load(Ordering::Relaxed) {
            break; // nobody waits for the answer any more
        }
        if i > 0 && trace.follow(state).is_err() {
            part.lost_at = Some(state.plies());
            part.next = None;
            break;
        }
        if i < from {
            continue;
        }
        let row = trace.row(state);
        part.rows.push(BeliefStep {
            ply: state.plies(),
            count: row.count,
            exact: row.exact,
            truth: row.truth,
            heat: HeatMap::new(&trace.marginals(), state.position().size()),
        });
    }
    part
}

/// A position with the views of both sides.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PositionAnswer {
    fen: String,
    white: ObservationDto,
    black: ObservationDto,
    legal: Vec<String>,
    turn: SideColor,
    result: Option<OutcomeDto>,
}

pub async fn position(
    State(app): State<Arc<App>>,
    network: Network,
    body: Bytes,
) -> ApiResult<Json<PositionAnswer>> {
    let request: LineRequest = read(&body)?;
    let memory = request.memory();
    let states = app.work(network, memory, move |_| request.states());
    let states = states.await??;
    let state = states.last().expect("the start at least");
    let mut legal: Vec<String> = state
        .legal_actions()
        .iter()
        .map(ToString::to_string)
        .collect();
    legal.sort();
    let result = match state.turn() {
        Turn::Over(outcome) => Some(OutcomeDto::from(outcome)),
        _ => None,
    };
    Ok(Json(PositionAnswer {
        fen: state.game().fen(state.position()),
        white: ObservationDto::from(&state.observe(Color::White)),
        black: ObservationDto::from(&state.observe(Color::Black)),
        legal,
        turn: state.position().turn().into(),
        result,
    }))
}

/// The rules of every game.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rules {
    pages: Vec<rules_pages::RulesPage>,
}

pub async fn rules() -> Json<Rules> {
    let pages = rules_pages::pages();
    Json(Rules { pages })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A belief of one position loses the true one at the first hidden reply
    /// that it did not draw, and says so.
    #[test]
    fn a_bounded_belief_says_where_it_lost_the_game() {
        let line = LineRequest {
            game: "fog".into(),
            rules: None,
            start: None,
            moves: ["e2e4", "g8f6", "a2a3", "f6e4", "b2b3"]
                .map(str::to_owned)
                .to_vec(),
            side: None,
            from: 0,
        };
        let states = line.states().map_err(|_| "a line").expect("legal moves");
        let small = followed(&states, Color::White, 0, 1, &AtomicBool::new(false));
        let at = small.lost_at.expect("one position is too few");
        assert_eq!(small.rows.len(), at as usize);
        let large = followed(&states, Color::White, 0, CAP, &AtomicBool::new(false));
        assert_eq!((large.lost_at, large.rows.len()), (None, states.len()));
    }
}
