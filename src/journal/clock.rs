//! Checks the clock against the newest entry of the journal. The service never uses a time before that entry, so that
//! what has expired stays expired. It writes nothing while the clock is far behind it.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::clock::{Clock, Time};
use crate::db::Tx;
use crate::error::{Error, Result};

/// The time that a clock may be behind the newest entry, in seconds.
const BEHIND: i64 = 5 * 60;

/// The greatest difference between the clock and PostgreSQL's, in seconds.
const APART: i64 = 60 * 60;

/// The advice to an operator whose clock is not trusted.
pub const ADVICE: &str = "Set the clock; if it is right now, run `guildhall doctor --reset-clock`";

/// The times that the clock is checked against: those of the journals and of PostgreSQL's clock.
#[derive(Debug, Default)]
pub struct ClockCheck {
    newest: AtomicI64,
    /// The time that PostgreSQL's clock is ahead, in microseconds, beyond what an operator has accepted.
    apart: AtomicI64,
}

impl ClockCheck {
    /// The time of the clock, but not before the newest entry.
    #[must_use]
    pub fn now(&self, clock: &Clock) -> Time {
        clock.now().max(Time(self.newest.load(Ordering::Relaxed)))
    }

    /// Notes that something was written at this time.
    pub fn wrote(&self, at: Time) {
        self.newest.fetch_max(at.0, Ordering::Relaxed);
    }

    /// The reason why the clock is not trusted, if it is not. A manual clock is exempt.
    #[must_use]
    pub fn distrusts(&self, clock: &Clock) -> Option<String> {
        if matches!(clock, Clock::Manual(_)) {
            return None;
        }
        let (now, newest) = (clock.now(), Time(self.newest.load(Ordering::Relaxed)));
        if now.plus_seconds(BEHIND) < newest {
            return Some(format!("the clock says {now}, but the newest entry of the audit is of {newest}"));
        }
        let apart = Time(self.apart.load(Ordering::Relaxed)).seconds();
        (apart.abs() > APART)
            .then(|| format!("the clock says {now}, and that of PostgreSQL {}", now.plus_seconds(apart)))
    }

    /// Refuses to write while the clock is not trusted.
    pub fn check(&self, clock: &Clock) -> Result<()> {
        self.distrusts(clock).map_or(Ok(()), |what| Err(Error::Unavailable(format!("{what}. {ADVICE}"))))
    }

    /// Notes what the store says, because other nodes write to it and an operator may have reset the clock. `known` is
    /// the state before the store was read.
    pub fn note(&self, known: Known, seen: &Seen, clock: &Clock) {
        // A write in the meantime is newer than the read.
        _ = self.newest.compare_exchange(known.0, seen.newest, Ordering::Relaxed, Ordering::Relaxed);
        let apart = seen.server.map_or(0, |server| server - clock.now().0 - seen.accepted);
        self.apart.store(apart, Ordering::Relaxed);
    }

    /// The current state.
    #[must_use]
    pub fn known(&self) -> Known {
        Known(self.newest.load(Ordering::Relaxed))
    }
}

/// The newest entry that was known at one moment.
#[derive(Debug, Clone, Copy)]
pub struct Known(i64);

/// The times in the store.
#[derive(Debug)]
pub struct Seen {
    newest: i64,
    server: Option<i64>,
    accepted: i64,
}

/// Reads it from the store.
pub fn see(tx: &mut Tx) -> Result<Seen> {
    let newest = ends(tx)?.into_iter().map(|(_, at)| at).max().unwrap_or_default();
    Ok(Seen { newest, server: tx.server_time()?, accepted: accepted(tx)? })
}

/// The journals whose last entry is newer than this time, each with the time of that entry. Journal 0 is the site's.
pub fn newer_than(tx: &mut Tx, at: Time) -> Result<Vec<(i64, i64)>> {
    let mut ends = ends(tx)?;
    ends.retain(|(_, end)| *end > at.0);
    Ok(ends)
}

/// Accepts the current difference between this clock and PostgreSQL's.
pub fn accept_difference(tx: &mut Tx, now: Time) -> Result<()> {
    let Some(server) = tx.server_time()? else { return Ok(()) };
    tx.run(ACCEPT, &[&(server - now.0).to_string()]).map(|_| ())
}

const ACCEPT: &str = "
    INSERT INTO site (name, value) VALUES ('clock_difference', $1)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";

fn accepted(tx: &mut Tx) -> Result<i64> {
    let row: Option<(String,)> = tx.maybe("SELECT value FROM site WHERE name = 'clock_difference'", &[])?;
    row.map_or(Ok(0), |(text,)| text.parse().map_err(|_| Error::Bug("site.clock_difference is no number".into())))
}

fn ends(tx: &mut Tx) -> Result<Vec<(i64, i64)>> {
    tx.all(ENDS, &[])
}

/// One row per journal with entries.
const ENDS: &str = "
    SELECT h.org_id, e.at FROM journal_heads h JOIN journal e ON e.org_id = h.org_id AND e.entry = h.entry";
