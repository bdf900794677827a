//! The connection to a server: address and credentials as NATS has them.

use std::{env, io, path::PathBuf, str::FromStr, time::Duration};

use async_nats::{
    Client, ConnectErrorKind, ConnectOptions, ServerAddr,
    connection::State,
    jetstream::{self, ErrorCode},
};

/// Time for the first connection, and for an answer of JetStream.
const TIMEOUT: Duration = Duration::from_secs(5);
/// A silent connection is checked after this time.
const PING: Duration = Duration::from_secs(5);

/// Reasons for which the cluster cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    #[error("'{0}': expected the address of a NATS server, such as nats://127.0.0.1:4222")]
    Address(String),
    #[error("{server}: {why}; expected a NATS server there")]
    Unreachable { server: String, why: String },
    #[error(
        "{server}: the server refuses the credentials ({why}); expected those of NATS_USER and NATS_PASSWORD, NATS_TOKEN, NATS_NKEY or NATS_CREDS"
    )]
    Credentials { server: String, why: String },
    #[error("{variable}={path}: {error}")]
    File {
        variable: &'static str,
        path: String,
        error: io::Error,
    },
    #[error(
        "{0}: JetStream is not enabled; expected a server started with -js or with data/nats.conf"
    )]
    NoJetStream(String),
    #[error(
        "{server}: its store is full ({why}); expected room for units and files. What is finished is in the journal: -resume goes on with it"
    )]
    Full { server: String, why: String },
    #[error("{server}: {why}")]
    Server { server: String, why: String },
    #[error("{file}: {why}")]
    Task { file: String, why: String },
    #[error("refused: {0}; expected a worker of the same build as the match")]
    Build(String),
    #[error(
        "'{0}' is worked on by another process already; expected its end, or another seed (-resume goes on with its journal)"
    )]
    Twin(String),
}

impl ClusterError {
    /// Whether the user's input is at fault rather than the run.
    pub fn is_input(&self) -> bool {
        matches!(
            self,
            ClusterError::Address(_)
                | ClusterError::Credentials { .. }
                | ClusterError::File { .. }
                | ClusterError::Task { .. }
        )
    }
}

/// A connection that reconnects by itself.
#[derive(Clone)]
pub struct Connection {
    pub(super) client: Client,
    pub(super) jetstream: jetstream::Context,
    /// The address without credentials.
    server: String,
}

impl Connection {
    /// Connects to a server; credentials come from the address or from the
    /// variables of the `nats` command line tool.
    pub async fn open(url: &str, name: &str) -> Result<Connection, ClusterError> {
        let wrong = || ClusterError::Address(without_password(url));
        let address = ServerAddr::from_str(url).map_err(|_| wrong())?;
        if !["nats", "tls"].contains(&address.scheme()) || address.host().is_empty() {
            return Err(wrong());
        }
        let server = format!(
            "{}://{}:{}",
            address.scheme(),
            address.host(),
            address.port()
        );
        let mut options = options(ConnectOptions::new()).await?;
        if let Some(user) = address.username() {
            options = match address.password() {
                Some(password) => options.user_and_password(user.to_owned(), password.to_owned()),
                None => options.token(user.to_owned()),
            };
        }
        let options = options
            .name(name)
            .connection_timeout(TIMEOUT)
            .ping_interval(PING)
            .require_tls(address.tls_required());
        let client = options.connect(address).await.map_err(|error| {
            let (server, why) = (server.clone(), error.to_string());
            match error.kind() {
                ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                    ClusterError::Credentials { server, why }
                }
                _ => ClusterError::Unreachable { server, why },
            }
        })?;
        let mut jetstream = jetstream::new(client.clone());
        jetstream.set_timeout(TIMEOUT);
        Ok(Connection {
            client,
            jetstream,
            server,
        })
    }

    /// A sentence if the connection was lost, or is there again, since `up` was
    /// set; it reconnects by itself.
    pub(super) fn news(&self, up: &mut bool) -> Option<String> {
        let is_up = self.client.connection_state() != State::Disconnected;
        if is_up == std::mem::replace(up, is_up) {
            return None;
        }
        let what = match is_up {
            true => "connected again",
            false => "the connection is lost; trying again",
        };
        Some(format!("{}: {what}", self.server))
    }

    /// What an operation on JetStream says of the server. The library passes some
    /// errors of the server on as text, so their codes are looked for there.
    pub(super) fn failed(&self, error: impl std::fmt::Display) -> ClusterError {
        let (server, why) = (self.server.clone(), error.to_string());
        let says = |code: &ErrorCode| why.contains(&format!("error code {}", code.0));
        if MISSING.iter().any(says) || why.contains(UNAVAILABLE) {
            ClusterError::NoJetStream(server)
        } else if FULL.iter().any(says) {
            ClusterError::Full { server, why }
        } else {
            ClusterError::Server { server, why }
        }
    }
}

/// Errors of a server without JetStream, and the library's for one that does not
/// answer.
const MISSING: [ErrorCode; 2] = [
    ErrorCode::JETSTREAM_NOT_ENABLED,
    ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT,
];
const UNAVAILABLE: &str = "jetstream unavailable";

/// Errors of a server without room.
const FULL: [ErrorCode; 6] = [
    ErrorCode::ACCOUNT_RESOURCES_EXCEEDED,
    ErrorCode::INSUFFICIENT_RESOURCES,
    ErrorCode::STORAGE_RESOURCES_EXCEEDED,
    ErrorCode::MEMORY_RESOURCES_EXCEEDED,
    ErrorCode::STREAM_STORE_FAILED,
    ErrorCode::MAXIMUM_STREAMS_LIMIT,
];

/// An address that may be shown.
fn without_password(url: &str) -> String {
    match url.rsplit_once('@') {
        Some((_, host)) => host.to_owned(),
        None => url.chars().take(100).collect(),
    }
}

/// Credentials and certificates from the environment.
async fn options(mut options: ConnectOptions) -> Result<ConnectOptions, ClusterError> {
    let set = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    if let (Some(user), Some(password)) = (set("NATS_USER"), set("NATS_PASSWORD")) {
        options = options.user_and_password(user, password);
    }
    if let Some(token) = set("NATS_TOKEN") {
        options = options.token(token);
    }
    if let Some(path) = set("NATS_NKEY") {
        let seed = std::fs::read_to_string(&path).map_err(|error| ClusterError::File {
            variable: "NATS_NKEY",
            path: path.clone(),
            error,
        })?;
        options = options.nkey(seed.trim().to_owned());
    }
    if let Some(path) = set("NATS_CREDS") {
        let loaded = options.credentials_file(&path).await;
        options = loaded.map_err(|error| ClusterError::File {
            variable: "NATS_CREDS",
            path: path.clone(),
            error,
        })?;
    }
    if let Some(path) = set("NATS_CA") {
        options = options.add_root_certificates(PathBuf::from(path));
    }
    if let (Some(certificate), Some(key)) = (set("NATS_CERT"), set("NATS_KEY")) {
        options = options.add_client_certificate(certificate.into(), key.into());
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        for (url, shown) in [
            ("nats://me:secret@host:4222", "host:4222"),
            ("nats://token@host", "host"),
            ("nats://me:p@ss@host", "host"),
            ("somewhere", "somewhere"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }
}
