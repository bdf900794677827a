//! Builds the page when it is missing or stale, and puts it where the server
//! embeds it from. Without node, or without the page's sources, the server is
//! built all the same and its page says how to get the rest.
//!
//! `FOGLIGHT_PAGE=skip` takes what `web/dist` holds and never calls npm.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
    time::SystemTime,
};

/// What the page is made of, in `web/`.
const SOURCES: [&str; 8] = [
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "vite.config.ts",
    "vite.config.js",
];

fn main() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("page");
    println!("cargo::rerun-if-env-changed=FOGLIGHT_PAGE");
    println!("cargo::rerun-if-changed=build.rs");
    for source in SOURCES.map(|name| web.join(name)) {
        if source.exists() {
            println!("cargo::rerun-if-changed={}", source.display());
        }
    }
    let trouble = page(&web).err();
    let _ = fs::remove_dir_all(&out); // there may be none yet
    let done = match &trouble {
        None => copy(&web.join("dist"), &out),
        Some(reason) => {
            println!("cargo::warning=the page is left out: {reason}");
            placeholder(&out, reason)
        }
    };
    done.expect("the build folder can be written");
}

/// Makes `web/dist` if it is missing or older than its sources.
fn page(web: &Path) -> Result<(), String> {
    if !web.join("package.json").exists() {
        return Err("there is no folder web/ with its sources".into());
    }
    let built = modified(&web.join("dist/index.html"));
    let changed = SOURCES.iter().filter_map(|name| modified(&web.join(name)));
    if built.is_some() && built >= changed.max() {
        return Ok(());
    }
    if env::var("FOGLIGHT_PAGE").is_ok_and(|value| value == "skip") {
        return match built {
            Some(_) => Ok(()),
            None => Err("FOGLIGHT_PAGE=skip, and web/dist is empty".into()),
        };
    }
    let lock = modified(&web.join("package-lock.json"));
    if modified(&web.join("node_modules/.package-lock.json")) < lock {
        // A lock file that another system wrote may lack parts for this one.
        npm(web, &["ci", "--no-audit", "--no-fund"])
            .or_else(|_| npm(web, &["install", "--no-audit", "--no-fund", "--no-save"]))?;
    }
    npm(web, &["run", "build"])
}

fn npm(web: &Path, words: &[&str]) -> Result<(), String> {
    let run = Command::new("npm").args(words).current_dir(web).output();
    let run = run.map_err(|e| format!("npm cannot be started ({e}); install node and npm"))?;
    if run.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&run.stderr);
    let told = text.lines().filter(|line| line.contains("error"));
    let told: Vec<&str> = told.take(4).collect();
    Err(format!(
        "npm {} failed: {}",
        words.join(" "),
        told.join(" | ")
    ))
}

/// When a file, or the newest file below a folder, was changed.
fn modified(path: &Path) -> Option<SystemTime> {
    let facts = fs::metadata(path).ok()?;
    if !facts.is_dir() {
        return facts.modified().ok();
    }
    let inside = fs::read_dir(path).ok()?.flatten();
    inside.filter_map(|entry| modified(&entry.path())).max()
}

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

fn placeholder(to: &Path, reason: &str) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let safe = reason.replace('&', "&amp;").replace('<', "&lt;");
    let text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Foglight</title>\n\
         <h1>Foglight is running, without its page</h1>\n\
         <p>The page was left out when this program was built: {safe}.</p>\n\
         <p>Install node and npm, then run <code>cargo build --release</code> again. \
         Bots and other programs can play now: see docs/http.md.</p>\n</html>\n"
    );
    fs::write(to.join("index.html"), text)
}
