//! Serves the page embedded in the binary.

use std::{
    borrow::Cow,
    collections::HashMap,
    io::Write as _,
    sync::{Arc, LazyLock, Mutex},
};

use axum::{
    body::Bytes,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use flate2::{Compression, write::GzEncoder};
use rust_embed::RustEmbed;

use super::{App, preview};

#[derive(RustEmbed)]
#[folder = "$OUT_DIR/page"]
struct Files;

/// Serves the files of the page, and `index.html` for its addresses, which the
/// page routes itself.
pub(crate) async fn serve(State(app): State<Arc<App>>, headers: HeaderMap, uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    if let Some(file) = Files::get(path) {
        return match accepts_gzip(&headers) && is_text(path) {
            true => packed_answer(path, &file.data),
            false => file_answer(path, file),
        };
    }
    // Not `index.html`: a browser or crawler asks for a file that is not there.
    if path
        .rsplit('/')
        .next()
        .is_some_and(|name| name.contains('.'))
    {
        return StatusCode::NOT_FOUND.into_response();
    }
    let Some(file) = Files::get("index.html") else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if !is_address(path) {
        return (StatusCode::NOT_FOUND, file_answer("index.html", file)).into_response();
    }
    let html = String::from_utf8_lossy(&file.data);
    let html = preview::fill(&html, &app, path, &headers).await;
    html_answer(html.into_bytes())
}

/// Whether the page has this address: those of `web/src/state/route.ts`.
fn is_address(path: &str) -> bool {
    let id = |text: &str| {
        let letter = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        (1..=64).contains(&text.len()) && text.bytes().all(letter)
    };
    let (first, second) = path
        .trim_end_matches('/')
        .split_once('/')
        .unwrap_or((path.trim_end_matches('/'), ""));
    match first {
        "" | "lab" | "study" | "leaderboard" => second.is_empty(),
        "watch" | "rules" | "fair" | "user-study" => second.is_empty() || id(second),
        "game" | "replay" | "tournament" => id(second),
        _ => false,
    }
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING);
    let text = accepted.and_then(|value| value.to_str().ok());
    text.is_some_and(|text| {
        let mut names = text.split(',').map(str::trim);
        names.any(|name| name == "gzip" || name == "*")
    })
}

fn is_text(path: &str) -> bool {
    !matches!(kind(path), "image/png" | "image/x-icon" | "font/woff2")
}

/// The file compressed. Each is compressed once.
fn packed_answer(path: &str, data: &[u8]) -> Response {
    static PACKED: LazyLock<Mutex<HashMap<String, Bytes>>> = LazyLock::new(Mutex::default);
    let mut files = PACKED.lock().expect("no panic holds it");
    let packed = files.entry(path.to_owned()).or_insert_with(|| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let written = encoder.write_all(data).and_then(|()| encoder.finish());
        written.expect("memory is writable").into()
    });
    let mut response = answer(path, packed.clone());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

fn file_answer(path: &str, file: rust_embed::EmbeddedFile) -> Response {
    answer(
        path,
        match file.data {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => bytes.into(),
        },
    )
}

fn html_answer(html: Vec<u8>) -> Response {
    answer("index.html", html.into())
}

fn answer(path: &str, data: Bytes) -> Response {
    // File names under assets/ contain a hash of their contents.
    let cache = if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind(path))),
        (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
    ];
    (headers, data).into_response()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("txt") => "text/plain; charset=utf-8",
        Some("woff2") => "font/woff2",
        Some("webmanifest") => "application/manifest+json",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::is_address;

    /// The first parts of the addresses that `route.ts` knows.
    fn routed() -> Vec<String> {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/state/route.ts");
        let text = std::fs::read_to_string(file).expect("the page's routes");
        let cases = text.split("case '").skip(1);
        let names = cases.filter_map(|rest| rest.split_once('\'').map(|(name, _)| name.to_owned()));
        names.collect()
    }

    #[test]
    fn the_server_and_the_page_know_the_same_addresses() {
        let routed = routed();
        assert!(routed.len() > 10, "{routed:?}");
        for first in &routed {
            let known = is_address(first) || is_address(&format!("{first}/x1"));
            assert!(known, "{first}");
        }
        for path in ["", "watch/x1", "game/Xk3-_9", "rules/fog-thesis", "fair/"] {
            assert!(is_address(path), "{path}");
        }
        for path in [
            "game",
            "game/a/b",
            "nowhere",
            "lab/x",
            "wp-admin",
            "game/%2e%2e",
        ] {
            assert!(!is_address(path), "{path}");
        }
    }
}
