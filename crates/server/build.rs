//! Builds the page when it is missing or stale, and copies it to where the
//! server embeds it from. Without node or the page's sources the server is
//! still built, with a placeholder page that says how to get the rest.
//!
//! `FOGLIGHT_PAGE=skip` uses the contents of `web/dist` and never calls npm.

#[path = "build/page.rs"]
mod page;

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

fn main() {
    let variable = |name| env::var_os(name).unwrap_or_default();
    let out = PathBuf::from(variable("OUT_DIR"));
    let tools = page::Tools {
        web: Path::new(&variable("CARGO_MANIFEST_DIR")).join("../../web"),
        path: variable("PATH"),
        skip: variable("FOGLIGHT_PAGE") == "skip",
    };
    let made = tools.make();
    let target = out.join("page");
    let _ = fs::remove_dir_all(&target); // it may not exist yet
    let written = match &made {
        Ok(dist) => copy(dist, &target),
        Err(missing) => {
            println!("cargo::warning=the page is left out: {missing}");
            page::placeholder(&target, missing)
        }
    };
    written.expect("the build folder can be written");
    for line in tools.watched(made.as_ref().err(), &out) {
        println!("cargo::{line}");
    }
}

/// Copies a folder recursively.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
