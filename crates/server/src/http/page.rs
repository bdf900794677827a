//! Serves the page embedded in the binary.

use axum::{
    Router,
    http::{HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use rust_embed::RustEmbed;
use tower_http::compression::CompressionLayer;

#[derive(RustEmbed)]
#[folder = "$OUT_DIR/page"]
struct Files;

/// Serves the files of the page, and `index.html` for every other path, since
/// the page routes those itself.
pub(crate) fn service() -> Router {
    Router::new().fallback(serve).layer(CompressionLayer::new())
}

async fn serve(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    match Files::get(path) {
        Some(file) => file_answer(path, file),
        // Not `index.html`: the browser would run it as a missing script.
        None if path.starts_with("assets/") => StatusCode::NOT_FOUND.into_response(),
        None => match Files::get("index.html") {
            Some(file) => file_answer("index.html", file),
            None => StatusCode::NOT_FOUND.into_response(),
        },
    }
}

fn file_answer(path: &str, file: rust_embed::EmbeddedFile) -> Response {
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
    (headers, file.data.into_owned()).into_response()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("json" | "webmanifest") => "application/json",
        Some("ogg") => "audio/ogg",
        Some("mp3") => "audio/mpeg",
        Some("wav") => "audio/wav",
        _ => "application/octet-stream",
    }
}
