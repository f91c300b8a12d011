//! The reports about a request after its response: a log line and metrics. Neither contains a token, a secret or a
//! body.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::Method;

use super::metrics::Metrics;
use crate::links::segment;
use crate::operation::{Path, RequestId};

/// A request in progress, as far as it is reported.
#[derive(Debug, Default)]
pub struct RequestLog {
    /// Start time, if the request is measured.
    pub begun: Option<Instant>,
    /// The operation, once it is found.
    pub operation: Option<&'static str>,
    /// The login of the caller, once it is known.
    pub caller: Option<Arc<str>>,
    /// The client's IP address.
    pub client: Option<IpAddr>,
    /// The organization that the path of a write names, by login or ID.
    org: Option<String>,
    /// The team that it names, by slug or ID.
    team: Option<String>,
}

impl RequestLog {
    /// Starts now. The request is measured only if the metrics or the log need it.
    #[must_use]
    pub fn begin(verb: &Method, metrics: Option<&Arc<Metrics>>) -> Self {
        let heard = metrics.is_some()
            || tracing::enabled!(tracing::Level::DEBUG)
            || is_write(verb) && tracing::enabled!(tracing::Level::INFO);
        Self { begun: heard.then(Instant::now), ..Self::default() }
    }

    /// Notes what the path of a write names. A client may have sent any text, so it is percent-encoded.
    pub fn name(&mut self, verb: &Method, path: &Path) {
        if self.begun.is_some() && is_write(verb) {
            let named = |names: &[&str]| names.iter().find_map(|name| path.get(name)).map(segment);
            self.org = named(&["org", "org_id", "owner"]);
            self.team = named(&["team_slug", "team_id"]);
        }
    }

    /// Reports how the request ended.
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
            let (org, team) = (self.org.map(tracing::field::display), self.team.map(tracing::field::display));
            tracing::info!(%operation, %caller, org, team, status, duration_us, %request, remote, "write");
        } else {
            tracing::debug!(%operation, %caller, status, duration_us, %request, remote, %verb, "request");
        }
    }
}

fn is_write(verb: &Method) -> bool {
    ![Method::GET, Method::HEAD, Method::OPTIONS].contains(verb)
}
