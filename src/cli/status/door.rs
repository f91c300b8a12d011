//! Asking the server on this machine over HTTP.

use std::error::Error as StdError;
use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Empty, Limited};
use hyper::client::conn::http1;
use hyper::header::HOST;
use hyper::rt::{Read, Write};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::config::here;
use crate::sender::tls;

/// The longest wait for a response. The server checks for up to two seconds.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The longest response that is read, in bytes. The description of the API is the longest that there is.
const LONGEST: usize = 16 << 20;

/// An IP address and port of the server, as this machine reaches it.
pub(super) struct Door {
    address: SocketAddr,
    https: bool,
}

impl fmt::Display for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.https { "https" } else { "http" }, self.address)
    }
}

impl Door {
    pub(super) fn new(address: SocketAddr, https: bool) -> Self {
        Self { address: here(address), https }
    }

    /// The same for a URL with an IP address and a port.
    pub(super) fn at(url: &str) -> Option<Self> {
        let (scheme, address) = url.split_once("://")?;
        Some(Self::new(address.parse().ok()?, scheme == "https"))
    }

    /// Succeeds if the server is ready; otherwise the reason.
    pub(super) async fn ready(&self) -> Result<(), String> {
        let (status, body) = self.get("/readyz").await?;
        match (status, body["status"].as_str()) {
            (200, Some("ok")) => Ok(()),
            (503, Some(why)) => Err(why.to_owned()),
            _ => Err(format!("{self} is not Guildhall: it answered /readyz with {status}")),
        }
    }

    /// The status and the JSON of a response.
    pub(super) async fn get(&self, path: &str) -> Result<(u16, Value), String> {
        match tokio::time::timeout(TIMEOUT, self.connect(path)).await {
            Ok(answered) => answered.map_err(|error| format!("{self} does not answer: {error}")),
            Err(_) => Err(format!("{self} has not answered within {} seconds", TIMEOUT.as_secs())),
        }
    }

    async fn connect(&self, path: &str) -> Result<(u16, Value), Box<dyn StdError + Send + Sync>> {
        let stream = TcpStream::connect(self.address).await?;
        if !self.https {
            return self.exchange(stream, path).await;
        }
        // The certificate is for the name that clients use. Nothing secret is sent or expected.
        let connector = TlsConnector::from(tls::unverified()?);
        let stream = connector.connect(ServerName::from(self.address.ip()), stream).await?;
        self.exchange(stream, path).await
    }

    async fn exchange<S>(&self, stream: S, path: &str) -> Result<(u16, Value), Box<dyn StdError + Send + Sync>>
    where
        TokioIo<S>: Read + Write + Unpin + Send + 'static,
    {
        let (mut requests, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        let request = hyper::Request::get(path).header(HOST, self.address.to_string()).body(Empty::<Bytes>::new())?;
        let response = requests.send_request(request).await?;
        let status = response.status().as_u16();
        let body = Limited::new(response.into_body(), LONGEST).collect().await?.to_bytes();
        Ok((status, serde_json::from_slice(&body).unwrap_or_default()))
    }
}
