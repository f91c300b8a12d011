//! Sockets: accepting connections, TLS, timeouts, and a graceful shutdown.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hyper::Version;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::address::Connection;
use super::capitals::{Capitals, Heads};
use super::certificate::Certificate;
use super::connection_limit::{ConnectionLimit, Place};
use super::front::{Dropped, Front};
use super::minimum_rate::{self, Streams};
use super::timeouts::{ConnectionTimeouts, LIMITS, Limits};
use super::{address, response};
use crate::error::{Error, Result};

/// The number of unsent bytes that the kernel buffers for a client, besides one segment.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 16 * 1_024;

/// The number of requests of a connection that are served concurrently.
const STREAMS: u32 = 32;

/// The number of bytes of a body that HTTP/2 receives before they are read, and of bytes of a response that wait to be
/// sent.
const WINDOW: u32 = 64 * 1_024;

/// The time that requests may take to finish when the server is stopped.
const FAREWELL: Duration = Duration::from_secs(10);

/// The interval of a timer that does nothing. A timer that always expires first saves the runtime a wake-up for the
/// timeout of each connection that waits again, which would cost more than one system call per write.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// A bound socket that is ready to serve.
pub struct Server {
    listener: TcpListener,
    certificate: Option<Certificate>,
    /// The times for which its clients may be silent.
    pub timeouts: Limits,
}

impl Server {
    /// Binds the IP address and port; the error for a port that is in use says so.
    pub async fn bind(address: SocketAddr, tls: Option<(&Path, &Path)>) -> Result<Self> {
        let listener = listen(address, "--listen").await?;
        let certificate = tls.map(|(certificate, key)| Certificate::read(certificate, key)).transpose()?;
        Ok(Self { listener, certificate, timeouts: LIMITS })
    }

    /// The certificate, if it speaks HTTPS.
    #[must_use]
    pub fn certificate(&self) -> Option<&Certificate> {
        self.certificate.as_ref()
    }

    /// The bound IP address, with the actual port.
    pub fn address(&self) -> Result<SocketAddr> {
        bound(&self.listener)
    }

    /// Serves until the future completes, then lets requests finish.
    pub async fn run(self, front: Arc<impl Front>, connections: Arc<ConnectionLimit>, stop: impl Future<Output = ()>) {
        let graceful = GracefulShutdown::new();
        let mut stop = std::pin::pin!(stop);
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        loop {
            let (stream, peer) = tokio::select! {
                next = accept(&self.listener, Some(&connections)) => next,
                _ = heartbeat.tick() => continue,
                () = &mut stop => break,
            };
            let Some(place) = connections.admit(peer.ip()) else { continue };
            let id = place.id;
            let tls = self.certificate.as_ref().map(Certificate::acceptor);
            let (front, watcher) = (Arc::clone(&front), graceful.watcher());
            let serving = connection(stream, peer, place, tls, self.timeouts, front, watcher);
            connections.served_by(id, tokio::spawn(serving).abort_handle());
        }
        drop(self.listener);
        if tokio::time::timeout(FAREWELL, graceful.shutdown()).await.is_err() {
            tracing::warn!("some requests did not finish in time and were aborted");
        }
    }
}

pub(super) async fn listen(address: SocketAddr, flag: &str) -> Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        Error::Unavailable(format!(
            "cannot listen on {address}: {error}; choose another IP address or port with {flag}"
        ))
    })
}

pub(super) fn bound(listener: &TcpListener) -> Result<SocketAddr> {
    listener.local_addr().map_err(|e| Error::Unavailable(e.to_string()))
}

pub(super) async fn accept(listener: &TcpListener, connections: Option<&ConnectionLimit>) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) => {
                // Out of file descriptors: close one connection; other connections may end as well.
                if let Some(connections) = connections {
                    connections.make_room(&error);
                } else {
                    tracing::debug!(%error, "cannot accept a connection to the metrics port");
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    place: Place,
    tls: Option<TlsAcceptor>,
    timeouts: Limits,
    front: Arc<impl Front>,
    watcher: hyper_util::server::graceful::Watcher,
) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "cannot set a socket option");
    }
    let Ok(local) = stream.local_addr() else { return };
    let by = Connection::new(peer.ip(), local, tls.is_some());
    // Bytes that a client does not accept must wait in this process, where the wait is noticed.
    #[cfg(target_os = "linux")]
    if let Err(error) = socket2::SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT) {
        tracing::debug!(%error, "a socket option could not be set");
    }
    let stream = minimum_rate::Socket::new(stream);
    match tls {
        None => serve(stream, by, place, timeouts, front, watcher).await,
        Some(acceptor) => match tokio::time::timeout(timeouts.head, acceptor.accept(stream)).await {
            Ok(Ok(stream)) => serve(stream, by, place, timeouts, front, watcher).await,
            Ok(Err(error)) => tracing::debug!(%error, "TLS handshake failed"),
            Err(_) => tracing::debug!("TLS handshake timed out"),
        },
    }
}

async fn serve<S>(
    stream: S,
    by: Connection,
    place: Place,
    timeouts: Limits,
    front: Arc<impl Front>,
    watcher: hyper_util::server::graceful::Watcher,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = auto::Builder::new(Streams);
    // hyper's own timeout would count the silence between two requests as time of the second head.
    builder.http1().timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(64 * 1024);
    builder.http2().timer(TokioTimer::new()).max_header_list_size(64 * 1024).max_concurrent_streams(STREAMS);
    builder.http2().initial_stream_window_size(WINDOW).initial_connection_window_size(4 * WINDOW);
    builder.http2().max_send_buf_size(minimum_rate::STEP);
    let (requests, refused) = (Arc::clone(&place.requests), place.refused);
    let stream = ConnectionTimeouts::new(stream, Arc::clone(&requests), timeouts);
    let heads = Heads::default();
    let stream = Capitals::new(stream, heads.clone());
    let by = Arc::new(by);
    let answer = service_fn(move |request| {
        let (front, by, serving, heads) = (Arc::clone(&front), Arc::clone(&by), requests.begin(), heads.clone());
        async move {
            let version = request.version();
            let answer = match refused {
                Some(_) if !is_health_check(request.uri().path()) => response::too_many_connections(),
                _ => front.respond(request, &by, serving).await?,
            };
            let mut response = hyper::Response::new(answer.body);
            *response.status_mut() = answer.status;
            *response.headers_mut() = match version {
                Version::HTTP_2 => answer.headers.into(),
                _ => heads.begin(answer.headers),
            };
            Ok::<_, Dropped>(response)
        }
    });
    let connection = builder.serve_connection(TokioIo::new(stream), answer).into_owned();
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!(%error, "a connection ended early");
    }
    drop(place);
}

/// True if the request is a health check. Health checks are answered even when there are too many connections.
fn is_health_check(path: &str) -> bool {
    matches!(address::strip_prefix(path).1, "/healthz" | "/readyz")
}
