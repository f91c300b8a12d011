//! Delivers an event to a webhook over HTTP, once (decision 44): to an allowed IP address, within 10 seconds in all,
//! without redirects and proxies, and without reading more of the response than a record stores. Requests to the site's
//! identity provider are sent in the same way.

mod address;
mod connect;
mod request;
pub mod tls;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1;
use hyper::rt::{Read, Write};
use hyper::{HeaderMap, Response, body::Incoming};
use hyper_util::rt::TokioIo;
use ipnet::IpNet;
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout};
use tokio_rustls::rustls::ClientConfig;

use self::request::{Content, Outgoing};
use crate::error::Result;
use crate::hooks::Job;
use crate::hooks::target::Target;
use crate::trust;

/// The time that a delivery may take in all.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The number of bytes of a response's body that are stored. The rest is not read.
const KEPT: usize = 65_536;

/// The longest head of a response, in bytes.
const LONGEST_HEAD: usize = 32_768;

/// The largest number of headers of a response.
const MOST_HEADERS: usize = 100;

/// The settings of the site.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// Networks that webhooks may reach although they are not public.
    pub allow: Vec<IpNet>,
    /// True if webhooks may skip the verification of certificates.
    pub insecure_ssl: bool,
    /// The host of the service, which tells receivers of several services which one has sent the delivery.
    pub host: String,
}

/// The result of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The time that it took.
    pub duration: Duration,
    /// The reason phrase, or the error.
    pub status: String,
    /// The status; 0 without a response.
    pub status_code: u16,
    /// The headers of the request as a JSON object, with credentials masked.
    pub request_headers: String,
    /// The headers of the response, if there is one.
    pub response_headers: Option<String>,
    /// The beginning of the response's body, if there is a response.
    pub response_body: Option<String>,
    /// True if the receiver has accepted it.
    pub ok: bool,
    /// True if it will never accept it, so that it is not retried.
    pub permanent: bool,
}

/// The reason why there is no complete response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failure {
    /// The key file is not the one that sealed the secrets.
    Sealed,
    /// A header or the path cannot be sent.
    Unsendable,
    /// The name has no IP address.
    Unknown,
    /// The name has no IP address that is allowed.
    NotPublic,
    /// No IP address accepts a connection.
    Unreachable,
    /// TLS fails: most often, the certificate is not trusted.
    Untrusted,
    /// The connection ended, or the response is not HTTP.
    Broken,
    /// It took too long.
    TimedOut,
}

impl Failure {
    fn text(self) -> &'static str {
        match self {
            Self::Sealed => "the secrets of the hook cannot be read with this key file",
            Self::Unsendable => "the request cannot be sent",
            Self::Unknown => "failed to resolve the host",
            Self::NotPublic => "refused: the address is not public",
            Self::Unreachable => "failed to connect",
            Self::Untrusted => "failed to establish TLS",
            Self::Broken => "the connection was closed",
            Self::TimedOut => "timed out",
        }
    }
}

/// Sends deliveries.
pub struct Sender {
    rules: Rules,
    verified: OnceLock<Arc<ClientConfig>>,
    unverified: Arc<ClientConfig>,
}

/// The part of a response that has arrived.
#[derive(Default)]
struct Answer {
    status: Option<hyper::StatusCode>,
    headers: Map<String, Value>,
    body: Vec<u8>,
}

impl Sender {
    /// A sender with these rules.
    pub fn new(rules: Rules) -> Result<Self> {
        Ok(Self { rules, verified: OnceLock::new(), unverified: tls::unverified()? })
    }

    /// Delivers once: the event with this identifier and this name, and its payload as JSON.
    pub async fn send(&self, job: &Job, guid: &str, event: &str, payload: &str) -> Attempt {
        let content = Content { guid, event, payload };
        let skips = job.insecure_ssl && self.rules.insecure_ssl;
        let start = Instant::now();
        let made = match &job.secrets {
            Some(secrets) => request::outgoing(job, secrets, content, &self.rules.host).ok_or(Failure::Unsendable),
            None => Err(Failure::Sealed),
        };
        let mut answer = Answer::default();
        let (request_headers, result) = match made {
            Ok(Outgoing { request, shown }) => {
                let sent = timeout(TIMEOUT, self.exchange(&job.target, skips, request, &mut answer)).await;
                (shown, sent.unwrap_or(Err(Failure::TimedOut)))
            }
            Err(failure) => (Map::new(), Err(failure)),
        };
        let Answer { status: code, headers, body } = answer;
        let phrase = code.map(|code| code.canonical_reason().unwrap_or_default().to_owned());
        let status = match result {
            Ok(()) => phrase.unwrap_or_default(),
            Err(failure) => failure.text().to_owned(),
        };
        Attempt {
            duration: start.elapsed(),
            status,
            status_code: code.map_or(0, |code| code.as_u16()),
            request_headers: Value::Object(request_headers).to_string(),
            response_headers: code.map(|_| Value::Object(headers).to_string()),
            response_body: code.map(|_| storable(&body)),
            ok: result.is_ok() && code.is_some_and(|code| code.is_success()),
            permanent: false,
        }
    }

    /// Sends a request that is no delivery. Returns the status and the body, or the reason why there is no complete
    /// response.
    pub async fn fetch(
        &self,
        target: &Target,
        request: hyper::Request<Full<Bytes>>,
    ) -> std::result::Result<(u16, Vec<u8>), &'static str> {
        let mut answer = Answer::default();
        let sent = timeout(TIMEOUT, self.exchange(target, false, request, &mut answer)).await;
        sent.unwrap_or(Err(Failure::TimedOut)).map_err(Failure::text)?;
        if answer.body.len() == KEPT {
            return Err("the response is too large");
        }
        Ok((answer.status.map_or(0, |status| status.as_u16()), answer.body))
    }

    /// Sends a request. `skips` says that the certificate is not verified.
    async fn exchange(
        &self,
        target: &Target,
        skips: bool,
        request: hyper::Request<Full<Bytes>>,
        answer: &mut Answer,
    ) -> std::result::Result<(), Failure> {
        let stream = connect::connect(target, &self.rules.allow).await?;
        // A small request in one packet must not wait for the acknowledgement of another.
        stream.set_nodelay(true).map_err(|_| Failure::Unreachable)?;
        if !target.https {
            return over(TokioIo::new(stream), request, answer).await;
        }
        let config = if skips { Arc::clone(&self.unverified) } else { self.verified()? };
        let stream = connect::secure(stream, &target.host, config).await?;
        over(TokioIo::new(stream), request, answer).await
    }

    /// Reads the root certificates of the system when a delivery first needs them: a server without webhooks starts
    /// sooner.
    fn verified(&self) -> std::result::Result<Arc<ClientConfig>, Failure> {
        if let Some(config) = self.verified.get() {
            return Ok(Arc::clone(config));
        }
        let config = trust::verified().map_err(|error| {
            tracing::error!(%error, "cannot verify the certificates of webhooks");
            Failure::Untrusted
        })?;
        Ok(Arc::clone(self.verified.get_or_init(|| Arc::new(config))))
    }
}

/// Sends a request over a connection of its own, and reads the part of the response that is stored.
async fn over<C: Read + Write + Unpin>(
    connection: C,
    request: hyper::Request<Full<Bytes>>,
    answer: &mut Answer,
) -> std::result::Result<(), Failure> {
    let mut builder = http1::Builder::new();
    builder.max_buf_size(LONGEST_HEAD).max_headers(MOST_HEADERS);
    let (mut requests, driver) = builder.handshake(connection).await.map_err(|_| Failure::Broken)?;
    let exchange = async {
        let response = requests.send_request(request).await.map_err(|_| Failure::Broken)?;
        read(response, answer).await
    };
    tokio::pin!(driver, exchange);
    // The connection ends by itself after the response; until then, it transfers both.
    tokio::select! {
        biased;
        result = &mut exchange => result,
        _ = &mut driver => exchange.await,
    }
}

async fn read(response: Response<Incoming>, answer: &mut Answer) -> std::result::Result<(), Failure> {
    answer.status = Some(response.status());
    answer.headers = shown(response.headers());
    let mut body = response.into_body();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Failure::Broken)?;
        let Ok(data) = frame.into_data() else { continue };
        let room = KEPT - answer.body.len();
        answer.body.extend_from_slice(&data[..data.len().min(room)]);
        if answer.body.len() == KEPT {
            break;
        }
    }
    Ok(())
}

/// Of several headers with the same name, the values are joined.
fn shown(headers: &HeaderMap) -> Map<String, Value> {
    let mut shown = Map::new();
    for name in headers.keys() {
        let values: Vec<String> = headers.get_all(name).iter().map(|value| storable(value.as_bytes())).collect();
        shown.insert(name.as_str().to_owned(), values.join(", ").into());
    }
    shown
}

/// The response as text that a database can store.
fn storable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}")
}
