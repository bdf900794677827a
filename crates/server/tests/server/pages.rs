//! The embedded page, and the security headers.

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

/// The OpenAPI file lists exactly the existing routes.
#[test]
fn the_openapi_file_names_every_route() {
    let text = |path: &str| {
        let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("a file")
    };
    let file = text("../../docs/openapi.yaml");
    let mut named: Vec<&str> = file
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_once(':'))
        .map(|(path, _)| path)
        .filter(|path| path.starts_with("/api/"))
        .collect();
    let code = text("src/http/mod.rs");
    let mut served: Vec<&str> = code
        .split('"')
        .filter(|part| part.starts_with("/api/") && !part.contains('*'))
        .collect();
    named.sort_unstable();
    served.sort_unstable();
    assert!(served.len() > 30);
    assert_eq!(named, served);
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
