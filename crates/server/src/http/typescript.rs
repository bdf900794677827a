//! TypeScript types of the messages between server and page, generated from the
//! Rust types. A test fails while the file is out of date.

use std::{any::TypeId, collections::BTreeMap, fs};

use foglight_rules::FogRules;
use ts_rs::{Config, TS, TypeVisitor};

use super::{agents, auth, error, games, import, record, socket, study, user_study, watch};
use crate::{tournament, user_study as participant, wire};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/state/wire.ts");
const HEAD: &str = "/**
 * Messages between server and page. Generated from the Rust types by
 * `FOGLIGHT_WRITE=1 cargo test -p foglight-server --lib typescript`; a test
 * fails while this file is out of date.
 */
";

/// Declarations by name, with those of all types they use.
struct Types<'a> {
    config: &'a Config,
    found: BTreeMap<String, (TypeId, String)>,
}

impl TypeVisitor for Types<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if T::output_path().is_none() {
            return; // a type built into TypeScript
        }
        let (name, id) = (T::ident(self.config), TypeId::of::<T>());
        if let Some((known, _)) = self.found.get(&name) {
            assert_eq!(*known, id, "two types are called {name}");
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let text = laid_out(&format!("{docs}export {}", T::decl(self.config)));
        self.found.insert(name, (id, text));
        T::visit_dependencies(self);
    }
}

/// Puts each field on its own line; ts-rs breaks lines at comments only.
fn laid_out(declaration: &str) -> String {
    let mut text = String::new();
    let mut depth = 0;
    let mut rest = declaration;
    while let Some(next) = rest.chars().next() {
        if let Some((comment, after)) = comment(rest) {
            text += &comment.replace('\n', if depth > 0 { "\n  " } else { "\n" });
            text += if depth > 0 { "\n  " } else { "\n" };
            rest = after.trim_start();
            continue;
        }
        let broken = match next {
            '{' => depth == 0,
            ',' => depth == 1,
            _ => false,
        };
        match next {
            '{' | '<' | '[' => depth += 1,
            '}' | '>' | ']' => depth -= 1,
            _ => {}
        }
        if next == '}' && depth == 0 {
            text.truncate(text.trim_end().len());
            text += "\n";
        }
        text.push(next);
        rest = &rest[next.len_utf8()..];
        if broken {
            text += "\n  ";
            rest = rest.trim_start();
        }
    }
    text + "\n"
}

/// The comment at the start of a text, on one line if it has one, and the text
/// after it.
fn comment(text: &str) -> Option<(String, &str)> {
    let (inside, after) = text.strip_prefix("/**\n")?.split_once("\n */")?;
    let comment = match inside.contains('\n') {
        true => format!("/**\n{inside}\n */"),
        false => format!("/** {} */", inside.trim_start_matches(" * ")),
    };
    Some((comment, after))
}

macro_rules! visit {
    ($types:ident: $($type:ty),* $(,)?) => { $($types.visit::<$type>();)* };
}

fn generated() -> String {
    // All integers on the wire are small enough for JSON.parse to be exact.
    let config = Config::new().with_large_int("number");
    let mut types = Types {
        config: &config,
        found: BTreeMap::new(),
    };
    visit!(types:
        error::Refused,
        auth::TokenRequest, auth::NewAccount, auth::AccountInfo,
        agents::AgentList,
        games::GameRequest, games::Made, games::AskedGame, games::JoinRequest, games::Seated,
        record::RecordAnswer, record::Why, record::DiceCheckRequest, record::DiceCheck, import::Imported, wire::ReviewAnswer,
        watch::Watched, watch::ShowRequest, watch::Begun, watch::Tournaments, watch::Leaderboards,
        tournament::TournamentPlan, tournament::RunningTournament,
        study::AskRequest, study::StudyAnswer, study::LineRequest, study::BeliefPart,
        study::PositionAnswer, study::Rules,
        user_study::BeginRequest, participant::StudyState, participant::After,
        socket::ClientMessage,
    );
    let messages = wire::messages(&config, &mut types);
    let rules = FogRules::ALL.map(|rules| format!("'{}'", rules.name()));
    let mut text = format!(
        "{HEAD}\n/** The rule sets of fog. */\nexport const RULES = [{}] as const;\n",
        rules.join(", ")
    );
    for (_, declaration) in types.found.values() {
        text += "\n";
        text += declaration;
    }
    text += "\n/** Messages of the server on a socket. */\nexport type Message =";
    for message in messages {
        text += "\n  | ";
        text += &message;
    }
    text + ";\n"
}

#[test]
fn the_page_has_the_types_of_what_it_is_told() {
    let made = generated();
    if std::env::var_os("FOGLIGHT_WRITE").is_some() {
        fs::write(FILE, &made).expect("the page's sources can be written");
    }
    let kept = fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        kept == made,
        "web/src/state/wire.ts is out of date; regenerate it with\n    \
         FOGLIGHT_WRITE=1 cargo test -p foglight-server --lib typescript\n\
         and adapt the page to it"
    );
}
