//! Sockets: accepting connections, TLS, time limits, and an end that lets requests finish.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls;

use super::address::Connection;
use super::edge::Edge;
use super::metrics::Metrics;
use super::patience::{Limits, Patience, Requests};
use crate::error::{Error, Result};

/// How long the head of a request may take to arrive.
const HEAD: Duration = Duration::from_secs(10);

/// How long a connection may be silent: longer than proxies keep one that they do not use.
const SILENCE: Duration = Duration::from_secs(75);

/// How long a caller may take to make room for more of an answer.
const STALLED: Duration = Duration::from_secs(30);

/// How long requests may take to finish when the server is stopped.
const FAREWELL: Duration = Duration::from_secs(10);

/// How often nothing happens. A timer that always is the next one to end spares the runtime waking itself for the time
/// limit of each connection that waits again: more than a system call for each write.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// How many connections are served beside each other.
const CONNECTIONS: usize = 16_384;

/// A bound socket that is ready to serve.
pub struct Server {
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
}

impl Server {
    /// Binds the address; a taken port is an error that says so.
    pub async fn bind(address: SocketAddr, tls: Option<(&Path, &Path)>) -> Result<Self> {
        let listener = listen(address, "--listen").await?;
        let tls = tls.map(|(certificate, key)| acceptor(certificate, key)).transpose()?;
        Ok(Self { listener, tls })
    }

    /// The address that was bound, with its real port.
    pub fn address(&self) -> Result<SocketAddr> {
        bound(&self.listener)
    }

    /// Serves until the future ends, then lets requests finish.
    pub async fn run(self, edge: Arc<Edge>, stop: impl Future<Output = ()>) {
        let graceful = GracefulShutdown::new();
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        let mut stop = std::pin::pin!(stop);
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        loop {
            // Who finds no room waits outside, and a full house can be stopped like any other.
            let next = async {
                let place = Arc::clone(&room).acquire_owned().await;
                (accept(&self.listener).await, place)
            };
            let ((stream, peer), place) = tokio::select! {
                next = next => next,
                _ = heartbeat.tick() => continue,
                () = &mut stop => break,
            };
            let serving = connection(stream, peer, self.tls.clone(), Arc::clone(&edge), graceful.watcher());
            tokio::spawn(async move {
                serving.await;
                drop(place);
            });
        }
        drop(self.listener);
        if tokio::time::timeout(FAREWELL, graceful.shutdown()).await.is_err() {
            tracing::warn!("some requests did not finish in time");
        }
    }
}

async fn listen(address: SocketAddr, flag: &str) -> Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        Error::Unavailable(format!("cannot listen on {address}: {error}; choose another address with {flag}"))
    })
}

fn bound(listener: &TcpListener) -> Result<SocketAddr> {
    listener.local_addr().map_err(|e| Error::Unavailable(e.to_string()))
}

async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) => {
                // Out of descriptors: give some connections time to end.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    tls: Option<TlsAcceptor>,
    edge: Arc<Edge>,
    watcher: hyper_util::server::graceful::Watcher,
) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a socket option could not be set");
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(STALLED));
    let stream = Box::pin(stream);
    match tls {
        None => serve(stream, peer, false, edge, watcher).await,
        Some(acceptor) => match tokio::time::timeout(HEAD, acceptor.accept(stream)).await {
            Ok(Ok(stream)) => serve(stream, peer, true, edge, watcher).await,
            Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
            Err(_) => tracing::debug!("a TLS handshake took too long"),
        },
    }
}

async fn serve<S>(
    stream: S,
    peer: SocketAddr,
    tls: bool,
    edge: Arc<Edge>,
    watcher: hyper_util::server::graceful::Watcher,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = auto::Builder::new(TokioExecutor::new());
    // Its own limit would count the silence between two requests as time of the second head.
    builder.http1().timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(64 * 1024);
    builder.http2().timer(TokioTimer::new()).max_header_list_size(64 * 1024).max_concurrent_streams(128);
    let requests = Arc::new(Requests::default());
    let stream = Patience::new(stream, Arc::clone(&requests), Limits { head: HEAD, silence: SILENCE });
    let by = Arc::new(Connection::new(peer.ip(), tls));
    let answer = service_fn(move |request| {
        let (edge, by, serving) = (Arc::clone(&edge), Arc::clone(&by), requests.begin());
        async move { Ok::<_, std::convert::Infallible>(edge.answer(request, &by, serving).await) }
    });
    let connection = builder.serve_connection(TokioIo::new(stream), answer).into_owned();
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// A bound socket for the metrics, which have an address of their own.
pub struct MetricsServer(TcpListener);

impl MetricsServer {
    /// Binds the address; a taken port is an error that says so.
    pub async fn bind(address: SocketAddr) -> Result<Self> {
        listen(address, "--metrics-listen").await.map(Self)
    }

    /// The address that was bound, with its real port.
    pub fn address(&self) -> Result<SocketAddr> {
        bound(&self.0)
    }

    /// Serves for as long as the program runs.
    pub async fn run(self, metrics: Arc<Metrics>) {
        loop {
            let (stream, _) = accept(&self.0).await;
            let metrics = Arc::clone(&metrics);
            let answer = service_fn(move |_| {
                let text = metrics.text();
                async move {
                    let body = http_body_util::Full::new(bytes::Bytes::from(text.unwrap_or_default()));
                    let mut answer = hyper::Response::new(body);
                    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
                    super::response::set(answer.headers_mut(), hyper::header::CONTENT_TYPE, kind);
                    Ok::<_, std::convert::Infallible>(answer)
                }
            });
            tokio::spawn(async move {
                let http = hyper::server::conn::http1::Builder::new();
                let serving = http.serve_connection(TokioIo::new(stream), answer);
                drop(tokio::time::timeout(STALLED, serving).await);
            });
        }
    }
}

fn acceptor(certificate: &Path, key: &Path) -> Result<TlsAcceptor> {
    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};
    let unusable = |path: &Path, error: &dyn std::fmt::Display| {
        Error::Unavailable(format!("{} cannot be used for TLS: {error}", path.display()))
    };
    let certificates: Vec<_> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(|e| unusable(certificate, &e))?;
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|e| unusable(key, &e))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| Error::Bug(e.to_string()))?
        .with_no_client_auth()
        .with_single_cert(certificates, secret)
        .map_err(|e| unusable(certificate, &e))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
