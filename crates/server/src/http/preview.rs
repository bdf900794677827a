//! What a shared link says about a game, for the previews of messengers: title,
//! description and picture in the head of the page. Public information only.

use axum::http::{HeaderMap, header};

use super::App;
use crate::{
    game::listed,
    wire::{GameInfo, Status},
};

/// The texts of `index.html` that a game replaces.
const TITLE: &str = r#"property="og:title" content="Foglight""#;
const PICTURE: &str = r#"content="/preview.png""#;

/// The page's HTML for an address: with the game's title, if the address is a
/// game's, and with the full address of the picture, which crawlers expect.
pub(crate) async fn fill(
    html: &str,
    app: &std::sync::Arc<App>,
    path: &str,
    headers: &HeaderMap,
) -> String {
    let mut html = html.to_owned();
    if let Some(origin) = origin(headers) {
        html = html.replace(PICTURE, &format!(r#"content="{origin}/preview.png""#));
    }
    let id = path
        .strip_prefix("game/")
        .or_else(|| path.strip_prefix("replay/"));
    let Some(id) = id else { return html };
    let Some(info) = public_info(app, id).await else {
        return html;
    };
    let title = escaped(&title(&info));
    html.replace(TITLE, &format!(r#"property="og:title" content="{title}""#))
}

/// The public information about a game. It is not replayed for it.
async fn public_info(app: &App, id: &str) -> Option<GameInfo> {
    let id = super::id(id).ok()?;
    match app.games.in_memory(id) {
        Some(handle) => Some(handle.info().await.ok()?.0),
        None => listed(&app.store.listed_game(id).await.ok()??),
    }
}

/// Scheme and host as the client wrote them; `None` if the host is malformed.
fn origin(headers: &HeaderMap) -> Option<String> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let plain = |b: u8| b.is_ascii_alphanumeric() || b".-:[]".contains(&b);
    let secure = headers
        .get("x-forwarded-proto")
        .is_some_and(|proto| proto == "https");
    let scheme = if secure { "https" } else { "http" };
    host.bytes()
        .all(plain)
        .then(|| format!("{scheme}://{host}"))
}

fn title(info: &GameInfo) -> String {
    let game = info.game.title();
    let name = |name: &Option<String>| name.clone().unwrap_or_default();
    let (white, black) = (name(&info.white.name), name(&info.black.name));
    match info.status {
        Status::Open => format!("{game}: {white}{black} invites you to play"),
        Status::Running | Status::Over => format!("{game}: {white} – {black}"),
    }
}

fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            _ => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_attribute() {
        assert_eq!(escaped(r#"<b>"a"&'"#), "&lt;b&gt;&quot;a&quot;&amp;&#39;");
    }

    #[test]
    fn a_malformed_host_is_not_repeated() {
        let host = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, text.parse().expect("a header"));
            origin(&headers)
        };
        assert_eq!(host("a.example:80").as_deref(), Some("http://a.example:80"));
        assert_eq!(host(r#"a"><script>"#), None);
    }
}
