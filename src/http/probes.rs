//! Metrics, and the health checks again, at the address for operators.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use super::health::health;
use super::metrics::Metrics;
use super::response::NOT_KEPT;
use super::server::{accept, bound, listen};
use crate::dispatch::Service;
use crate::error::{Error, Result};

/// The time that a client may take.
const LIMIT: Duration = Duration::from_secs(30);

/// A bound socket for the metrics, which have a port of their own.
pub struct MetricsServer(TcpListener);

impl MetricsServer {
    /// Binds the IP address and port; the error for a port that is in use says so.
    pub async fn bind(address: SocketAddr) -> Result<Self> {
        listen(address, "--metrics-listen").await.map(Self)
    }

    /// The bound IP address, with the actual port.
    pub fn address(&self) -> Result<SocketAddr> {
        bound(&self.0)
    }

    /// Serves for as long as the program runs, on a thread of its own: however busy the others are, probes and metrics
    /// are answered.
    pub fn start(self, metrics: Arc<Metrics>, service: Arc<Service>) -> Result<()> {
        let unusable = |error: std::io::Error| Error::Unavailable(format!("cannot serve metrics: {error}"));
        let listener = self.0.into_std().map_err(unusable)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(unusable)?;
        let serve = move || {
            runtime.block_on(async {
                match TcpListener::from_std(listener) {
                    Ok(listener) => serve(&listener, &metrics, &service).await,
                    Err(error) => tracing::error!(%error, "cannot serve metrics"),
                }
            });
        };
        std::thread::Builder::new().name("metrics".into()).spawn(serve).map(drop).map_err(unusable)
    }
}

/// Serves for as long as the program runs.
async fn serve(listener: &TcpListener, metrics: &Arc<Metrics>, service: &Arc<Service>) {
    loop {
        let (stream, _) = accept(listener, None).await;
        let (metrics, service) = (Arc::clone(metrics), Arc::clone(service));
        let answer = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            let (metrics, service) = (Arc::clone(&metrics), Arc::clone(&service));
            async move { Ok::<_, Infallible>(answer(request.uri().path(), &metrics, &service).await) }
        });
        tokio::spawn(async move {
            let http = hyper::server::conn::http1::Builder::new();
            let serving = http.serve_connection(TokioIo::new(stream), answer);
            drop(tokio::time::timeout(LIMIT, serving).await);
        });
    }
}

async fn answer(path: &str, metrics: &Metrics, service: &Service) -> Response<Full<Bytes>> {
    let (status, kind, body) = if let Some((status, body)) = health(path, service).await {
        (status, "application/json; charset=utf-8", body)
    } else {
        let text = metrics.text(service.ready().await.is_ok()).unwrap_or_default();
        (200, "application/openmetrics-text; version=1.0.0; charset=utf-8", Bytes::from(text))
    };
    let mut answer = Response::new(Full::new(body));
    *answer.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    answer.headers_mut().insert(CACHE_CONTROL, NOT_KEPT);
    answer
}
