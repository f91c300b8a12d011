//! Limits the number of connections, in total and per IP address (decision 40).
//!
//! No IP address can have more than its share of them. When all are in use, the connection that has been silent longest
//! is closed. A connection that still finds no place, or whose IP address has used its share, gets a place in the lane,
//! where health checks are answered and all other requests are refused for now.

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ipnet::IpNet;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::forwarded::is_trusted;
use super::metrics::Metrics;
use super::process::{files_allowed, files_open};
use super::timeouts::Requests;

/// The number of connections that are served at once, if the process may open that many files.
const CONNECTIONS: usize = 16_384;

/// The number of further connections that can wait for a health check.
const LANE: usize = 16;

/// The number of files that the process reserves besides those that are open at the start: connections to a database.
const OWN: usize = 32;

/// The number of files that it also reserves for each core, because the threads of each core read the database.
const CORE: usize = 16;

/// The number of candidates for closing that are looked up at once.
const SILENT: usize = 128;

/// The shortest time between two warnings to the operator.
const WARN_EVERY: Duration = Duration::from_mins(1);

/// The limits on connections.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Connections in total.
    pub connections: usize,
    /// Connections from one IP address, or one /64 network of IPv6.
    pub share: usize,
    /// Networks without a limit of their own: this machine and trusted proxies.
    pub exempt: Vec<IpNet>,
}

impl Limits {
    /// The limits of this process. It must have opened its database already. An IP address has a quarter of the
    /// connections unless the operator says otherwise.
    #[must_use]
    pub fn of_process(share: Option<u32>, trusted_proxies: &[IpNet]) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let connections = within(files_allowed(), files_open().unwrap_or(OWN) + OWN + cores * CORE);
        let share = share.map_or((connections / 4).max(1), |share| usize::try_from(share).unwrap_or(usize::MAX));
        let loopback =
            [IpNet::new_assert(IpAddr::from([127, 0, 0, 0]), 8), IpNet::from(IpAddr::from(Ipv6Addr::LOCALHOST))];
        Self { connections, share, exempt: [&loopback, trusted_proxies].concat() }
    }

    /// The IP address under which a client's connections are counted; none if they are not counted.
    fn source(&self, ip: IpAddr) -> Option<IpAddr> {
        if is_trusted(&self.exempt, ip) {
            return None;
        }
        Some(match ip.to_canonical() {
            IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64).into(),
            ip @ IpAddr::V4(_) => ip,
        })
    }
}

/// The number of connections that a process can have if it may open `files` and needs `needed` of them for itself.
fn within(files: Option<u64>, needed: usize) -> usize {
    let files = files.and_then(|files| usize::try_from(files).ok()).unwrap_or(usize::MAX);
    files.saturating_sub(needed + LANE).clamp((files / 8).clamp(1, CONNECTIONS), CONNECTIONS)
}

/// The connections of a server, and the limits on them.
pub struct ConnectionLimit {
    limits: Limits,
    metrics: Option<Arc<Metrics>>,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    last: u64,
    guests: HashMap<u64, Guest>,
    lane: HashMap<u64, Guest>,
    sources: HashMap<IpAddr, usize>,
    /// The guests that were silent longest when this list was made, longest first.
    silent: VecDeque<(u64, Instant)>,
    warned: Option<Instant>,
}

struct Guest {
    source: Option<IpAddr>,
    requests: Arc<Requests>,
    task: Option<AbortHandle>,
}

/// The place of a connection. Dropping it frees the place.
pub struct Place {
    connections: Arc<ConnectionLimit>,
    /// Identifier.
    pub id: u64,
    /// The state of the connection's requests.
    pub requests: Arc<Requests>,
    /// The reason why only health checks are answered here, if so.
    pub refused: Option<&'static str>,
}

impl ConnectionLimit {
    /// Starts without connections.
    #[must_use]
    pub fn new(limits: Limits, metrics: Option<Arc<Metrics>>) -> Arc<Self> {
        Arc::new(Self { limits, metrics, inner: Mutex::default() })
    }

    /// A place for a connection from this IP address; none if even the lane is full of requests.
    pub fn admit(self: &Arc<Self>, ip: IpAddr) -> Option<Place> {
        let source = self.limits.source(ip);
        let mut inner = self.inner();
        let refused = self.refusal(&mut inner, ip, source);
        if refused.is_some() && inner.lane.len() >= LANE && !inner.clear_lane() {
            return None;
        }
        inner.last += 1;
        let (id, requests) = (inner.last, Arc::<Requests>::default());
        let source = source.filter(|_| refused.is_none());
        if let Some(source) = source {
            *inner.sources.entry(source).or_default() += 1;
        }
        let guest = Guest { source, requests: Arc::clone(&requests), task: None };
        if refused.is_some() { &mut inner.lane } else { &mut inner.guests }.insert(id, guest);
        self.count(&inner);
        Some(Place { connections: Arc::clone(self), id, requests, refused })
    }

    /// Sets the task to abort when the connection has to be closed.
    pub fn served_by(&self, id: u64, task: AbortHandle) {
        let mut inner = self.inner();
        let inner = &mut *inner;
        if let Some(guest) = inner.guests.get_mut(&id).or_else(|| inner.lane.get_mut(&id)) {
            guest.task = Some(task);
        }
    }

    /// Closes the connection that was silent longest, because the process has run out of files.
    pub fn make_room(&self, error: &std::io::Error) {
        let mut inner = self.inner();
        inner.warn(&format!(
            "cannot accept a connection: {error}; if few IP addresses have the others, lower \
             `http.connections_per_address`, else let the process open more files"
        ));
        let _found = inner.make_room();
        self.count(&inner);
    }

    /// The reason why a connection is refused, as the metrics name it.
    fn refusal(&self, inner: &mut Inner, ip: IpAddr, source: Option<IpAddr>) -> Option<&'static str> {
        let Limits { connections, share, .. } = self.limits;
        if source.and_then(|source| inner.sources.get(&source)).is_some_and(|count| *count >= share) {
            inner.warn(&format!(
                "{ip} has {share} connections open, and more are refused; raise `http.connections_per_address`, or list \
                 it in `trusted_proxies` if it is a proxy of yours"
            ));
            return Some(self.refused("connections_per_address"));
        }
        if inner.guests.len() < connections {
            return None;
        }
        inner.warn(&format!(
            "all {connections} connections are in use, and the longest silent one is closed for each new one; if few IP \
             addresses have them, lower `http.connections_per_address`, else let the process open more files"
        ));
        (!inner.make_room()).then(|| self.refused("connections"))
    }

    fn refused(&self, limit: &'static str) -> &'static str {
        if let Some(metrics) = &self.metrics {
            metrics.refused(limit);
        }
        limit
    }

    fn leave(&self, id: u64) {
        let mut inner = self.inner();
        inner.remove(id);
        self.count(&inner);
    }

    fn count(&self, inner: &Inner) {
        if let Some(metrics) = &self.metrics {
            metrics.open(inner.guests.len() + inner.lane.len());
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Closes the connection that has been silent longest. Returns whether there was one.
    fn make_room(&mut self) -> bool {
        if self.end_silent() {
            return true;
        }
        let silent = self.guests.iter().filter_map(|(id, guest)| Some((*id, guest.requests.silent_since()?)));
        let mut silent: Vec<_> = silent.collect();
        if silent.len() > SILENT {
            silent.select_nth_unstable_by_key(SILENT, |(_, since)| *since);
            silent.truncate(SILENT);
        }
        silent.sort_unstable_by_key(|(_, since)| *since);
        self.silent = silent.into();
        self.end_silent()
    }

    /// Closes the first connection in the list that is still silent. All others have been silent for less time.
    fn end_silent(&mut self) -> bool {
        while let Some((id, since)) = self.silent.pop_front() {
            let still = self.guests.get(&id).is_some_and(|guest| guest.requests.silent_since() == Some(since));
            if still && self.end(id) {
                return true;
            }
        }
        false
    }

    /// Does the same in the lane.
    fn clear_lane(&mut self) -> bool {
        let silent = self.lane.iter().filter_map(|(id, guest)| Some((guest.requests.silent_since()?, *id)));
        silent.min().is_some_and(|(_, id)| self.end(id))
    }

    fn end(&mut self, id: u64) -> bool {
        let task = self.remove(id).and_then(|guest| guest.task);
        task.inspect(AbortHandle::abort).is_some()
    }

    fn remove(&mut self, id: u64) -> Option<Guest> {
        let guest = self.guests.remove(&id).or_else(|| self.lane.remove(&id))?;
        if let Some(source) = guest.source
            && let Some(count) = self.sources.get_mut(&source)
        {
            *count -= 1;
            if *count == 0 {
                self.sources.remove(&source);
            }
        }
        Some(guest)
    }

    fn warn(&mut self, text: &str) {
        if self.warned.is_none_or(|warned| warned.elapsed() >= WARN_EVERY) {
            self.warned = Some(Instant::now());
            tracing::warn!("{text}");
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.leave(self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connections(connections: usize, share: usize) -> Arc<ConnectionLimit> {
        let exempt = vec!["10.0.0.0/8".parse().unwrap()];
        ConnectionLimit::new(Limits { connections, share, exempt }, None)
    }

    fn admit(connections: &Arc<ConnectionLimit>, ip: &str) -> Place {
        let place = connections.admit(ip.parse().unwrap()).unwrap();
        connections.served_by(place.id, tokio::spawn(std::future::pending::<()>()).abort_handle());
        place
    }

    #[tokio::test]
    async fn an_address_has_its_share_and_gets_it_back() {
        let connections = connections(100, 2);
        for (first, second, other) in [
            ("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"),
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1"),
        ] {
            let (one, two) = (admit(&connections, first), admit(&connections, second));
            assert_eq!((one.refused, two.refused), (None, None));
            for ip in [first, second] {
                assert_eq!(admit(&connections, ip).refused, Some("connections_per_address"));
            }
            assert_eq!(admit(&connections, other).refused, None);
            drop(one);
            assert_eq!(admit(&connections, second).refused, None);
        }
        let many: Vec<Place> = (0..50).map(|_| admit(&connections, "10.1.2.3")).collect();
        assert!(many.iter().all(|place| place.refused.is_none()));
    }

    #[tokio::test]
    async fn when_all_are_in_use_the_longest_silent_one_makes_room() {
        let connections = connections(3, 3);
        let places: Vec<Place> = (1..=3).map(|last| admit(&connections, &format!("192.0.2.{last}"))).collect();
        let _busy = places[0].requests.begin();
        drop(places[2].requests.begin());
        assert_eq!(admit(&connections, "192.0.2.9").refused, None);
        let here = |place: &Place| connections.inner().guests.contains_key(&place.id);
        assert_eq!(places.iter().map(here).collect::<Vec<_>>(), [true, false, true]);
    }

    #[tokio::test]
    async fn with_no_silent_connection_only_the_lane_is_left() {
        let connections = connections(1, 1);
        let busy = admit(&connections, "192.0.2.1");
        let _served = busy.requests.begin();
        let lane: Vec<Place> = (0..LANE).map(|_| admit(&connections, "192.0.2.2")).collect();
        assert!(lane.iter().all(|place| place.refused == Some("connections")));
        assert!(admit(&connections, "192.0.2.2").refused.is_some());
        let _checks: Vec<_> = lane.iter().map(|place| place.requests.begin()).collect();
        let _new = admit(&connections, "192.0.2.2");
        assert_eq!(connections.inner().guests.len(), 1);
    }

    #[test]
    fn the_files_of_a_process_leave_room_for_its_own() {
        assert_eq!(within(None, 100), CONNECTIONS);
        assert_eq!(within(Some(1_000_000), 500), CONNECTIONS);
        assert_eq!(within(Some(1_024), 100), 1_024 - 100 - LANE);
        assert_eq!(within(Some(80), 100), 10);
        assert_eq!(within(Some(4), 100), 1);
    }
}
