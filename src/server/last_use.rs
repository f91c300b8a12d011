//! Stores when tokens and sessions were last used (decisions 41 and 61). Until then this is in memory, so that a request
//! that reads writes nothing.

use std::sync::Arc;
use std::time::Duration;

use crate::access::used::Used;
use crate::access::{session, token};
use crate::clock::Time;
use crate::db::Tx;
use crate::dispatch::Service;
use crate::error::Result;

/// The interval at which it is stored.
const EVERY: Duration = Duration::from_mins(1);

/// Stores one kind of last uses.
type Touch = fn(&mut Tx<'_>, &[(i64, Time)]) -> Result<()>;

/// Stores it every minute, until the server stops.
pub async fn keep_storing(service: Arc<Service>) {
    loop {
        tokio::time::sleep(EVERY).await;
        store(&service).await;
    }
}

/// Stores what was used since the last time.
pub async fn store(service: &Service) {
    let kinds: [(&Used, Touch); 2] = [(&service.used_tokens, token::touch), (&service.used_sessions, session::touch)];
    for (used, touch) in kinds {
        let used = used.take();
        if used.is_empty() {
            continue;
        }
        if let Err(error) = service.db.write(move |tx| touch(tx, &used)).await {
            tracing::warn!(%error, "cannot save when tokens and sessions were last used");
        }
    }
}
