//! Guards for every request: rate limit, origin check and security headers.

use std::{
    collections::HashMap,
    convert::Infallible,
    net::{IpAddr, Ipv4Addr},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{
    body::{Body, HttpBody as _, to_bytes},
    extract::{FromRequestParts, Request, State},
    http::{HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};

use tokio::time::timeout;

use super::App;
use super::error::ApiError;
use super::traffic::Load;
use crate::domain::Network;

/// Maximum size of a request body.
const MAX_BODY: usize = 64 << 10;
/// Maximum size of an imported PGN, and of the record of a game with dice.
const MAX_PGN: usize = 1 << 20;
/// Maximum length of a FEN, in bytes.
pub(crate) const MAX_FEN: usize = 128;

/// Counter of requests in a time window.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    began: Instant,
    count: u32,
}

impl Window {
    pub fn new() -> Window {
        Window {
            began: Instant::now(),
            count: 0,
        }
    }

    /// Counts a request. False if the limit is exceeded.
    pub fn allows(&mut self, most: u32, span: Duration) -> bool {
        self.restart(span);
        self.count += 1;
        self.count <= most
    }

    /// Counts so many if there is room for all of them.
    fn takes(&mut self, count: u32, most: u32, span: Duration) -> bool {
        self.restart(span);
        let room = most.saturating_sub(self.count) >= count;
        self.count += if room { count } else { 0 };
        room
    }

    fn restart(&mut self, span: Duration) {
        if self.began.elapsed() >= span {
            *self = Window::new();
        }
    }
}

/// Networks that are counted at a time.
const MOST_WINDOWS: usize = 100_000;

/// Counters per network.
pub(crate) struct Limiter {
    most: u32,
    span: Duration,
    windows: Mutex<HashMap<Network, Window>>,
}

impl Limiter {
    /// Allows `most` in a time span.
    pub fn new(most: u32, span: Duration) -> Limiter {
        Limiter {
            most,
            span,
            windows: Mutex::default(),
        }
    }

    fn with<T>(&self, network: Network, count: impl FnOnce(&mut Window) -> T) -> T {
        let mut windows = self.windows.lock().expect("no panic holds it");
        if windows.len() >= MOST_WINDOWS {
            windows.retain(|_, window| window.began.elapsed() < self.span);
            if windows.len() > MOST_WINDOWS / 2 {
                windows.clear(); // too many to be told apart
            }
        }
        count(windows.entry(network).or_insert_with(Window::new))
    }

    fn allows(&self, network: Network) -> bool {
        self.with(network, |window| window.allows(self.most, self.span))
    }

    /// Counts so many if there is room for all of them.
    pub(crate) fn takes(&self, network: Network, count: usize) -> bool {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        self.with(network, |window| window.takes(count, self.most, self.span))
    }
}

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 3600);
/// Time in which the messages of a network are counted.
const MESSAGES: Duration = Duration::from_secs(20);
/// Games that one network may import a day.
const IMPORTS: u32 = 500;

/// All counters of a server.
pub(crate) struct Limiters {
    requests: Limiter,
    /// Requests for files of the page.
    pages: Limiter,
    /// Messages of all sockets.
    pub(crate) messages: Limiter,
    /// New games and accounts.
    rows: Limiter,
    /// Imported games.
    pub(crate) imports: Limiter,
}

impl Limiters {
    /// For so many requests of one network a minute.
    pub fn new(requests: u32) -> Limiters {
        Limiters {
            requests: Limiter::new(requests, MINUTE),
            pages: Limiter::new(requests, MINUTE),
            messages: Limiter::new(requests.saturating_mul(2), MESSAGES),
            rows: Limiter::new(requests.saturating_mul(10), DAY),
            imports: Limiter::new(IMPORTS, DAY),
        }
    }
}

impl App {
    /// Counts a new account or game, which stays in storage.
    pub(crate) fn may_store(&self, network: Network) -> Result<(), ApiError> {
        if self.limits.rows.takes(network, 1) {
            return Ok(());
        }
        let text = format!(
            "too many new games and accounts from one address; expected at most {} a day",
            self.limits.rows.most
        );
        Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, text))
    }
}

/// The network of the client; this machine for a request without a connection.
impl<S: Sync> FromRequestParts<S> for Network {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Network, Infallible> {
        let known = parts.extensions.get::<Network>().copied();
        Ok(known.unwrap_or(Network::from(IpAddr::from(Ipv4Addr::LOCALHOST))))
    }
}

/// Maximum size of the body of requests to a path.
pub(super) fn largest_body(path: &str) -> usize {
    match path {
        "/api/import" | "/api/dice/check" => MAX_PGN,
        _ => MAX_BODY,
    }
}

/// Refuses foreign hosts and origins, and excess requests.
pub async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    if let Err(error) = app.access.check(request.headers(), changes) {
        return error.into_response();
    }
    let path = request.uri().path();
    let program = ["/api/", "/ws/", "/healthz"];
    let program = program.iter().any(|start| path.starts_with(start));
    let mut client = Network::from(IpAddr::from(Ipv4Addr::LOCALHOST));
    if let Some(&peer) = request.extensions().get::<Network>() {
        client = app.access.client(request.headers(), peer);
        request.extensions_mut().insert(client);
        let limits = &app.limits;
        let limiter = if program {
            &limits.requests
        } else {
            &limits.pages
        };
        if !limiter.allows(client) {
            let text = "too many requests; expected at most a few a second";
            return ApiError::new(StatusCode::TOO_MANY_REQUESTS, text).into_response();
        }
    }
    match whole(request, client, &app).await {
        Err(error) => error.into_response(),
        Ok((request, load)) => {
            let response = next.run(request).await;
            drop(load);
            if program {
                in_words(response).await
            } else {
                response
            }
        }
    }
}

/// Errors of the router itself, such as an unknown method, in the form of all
/// others.
async fn in_words(response: Response) -> Response {
    let json = |value: &HeaderValue| value.as_bytes() == b"application/json";
    let kind = response.headers().get(header::CONTENT_TYPE);
    let status = response.status();
    if kind.is_some_and(json) || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let allowed = response.headers().get(header::ALLOW).cloned();
    let body = to_bytes(response.into_body(), MAX_BODY).await;
    let text = String::from_utf8_lossy(&body.unwrap_or_default()).into_owned();
    let text = match text.as_str() {
        "" => status
            .canonical_reason()
            .unwrap_or("refused")
            .to_lowercase(),
        _ => text,
    };
    let mut response = ApiError::new(status, text).into_response();
    if let Some(allowed) = allowed {
        response.headers_mut().insert(header::ALLOW, allowed);
    }
    response
}

/// Reads the whole body, within limits of size, time and memory, so that slow
/// clients hold few resources and not for long.
async fn whole(request: Request, network: Network, app: &App) -> Result<(Request, Load), ApiError> {
    let most = largest_body(request.uri().path());
    let large = || {
        let text = format!("a body that is too large; expected at most {most} bytes");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, text)
    };
    let (head, body) = request.into_parts();
    if body.size_hint().lower() > most as u64 {
        return Err(large()); // refused by its declared size, unread
    }
    let size = body.size_hint().upper();
    let size = size.map_or(most, |size| most.min(size as usize));
    let load = app.traffic.take(network, size)?;
    match timeout(app.patience, to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok((Request::from_parts(head, Body::from(bytes)), load)),
        Ok(Err(_)) => Err(large()),
        Err(_) => Err(ApiError::new(
            StatusCode::REQUEST_TIMEOUT,
            "the body did not arrive; expected all of it in ten seconds",
        )),
    }
}

/// Adds the security headers to every response.
pub async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, "default-src 'self'"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What does not fit is not counted either.
    #[test]
    fn quotas() {
        let network = Network::from(IpAddr::from(Ipv4Addr::LOCALHOST));
        let limiter = Limiter::new(10, Duration::from_secs(1000));
        assert!(limiter.takes(network, 7));
        assert!(!limiter.takes(network, 4));
        assert!(limiter.takes(network, 3));
        assert!(!limiter.takes(network, 1));
        let brief = Limiter::new(1, Duration::ZERO);
        assert!(
            brief.takes(network, 1) && brief.takes(network, 1),
            "a new window"
        );
    }
}
