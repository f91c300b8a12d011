//! The checks of doctor in a running server: one run at a time, within bounds.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::clock::Time;
use crate::dispatch::Service;
use crate::doctor::{self, Bounds, Report, clock, files};
use crate::error::Result;

/// The longest run. The report of one that takes longer has what was found by then.
const LONGEST: Duration = Duration::from_secs(20);

/// The checks, and what they found last.
pub struct Checks {
    data_dir: PathBuf,
    bounds: Bounds,
    turn: tokio::sync::Mutex<()>,
    last: Mutex<Option<Arc<Checked>>>,
}

/// The result of a run.
pub struct Checked {
    /// The time of the run.
    pub at: Time,
    /// The checks and their findings.
    pub report: Report,
}

impl Checked {
    /// True if everything was checked.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.report.checks.iter().all(|check| check.is_whole)
    }
}

impl Checks {
    /// Checks of the store, the clock and the secret files in this data directory.
    #[must_use]
    pub fn new(data_dir: PathBuf, bounds: Bounds) -> Self {
        Self { data_dir, bounds, turn: tokio::sync::Mutex::default(), last: Mutex::default() }
    }

    /// The result of the last run of this server, if there was one.
    #[must_use]
    pub fn last(&self) -> Option<Arc<Checked>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Runs the checks, and returns false if they were running already.
    pub async fn run(&self, service: &Service) -> Result<bool> {
        let Ok(_turn) = self.turn.try_lock() else { return Ok(false) };
        service.check_clock().await?;
        let mut report = Report::within(self.bounds);
        clock::check(&service.clock, &service.clock_check, &mut report);
        files::check(&self.data_dir, &mut report);
        let run = doctor::run_within(&service.db, &service.site.audit_key, &mut report);
        if let Ok(run) = tokio::time::timeout(LONGEST, run).await {
            run?;
        } else {
            report.notes.push(format!("Not everything was checked within {} seconds", LONGEST.as_secs()));
        }
        let checked = Arc::new(Checked { at: service.now(), report });
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(checked);
        Ok(true)
    }
}
