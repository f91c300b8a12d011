//! The browser of a visitor as a subject: the text of its cookie identifies it. And how people see browsers and networks.

use std::net::{IpAddr, Ipv6Addr};

use crate::access::token_text;
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::journal::SITE;
use crate::operation::{Caller, Cx, Path, Subject};
use crate::policy::Standing;

/// A browser.
#[derive(Debug, Clone)]
pub struct Browser {
    /// The hash of its cookie.
    pub hash: [u8; 32],
}

/// The browser in a path.
pub fn of(path: &Path) -> Result<[u8; 32]> {
    path.get("browser").filter(|text| !text.is_empty()).map(token_text::hash).ok_or(Error::NotFound)
}

impl Subject for Browser {
    const FORMS: &'static [&'static str] = &["/login/{browser}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        if !cx.site.signin_by_mail {
            return Err(Error::Forbidden("Signing in by e-mail is switched off at this site.".into()));
        }
        Ok((Self { hash: of(path)? }, Standing::default()))
    }

    /// The lock of the site keeps requests from exceeding a limit together.
    fn locks(_: &mut Tx, _: &Caller, _: &Path) -> Result<Vec<Lock>> {
        Ok(vec![Lock::Journal(SITE)])
    }

    fn canonical(&self) -> String {
        String::new()
    }
}

/// The words in a `User-Agent` header, in the order in which they decide, and the browsers.
const BROWSERS: [(&str, &str); 7] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// The same for systems.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// The name of a browser for people, such as "Firefox on Linux". It has none of the text of the header, which anyone may
/// have chosen.
pub(super) fn name(agent: &str) -> String {
    let find =
        |words: &[(&str, &'static str)]| words.iter().find(|(word, _)| agent.contains(word)).map(|(_, name)| *name);
    match (find(&BROWSERS), find(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, Some(system)) => format!("A browser on {system}"),
        (None, None) => "Unknown browser".to_owned(),
    }
}

/// The network of an IP address: the address, or the first 64 bits of one of IPv6.
#[must_use]
pub fn network(peer: IpAddr) -> String {
    match peer.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("{}/64", Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
    }
}

#[cfg(test)]
mod tests {
    use super::{name, network};

    #[test]
    fn a_browser_is_named_in_our_words() {
        for (agent, named) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"),
            ("Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/142.0 Safari/537.36 Edg/142.0", "Edge on Windows"),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Safari on iPhone"),
            ("Linux", "A browser on Linux"),
            ("Firefox/1", "Firefox"),
            ("<b>Call 555 to stay safe</b>", "Unknown browser"),
        ] {
            assert_eq!(name(agent), named);
        }
    }

    #[test]
    fn a_network_of_ipv6_has_64_bits() {
        for (peer, shown) in [
            ("192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ] {
            assert_eq!(network(peer.parse().unwrap()), shown);
        }
    }
}
