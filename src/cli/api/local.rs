//! Operations on the store of this machine, as the operator.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::OnceCell;

use super::{Fields, Names, Refused, Reply};
use crate::cli::Failure;
use crate::clock::{self, Clock};
use crate::config::Settings;
use crate::dispatch::{Credentials, InnerCall, Limits, Service};
use crate::error::{Error, Result};
use crate::http::problem::problem;
use crate::journal::cursors;
use crate::links::Links;
use crate::operation::{Method, Page, Path, RequestId};
use crate::operations::operations;
use crate::store::{Missing, Store, site};

/// The IP address of commands.
const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// The store.
pub struct Local {
    service: Arc<Service>,
    links: Arc<Links>,
    process: u64,
    calls: AtomicU64,
    followed: OnceCell<()>,
}

impl Local {
    /// The store of these settings, which must exist.
    pub async fn open(settings: &Settings) -> std::result::Result<Self, Failure> {
        let store = Store::open(settings, Missing::Refuse).await?;
        // Refuses a clock that cannot be right.
        store.now().await?;
        let (site, links) = (site(settings, &store.key)?, settings.links(&settings.local_url()));
        let service = Service::new(store.db, site, operations(), Clock::System, Limits::default());
        let process = u64::from_le_bytes(clock::random()?);
        Ok(Self {
            service: service.into(),
            links: links.into(),
            process,
            calls: AtomicU64::new(0),
            followed: OnceCell::new(),
        })
    }

    pub(super) async fn settle(&self) {
        tokio::time::sleep(self.service.db.seen_after()).await;
    }

    /// A server that was never started follows no journal yet, and would send nothing about what commands change.
    async fn follow(&self) -> Result<()> {
        let follow = || self.service.db.write(cursors::follow_all);
        self.followed.get_or_try_init(follow).await.map(drop)
    }

    pub(super) async fn ask(
        &self,
        operation: &str,
        names: Names<'_>,
        fields: Fields,
        page: Page,
    ) -> std::result::Result<Reply, Refused> {
        if self.service.operations.iter().any(|row| row.name == operation && row.method != Method::Get) {
            self.follow().await.map_err(|error| refused(&error))?;
        }
        let path = names.iter().map(|(name, value)| (Arc::from(*name), (*value).to_owned())).collect();
        let asked = InnerCall {
            operation,
            path: Path(path),
            body: fields,
            page,
            credentials: Credentials::Operator,
            peer: LOCAL,
            links: Arc::clone(&self.links),
            id: RequestId::new(self.process, self.calls.fetch_add(1, Ordering::Relaxed)),
            is_counted: true,
            condition: None,
        };
        let replied = self.service.call(asked).await.map_err(|error| refused(&error))?;
        let has_more = replied.total.is_some_and(|total| total > page.number.saturating_mul(page.per_page));
        Ok(Reply { record: replied.record().map_err(|error| refused(&error))?, has_more })
    }
}

/// The refusal that a response to this error would be.
fn refused(error: &Error) -> Refused {
    if matches!(error, Error::Unavailable(_) | Error::Bug(_)) {
        return Refused::unknown(error.to_string());
    }
    let response = problem(error, "", "");
    Refused::of(response.status, &serde_json::from_slice(&response.body).unwrap_or_default())
}
