//! The page out of the binary, and what every answer forbids.

use crate::client::start;

#[tokio::test]
async fn every_other_address_is_the_page() {
    let server = start(None).await;
    for path in [
        "/",
        "/game/abc",
        "/rules/fog-thesis",
        "/../../etc/passwd",
        "/%2e%2e/x",
    ] {
        let page = server.get(path, None).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(page.body.contains("<title>"), "{path}: {}", page.body);
        assert!(page.head.contains("text/html"));
    }
    let missing = server.get("/assets/nothing.js", None).await;
    assert_eq!(missing.status, 404, "a missing file is not the page");
    let missing = server.get("/api/nothing", None).await;
    assert_eq!(missing.status, 404);
    assert_eq!(missing.error(), "no such address");
}

#[tokio::test]
async fn every_answer_carries_the_policy() {
    let server = start(None).await;
    for path in ["/", "/api/agents", "/api/nothing", "/assets/nothing.js"] {
        let head = server.get(path, None).await.head;
        assert!(
            head.contains("content-security-policy: default-src 'self'\r\n"),
            "{path}: {head}"
        );
        assert!(head.contains("x-content-type-options: nosniff"), "{path}");
        assert!(head.contains("x-frame-options: deny"), "{path}");
    }
}
