//! `guildhall doctor`: checks every invariant of a live database, and says how to mend what is wrong.
//!
//! The checks walk the tables in steps, each step one snapshot, so that a running server is not held up. What is
//! counted or derived from other rows can be made anew (`mend`); everything else needs a decision by people.

pub mod command;
mod history;
mod logins;
mod mend;
mod orgs;
mod posts;
mod projects;
mod providers;
mod repos;
mod teams;
mod tree;

use std::fmt;

pub use mend::mend;

use crate::db::{Db, Tx};
use crate::error::{Error, Result};

/// Something that is not as it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub mend: &'static str,
}

impl Finding {
    fn new(what: impl Into<String>, mend: &'static str) -> Self {
        Self { what: what.into(), mend }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}. To mend it: {}", self.what, self.mend)
    }
}

/// For what can be made anew from other rows.
const MEND: &str = "run `guildhall doctor --mend`";

/// For what people must not repair by hand.
const RESTORE: &str = "restore the last backup for which doctor found nothing";

/// How many rows of a table are looked at in one step.
const STEP: i64 = 500;

/// What one step found, and after which row the next one begins, if there is more.
struct Step {
    findings: Vec<Finding>,
    next: Option<i64>,
}

impl Step {
    /// A step over rows with these identifiers, in ascending order.
    fn new(findings: Vec<Finding>, ids: impl ExactSizeIterator<Item = i64>) -> Self {
        let full = i64::try_from(ids.len()).is_ok_and(|n| n == STEP);
        Self { findings, next: ids.last().filter(|_| full) }
    }
}

/// Checks everything; nothing is found in a database that is as it must be.
pub async fn run(db: &Db, audit_key: &[u8; 32]) -> Result<Vec<Finding>> {
    let mut findings = match db.read(history::store).await {
        // A file that cannot be read through is a finding; the checks that follow would only stumble over it.
        Err(Error::Unavailable(why)) if db.file().is_some() => return Ok(vec![Finding::new(why, RESTORE)]),
        found => found?,
    };
    for check in [logins::users, logins::orgs, orgs::orgs, orgs::invitations, repos::repos, orgs::tokens] {
        findings.extend(walk(db, check).await?);
    }
    for check in [teams::teams, teams::members, teams::old_slugs, tree::tree, projects::projects, providers::synced] {
        findings.extend(walk(db, check).await?);
    }
    for check in [posts::boards, posts::discussions, posts::comments] {
        findings.extend(walk(db, check).await?);
    }
    findings.extend(walk(db, repos::former_names).await?);
    findings.extend(db.read(logins::nobodys).await?);
    findings.extend(history::audit(db, *audit_key).await?);
    Ok(findings)
}

async fn walk(db: &Db, check: fn(&mut Tx<'_>, i64) -> Result<Step>) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut next = Some(0);
    while let Some(after) = next {
        let step = db.read(move |tx| check(tx, after)).await?;
        findings.extend(step.findings);
        next = step.next;
    }
    Ok(findings)
}
