//! Law: a journal of whatever bytes is refused, or resumed with games that are
//! written and read again as the same; a second start finds the same games.
#![no_main]

use std::{fs, path::PathBuf, sync::LazyLock};

use foglight_arena::{journal::Journal, record::GameRecord};
use libfuzzer_sys::fuzz_target;

static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    std::env::temp_dir().join(format!("foglight-fuzz-{}.jsonl", std::process::id()))
});

fuzz_target!(|bytes: &[u8]| {
    fs::write(&*FILE, bytes).expect("a file");
    let Ok((journal, games)) = Journal::resume(&FILE) else {
        return;
    };
    drop(journal);
    for game in &games {
        let again = GameRecord::from_json(&game.to_json());
        assert_eq!(again.ok().as_ref(), Some(game));
    }
    let (_, again) = Journal::resume(&FILE).expect("what was resumed before");
    assert_eq!(again, games);
});
