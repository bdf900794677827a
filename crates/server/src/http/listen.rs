//! Accepts connections, with limits that stop a slow or greedy client before it
//! affects others.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{Router, http::Request};
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt as _;

use super::{
    app::{App, Config},
    patient::PatientStream,
    places::{Place, Places, raise_file_limit},
    router,
};
use crate::{domain::Network, game::GameError, store::Store};

/// Maximum size of a request head, in bytes.
const MAX_HEAD: usize = 16 << 10;

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
    places: Arc<Places>,
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
        let places = Places::new(config.files.unwrap_or_else(raise_file_limit));
        let app = App::open(config).await?;
        Ok(Server {
            app,
            listener,
            address,
            places,
        })
    }

    /// The server's storage, for its operator.
    pub fn store(&self) -> Store {
        self.app.store.clone()
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Maximum number of simultaneous connections, in all and of one network.
    pub fn connections(&self) -> (usize, usize) {
        self.places.limits()
    }

    /// Serves until `stop` completes.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let router = router(Arc::clone(&self.app));
        let accept = async {
            loop {
                let Ok((stream, peer)) = self.listener.accept().await else {
                    // Out of file descriptors: waits until some are closed.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                };
                let network = Network::from(peer.ip());
                let place = match self.app.access.is_proxy(network) {
                    true => self.places.take_for_proxy(network),
                    false => self.places.take(network),
                };
                let Some(place) = place else {
                    continue; // closed at once: too many connections
                };
                let (router, patience) = (router.clone(), self.app.patience);
                let place = Arc::new(place);
                tokio::spawn(async move {
                    tokio::select! {
                        () = connection(stream, peer, router, patience, &place) => {}
                        () = place.called_up() => {}
                    }
                });
            }
        };
        tokio::select! {
            () = accept => {}
            () = stop => {}
        }
        self.app.close();
    }

    /// Serves until the process gets a termination signal. Calls `ready` once it
    /// accepts connections.
    pub fn run_blocking(
        host: IpAddr,
        port: u16,
        config: Config,
        ready: impl FnOnce(&Server),
    ) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(ServeError::Runtime)?;
        let served = runtime.block_on(async {
            let server = Server::bind(host, port, config).await?;
            let end = told_to_end();
            ready(&server);
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

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    patience: Duration,
    place: &Arc<Place>,
) {
    let _ = stream.set_nodelay(true); // affects only the latency
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(axum::body::Body::new);
        let extensions = request.extensions_mut();
        extensions.insert(Network::from(peer.ip()));
        extensions.insert(Arc::clone(place));
        router.clone().oneshot(request)
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(MAX_HEAD);
    let stream = PatientStream::new(stream, 3 * patience);
    let served = builder.serve_connection(TokioIo::new(stream), service);
    // A broken connection affects only its client.
    let _ = served.with_upgrades().await;
}
