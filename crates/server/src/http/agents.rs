//! The list of games, rule sets, starts and agents.

use std::collections::BTreeMap;

use axum::Json;
use foglight_rules::Game;
use serde::Serialize;

use super::games::start_of;
use crate::{
    wire::GameKind,
    workers::{self, AgentInfo, BotLevel},
};

/// Starts offered on the page: name and FEN.
const STARTS: [(&str, &str); 4] = [
    ("Usual", "startpos"),
    (
        "Los Alamos board, 6x6",
        "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1",
    ),
    (
        "Gardner's board, 5x5",
        "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1",
    ),
    ("Four by four", "rqkr/pppp/PPPP/RQKR w - - 0 1"),
];

/// A start position and its name.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct StartInfo {
    name: &'static str,
    fen: &'static str,
    size: String,
}

/// A game with its rule sets and the starts valid for it.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BotOffer {
    name: GameKind,
    title: &'static str,
    rules: Vec<&'static str>,
    starts: Vec<StartInfo>,
}

/// Everything that a client may request.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AgentList {
    agents: Vec<AgentInfo>,
    levels: BTreeMap<GameKind, Vec<BotLevel>>,
    games: Vec<BotOffer>,
}

fn offer(game: &Game) -> BotOffer {
    let name = GameKind::from(game);
    let rules = Game::ALL.iter().filter(|other| other.name() == game.name());
    let starts = STARTS.iter().filter_map(|&(name, fen)| {
        let (_, position) = start_of(game, Some(fen)).ok()?;
        let size = position.size().to_string();
        Some(StartInfo { name, fen, size })
    });
    BotOffer {
        name,
        title: name.title(),
        rules: rules.filter_map(Game::rules_name).collect(),
        starts: starts.collect(),
    }
}

pub async fn agents() -> Json<AgentList> {
    let mut levels = BTreeMap::new();
    let mut games = Vec::new();
    for game in Game::ALL {
        let name = GameKind::from(&game);
        if levels.insert(name, workers::levels(&game)).is_none() {
            games.push(offer(&game));
        }
    }
    Json(AgentList {
        agents: workers::describe(),
        levels,
        games,
    })
}
