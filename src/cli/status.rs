//! `guildhall status`: asks the server on this machine whether it is ready.

use std::error::Error as StdError;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
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

use super::settings::StatusFlags;
use super::{Failure, answer, in_one_line};
use crate::sender::tls;

const EXAMPLES: &str = "\
Reads the settings of the server, from its file and its environment, and asks /readyz at metrics.listen if that is set, \
otherwise at listen. The exit code is 0 if the server is ready, and 1 if it is not or does not answer.

Examples:
  guildhall status
  guildhall status --config /etc/guildhall.toml
  guildhall status --ready --listen 127.0.0.1:8420";

/// The longest wait for a response. The server checks for up to two seconds.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The longest response that is read, in bytes. The description of the API is the longest that there is.
const LONGEST: usize = 16 << 20;

/// Ask the server on this machine for its version, and if it is ready.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Print only one line: that the server is ready, or why not. For health checks.
    #[arg(long)]
    ready: bool,
    #[command(flatten)]
    flags: StatusFlags,
}

/// Runs the command.
pub async fn run(args: Args) -> Result<(), Failure> {
    let settings = args.flags.settings()?;
    let server = Door::new(settings.listen, settings.tls.is_some());
    let metrics = settings.metrics_listen.map(|address| Door::new(address, false));
    if !args.ready {
        answer(&format!("server   {server}"))?;
        if let Ok((_, description)) = server.get("/openapi.json").await {
            answer(&format!("version  {}", description["info"]["version"].as_str().unwrap_or("unknown")))?;
        }
        if let Some(metrics) = &metrics {
            answer(&format!("metrics  {metrics}/metrics"))?;
        }
    }
    match metrics.unwrap_or(server).ready().await {
        Ok(()) => answer("ready"),
        Err(why) => Err(Failure::Failed(format!("not ready: {}", in_one_line(&why)))),
    }
}

/// An IP address and port of the server, as this machine reaches it.
struct Door {
    address: SocketAddr,
    https: bool,
}

impl fmt::Display for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.https { "https" } else { "http" }, self.address)
    }
}

impl Door {
    fn new(mut address: SocketAddr, https: bool) -> Self {
        match address.ip() {
            IpAddr::V4(Ipv4Addr::UNSPECIFIED) => address.set_ip(Ipv4Addr::LOCALHOST.into()),
            IpAddr::V6(Ipv6Addr::UNSPECIFIED) => address.set_ip(Ipv6Addr::LOCALHOST.into()),
            _ => {}
        }
        Self { address, https }
    }

    /// Succeeds if the server is ready; otherwise the reason.
    async fn ready(&self) -> Result<(), String> {
        let (status, body) = self.get("/readyz").await?;
        match (status, body["status"].as_str()) {
            (200, Some("ok")) => Ok(()),
            (503, Some(why)) => Err(why.to_owned()),
            _ => Err(format!("{self} is not Guildhall: it answered /readyz with {status}")),
        }
    }

    /// The status and the JSON of a response.
    async fn get(&self, path: &str) -> Result<(u16, Value), String> {
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
