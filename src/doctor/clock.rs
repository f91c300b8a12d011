//! Checks the clock of this machine against the newest entry of the journals; and `--reset-clock`, which trusts the
//! clock again.

use serde_json::json;

use super::{Finding, Report};
use crate::clock::{Clock, Time};
use crate::error::Result;
use crate::journal::clock::ClockCheck;
use crate::journal::{self, Change};
use crate::store::Store;

/// Checks this clock against what the store was seen to say.
pub fn check(clock: &Clock, seen: &ClockCheck, report: &mut Report) {
    let way = "set the clock; if it is right now, run `guildhall doctor --reset-clock`";
    let finding = seen.distrusts(clock).map(|what| Finding::new(what, way));
    report.add("The clock", finding.into_iter().collect(), 0);
}

/// Declares that the clock is right: each journal whose last entry is in the future gets an entry of the current time.
/// Returns how many there were.
pub async fn reset(store: &Store) -> Result<usize> {
    let now = Clock::System.now();
    let reset = store.write_at(now, move |cx| {
        let newer = journal::clock::newer_than(cx.tx, now)?;
        journal::widen(cx.tx, newer.iter().map(|(org, _)| *org))?;
        journal::clock::accept_difference(cx.tx, now)?;
        if !newer.is_empty() {
            journal::log::note_reset(cx.tx)?;
        }
        for (org, at) in &newer {
            let (before, after) = (json!({ "clock": Time(*at) }), json!({ "clock": now }));
            cx.record(*org, Change::new("clock.reset", &before, &after))?;
        }
        Ok(newer.len())
    });
    reset.await
}
