//! The network of a client: what limits and fair shares count by.

use std::net::{IpAddr, Ipv6Addr};

/// An IPv4 address, or the first 64 bits of an IPv6 address: a provider gives
/// at least that many addresses to a single customer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Network(IpAddr);

impl From<IpAddr> for Network {
    fn from(address: IpAddr) -> Network {
        Network(match address.to_canonical() {
            IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64)),
            v4 => v4,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        Network::from(text.parse::<IpAddr>().expect("an address"))
    }

    #[test]
    fn ipv6_counts_by_its_first_64_bits() {
        assert_eq!(network("2001:db8:0:1::5"), network("2001:db8:0:1:ffff::9"));
        assert_ne!(network("2001:db8:0:1::5"), network("2001:db8:0:2::5"));
        assert_ne!(network("10.0.0.1"), network("10.0.0.2"));
        assert_eq!(network("::ffff:10.0.0.1"), network("10.0.0.1"));
    }
}
