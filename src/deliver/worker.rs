//! The worker of a server. It runs step after step: immediately after a commit of this process, otherwise once a
//! second, and never more than ten times a second. A step expands journals and stores the results of attempts, both in
//! one commit, and begins the runs that are due.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};

use super::Target;
use super::expand::{self, Found, Look};
use super::lease::{self, Node};
use super::marks::{self, Outcome};
use super::measured;
pub use super::parts::Parts;
use super::queue::{self, Due};
use super::run::{Report, Run, Throttle};
use super::runs::Runs;
use crate::clock::{Minutely, Time};
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::journal::cursors::Place;
use crate::members::ends;

/// The shortest time between the beginnings of two steps.
const STEP: Duration = Duration::from_millis(100);

/// The same after a step that found nothing to do.
const IDLE: Duration = Duration::from_millis(20);

/// The largest number of events that a step expands: normally, and while requests wait for the store.
const EVENTS: (i64, i64) = (500, 20);

/// The time after which a cursor is stored although no receiver wants the entries that it has passed.
const LAZILY: Duration = Duration::from_mins(1);

/// The interval at which the gauges are set.
const MEASURE: Duration = Duration::from_secs(5);

/// The time that attempts in progress may take when the server stops.
const STOPPING: Duration = Duration::from_secs(11);

/// A worker's state.
struct Worker {
    parts: Arc<Parts>,
    throttle: Arc<Throttle>,
    stop: watch::Receiver<bool>,
    reports: (mpsc::UnboundedSender<Report>, mpsc::UnboundedReceiver<Report>),
    /// Reports that are not stored yet.
    reported: Reported,
    /// For each journal that was read beyond its stored cursor: the position, and the time of the first such read.
    places: HashMap<i64, (Place, Instant)>,
    /// The times at which the leases of this node end.
    leases: BTreeMap<Target, Instant>,
    /// The receivers whose leases must be claimed.
    claims: BTreeSet<Target>,
    /// The runs in progress.
    runs: Runs,
    measured_at: Option<Instant>,
}

/// The reports of runs.
#[derive(Default)]
struct Reported {
    outcomes: Vec<Arc<Outcome>>,
    gone: BTreeSet<Target>,
}

/// A receiver with due deliveries.
struct Waiting {
    target: Target,
    /// True if its lease is to be claimed.
    claim: bool,
    rows: Vec<Due>,
}

/// The result of a step.
struct Stepped {
    /// True if the step did anything.
    worked: bool,
    /// True if the next step must begin at once.
    more: bool,
    /// True if any journal is followed. If not, commits are ignored.
    followed: bool,
}

/// Delivers until it is stopped.
pub async fn run(parts: Parts, stop: watch::Receiver<bool>) {
    static FAILED: Minutely = Minutely::new();
    let mut worker = Worker::new(parts, stop);
    let (mut due, mut next) = (true, Instant::now());
    while !*worker.stop.borrow() {
        if due && Instant::now() >= next {
            worker.parts.steps.begin();
            let stepped = worker.step().await.unwrap_or_else(|error| {
                match error {
                    // The store itself logs this, once a minute.
                    Error::Unavailable(_) => tracing::debug!(%error, "deliveries wait for the store"),
                    _ if FAILED.is_due() => tracing::warn!(%error, "deliveries cannot go on; trying again"),
                    _ => {}
                }
                Stepped { worked: true, more: false, followed: true }
            });
            worker.parts.steps.end(!stepped.more);
            due = stepped.more;
            let pause = match stepped {
                Stepped { worked: true, .. } => STEP,
                Stepped { followed: true, .. } => IDLE,
                Stepped { .. } => worker.parts.poll,
            };
            next = Instant::now() + pause.min(worker.parts.pause);
        }
        let wake = if due { next } else { Instant::now() + worker.parts.poll };
        let parts = Arc::clone(&worker.parts);
        tokio::select! {
            () = parts.changed.notified(), if !due => due = true,
            Some(report) = worker.reports.1.recv() => {
                worker.take(report);
                worker.begin();
                due = true;
            }
            () = tokio::time::sleep_until(wake.into()) => due = true,
            _ = worker.stop.changed() => {},
        }
    }
    worker.finish().await;
}

impl Worker {
    fn new(parts: Parts, stop: watch::Receiver<bool>) -> Self {
        Self {
            throttle: Arc::new(Throttle::of(&parts.db)),
            parts: Arc::new(parts),
            stop,
            reports: mpsc::unbounded_channel(),
            reported: Reported::default(),
            places: HashMap::new(),
            leases: BTreeMap::new(),
            claims: BTreeSet::new(),
            runs: Runs::default(),
            measured_at: None,
        }
    }

    async fn step(&mut self) -> Result<Stepped> {
        let now = (self.parts.now)()?;
        let (look, due) = self.look(now).await?;
        let more = look.found.iter().any(|found| found.more);
        let Look { found, behind, entries_behind, followed } = look;
        let wrote = self.write(found, now).await?;
        let due = if wrote { self.due(now).await? } else { due };
        let begun = self.begin_due(due);
        self.measure(behind, entries_behind, now).await?;
        Ok(Stepped { worked: wrote || begun || more, more: more || !self.claims.is_empty(), followed })
    }

    /// Reads the journals and the due deliveries in one snapshot. Memberships that are due end before it (decision 64).
    async fn look(&self, now: Time) -> Result<(Look, Vec<Waiting>)> {
        let places: HashMap<i64, Place> = self.places.iter().map(|(org, (place, _))| (*org, *place)).collect();
        let events = if self.throttle.is_busy() { EVENTS.1 } else { EVENTS.0 };
        loop {
            let (channels, places, mut due) = (self.parts.channels.clone(), places.clone(), self.reads_due(now));
            let look = move |tx: &mut Tx<'_>| {
                if ends::is_due(tx, now)? {
                    return Ok(None);
                }
                Ok(Some((expand::look(tx, &channels, &places, events, now)?, due(tx)?)))
            };
            if let Some(look) = self.parts.db.read_on_pool(look).await? {
                return Ok(look);
            }
            let key = self.parts.key;
            while self.parts.db.write(move |tx| ends::end(tx, &key, now)).await? {}
        }
    }

    /// The due deliveries.
    async fn due(&self, now: Time) -> Result<Vec<Waiting>> {
        self.parts.db.read_on_pool(self.reads_due(now)).await
    }

    fn reads_due(&self, now: Time) -> impl FnMut(&mut Tx<'_>) -> Result<Vec<Waiting>> + Send + 'static {
        let (node, leased) = (self.parts.node.clone(), self.leased(lease::RENEW));
        move |tx| {
            let targets = queue::targets(tx, now)?;
            let time = if targets.iter().all(|target| leased.contains(target)) { now } else { lease::time(tx, now)? };
            let mut due = Vec::with_capacity(targets.len());
            for target in targets {
                let claim = !leased.contains(&target) && lease::is_free(tx, target, &node, time)?;
                due.push(Waiting { target, claim, rows: queue::due(tx, target, now)? });
            }
            Ok(due)
        }
    }

    /// Stores everything in one commit. Returns whether there was anything to store.
    async fn write(&mut self, found: Vec<Found>, now: Time) -> Result<bool> {
        while let Ok(report) = self.reports.1.try_recv() {
            self.take(report);
        }
        let begun = Instant::now();
        let found = self.wanted(found, begun);
        let reported = &self.reported;
        let mut targets: BTreeSet<Target> = found.iter().flat_map(Found::targets).collect();
        targets.extend(reported.outcomes.iter().map(|outcome| outcome.lane.target));
        targets.extend(reported.gone.iter().chain(&self.claims));
        let wrote = !found.is_empty() || !targets.is_empty();
        if wrote {
            let (outcomes, gone) = (reported.outcomes.clone(), reported.gone.clone());
            let orgs: Vec<i64> = found.iter().map(|found| found.org).collect();
            let claimed = targets.clone();
            let batch = Batch { parts: Arc::clone(&self.parts), found, targets, outcomes, gone, now };
            let held = self.parts.db.write(move |tx| batch.write(tx)).await?;
            // A lease that another node has taken is lost, whatever this node knew about it.
            self.leases.retain(|target, _| !claimed.contains(target));
            self.note_written(&orgs, held, begun);
        }
        self.runs.free();
        Ok(wrote)
    }

    /// The results that must be stored now. A cursor that has only passed unwanted entries is stored later.
    fn wanted(&mut self, found: Vec<Found>, now: Instant) -> Vec<Found> {
        let mut wanted = Vec::new();
        for found in found {
            let since = self.places.get(&found.org).map_or(now, |(_, since)| *since);
            if found.is_empty() && since.elapsed() < LAZILY {
                self.places.insert(found.org, (found.to, since));
            } else {
                wanted.push(found);
            }
        }
        wanted
    }

    fn note_written(&mut self, orgs: &[i64], held: BTreeSet<Target>, begun: Instant) {
        self.places.retain(|org, _| !orgs.contains(org));
        self.leases.retain(|_, until| *until > begun);
        self.leases.extend(held.into_iter().map(|target| (target, begun + lease::LENGTH)));
        self.claims.clear();
        self.reported.gone.clear();
        for outcome in self.reported.outcomes.drain(..) {
            self.parts.measured.count(&outcome, &self.parts.retry);
        }
    }

    fn take(&mut self, report: Report) {
        match report {
            Report::Made(outcome) => {
                self.runs.note(&outcome);
                self.reported.outcomes.push(outcome);
            }
            Report::Gone(target) => drop(self.reported.gone.insert(target)),
            Report::Ended(lane) => self.runs.end(lane),
        }
    }

    /// Begins as many runs of due deliveries as there is capacity for. Returns whether any was begun.
    fn begin_due(&mut self, due: Vec<Waiting>) -> bool {
        let held = self.leased(lease::LEAST);
        for Waiting { target, claim, rows } in due {
            if claim {
                self.claims.insert(target);
            }
            if let Some(until) = self.leases.get(&target).filter(|_| held.contains(&target)) {
                self.runs.offer(target, *until, rows);
            }
        }
        self.begin()
    }

    /// Begins as many runs as there is capacity for. Returns whether any was begun.
    fn begin(&mut self) -> bool {
        let before = self.runs.count();
        while let Some((lane, first, leased)) = self.runs.next() {
            let (parts, throttle) = (Arc::clone(&self.parts), Arc::clone(&self.throttle));
            let (stop, reports) = (self.stop.clone(), self.reports.0.clone());
            drop(tokio::spawn(Run { parts, throttle, lane, first, leased, stop, reports }.run()));
        }
        self.runs.count() > before
    }

    /// The receivers whose leases last at least this long.
    fn leased(&self, least: Duration) -> BTreeSet<Target> {
        let end = Instant::now() + least;
        self.leases.iter().filter(|(_, until)| **until > end).map(|(target, _)| *target).collect()
    }

    async fn measure(&mut self, behind: Vec<(i64, i64)>, entries_behind: i64, now: Time) -> Result<()> {
        if self.measured_at.is_some_and(|at| at.elapsed() < MEASURE) {
            return Ok(());
        }
        self.measured_at = Some(Instant::now());
        let gauges = self.parts.db.read(move |tx| measured::look(tx, &behind)).await?;
        self.parts.measured.show(&gauges, entries_behind, now);
        Ok(())
    }

    /// Waits for the attempts in progress, stores their results, and releases the leases.
    async fn finish(&mut self) {
        let deadline = tokio::time::Instant::now() + STOPPING;
        while self.runs.count() > 0 {
            match tokio::time::timeout_at(deadline, self.reports.1.recv()).await {
                Ok(Some(report)) => self.take(report),
                _ => break,
            }
        }
        let written = match (self.parts.now)() {
            Ok(now) => self.write(Vec::new(), now).await.map(drop),
            Err(error) => Err(error),
        };
        let (targets, node): (Vec<Target>, Node) = (self.leases.keys().copied().collect(), self.parts.node.clone());
        let given_up = if targets.is_empty() {
            Ok(())
        } else {
            self.parts.db.write(move |tx| lease::give_up(tx, &targets, &node)).await
        };
        if let Err(error) = written.and(given_up) {
            tracing::warn!(%error, "some deliveries will be sent a second time");
        }
    }
}

/// The content of one commit.
struct Batch {
    parts: Arc<Parts>,
    found: Vec<Found>,
    /// The receivers that it affects.
    targets: BTreeSet<Target>,
    outcomes: Vec<Arc<Outcome>>,
    gone: BTreeSet<Target>,
    now: Time,
}

impl Batch {
    /// Stores the batch. Returns the receivers whose leases the node holds now.
    fn write(&self, tx: &mut Tx<'_>) -> Result<BTreeSet<Target>> {
        let Parts { node, retry, key, .. } = self.parts.as_ref();
        tx.is_bookkeeping();
        let time = lease::time(tx, self.now)?;
        let mut held = BTreeSet::new();
        for target in &self.targets {
            if lease::claim(tx, *target, node, time)? {
                held.insert(*target);
            }
        }
        marks::write(tx, &self.outcomes, retry, self.now)?;
        for target in &self.gone {
            queue::forget(tx, *target)?;
        }
        for found in &self.found {
            found.store(tx, key, self.now, self.now.plus_seconds(retry.seconds))?;
        }
        Ok(held)
    }
}
