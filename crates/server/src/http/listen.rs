//! Accepts connections, with limits that stop a slow or greedy client before it
//! affects others.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{Router, extract::ConnectInfo, http::Request};
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
use tower::ServiceExt as _;

use super::{
    app::{App, Config},
    router,
};
use crate::{game::GameError, store::Store};

/// Maximum number of simultaneous connections.
const MAX_CONNECTIONS: usize = 8192;
/// Maximum size of a request head, in bytes.
const MAX_HEAD: usize = 32 << 10;

/// Reasons why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Listening on the address failed.
    #[error("cannot listen on {address}: {error}")]
    Listen { address: String, error: io::Error },
    /// Opening the data failed.
    #[error(transparent)]
    Data(#[from] GameError),
    #[error("cannot start: {0}")]
    Runtime(io::Error),
}

/// A server bound to an address.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Opens the data and binds the address; port 0 picks any free port.
    pub async fn bind(host: IpAddr, port: u16, config: Config) -> Result<Server, ServeError> {
        let wanted = SocketAddr::new(host, port);
        let trouble = |error| ServeError::Listen {
            address: wanted.to_string(),
            error,
        };
        let listener = TcpListener::bind(wanted).await.map_err(trouble)?;
        let address = listener.local_addr().map_err(trouble)?;
        let app = App::open(config).await?;
        Ok(Server {
            app,
            listener,
            address,
        })
    }

    /// The server's storage, for its operator.
    pub fn store(&self) -> Store {
        self.app.store.clone()
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` completes.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let router = router(Arc::clone(&self.app));
        let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        let accept = async {
            loop {
                let Ok((stream, peer)) = self.listener.accept().await else {
                    // Out of file descriptors: waits until some are closed.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                };
                let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
                    continue; // closed at once: the server is full
                };
                let (router, patience) = (router.clone(), self.app.patience);
                tokio::spawn(async move {
                    connection(stream, peer, router, patience).await;
                    drop(place);
                });
            }
        };
        tokio::select! {
            () = accept => {}
            () = stop => {}
        }
        self.app.close();
    }

    /// Serves until the process gets a termination signal. Calls `ready` with
    /// the address once it accepts connections.
    pub fn run_blocking(
        host: IpAddr,
        port: u16,
        config: Config,
        ready: impl FnOnce(SocketAddr),
    ) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(ServeError::Runtime)?;
        let served = runtime.block_on(async {
            let server = Server::bind(host, port, config).await?;
            let end = told_to_end();
            ready(server.address());
            server.run(end).await;
            Ok(())
        });
        runtime.shutdown_timeout(Duration::from_secs(1));
        served
    }
}

/// Ctrl-C or the signal of service managers. Handlers are installed by the
/// call, not by the first poll of the future.
#[cfg(unix)]
fn told_to_end() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
    async move {
        let [Ok(mut interrupt), Ok(mut terminate)] = signals else {
            // Without signal handlers the server runs until killed.
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
async fn told_to_end() {
    let _ = tokio::signal::ctrl_c().await; // without signal handlers the server runs until killed
}

async fn connection(stream: TcpStream, peer: SocketAddr, router: Router, patience: Duration) {
    let _ = stream.set_nodelay(true); // affects only the latency
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().oneshot(request)
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(MAX_HEAD);
    let served = builder.serve_connection(TokioIo::new(stream), service);
    // A broken connection affects only its client.
    let _ = served.with_upgrades().await;
}
