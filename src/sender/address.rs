//! The IP addresses that a webhook may reach: those that are globally routable, and those that the operator allows
//! (decision 44).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;

/// IPv4 networks for special purposes (the registry of RFC 6890, with multicast and reserved networks).
const SPECIAL_4: [(Ipv4Addr, u32); 15] = [
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// All globally routed IPv6 addresses are in this network. Loopback, link-local, unique local, mapped, translated
/// (NAT64) and multicast IP addresses are not.
const UNICAST_6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// The parts of it that are for special purposes: protocols such as Teredo, documentation, and 6to4.
const SPECIAL_6: [(Ipv6Addr, u32); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// True if a webhook may reach this IP address. A mapped one is allowed if the IPv4 address in it is.
#[must_use]
pub fn may_reach(address: IpAddr, allowed: &[IpNet]) -> bool {
    let plain = address.to_canonical();
    is_global(address) || allowed.iter().any(|network| network.contains(&plain) || network.contains(&address))
}

fn is_global(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let address = address.to_bits();
            !SPECIAL_4.iter().any(|(network, length)| (network.to_bits() ^ address) >> (32 - length) == 0)
        }
        IpAddr::V6(address) => {
            let address = address.to_bits();
            let is_in = |(network, length): &(Ipv6Addr, u32)| (network.to_bits() ^ address) >> (128 - length) == 0;
            is_in(&UNICAST_6) && !SPECIAL_6.iter().any(is_in)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::may_reach;

    #[test]
    fn only_what_is_routed_globally_is_reached() {
        for special in [
            "0.0.0.0",
            "0.1.2.3",
            "10.255.255.255",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.255",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::8.8.8.8",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::ffff:0:8.8.8.8",
            "64:ff9b::7f00:1",
            "64:ff9b::808:808",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:1ff::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:808:808::",
            "3fff::1",
            "4000::1",
            "5f00::1",
            "fc00::1",
            "fdff::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!may_reach(special.parse().unwrap(), &[]), "{special}");
        }
        for public in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2606:4700:4700::1111",
            "2a00::1",
        ] {
            assert!(may_reach(public.parse().unwrap(), &[]), "{public}");
        }
    }

    #[test]
    fn the_operator_allows_more() {
        let allowed = ["127.0.0.0/8", "fd00:1::/32"].map(|network| network.parse().unwrap());
        for reached in ["127.0.0.1", "::ffff:127.0.0.1", "fd00:1::5"] {
            assert!(may_reach(reached.parse().unwrap(), &allowed), "{reached}");
        }
        for refused in ["10.0.0.1", "::1", "::7f00:1", "64:ff9b::7f00:1", "fd00:2::5"] {
            assert!(!may_reach(refused.parse().unwrap(), &allowed), "{refused}");
        }
    }
}
