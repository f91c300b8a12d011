//! What is told of a request when it was answered: a line in the log, numbers for the metrics. Neither holds a token, a
//! secret or a body.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::Method;

use super::metrics::Metrics;
use crate::operation::RequestId;

/// A request on its way, as far as it is told of.
#[derive(Debug, Default)]
pub struct Told {
    /// When it began, if it is measured.
    pub begun: Option<Instant>,
    /// The operation, once it was found.
    pub operation: Option<&'static str>,
    /// The login of the caller, once it is known.
    pub caller: Option<Arc<str>>,
    /// The client's IP address.
    pub client: Option<IpAddr>,
}

impl Told {
    /// A request that begins now; whether it is measured depends on who wants to know.
    #[must_use]
    pub fn begin(verb: &Method, metrics: Option<&Arc<Metrics>>) -> Self {
        let heard = metrics.is_some()
            || tracing::enabled!(tracing::Level::DEBUG)
            || is_write(verb) && tracing::enabled!(tracing::Level::INFO);
        Self { begun: heard.then(Instant::now), ..Self::default() }
    }

    /// Tells how it ended.
    pub fn end(self, verb: &Method, id: RequestId, status: u16, metrics: Option<&Arc<Metrics>>) {
        let Some(took) = self.begun.map(|begun| begun.elapsed()) else { return };
        if let Some(metrics) = metrics {
            metrics.note(self.operation.unwrap_or("none"), status, took);
        }
        self.say(verb, id, status, took);
    }

    fn say(self, verb: &Method, id: RequestId, status: u16, took: Duration) {
        let (request, duration_us) = (id.as_str(), u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
        let caller = self.caller.as_deref().unwrap_or("-");
        let remote = self.client.map(tracing::field::display);
        let operation = self.operation.unwrap_or("none");
        if is_write(verb) && self.operation.is_some() {
            tracing::info!(operation, caller, status, duration_us, request, remote, "write");
        } else {
            tracing::debug!(operation, caller, status, duration_us, request, remote, %verb, "request");
        }
    }
}

fn is_write(verb: &Method) -> bool {
    ![Method::GET, Method::HEAD, Method::OPTIONS].contains(verb)
}
