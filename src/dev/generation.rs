//! A generation: everything behind the socket of `guildhall dev`, from one reset to the next. Each reset builds a new
//! one. Clearing the old one could miss something.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::faults::Faults;
use super::requests::Requests;
use super::root::Root;
use crate::clock::{self, Clock, ManualClock, Time};
use crate::config::{Retention, Settings};
use crate::deliver::measured::Measured;
use crate::deliver::steps::Steps;
use crate::deliver::worker::{self, Parts};
use crate::dispatch::Service;
use crate::error::{Error, Result};
use crate::http::edge::Edge;
use crate::server::{self, delivering, retention};
use crate::store::{Missing, Store};

/// The interval at which work that has become due is done.
const LOOK: Duration = Duration::from_mins(1);

/// The time that a write waits until its deliveries are queued.
const SETTLE: Duration = Duration::from_secs(2);

/// The pause between two steps of the worker, for which writes wait.
const PAUSE: Duration = Duration::from_millis(1);

/// The time that a generation that ends waits for its threads.
const END: Duration = Duration::from_secs(1);

/// The state that each generation starts from.
pub struct Plan {
    /// The folder with the planted seed.
    pub root: Arc<Root>,
    /// The settings, apart from where the data is.
    pub settings: Settings,
    /// The time at which the clock starts.
    pub start: Time,
    /// True if the clock starts frozen.
    pub frozen: bool,
    /// The URL of the server.
    pub url: String,
}

/// A generation.
pub struct Generation {
    /// Answers requests.
    pub edge: Arc<Edge>,
    /// The clock.
    pub clock: Arc<ManualClock>,
    /// The faults that were set.
    pub faults: Faults,
    /// The requests since the reset.
    pub requests: Requests,
    /// The maildir.
    pub mail: PathBuf,
    /// The settings.
    pub settings: Settings,
    background: Background,
    /// Keeps the folder until the database is closed.
    root: Arc<Root>,
}

/// The background work. Dropping it ends its threads and all deliveries in progress.
struct Background {
    runtime: Option<Runtime>,
    steps: Steps,
    /// The worker ends if this is dropped.
    _stop: watch::Sender<bool>,
}

impl Generation {
    /// Starts a generation with a copy of the seed.
    pub async fn begin(plan: &Plan) -> Result<Self> {
        clock::repeat_randomness();
        let settings = plan.root.copy(&plan.settings)?;
        let store = Store::open(&settings, Missing::Refuse).await?;
        let clock = Arc::new(ManualClock::new(plan.start, plan.frozen));
        let edge = server::edge(store, &settings, None, Clock::Manual(Arc::clone(&clock)))?;
        edge.service.check_clock().await?;
        let background = Background::begin(&edge.service, &settings, &plan.url)?;
        let mail = settings.data_dir.join("mail");
        let (faults, requests) = <(Faults, Requests)>::default();
        let root = Arc::clone(&plan.root);
        Ok(Self { edge, clock, faults, requests, mail, settings, background, root })
    }

    /// Does what became due when the clock changed. Deliveries that are due begin soon after.
    pub async fn catch_up(&self) {
        run_due(&self.edge.service, self.settings.retention).await;
        self.settle().await;
    }

    /// Waits until the worker has written inboxes and queued deliveries for what was written. Otherwise, the next
    /// response would depend on timing.
    pub async fn settle(&self) {
        self.edge.service.changed.notify_one();
        if tokio::time::timeout(SETTLE, self.background.steps.settle()).await.is_err() {
            tracing::warn!("deliveries were not queued within {} seconds", SETTLE.as_secs());
        }
    }

    /// Ends it. No delivery is sent after that. The handle waits until its database is closed.
    pub async fn end(mut self) -> JoinHandle<()> {
        let runtime = self.background.runtime.take();
        // A runtime that is dropped would block this thread.
        let stopped = tokio::task::spawn_blocking(move || runtime.map(|runtime| runtime.shutdown_timeout(END))).await;
        if stopped.is_err() {
            tracing::error!("deliveries could not be stopped");
        }
        tokio::task::spawn_blocking(move || {
            let folder = self.settings.data_dir.clone();
            // A thread that is still at work may hold the database open, and would miss its file.
            self.edge.service.db.retire();
            let root = Arc::clone(&self.root);
            drop(self);
            // If this fails, the end of the process removes it with the whole folder.
            _ = std::fs::remove_dir_all(folder);
            drop(root);
        })
    }
}

impl Background {
    fn begin(service: &Arc<Service>, settings: &Settings, url: &str) -> Result<Self> {
        let parts = Parts { pause: PAUSE, ..delivering::parts(service, settings, url, Measured::default())? };
        let steps = parts.steps.clone();
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| Error::Unavailable(format!("cannot start a thread: {error}")))?;
        let (stop, stopped) = watch::channel(false);
        drop(runtime.spawn(worker::run(parts, stopped)));
        let (service, retention) = (Arc::clone(service), settings.retention);
        drop(runtime.spawn(async move {
            loop {
                tokio::time::sleep(LOOK).await;
                run_due(&service, retention).await;
            }
        }));
        Ok(Self { runtime: Some(runtime), steps, _stop: stop })
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn run_due(service: &Service, keep: Retention) {
    delivering::remind(service).await;
    delivering::switch_off_failing(service).await;
    if let Err(error) = retention::trim_all(service, keep).await {
        tracing::warn!(%error, "cannot delete what is too old");
    }
    service.changed.notify_one();
}
