//! The URLs that the settings give the server.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use super::Settings;
use crate::links::Links;

/// An address that a server listens on, as programs on its machine reach it.
#[must_use]
pub fn here(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    address
}

impl Settings {
    /// The beginning of the URLs of pages: the public URL, or the URL on this machine.
    #[must_use]
    pub fn links(&self, local: &str) -> Links {
        let origin = self.public_url.as_deref().unwrap_or(local).to_owned();
        Links { api: origin.clone(), origin }
    }

    /// The URL on this machine, as far as it is known before the server listens.
    #[must_use]
    pub fn local_url(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", here(self.listen))
    }

    /// Refuses to send e-mails whose links would lead to the IP address that the server listens on.
    pub fn check_links(&self) -> Result<(), String> {
        if self.mail.smtp.is_none() || self.public_url.is_some() {
            return Ok(());
        }
        Err("`smtp.url` is set, but `public_url` is not, with which all links in e-mails begin; set it to the URL that \
             people use"
            .to_owned())
    }
}
