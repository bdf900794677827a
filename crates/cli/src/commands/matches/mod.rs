//! `foglight match`: games between agents and external engines, with
//! statistics.

pub(super) mod args;
mod print;
mod rerun;
pub(super) mod standings;

use std::{
    collections::BTreeMap,
    io::{IsTerminal, Write},
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

use clap::Args;
use foglight_arena::{
    journal::{self, Journal},
    openings,
    record::GameRecord,
    schedule::SchedulePlan,
    tournament::{MatchEntrant, MatchError, MatchEvent, Tournament},
};
use foglight_engine::registry;
use foglight_play::{InProcess, Player, Providers, Spec, SpecError};
use foglight_research::csv;
use foglight_rules::{Game, Position};

use super::cluster::{self, Hands};
use crate::{failure::CliError, files, providers};
use args::{Engine, MatchArgs};
use print::Printer;

/// Plays a match. The syntax is fastchess's: a flag with one dash and its
/// values.
#[derive(Args)]
#[command(after_help = EXAMPLE, disable_help_flag = false)]
pub(crate) struct Match {
    /// The arguments of the match; see the example
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, num_args = 0..)]
    words: Vec<String>,
}

const EXAMPLE: &str = "\
Example:
  foglight match -engine agent=greedy name=A -engine agent=random name=B -game fog \\
      -rounds 500 -games 2 -repeat -concurrency 2 -srand 7 -jsonout file=out.jsonl

  -engine agent=AGENT|cmd=PROGRAM [name= args= dir= proto=uci|jsonl option.NAME= LIMITS]
  -each LIMITS            limits of every engine: tc=10+0.1 st=0.1 nodes= depth= timemargin=
  -game G -rules R -sight white=full -fen F -halfmovelimit N|off
  -rounds N -games 1|2 -repeat -tournament roundrobin|gauntlet -concurrency N -srand SEED
  -shard K/N              plays every N-th pair from the K-th on; see foglight merge
  -openings file= format=epd|pgn order=random|sequential start= plies=
  -sprt elo0= elo1= alpha= beta= model=normalized|logistic|bayesian
  -jsonout file= (the journal) -resume FILE -pgnout file= notation=san|figurine
  -csvout file= -k 20|40|fide
  -maxmoves N -recover -ratinginterval N -quiet --json
  -cluster URL -unit-seconds N -audit P%   played by foglight worker URL; see docs/cluster.md
  --rerun FILE            plays a recorded match again with the options stored in it";

impl Match {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let words = MatchArgs::parse(&self.words).map_err(CliError::Input)?;
        match &words.rerun {
            Some(path) => rerun::run(path, &words),
            None => play(&words),
        }
    }
}

fn play(words: &MatchArgs) -> Result<(), CliError> {
    let tournament = tournament(words)?;
    let hands = Hands::of_match(&words.cluster, &tournament)?;
    let (journal, before) = journal_of(words)?;
    let stop = interrupt_flag()?;
    let mut printer = Printer::new(words, &tournament, before.len() as u64);
    let mut pgn = match &words.pgnout {
        Some(path) => Some(files::append(path)?),
        None => None,
    };
    let mut kept: BTreeMap<u64, GameRecord> = BTreeMap::new();
    if words.csvout.is_some() {
        kept.extend(before.iter().map(|record| (record.number, record.clone())));
    }
    let mut trouble: Option<CliError> = None;
    let tell = |event: MatchEvent<'_>| {
        let written = printer
            .event(&event)
            .and_then(|()| match (&event, &mut pgn) {
                (MatchEvent::Finished { record, .. }, Some(file)) => {
                    file.write_all(foglight_arena::pgn::text_in(record, words.letters).as_bytes())
                }
                _ => Ok(()),
            });
        if let Err(error) = written {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            trouble.get_or_insert(error.into());
        }
        if let (MatchEvent::Finished { record, .. }, Some(_)) = (&event, &words.csvout) {
            kept.insert(record.number, (*record).clone());
        }
        if let MatchEvent::Finished { tally, .. } = &event {
            hands.set_standing(|| printer.standing(tally));
        }
    };
    let result = tournament.run_on(&hands, journal, before, &stop, tell);
    printer.finish_bar();
    if let Some(path) = &words.csvout {
        let records: Vec<GameRecord> = kept.into_values().collect();
        files::write(path, csv::write(words.seed, &records, words.k).as_bytes())?;
    }
    if let Some(failure) = trouble {
        return Err(failure);
    }
    let tally = result.map_err(match_failure)?;
    printer.report(&tally)?;
    hands.end()
}

/// A wrong journal is invalid input; other errors are failed runs.
pub(super) fn match_failure(error: MatchError) -> CliError {
    match error {
        MatchError::OtherMatch { .. } => CliError::input(error),
        MatchError::Queue(error) => cluster::failure_of(error),
        _ => CliError::Run(error.into()),
    }
}

fn journal_of(words: &MatchArgs) -> Result<(Option<Journal>, Vec<GameRecord>), CliError> {
    if let Some(path) = &words.resume {
        let (journal, before) = Journal::resume(path).map_err(CliError::input)?;
        return Ok((Some(journal), before));
    }
    match &words.jsonout {
        None => Ok((None, Vec::new())),
        Some(path) => {
            let journal = Journal::create(path).map_err(CliError::input)?;
            Ok((Some(journal), Vec::new()))
        }
    }
}

/// Set by the first Ctrl-C; the second ends the program at once.
pub(super) fn interrupt_flag() -> Result<Arc<AtomicBool>, CliError> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = flag.clone();
    ctrlc::set_handler(move || {
        if raised.swap(true, std::sync::atomic::Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .map_err(|error| CliError::Run(error.into()))?;
    Ok(flag)
}

fn tournament(words: &MatchArgs) -> Result<Tournament, CliError> {
    let contestants = contestants(words)?;
    Ok(Tournament {
        game: words.game,
        plan: SchedulePlan {
            contestants: contestants.len(),
            format: words.format,
            rounds: words.rounds,
            games: words.games,
            repeat: words.repeat,
            starts: starts(words)?,
            seed: words.seed,
        },
        contestants,
        shard: words.shard,
        concurrency: words.concurrency,
        max_moves: words.max_moves,
        sprt: words.sprt,
        recover: words.recover,
        announce: !words.json && !words.quiet,
        time_scale: 1.0,
    })
}

fn starts(words: &MatchArgs) -> Result<Vec<Position>, CliError> {
    if let Some(fen) = &words.fen {
        let start = crate::options::read_position(&words.game, fen).map_err(CliError::Input)?;
        return Ok(vec![start]);
    }
    let Some(book) = &words.book else {
        return Ok(vec![words.game.start()]);
    };
    let text = files::read_text(&book.file)?;
    let starts = if book.pgn {
        openings::from_pgn(&words.game, &text, book.plies)
    } else {
        openings::from_epd(&words.game, &text)
    };
    let starts = starts.and_then(|starts| openings::ordered(starts, book.order, words.seed));
    let mut starts = starts.map_err(CliError::input)?;
    let first = (book.start.max(1) - 1) % starts.len();
    starts.rotate_left(first);
    Ok(starts)
}

fn contestants(words: &MatchArgs) -> Result<Vec<MatchEntrant>, CliError> {
    let mut names: Vec<String> = words.engines.iter().map(Engine::shown_name).collect();
    for i in 1..names.len() {
        if names[..i].contains(&names[i]) {
            names[i] = format!("{}-{}", names[i], i + 1);
        }
    }
    let engines = words.engines.iter().zip(names);
    engines
        .map(|(engine, name)| contestant(engine, name, words.game))
        .collect()
}

pub(super) fn contestant(
    engine: &Engine,
    name: String,
    game: Game,
) -> Result<MatchEntrant, CliError> {
    match &engine.agent {
        Some(agent) => {
            let make = inside(agent, game)?;
            Ok(MatchEntrant {
                name,
                agent: agent.clone(),
                limits: engine.limits,
                engine: None,
                make,
                reusable: false,
            })
        }
        None => outside(engine, name),
    }
}

/// Factory of a registry agent, checked by building one.
pub(super) fn inside(
    agent: &str,
    game: Game,
) -> Result<Box<foglight_arena::tournament::MakePlayer>, CliError> {
    let spec: Spec = agent.parse().map_err(CliError::input)?;
    maker(spec, game, providers::all()).map_err(CliError::input)
}

/// The same with these resources.
pub(super) fn maker(
    spec: Spec,
    game: Game,
    providers: Providers,
) -> Result<Box<foglight_arena::tournament::MakePlayer>, SpecError> {
    registry::build(&spec, &game, &providers)?;
    Ok(Box::new(move || {
        let player = registry::build(&spec, &game, &providers);
        let player = player.map_err(|e| foglight_play::Fault::Disconnect(e.to_string()))?;
        Ok(Box::new(InProcess(Box::new(player))) as Box<dyn Player>)
    }))
}

fn outside(engine: &Engine, name: String) -> Result<MatchEntrant, CliError> {
    use foglight_uci::{
        Protocol,
        client::{EngineConfig, UciEngine},
    };
    let command = engine.cmd.clone().unwrap_or_default();
    let args = engine.args.as_deref().unwrap_or_default();
    let launch = EngineConfig {
        command: command.clone(),
        args: args.split_whitespace().map(str::to_owned).collect(),
        dir: engine.dir.clone(),
        proto: match engine.proto.as_deref() {
            Some("jsonl") => Protocol::Jsonl,
            _ => Protocol::Uci,
        },
        options: engine.options.clone(),
        ..EngineConfig::default()
    };
    Ok(MatchEntrant {
        name,
        agent: format!("{command} {args}").trim().to_owned(),
        limits: engine.limits,
        engine: Some(launch.clone()),
        make: Box::new(move || Ok(Box::new(UciEngine::launch(&launch)?) as Box<dyn Player>)),
        reusable: true,
    })
}

/// Whether the output is a terminal.
pub(super) fn on_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// The games of a journal, read only.
pub(super) fn read_journal(path: &Path) -> Result<Vec<GameRecord>, CliError> {
    journal::read(path).map_err(CliError::input)
}
