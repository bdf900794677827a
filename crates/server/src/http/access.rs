//! The names by which the server may be asked, and clients behind proxies.

use std::{net::IpAddr, str::FromStr};

use axum::http::{HeaderMap, StatusCode, header};

use super::ApiError;
use crate::domain::Network;

/// An address under which browsers reach the server, such as
/// `https://chess.example`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicOrigin {
    origin: String,
    host: String,
}

impl FromStr for PublicOrigin {
    type Err = String;

    fn from_str(text: &str) -> Result<PublicOrigin, String> {
        let text = text.trim_end_matches('/').to_lowercase();
        let host = host_of(&text).filter(|host| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:[]".contains(&byte);
            !host.is_empty() && host.bytes().all(plain)
        });
        let host = host.ok_or_else(|| {
            "expected https://NAME or http://NAME, with :PORT if it is not the usual one".to_owned()
        })?;
        Ok(PublicOrigin {
            host: host.to_owned(),
            origin: text,
        })
    }
}

/// Name and port of an origin.
fn host_of(origin: &str) -> Option<&str> {
    let http = origin.strip_prefix("http://");
    http.or_else(|| origin.strip_prefix("https://"))
}

/// Which requests are taken for this server's own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    pub origins: Vec<PublicOrigin>,
    /// Proxies whose word about their clients is believed.
    pub proxies: Vec<IpAddr>,
}

impl Access {
    /// Refuses foreign hosts, and foreign origins of sockets and of requests
    /// that change something.
    ///
    /// A page of another site whose name was rebound to this server's address
    /// has the same origin as its own requests; only the name in `Host` gives it
    /// away. So names must be known; addresses cannot be rebound.
    pub fn check(&self, headers: &HeaderMap, changes: bool) -> Result<(), ApiError> {
        if !self.knows_host(headers) {
            return Err(ApiError::new(
                StatusCode::MISDIRECTED_REQUEST,
                "this server is asked by a name that it does not know; expected its address, \
                 localhost, or a name that its operator gives with --public-origin",
            ));
        }
        let opens_socket = headers.contains_key(header::UPGRADE);
        if (changes || opens_socket) && !self.is_own_origin(headers) {
            return Err(ApiError::forbidden(
                "requests from other pages are not accepted",
            ));
        }
        Ok(())
    }

    fn knows_host(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(header::HOST).iter();
        let Some(host) = hosts.next() else {
            return true; // no browser
        };
        let Some(host) = host.to_str().ok().filter(|_| hosts.next().is_none()) else {
            return false;
        };
        let host = host.to_lowercase();
        let name = without_port(&host);
        let address = name.trim_start_matches('[').trim_end_matches(']');
        let local = name == "localhost" || name.ends_with(".localhost");
        local
            || address.parse::<IpAddr>().is_ok()
            || self.origins.iter().any(|known| known.host == host)
    }

    /// Browsers always send the origin with a socket and with a changing
    /// request. A client without an origin is not a browser, and there are no
    /// cookies to abuse.
    fn is_own_origin(&self, headers: &HeaderMap) -> bool {
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let Some(origin) = origins.next() else {
            return true;
        };
        let host = headers.get(header::HOST);
        let host = host.and_then(|host| host.to_str().ok());
        let Some(origin) = origin.to_str().ok().filter(|_| origins.next().is_none()) else {
            return false;
        };
        let named = host_of(origin);
        named.is_some() && named == host || self.origins.iter().any(|own| own.origin == origin)
    }

    /// Whether this is a proxy that is believed.
    pub(crate) fn is_proxy(&self, network: Network) -> bool {
        let mut proxies = self.proxies.iter();
        proxies.any(|&proxy| Network::from(proxy) == network)
    }

    /// The network of a client. A proxy names it last in `X-Forwarded-For`;
    /// whatever stands before that, the client may have written itself.
    pub(crate) fn client(&self, headers: &HeaderMap, peer: Network) -> Network {
        let lines = headers.get_all("x-forwarded-for").iter();
        let hops: Vec<&str> = lines
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(','))
            .collect();
        let mut client = peer;
        for hop in hops.into_iter().rev() {
            let Some(next) = hop
                .trim()
                .parse::<IpAddr>()
                .ok()
                .filter(|_| self.is_proxy(client))
            else {
                break;
            };
            client = Network::from(next);
        }
        client
    }
}

/// The name in `host:port` or `[address]:port`.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| {
                let name = header::HeaderName::from_static(name);
                (name, value.parse().expect("a header"))
            })
            .collect()
    }

    fn access(origins: &[&str], proxies: &[&str]) -> Access {
        Access {
            origins: origins
                .iter()
                .map(|text| text.parse().expect("an origin"))
                .collect(),
            proxies: proxies
                .iter()
                .map(|text| text.parse().expect("an address"))
                .collect(),
        }
    }

    #[test]
    fn hosts() {
        let access = access(&["https://chess.example", "http://lan:8080/"], &[]);
        let known = |host: &str| access.check(&headers(&[("host", host)]), false).is_ok();
        for good in [
            "127.0.0.1:8080",
            "192.168.1.5",
            "[::1]:8080",
            "localhost:8080",
            "chess.example",
            "Chess.Example",
            "lan:8080",
        ] {
            assert!(known(good), "{good}");
        }
        for bad in [
            "evil.example",
            "evil.example:8080",
            "lan",
            "localhost.evil.example",
            "",
        ] {
            assert!(!known(bad), "{bad}");
        }
    }

    /// A name that an attacker bound to this address is same-origin with itself.
    #[test]
    fn a_rebound_name_is_refused() {
        let rebound = headers(&[
            ("host", "evil.example:8080"),
            ("origin", "http://evil.example:8080"),
        ]);
        for access in [access(&[], &[]), access(&["https://chess.example"], &[])] {
            assert!(access.check(&rebound, true).is_err());
            assert!(access.check(&rebound, false).is_err());
        }
    }

    #[test]
    fn origins() {
        let access = access(&["https://chess.example"], &[]);
        let with = |host: &str, origin: &str| {
            let headers = headers(&[("host", host), ("origin", origin)]);
            access.check(&headers, true).is_ok()
        };
        let local = "127.0.0.1:8080";
        assert!(access.check(&headers(&[("host", local)]), true).is_ok());
        assert!(with(local, "http://127.0.0.1:8080"));
        assert!(with("chess.example", "https://chess.example"));
        assert!(
            with(local, "https://chess.example"),
            "a proxy that keeps its own host"
        );
        for bad in [
            "null",
            "file://",
            "http://evil.example",
            "http://127.0.0.1:80800",
            "https://chess.example.evil",
            "",
        ] {
            assert!(!with(local, bad), "{bad}");
        }
        let socket = headers(&[
            ("host", local),
            ("origin", "http://evil.example"),
            ("upgrade", "websocket"),
        ]);
        assert!(access.check(&socket, false).is_err());
    }

    #[test]
    fn origins_are_names_without_a_path() {
        for bad in [
            "chess.example",
            "ftp://x",
            "https://",
            "https://x/y",
            "https://a b",
        ] {
            assert!(bad.parse::<PublicOrigin>().is_err(), "{bad}");
        }
    }

    #[test]
    fn only_proxies_are_believed() {
        let access = access(&[], &["127.0.0.1", "10.0.0.2"]);
        let network = |text: &str| Network::from(text.parse::<IpAddr>().expect("an address"));
        let client = |peer: &str, forwarded: &str| {
            access.client(&headers(&[("x-forwarded-for", forwarded)]), network(peer))
        };
        assert_eq!(client("127.0.0.1", "192.0.2.7"), network("192.0.2.7"));
        assert_eq!(
            client("127.0.0.1", "8.8.8.8, 192.0.2.7"),
            network("192.0.2.7")
        );
        assert_eq!(
            client("127.0.0.1", "192.0.2.7, 10.0.0.2"),
            network("192.0.2.7")
        );
        assert_eq!(client("198.51.100.1", "192.0.2.7"), network("198.51.100.1"));
        assert_eq!(client("127.0.0.1", "nonsense"), network("127.0.0.1"));
        assert_eq!(
            access.client(&HeaderMap::new(), network("::1")),
            network("::1")
        );
    }
}
