//! All routes, with who may call each. The router is made of this table, and
//! `docs/openapi.yaml` is compared with it.

use std::sync::Arc;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::Method,
    routing::{MethodRouter, any, on},
};

use super::{
    App, agents, auth, bot, games, health, import, limits, no_route, record, socket, study,
    user_study, watch,
};

/// Who may call a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Caller {
    /// Everybody. A token, where it is of use, must be valid.
    Anyone,
    /// Whoever has an account's token.
    Account,
    /// The accounts that play in the game of the address.
    Player,
    /// The account of the participant of the address.
    Participant,
    /// Whoever has the operator's secret.
    Operator,
}

/// A route and its handler.
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "a test holds the router to the method and caller")
)]
pub(crate) struct Route {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) caller: Caller,
    handler: MethodRouter<Arc<App>>,
}

macro_rules! routes {
    ($($method:ident $path:literal $caller:ident $handler:expr;)*) => {
        vec![$(Route {
            method: Method::$method,
            path: $path,
            caller: Caller::$caller,
            handler: on(
                Method::$method.try_into().expect("a method of routers"),
                $handler,
            ),
        }),*]
    };
}

/// Every route but those of the page's files.
pub(crate) fn table() -> Vec<Route> {
    routes! {
        GET "/healthz" Anyone health::health;
        GET "/ws/{id}" Anyone socket::connect;
        POST "/api/token" Anyone auth::token;
        GET "/api/me" Account auth::me;
        GET "/api/agents" Anyone agents::agents;
        POST "/api/games" Anyone games::create;
        GET "/api/games/{id}" Anyone games::info;
        POST "/api/games/{id}/join" Anyone games::join;
        GET "/api/games/{id}/record" Anyone record::record;
        GET "/api/games/{id}/pgn" Anyone record::pgn;
        GET "/api/games/{id}/json" Anyone record::json;
        GET "/api/games/{id}/review" Anyone record::review;
        GET "/api/games/{id}/why" Anyone record::why;
        POST "/api/dice/check" Anyone record::check_dice;
        GET "/api/watch" Anyone watch::list;
        POST "/api/watch" Anyone watch::show;
        GET "/api/tournaments" Anyone watch::tournaments;
        POST "/api/tournaments" Anyone watch::new_tournament;
        GET "/api/tournaments/{id}" Anyone watch::tournament;
        GET "/api/ladder" Anyone watch::leaderboard;
        POST "/api/study" Anyone study::ask;
        POST "/api/study/belief" Anyone study::belief;
        POST "/api/position" Anyone study::position;
        GET "/api/rules" Anyone study::rules;
        POST "/api/import" Anyone import::import;
        POST "/api/test" Anyone user_study::begin;
        GET "/api/test/export.csv" Operator user_study::csv;
        GET "/api/test/export.pgn" Operator user_study::pgn;
        GET "/api/test/{number}" Participant user_study::state;
        POST "/api/test/{number}/games" Participant user_study::game;
        POST "/api/test/{number}/after" Participant user_study::after;
        POST "/api/challenge/{agent}" Anyone bot::challenge;
        GET "/api/stream/event" Account bot::events;
        GET "/api/bot/game/stream/{id}" Player bot::stream;
        POST "/api/bot/game/{id}/move/{uci}" Player bot::play;
        POST "/api/bot/game/{id}/seed/{seed}" Player bot::seed;
        POST "/api/bot/game/{id}/resign" Player bot::resign;
        POST "/api/bot/game/{id}/draw/{answer}" Player bot::draw;
    }
}

/// The router of the table. Unknown paths under `/api` get an error, not the
/// page.
pub(super) fn router() -> Router<Arc<App>> {
    let routes = table().into_iter();
    let router = routes.fold(Router::new(), |router, route| {
        let most = DefaultBodyLimit::max(limits::largest_body(route.path));
        router.route(route.path, route.handler.layer(most))
    });
    router.route("/api/{*rest}", any(no_route))
}

#[cfg(test)]
mod tests {
    use axum::{
        body::Body,
        http::{Request, StatusCode, header},
        response::Response,
    };
    use tower::ServiceExt as _;

    use super::*;
    use crate::http::Config;

    async fn ask(app: &Arc<App>, route: &Route, token: Option<&str>) -> Response {
        let path = route.path.replace("{number}", "1").replace(['{', '}'], "");
        let mut request = Request::builder().method(route.method.clone()).uri(path);
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(Body::empty()).expect("a request");
        let router = crate::http::router(Arc::clone(app));
        router.oneshot(request).await.expect("an answer")
    }

    /// The router asks for what the table says: a stranger gets no further than
    /// the token, an account not into what is another's.
    #[tokio::test]
    async fn routes_are_closed_to_all_but_their_callers() {
        let app = App::open(Config::default()).await.expect("an app");
        let newcomer = auth::newcomer(&app, "Ada");
        let token = newcomer.token.clone();
        app.store.add_person(newcomer).await.expect("room");
        for route in table() {
            let status = async |token| ask(&app, &route, token).await.status();
            let what = format!("{} {}", route.method, route.path);
            let (stranger, account) = (status(None).await, status(Some(&token)).await);
            match route.caller {
                Caller::Anyone => {
                    for status in [stranger, account] {
                        assert_ne!(status, StatusCode::UNAUTHORIZED, "{what}");
                        assert_ne!(status, StatusCode::FORBIDDEN, "{what}");
                    }
                    continue;
                }
                Caller::Account => assert_eq!(account, StatusCode::OK, "{what}"),
                Caller::Player | Caller::Participant => {
                    assert_eq!(account, StatusCode::NOT_FOUND, "{what}");
                }
                Caller::Operator => {
                    assert_eq!(account, StatusCode::FORBIDDEN, "{what}");
                    let operator = app.operator.clone();
                    assert_eq!(status(Some(&operator)).await, StatusCode::OK, "{what}");
                }
            }
            assert_eq!(stranger, StatusCode::UNAUTHORIZED, "{what}");
        }
    }

    /// The specification has these routes and no other, and says who may call
    /// them.
    #[test]
    fn the_specification_has_every_route() {
        let specification = include_str!("../../../../docs/openapi.yaml");
        let (_, paths) = specification.split_once("\npaths:\n").expect("paths");
        let mut found = Vec::new();
        let mut path = "";
        for line in paths.lines() {
            let text = line.trim_start();
            let (key, _) = text.split_once(':').unwrap_or((text, ""));
            match (line.len() - text.len(), key) {
                (2, key) => path = key,
                (4, "get" | "post") => found.push((key.to_uppercase(), path, None)),
                (6, "x-caller") => {
                    let (_, caller) = text.split_once(": ").expect("a caller");
                    found.last_mut().expect("an operation").2 = Some(caller.to_owned());
                }
                _ => {}
            }
        }
        let mut due: Vec<_> = table()
            .into_iter()
            .map(|route| {
                let caller = format!("{:?}", route.caller).to_lowercase();
                (route.method.to_string(), route.path, Some(caller))
            })
            .collect();
        found.sort();
        due.sort();
        assert_eq!(found, due);
    }
}
