//! Without npm the build succeeds with a placeholder page; the next build with
//! npm makes the real one.

#[path = "../build/page.rs"]
mod page;

use std::{
    fs,
    path::{Path, PathBuf},
};

use page::{Missing, Tools};

/// A page with sources and no dependencies, so that npm needs no network.
fn web(folder: &Path) -> PathBuf {
    let web = folder.join("web");
    fs::create_dir_all(&web).expect("a folder");
    for (name, text) in [
        (
            "package.json",
            r#"{"name":"page","version":"1.0.0","type":"module","scripts":{"build":"node vite.config.js"}}"#,
        ),
        (
            "package-lock.json",
            r#"{"name":"page","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"page","version":"1.0.0"}}}"#,
        ),
        (
            "vite.config.js",
            "import fs from 'node:fs'; fs.cpSync('index.html', 'dist/index.html');",
        ),
        ("index.html", "<title>the real page</title>"),
    ] {
        fs::write(web.join(name), text).expect("a file");
    }
    web
}

fn tools(folder: &Path, bin: &Path) -> Tools {
    Tools {
        web: web(folder),
        path: bin.into(),
        skip: false,
    }
}

fn placeholder(folder: &Path, missing: &Missing) -> String {
    page::placeholder(folder, missing).expect("a page");
    fs::read_to_string(folder.join("index.html")).expect("a page")
}

#[test]
fn without_npm_the_page_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let tools = tools(folder.path(), folder.path());
    let missing = tools.make().expect_err("there is no npm");
    assert_eq!(missing, Missing::Npm);
    let text = placeholder(folder.path(), &missing);
    assert!(text.contains("npm is not on the PATH"), "{text}");
    assert!(text.contains("Install node (20 or newer)"), "{text}");
    let watched = tools.watched(Some(&missing), folder.path());
    let bin = format!("rerun-if-changed={}", folder.path().display());
    assert!(watched.contains(&bin), "{watched:?}");
    assert!(watched.contains(&"rerun-if-env-changed=PATH".to_owned()));
    let watched = tools.watched(None, folder.path());
    assert!(!watched.contains(&bin), "only while npm is missing");
}

#[test]
fn without_sources_and_without_leave_nothing_is_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut tools = tools(folder.path(), folder.path());
    tools.skip = true;
    assert_eq!(tools.make(), Err(Missing::Skipped));
    fs::create_dir(tools.web.join("dist")).expect("a folder");
    fs::write(tools.web.join("dist/index.html"), "made before").expect("a file");
    assert_eq!(tools.make(), Ok(tools.web.join("dist")));
    tools.web = folder.path().join("elsewhere");
    assert_eq!(tools.make(), Err(Missing::Sources));
}

#[cfg(unix)]
mod unix {
    use std::{
        env,
        os::unix::fs::{PermissionsExt, symlink},
        process::Command,
    };

    use super::*;

    #[test]
    fn what_npm_complains_of_is_told_and_tried_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let npm = folder.path().join("npm");
        fs::write(
            &npm,
            "#!/bin/sh\necho 'npm error <no network>' >&2; exit 1\n",
        )
        .expect("a file");
        fs::set_permissions(&npm, fs::Permissions::from_mode(0o755)).expect("a program");
        let tools = tools(folder.path(), folder.path());
        let missing = tools.make().expect_err("npm fails");
        let text = placeholder(folder.path(), &missing);
        let told = "npm install --no-audit --no-fund --no-save failed: npm error &lt;no network>";
        assert!(text.contains(told), "{text}");
        let watched = tools.watched(Some(&missing), folder.path());
        let file = watched
            .last()
            .and_then(|line| line.strip_prefix("rerun-if-changed="));
        assert!(!Path::new(file.expect("a file")).exists(), "{watched:?}");
    }

    /// A package that contains only the server's build script.
    struct Package {
        folder: tempfile::TempDir,
        bin: PathBuf,
    }

    impl Package {
        fn new() -> Package {
            let folder = tempfile::tempdir().expect("a folder");
            let server = folder.path().join("crates/server");
            let bin = folder.path().join("bin");
            for path in [&server.join("build"), &server.join("src"), &bin] {
                fs::create_dir_all(path).expect("a folder");
            }
            let own = Path::new(env!("CARGO_MANIFEST_DIR"));
            for name in ["build.rs", "build/page.rs"] {
                fs::copy(own.join(name), server.join(name)).expect("a copy");
            }
            let manifest = "[package]\nname = \"page\"\nversion = \"0.0.0\"\nedition = \"2024\"\n";
            fs::write(server.join("Cargo.toml"), manifest).expect("a manifest");
            fs::write(server.join("src/lib.rs"), "").expect("a library");
            web(folder.path());
            let package = Package { folder, bin };
            assert!(package.install("cc"), "Rust links with a C compiler");
            package.install("ld");
            package
        }

        /// Puts a program of this machine on the package's `PATH`.
        fn install(&self, program: &str) -> bool {
            let path = env::var_os("PATH").unwrap_or_default();
            let mut found = env::split_paths(&path).map(|folder| folder.join(program));
            let found = found.find_map(|file| file.canonicalize().ok());
            found.is_some_and(|file| symlink(file, self.bin.join(program)).is_ok())
        }

        /// Runs a build and returns Cargo's output.
        fn build(&self) -> String {
            let cargo = Path::new(env!("CARGO"));
            let build = Command::new(cargo)
                .args(["build", "--offline"])
                .current_dir(self.folder.path().join("crates/server"))
                .env("PATH", &self.bin)
                .env("RUSTC", cargo.with_file_name("rustc"))
                .env("CARGO_TARGET_DIR", self.folder.path().join("target"))
                .env_remove("FOGLIGHT_PAGE")
                .output()
                .expect("cargo");
            let told = String::from_utf8_lossy(&build.stderr).into_owned();
            assert!(build.status.success(), "{told}");
            told
        }

        /// The page that a server would embed.
        fn page(&self) -> String {
            let built = self.folder.path().join("target/debug/build");
            let mut outs = fs::read_dir(built).expect("a folder").flatten();
            let page = outs
                .find_map(|out| fs::read_to_string(out.path().join("out/page/index.html")).ok());
            page.expect("a page")
        }
    }

    /// Uses the real Cargo and, if installed, the real npm.
    #[test]
    fn the_next_build_makes_the_page_once_npm_is_there() {
        let package = Package::new();
        let told = package.build();
        assert!(
            told.contains("the page is left out: npm is not on the PATH"),
            "{told}"
        );
        assert!(package.page().contains("without its page"));
        let told = package.build();
        assert!(!told.contains("Compiling"), "nothing has changed: {told}");
        if !["npm", "node", "sh"]
            .map(|name| package.install(name))
            .contains(&false)
        {
            let told = package.build();
            assert!(!told.contains("left out"), "{told}");
            assert_eq!(package.page(), "<title>the real page</title>");
            assert!(!package.build().contains("Compiling"), "all is made");
        } else {
            eprintln!("SKIPPED in part: npm is not installed");
        }
    }
}
