//! What a server trims of the journals while it runs: a step at a time, so that no write waits for long.

use std::sync::Arc;
use std::time::Duration;

use crate::config::Retention;
use crate::dispatch::Service;
use crate::error::Result;
use crate::journal::retention::{self, Cutoff};

/// How often it is looked for what is too old.
const EVERY: Duration = Duration::from_hours(1);

/// Trims what is too old, again and again.
pub async fn trim(service: Arc<Service>, keep: Retention) {
    loop {
        tokio::time::sleep(EVERY).await;
        if let Err(error) = trim_all(&service, keep).await {
            tracing::warn!(%error, "cannot delete old entries of the journals");
        }
    }
}

async fn trim_all(service: &Service, keep: Retention) -> Result<()> {
    let (key, mut after) = (service.site.audit_key, -1);
    let cutoff = Cutoff::of_days(service.now(), keep.audit_days, keep.facts_days);
    while let Some(org) = service.db.read(move |tx| retention::next(tx, after)).await? {
        after = org;
        while service.db.read(move |tx| retention::is_due(tx, org, cutoff)).await? {
            service.db.write(move |tx| retention::trim(tx, &key, org, cutoff)).await?;
        }
    }
    Ok(())
}
