//! Builds the page with npm, and decides when to build it again. The build
//! script and `tests/page.rs` share this file.

use std::{
    env,
    ffi::OsString,
    fmt, fs, io,
    path::{Path, PathBuf},
    process::Command,
    time::SystemTime,
};

/// The sources of the page in `web/`.
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

const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// Reasons why there is no page.
#[derive(PartialEq, Eq, Debug)]
pub enum Missing {
    /// The folder `web/` does not exist.
    Sources,
    /// npm is disabled, and no page was built before.
    Skipped,
    /// npm is not on the `PATH`.
    Npm,
    /// npm failed with these errors.
    Failed(String),
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Sources => f.write_str("there is no folder web/ with its sources"),
            Missing::Skipped => f.write_str("FOGLIGHT_PAGE=skip, and web/dist is empty"),
            Missing::Npm => f.write_str("npm is not on the PATH"),
            Missing::Failed(errors) => write!(f, "{errors}"),
        }
    }
}

impl Missing {
    /// Instructions for the reader of the placeholder.
    fn remedy(&self) -> &str {
        match self {
            Missing::Sources => "Build it from a clone of the whole repository.",
            Missing::Skipped => "Unset FOGLIGHT_PAGE and build again.",
            Missing::Npm => {
                "Install node (20 or newer) with npm and build again with the same command: \
                 it makes the page."
            }
            Missing::Failed(_) => {
                "Mend what npm complains of (node 20 or newer is expected, and a network for the \
                 first build) and build again with the same command: it tries again."
            }
        }
    }
}

/// Builds the page from `web` with the programs on `path`.
pub struct Tools {
    pub web: PathBuf,
    pub path: OsString,
    pub skip: bool,
}

impl Tools {
    /// Builds `web/dist` if it is missing or older than its sources, and
    /// returns its path.
    pub fn make(&self) -> Result<PathBuf, Missing> {
        if !self.web.join("package.json").exists() {
            return Err(Missing::Sources);
        }
        let dist = self.web.join("dist");
        let built = modified(&dist.join("index.html"));
        let changed = SOURCES.iter().map(|name| modified(&self.web.join(name)));
        if built.is_some() && (self.skip || built >= changed.max().flatten()) {
            return Ok(dist);
        }
        if self.skip {
            return Err(Missing::Skipped);
        }
        let lock = modified(&self.web.join("package-lock.json"));
        if modified(&self.web.join("node_modules/.package-lock.json")) < lock {
            // A lock file written on another system may lack packages for this
            // one.
            self.npm(&["ci", "--no-audit", "--no-fund"])
                .or_else(|_| self.npm(&["install", "--no-audit", "--no-fund", "--no-save"]))?;
        }
        self.npm(&["run", "build"])?;
        Ok(dist)
    }

    fn npm(&self, words: &[&str]) -> Result<(), Missing> {
        let mut npm = Command::new(NPM);
        npm.args(words)
            .current_dir(&self.web)
            .env("PATH", &self.path);
        let run = npm.output().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Missing::Npm,
            _ => Missing::Failed(format!("npm cannot be started: {error}")),
        })?;
        if run.status.success() {
            return Ok(());
        }
        let told = [run.stdout, run.stderr].map(|t| String::from_utf8_lossy(&t).into_owned());
        let lines = || told.iter().flat_map(|text| text.lines());
        let errors: Vec<&str> = lines().filter(|line| line.contains("error")).collect();
        let told = if errors.is_empty() {
            lines().collect()
        } else {
            errors
        };
        let first = told[..told.len().min(4)].join(" | ");
        let words = words.join(" ");
        Err(Missing::Failed(format!("npm {words} failed: {first}")))
    }

    /// The instructions that tell Cargo when to run the build script again.
    ///
    /// A page that is `missing` for lack of npm is retried once the `PATH` or a
    /// folder on it changes; after any other failure at every build, since the
    /// cause may be anywhere: Cargo treats a file that does not exist as
    /// changed.
    pub fn watched(&self, missing: Option<&Missing>, out: &Path) -> Vec<String> {
        let mut files = vec![PathBuf::from("build.rs"), PathBuf::from("build/page.rs")];
        files.extend(SOURCES.map(|name| self.web.join(name)));
        let mut variables = vec!["FOGLIGHT_PAGE"];
        if missing == Some(&Missing::Npm) {
            variables.push("PATH");
            let folders = env::split_paths(&self.path);
            files.extend(folders.filter(|folder| folder.is_absolute()));
        }
        files.retain(|file| file.is_relative() || file.exists());
        match missing {
            Some(Missing::Failed(_)) => files.push(out.join("no such file")),
            Some(Missing::Skipped) => files.push(self.web.join("dist/index.html")),
            _ => {}
        }
        let variables = variables
            .iter()
            .map(|name| format!("rerun-if-env-changed={name}"));
        let files = files
            .iter()
            .map(|file| format!("rerun-if-changed={}", file.display()));
        variables.chain(files).collect()
    }
}

/// Modification time of a file, or of the newest file below a folder.
fn modified(path: &Path) -> Option<SystemTime> {
    let facts = fs::metadata(path).ok()?;
    if !facts.is_dir() {
        return facts.modified().ok();
    }
    let inside = fs::read_dir(path).ok()?.flatten();
    inside.filter_map(|entry| modified(&entry.path())).max()
}

/// Writes a placeholder page with the reason and instructions.
pub fn placeholder(to: &Path, missing: &Missing) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let reason = missing.to_string();
    let reason = reason.replace('&', "&amp;").replace('<', "&lt;");
    let remedy = missing.remedy();
    let text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Foglight</title>\n\
         <h1>Foglight is running, without its page</h1>\n\
         <p>The page was left out when this program was built: {reason}.</p>\n\
         <p>{remedy}</p>\n\
         <p>Bots and other programs can play now: see docs/http.md. \
         So can you, in a terminal: <code>foglight play</code>.</p>\n</html>\n"
    );
    fs::write(to.join("index.html"), text)
}
