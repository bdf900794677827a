//! `foglight serve`: the web app.

use std::{
    io::{self, Write},
    net::IpAddr,
    path::PathBuf,
};

use clap::Args;
use foglight_server::{Config, PublicOrigin, Server};

use crate::{failure::CliError, providers};

/// Serves the web app and prints its address; a bare `foglight` does the same.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example:\n  foglight serve --port 8080 --data games")]
pub(crate) struct Serve {
    /// The port to listen on; 0 selects any free one
    #[arg(long, default_value_t = 8080)]
    port: u16,

    /// The address to listen on; 0.0.0.0 admits other machines
    #[arg(long, default_value = "127.0.0.1")]
    host: IpAddr,

    /// The folder in which games are stored, created on first use [default:
    /// foglight in the user's data folder]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Search threads [default: one a core]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,

    /// An address by which browsers reach the server, such as
    /// https://chess.example; IP addresses and localhost are always known
    #[arg(long, value_name = "URL")]
    public_origin: Vec<PublicOrigin>,

    /// A reverse proxy whose X-Forwarded-For names the client
    #[arg(long, value_name = "ADDRESS")]
    trusted_proxy: Vec<IpAddr>,

    /// HTTP requests a minute from one address
    #[arg(long, default_value_t = 600)]
    requests: u32,

    /// Derive ids, tokens, dice and agents from a seed: for tests only, since
    /// then they can be guessed
    #[arg(long)]
    seed: Option<u64>,
}

impl Default for Serve {
    fn default() -> Serve {
        Serve {
            port: 8080,
            host: IpAddr::from([127, 0, 0, 1]),
            data: None,
            threads: 0,
            public_origin: Vec::new(),
            trusted_proxy: Vec::new(),
            requests: 600,
            seed: None,
        }
    }
}

impl Serve {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let config = Config {
            data: Some(self.data.clone().unwrap_or_else(usual_folder)),
            providers: providers::all(),
            threads: self.threads,
            seed: self.seed,
            requests: self.requests,
            origins: self.public_origin.clone(),
            proxies: self.trusted_proxy.clone(),
            ..Config::default()
        };
        Server::run_blocking(self.host, self.port, config, |server| {
            let mut out = io::stdout().lock();
            let (all, of_one) = server.connections();
            // Without a reader of standard output the server runs nevertheless.
            let _ = writeln!(out, "Foglight is at http://{}/", server.address());
            let _ = writeln!(out, "{all} connections at most, {of_one} from one address");
            let _ = out.flush();
        })
        .map_err(|error| CliError::Run(error.into()))
    }
}

/// The program's folder in the user's data directory: by the XDG specification,
/// `LOCALAPPDATA` on Windows.
fn usual_folder() -> PathBuf {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let local = || variable("LOCALAPPDATA").filter(|_| cfg!(windows));
    let home = || std::env::home_dir().map(|home| home.join(".local/share"));
    variable("XDG_DATA_HOME")
        .filter(|path| path.is_absolute())
        .or_else(local)
        .or_else(home)
        .unwrap_or_else(|| PathBuf::from("."))
        .join("foglight")
}
