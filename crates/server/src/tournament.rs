//! Round-robin tournaments of agents, live for spectators. Every finished game
//! is stored, so that a restarted server continues.

use std::{collections::HashMap, sync::Arc, time::Duration};

use foglight_arena::stats::{
    rating::{Crosstable, RatingList, RatingOptions},
    score::{self, Wdl},
};
use foglight_rules::{Color, Outcome};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use crate::{
    domain::{self, GameSettings, InputError, Seat, game_of},
    game::{GameError, Games, Handle, NoticeKind, TOURNAMENTS, TOURNAMENTS_OF_ONE, listed},
    store::{ListedGame, Store, StoreError, StoredTournament},
    wire::{GameInfo, ResultText},
    workers::{self, AgentError, Payer},
};

/// Limits for tournaments started by visitors.
const MAX_AGENTS: usize = 8;
const MAX_GAMES: u64 = 200;

/// Reasons why a tournament cannot start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TournamentError {
    #[error(transparent)]
    Input(#[from] InputError),
    /// An agent cannot play in the tournament.
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Too many tournaments are running.
    #[error(
        "{TOURNAMENTS} tournaments may run at a time, {TOURNAMENTS_OF_ONE} of one address; \
         expected you to wait"
    )]
    Full,
    /// This version cannot read the tournament.
    #[error("this tournament cannot be read")]
    Broken,
}

/// Configuration of a tournament.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(rename = "TournamentRequest", optional_fields = nullable))]
pub(crate) struct TournamentPlan {
    #[serde(default)]
    name: String,
    #[serde(default = "fog")]
    game: String,
    rules: Option<String>,
    agents: Vec<String>,
    #[serde(default = "one")]
    rounds: u64,
    #[serde(default)]
    pause: u64,
}

fn fog() -> String {
    "fog".into()
}

const fn one() -> u64 {
    1
}

impl TournamentPlan {
    /// White and Black of each game: in a round every pair plays twice, colours
    /// swapped.
    fn fixtures(&self) -> Vec<(usize, usize)> {
        let n = self.agents.len();
        let pairs = (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other)));
        let round = pairs.flat_map(|(one, other)| [(one, other), (other, one)]);
        let round: Vec<_> = round.collect();
        let rounds = (0..self.rounds).flat_map(|_| round.iter().copied());
        rounds.collect()
    }

    fn check(&self) -> Result<(), TournamentError> {
        let game = game_of(&self.game, self.rules.as_deref())?;
        if !(2..=MAX_AGENTS).contains(&self.agents.len()) {
            let text = format!("expected 2 to {MAX_AGENTS} agents");
            return Err(InputError::new(text).into());
        }
        let mut known: Vec<&String> = self.agents.iter().collect();
        known.sort();
        known.dedup();
        if known.len() < self.agents.len() {
            return Err(InputError::new("expected each agent once").into());
        }
        for agent in &self.agents {
            workers::check(agent, &game)?;
        }
        let n = self.agents.len() as u64;
        let games = self.rounds.saturating_mul(n * (n - 1));
        if games == 0 || games > MAX_GAMES || self.pause > 10_000 {
            let text = format!("expected 1 to {MAX_GAMES} games and a pause of at most 10000");
            return Err(InputError::new(text).into());
        }
        Ok(())
    }
}

/// Starts a tournament and returns its id.
pub async fn begin(
    games: &Arc<Games>,
    mut plan: TournamentPlan,
    payer: Payer,
) -> Result<String, TournamentError> {
    plan.check()?;
    plan.name = match plan.name.trim() {
        "" => "Tournament".to_owned(),
        name => domain::name(name)?,
    };
    let place = games
        .tournaments
        .take(&payer)
        .ok_or(TournamentError::Full)?;
    let id = games.chance.text(10);
    let terms = serde_json::to_string(&plan).expect("a plan is JSON");
    games
        .store
        .add_tournament(&id, &terms, games.time.now())
        .await?;
    let games = Arc::clone(games);
    let name = id.clone();
    tokio::spawn(async move {
        run(games, name, plan, payer).await;
        drop(place);
    });
    Ok(id)
}

/// Resumes the tournaments that were running when the previous server ended.
pub(crate) async fn wake(games: &Arc<Games>) -> Result<(), GameError> {
    for stored in games.store.running_tournaments().await? {
        if let Some(plan) = plan_of(&games.store, &stored) {
            tokio::spawn(run(Arc::clone(games), stored.id, plan, Payer::Server));
        }
    }
    Ok(())
}

async fn run(games: Arc<Games>, id: String, plan: TournamentPlan, payer: Payer) {
    // If storage fails, the tournament stops until the next start.
    if play_all(&games, &id, &plan, payer).await.is_ok() {
        let _ = games.store.end_tournament(&id).await;
    }
}

async fn play_all(
    games: &Arc<Games>,
    id: &str,
    plan: &TournamentPlan,
    payer: Payer,
) -> Result<(), GameError> {
    let stored = games.store.tournament_games(id).await?;
    let mut begun: HashMap<u64, ListedGame> = HashMap::new();
    for game in stored {
        if let Some((_, number)) = &game.terms.tournament {
            begun.insert(*number, game);
        }
    }
    for (number, (white, black)) in (1..).zip(plan.fixtures()) {
        let mut notices = games.notices.subscribe();
        let game = match begun.get(&number) {
            Some(game) if game.outcome.is_some() => continue,
            Some(game) => {
                games.get(&game.terms.id).await?;
                game.terms.id.clone()
            }
            None => {
                let Some(terms) = fixture(games, id, plan, number, white, black) else {
                    return Ok(());
                };
                let game = terms.id.clone();
                create(games, terms, &payer).await?;
                game
            }
        };
        loop {
            match notices.recv().await {
                Ok(notice) if notice.info.id == game && notice.kind == NoticeKind::Finish => break,
                Ok(_) => {}
                Err(_) => {
                    // The receiver lagged: checks whether the missed notices
                    // include this game.
                    let stored = games.store.load_game(&game).await?;
                    if stored.is_none_or(|stored| stored.outcome.is_some()) {
                        break;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Creates a game, as soon as there is memory for its agents.
async fn create(
    games: &Arc<Games>,
    terms: GameSettings,
    payer: &Payer,
) -> Result<Handle, GameError> {
    loop {
        match games.create(terms.clone(), payer.clone()).await {
            Err(GameError::Memory(_)) => sleep(Duration::from_secs(5)).await,
            made => return made,
        }
    }
}

fn fixture(
    games: &Games,
    id: &str,
    plan: &TournamentPlan,
    number: u64,
    white: usize,
    black: usize,
) -> Option<GameSettings> {
    let game = game_of(&plan.game, plan.rules.as_deref()).ok()?;
    let mut terms = games.terms(&game, "startpos".into());
    let chair = |agent: usize| Seat::Agent {
        name: plan.agents[agent].clone(),
        spec: plan.agents[agent].clone(),
        rating: None,
    };
    (terms.white, terms.black) = (chair(white), chair(black));
    terms.pause = plan.pause;
    terms.tournament = Some((id.to_owned(), number));
    Some(terms)
}

/// Summary of a tournament for lists.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TournamentInfo {
    id: String,
    name: String,
    game: String,
    rules: Option<String>,
    status: TournamentStatus,
    agents: Vec<String>,
    /// Number of finished games.
    played: u64,
    of: usize,
}

/// Status of a tournament.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum TournamentStatus {
    Running,
    Over,
}

/// State of a tournament: cross table, ratings and their history.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RunningTournament {
    #[serde(flatten)]
    info: TournamentInfo,
    /// Score of each agent against each other; `null` on the diagonal.
    cross: Vec<Vec<Option<TournamentScore>>>,
    table: Vec<Place>,
    /// Finished games in order.
    history: Vec<TournamentGame>,
    games: Vec<GameInfo>,
    /// Id of the running game.
    now: Option<String>,
}

/// Games won, drawn and lost.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TournamentScore {
    w: u64,
    d: u64,
    l: u64,
}

/// A row of the table.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Place {
    agent: String,
    games: u64,
    points: f64,
    rating: f64,
    error: f64,
}

/// A finished game: the list indices of its agents, and all ratings after it.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TournamentGame {
    game: String,
    white: usize,
    black: usize,
    result: ResultText,
    ratings: Vec<f64>,
}

fn info(stored: &StoredTournament, plan: &TournamentPlan) -> TournamentInfo {
    TournamentInfo {
        id: stored.id.clone(),
        name: plan.name.clone(),
        game: plan.game.clone(),
        rules: plan.rules.clone(),
        status: match stored.running {
            true => TournamentStatus::Running,
            false => TournamentStatus::Over,
        },
        agents: plan.agents.clone(),
        played: stored.played,
        of: plan.fixtures().len(),
    }
}

/// The configuration of a stored tournament; one that cannot be read is named in
/// the log and left out.
fn plan_of(store: &Store, stored: &StoredTournament) -> Option<TournamentPlan> {
    let plan = serde_json::from_str(&stored.terms).map_err(|error| {
        StoreError::Unreadable(format!("tournament {}", stored.id), error.to_string())
    });
    plan.map_err(|error| store.leave_out(&error)).ok()
}

/// The newest tournaments.
pub(crate) async fn list(store: &Store) -> Result<Vec<TournamentInfo>, StoreError> {
    let stored = store.tournaments().await?;
    let summary =
        |stored: &StoredTournament| plan_of(store, stored).map(|plan| info(stored, &plan));
    Ok(stored.iter().filter_map(summary).collect())
}

/// Current state of a tournament.
pub async fn standing(
    store: &Store,
    stored: &StoredTournament,
) -> Result<RunningTournament, TournamentError> {
    let plan = plan_of(store, stored).ok_or(TournamentError::Broken)?;
    let games = store.tournament_games(&stored.id).await?;
    let place = |chair: &Seat| plan.agents.iter().position(|agent| agent == chair.name());
    let mut table = Crosstable::new(plan.agents.len());
    let mut history = Vec::new();
    for game in &games {
        let (Some(white), Some(black)) = (place(&game.terms.white), place(&game.terms.black))
        else {
            continue;
        };
        let Some(outcome) = game.outcome else {
            continue;
        };
        table.record(white, black, points(outcome));
        history.push(TournamentGame {
            game: game.terms.id.clone(),
            white,
            black,
            result: outcome.into(),
            ratings: ratings(&table).iter().map(|(rating, _)| *rating).collect(),
        });
    }
    let now = games.iter().find(|game| game.outcome.is_none());
    let mut info = info(stored, &plan);
    info.played = history.len() as u64; // includes a game that ended in the meantime
    Ok(RunningTournament {
        info,
        cross: cross(&table),
        table: places(&plan, &table),
        history,
        games: games.iter().filter_map(listed).collect(),
        now: now.map(|game| game.terms.id.clone()),
    })
}

fn points(outcome: Outcome) -> score::GameScore {
    match outcome.winner {
        None => score::GameScore::Draw,
        Some(Color::White) => score::GameScore::Win,
        Some(Color::Black) => score::GameScore::Loss,
    }
}

/// Rating and error of each agent, with an average rating of 0.
fn ratings(table: &Crosstable) -> Vec<(f64, f64)> {
    let mut ratings = vec![(0.0, 0.0); table.agents()];
    if let Ok(list) = RatingList::new(table, RatingOptions::default()) {
        for row in &list.rows {
            ratings[row.agent] = (row.rating, row.error);
        }
    }
    ratings
}

fn cross(table: &Crosstable) -> Vec<Vec<Option<TournamentScore>>> {
    let cell = |one: usize, other: usize| {
        (one != other).then(|| {
            let Wdl {
                wins,
                draws,
                losses,
            } = table.between(one, other);
            TournamentScore {
                w: wins,
                d: draws,
                l: losses,
            }
        })
    };
    let n = table.agents();
    let row = |one: usize| (0..n).map(|other| cell(one, other)).collect();
    (0..n).map(row).collect()
}

fn places(plan: &TournamentPlan, table: &Crosstable) -> Vec<Place> {
    let ratings = ratings(table);
    let mut order: Vec<usize> = (0..plan.agents.len()).collect();
    order.sort_by(|&a, &b| table.total(b).points().total_cmp(&table.total(a).points()));
    let rows = order.into_iter().map(|i| {
        let total = table.total(i);
        Place {
            agent: plan.agents[i].clone(),
            games: total.games(),
            points: total.points(),
            rating: ratings[i].0,
            error: ratings[i].1,
        }
    });
    rows.collect()
}
