//! The embedded page, and the security headers.

use crate::client::start;

#[tokio::test]
async fn addresses_of_the_page_are_found_and_others_are_not() {
    let server = start(None).await;
    for (path, status) in [
        ("/", 200),
        ("/game/abc", 200),
        ("/rules/fog-thesis", 200),
        ("/lab", 200),
        ("/nowhere", 404),
        ("/../../etc/passwd", 404),
        ("/%2e%2e/x", 404),
    ] {
        let page = server.get(path, None).await;
        assert_eq!(page.status, status, "{path}");
        assert!(page.body.contains("<title>"), "{path}: {}", page.body);
        assert!(page.head.contains("text/html"));
    }
    for path in ["/assets/nothing.js", "/favicon.ico", "/game/x.png"] {
        let missing = server.get(path, None).await;
        assert_eq!(
            missing.status, 404,
            "{path}: a missing file is not the page"
        );
        assert!(!missing.body.contains("<title>"), "{path}");
    }
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

/// Every test listed in the table of hostile inputs exists.
#[test]
fn the_table_of_hostile_inputs_names_tests_that_exist() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let text = std::fs::read_to_string(format!("{root}/docs/web.md")).expect("the page's document");
    let mut named = 0;
    for quoted in text.split('`').skip(1).step_by(2) {
        let Some((file, test)) = quoted.split_once("::") else {
            continue;
        };
        let path = match file.contains('/') {
            true => format!("{root}/{file}"),
            false => format!("{root}/crates/server/tests/server/{file}"),
        };
        let source = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        assert!(source.contains(&format!("fn {test}(")), "{quoted}");
        named += 1;
    }
    assert!(named > 20, "{named} tests are named");
}
