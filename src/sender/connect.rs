//! A connection to a receiver: only to an IP address that was checked.
//!
//! The name is looked up once. Each IP address that is connected to comes from that lookup and was checked itself, so a
//! name that changes in between has no effect (decision 44). Proxy variables are not read.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::ServerName;

use super::Failure;
use super::address::may_reach;
use crate::hooks::target::Target;

/// The timeout for one of several IP addresses.
const TIMEOUT: Duration = Duration::from_secs(4);

/// The largest number of IP addresses of a name that are tried.
const MOST: usize = 6;

/// Connects to the first IP address of the host that is allowed and accepts the connection.
pub async fn connect(target: &Target, allowed: &[IpNet]) -> Result<TcpStream, Failure> {
    let look_up = async || tokio::net::lookup_host((target.host.as_str(), target.port)).await.map(Iterator::collect);
    connect_to(look_up, allowed).await
}

async fn connect_to(
    look_up: impl AsyncFnOnce() -> std::io::Result<Vec<SocketAddr>>,
    allowed: &[IpNet],
) -> Result<TcpStream, Failure> {
    let found = look_up().await.map_err(|_| Failure::Unknown)?;
    let reachable = found.iter().filter(|address| may_reach(address.ip(), allowed));
    let mut failure = if found.is_empty() { Failure::Unknown } else { Failure::NotPublic };
    for address in reachable.take(MOST) {
        match timeout(TIMEOUT, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return checked(stream, *address),
            Ok(Err(_)) => failure = Failure::Unreachable,
            Err(_) => failure = Failure::TimedOut,
        }
    }
    Err(failure)
}

/// The peer must be the IP address that was checked, however the system interprets it.
fn checked(stream: TcpStream, address: SocketAddr) -> Result<TcpStream, Failure> {
    match stream.peer_addr() {
        Ok(peer) if peer.ip() == address.ip() => Ok(stream),
        Ok(_) => Err(Failure::NotPublic),
        Err(_) => Err(Failure::Unreachable),
    }
}

/// Begins TLS with the host that the URL names.
pub async fn secure(
    stream: TcpStream,
    host: &str,
    config: Arc<tokio_rustls::rustls::ClientConfig>,
) -> Result<TlsStream<TcpStream>, Failure> {
    let name = ServerName::try_from(host.to_owned()).map_err(|_| Failure::Untrusted)?;
    TlsConnector::from(config).connect(name, stream).await.map_err(|_| Failure::Untrusted)
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use tokio::net::TcpListener;

    use super::{Failure, connect_to};

    /// A name that has a public IP address in the first lookup, and this machine's afterwards. It can only be looked up
    /// once, because of `AsyncFnOnce`, and the result of that lookup is what is connected to.
    #[tokio::test]
    async fn a_name_is_looked_up_once_and_only_what_was_checked_is_connected_to() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let here = listener.local_addr().unwrap();
        let refused = connect_to(async || Ok(vec![here]), &[]).await;
        assert_eq!(refused.unwrap_err(), Failure::NotPublic);
        let allowed = ["127.0.0.0/8".parse().unwrap()];
        let hidden: SocketAddr = "10.0.0.1:1".parse().unwrap();
        let stream = connect_to(async || Ok(vec![hidden, here]), &allowed).await.unwrap();
        assert_eq!(stream.peer_addr().unwrap(), here);
        let (_, peer) = listener.accept().await.unwrap();
        assert_eq!(stream.local_addr().unwrap(), peer, "there was no other connection before it");
        let nothing = connect_to(async || Ok(Vec::new()), &allowed).await;
        assert_eq!(nothing.unwrap_err(), Failure::Unknown);
    }
}
