//! Regenerates `data/playthroughs/`: `cargo run -p foglight-rules --example
//! playthroughs`. Review the diff before committing it.

use std::{fs, io, path::PathBuf};

#[path = "../tests/common/playthroughs.rs"]
mod playthroughs;

use foglight_rules::Game;
use playthroughs::file_name;

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/playthroughs");
    fs::create_dir_all(&folder)?;
    for game in Game::ALL {
        fs::write(folder.join(file_name(&game)), playthroughs::text(&game))?;
        println!("{}", file_name(&game));
    }
    Ok(())
}
