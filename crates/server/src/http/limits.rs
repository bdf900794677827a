//! Guards for every request: rate limit, origin check and security headers.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{
    body::{Body, HttpBody as _, to_bytes},
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use tokio::time::timeout;

use super::App;
use super::error::ApiError;

/// Maximum size of a request body.
pub(crate) const MAX_BODY: usize = 64 << 10;
/// Maximum size of an imported PGN.
pub(crate) const MAX_PGN: usize = 1 << 20;
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
        if self.began.elapsed() >= span {
            *self = Window::new();
        }
        self.count += 1;
        self.count <= most
    }
}

/// Request counters per address.
pub(crate) struct Limiter {
    most: u32,
    windows: Mutex<HashMap<IpAddr, Window>>,
}

const MINUTE: Duration = Duration::from_secs(60);

impl Limiter {
    /// Allows `most` requests per minute.
    pub fn new(most: u32) -> Limiter {
        Limiter {
            most,
            windows: Mutex::default(),
        }
    }

    fn allows(&self, address: IpAddr) -> bool {
        let mut windows = self.windows.lock().expect("no panic holds it");
        if windows.len() > 10_000 {
            windows.retain(|_, window| window.began.elapsed() < MINUTE);
        }
        let window = windows.entry(address).or_insert_with(Window::new);
        window.allows(self.most, MINUTE)
    }
}

/// Whether a request comes from this server's own page. Browsers always send
/// the origin with a socket and with a changing request. A client without an
/// origin is not a browser, and there are no cookies to abuse.
pub(crate) fn same_origin(headers: &HeaderMap) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let Some(origin) = origins.next() else {
        return true;
    };
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let named = origin.to_str().ok().and_then(|origin| {
        origin
            .strip_prefix("http://")
            .or_else(|| origin.strip_prefix("https://"))
    });
    origins.next().is_none() && named.is_some() && named == host
}

/// Refuses foreign origins and excess requests.
pub async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    if changes && !same_origin(request.headers()) {
        return ApiError::forbidden("requests from other pages are not accepted").into_response();
    }
    let address = request
        .extensions()
        .get::<ConnectInfo<SocketAddr>>()
        .map(|info| info.0.ip());
    if let Some(address) = address
        && !app.limiter.allows(address)
    {
        let text = "too many requests; expected at most a few a second";
        return ApiError::new(StatusCode::TOO_MANY_REQUESTS, text).into_response();
    }
    match whole(request, app.patience).await {
        Ok(request) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// Reads the whole body, within limits of size and time, so that a slow client
/// holds no resources for long.
async fn whole(request: Request, patience: Duration) -> Result<Request, ApiError> {
    let most = match request.uri().path() {
        "/api/import" => MAX_PGN,
        _ => MAX_BODY,
    };
    let large = || {
        let text = format!("a body that is too large; expected at most {most} bytes");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, text)
    };
    let (head, body) = request.into_parts();
    if body.size_hint().lower() > most as u64 {
        return Err(large()); // refused by its declared size, unread
    }
    match timeout(patience, to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(head, Body::from(bytes))),
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

    #[test]
    fn origins() {
        let with = |origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8080"));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, origin.parse().expect("a header"));
            }
            same_origin(&headers)
        };
        assert!(with(None));
        assert!(with(Some("http://127.0.0.1:8080")));
        for bad in [
            "null",
            "file://",
            "http://evil.example",
            "http://127.0.0.1:80800",
            "",
        ] {
            assert!(!with(Some(bad)), "{bad}");
        }
    }
}
