//! Probes whether a row would carry out a request, without letting it: a body that is announced as too large is refused
//! after the policy has agreed and before any of it is read (decisions 20 and 40).

use guildhall::operation::{Method, Operation};

use crate::support::{Client, raw};

/// The status if the policy has agreed.
pub const AGREED: u16 = 413;

/// The status of the request; for a write that is allowed it is [`AGREED`].
pub fn probe(client: &Client, row: &Operation, path: &str) -> u16 {
    if row.method == Method::Get {
        return client.get(path).status;
    }
    let authority = client.base.trim_start_matches("http://");
    let (host, prefix) = authority.split_once('/').map_or((authority, String::new()), |(h, p)| (h, format!("/{p}")));
    let credentials = client.token.as_ref().map(|token| format!("Authorization: token {token}\r\n"));
    let head = format!(
        "{} {prefix}{path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: probe\r\nConnection: close\r\nExpect: 100-continue\r\n{}Content-Length: 9999999\r\n\r\n",
        row.method.name(),
        credentials.unwrap_or_default(),
    );
    raw::status(&raw::send(host, head.as_bytes()))
}
