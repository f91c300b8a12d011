//! Retention while a server runs (decision 47): old entries and deliveries are deleted in steps, so that no write waits
//! for long.

use std::sync::Arc;
use std::time::Duration;

use crate::config::Retention;
use crate::deliver::trim as deliveries;
use crate::dispatch::Service;
use crate::error::Result;
use crate::hooks;
use crate::journal::retention::{self, Cutoff};
use crate::oauth;
use crate::plans;
use crate::signin;

/// The times at which a server deletes old entries.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    /// The delay before the first run.
    pub first: Duration,
    /// The interval between runs.
    pub every: Duration,
}

/// A machine may start with a wrong clock. After ten minutes it has been set; before that, a clock that is far ahead
/// would make everything look old.
pub const SCHEDULE: Schedule = Schedule { first: Duration::from_mins(10), every: Duration::from_hours(1) };

/// Deletes old entries, facts and deliveries, until the server stops.
pub async fn trim(service: Arc<Service>, keep: Retention, Schedule { first, every }: Schedule) {
    tokio::time::sleep(first).await;
    loop {
        if let Err(error) = trim_all(&service, keep).await {
            tracing::warn!(%error, "cannot delete old entries of the journals, or old deliveries");
        }
        tokio::time::sleep(every).await;
    }
}

/// Deletes what is too old now.
pub async fn trim_all(service: &Service, keep: Retention) -> Result<()> {
    let (key, mut after) = (service.site.audit_key, -1);
    let cutoff = Cutoff::of_days(service.now(), keep.audit_days, keep.facts_days);
    while let Some(org) = service.db.read(move |tx| retention::next(tx, after)).await? {
        after = org;
        while service.db.read(move |tx| retention::is_due(tx, org, cutoff)).await? {
            service.db.write(move |tx| retention::trim(tx, &key, org, cutoff)).await?;
        }
    }
    let cutoff = deliveries::Cutoff::of_days(service.now(), keep.deliveries_days, keep.dead_letters_days);
    deliveries::trim(&service.db, cutoff).await?;
    service.db.write(move |tx| hooks::purge(tx, cutoff.delivered)).await?;
    let now = service.now();
    service
        .db
        .write(move |tx| signin::trim(tx, now).and_then(|()| oauth::trim(tx, now)).and_then(|()| plans::trim(tx, now)))
        .await
}
