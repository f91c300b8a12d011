//! `guildhall doctor`: checks every invariant of a live database, and says how to repair what is wrong.
//!
//! The checks read the tables in steps, each step on one snapshot, so that a running server is not blocked. What is
//! counted or derived from other rows can be recomputed (`mend`); everything else needs a decision by the operator.

pub mod clock;
mod deliveries;
mod history;
mod logins;
mod mend;
mod orgs;
mod posts;
mod projects;
mod providers;
mod repos;
pub mod saved_head;
mod teams;
mod tree;

use std::fmt;

pub use mend::mend;

use crate::db::{Db, Tx};
use crate::error::{Error, Result};

/// An invariant that is violated.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    #[serde(rename = "fix")]
    pub mend: &'static str,
}

impl Finding {
    /// A finding with the advice to the operator.
    pub fn new(what: impl Into<String>, mend: &'static str) -> Self {
        Self { what: what.into(), mend }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}. To fix it: {}", self.what, self.mend)
    }
}

/// The advice for what can be recomputed from other rows.
const MEND: &str = "run `guildhall doctor --mend`";

/// The advice for what people must not repair manually.
const RESTORE: &str = "restore the last backup in which doctor found nothing";

/// The number of rows that are read in one step.
const STEP: i64 = 500;

/// The findings of one step, how many rows it read, the row after which the next step begins, if there is one, and notes
/// that are no findings.
struct Step {
    findings: Vec<Finding>,
    rows: usize,
    next: Option<i64>,
    notes: Vec<String>,
}

impl Step {
    /// A step over rows with these identifiers, in ascending order.
    fn new(findings: Vec<Finding>, ids: impl ExactSizeIterator<Item = i64>) -> Self {
        let rows = ids.len();
        let full = i64::try_from(rows).is_ok_and(|n| n == STEP);
        Self { findings, rows, next: ids.last().filter(|_| full), notes: Vec::new() }
    }
}

/// The result of all checks.
#[derive(Debug, Default)]
pub struct Report {
    /// The violated invariants; empty if the database is intact.
    pub findings: Vec<Finding>,
    /// How many rules were checked.
    pub rules: usize,
    /// How many rows they were checked on.
    pub rows: usize,
    /// Notes for the operator that are not problems.
    pub notes: Vec<String>,
}

impl Report {
    fn add(&mut self, findings: Vec<Finding>, rows: usize) {
        self.findings.extend(findings);
        self.rules += 1;
        self.rows += rows;
    }
}

/// The rules that are checked row by row.
const RULES: [fn(&mut Tx<'_>, i64) -> Result<Step>; 18] = [
    logins::users,
    logins::orgs,
    orgs::orgs,
    orgs::invitations,
    orgs::roles,
    repos::repos,
    orgs::tokens,
    teams::teams,
    teams::members,
    teams::old_slugs,
    teams::roles,
    tree::tree,
    projects::projects,
    providers::synced,
    posts::boards,
    posts::discussions,
    posts::comments,
    repos::former_names,
];

/// Checks every rule.
pub async fn run(db: &Db, audit_key: &[u8; 32]) -> Result<Report> {
    let mut report = Report::default();
    match db.read(history::file).await {
        // A file that cannot be read completely is a finding; the following checks would only fail because of it.
        Err(Error::Unavailable(why)) if db.file().is_some() => {
            report.add(vec![Finding::new(why, RESTORE)], 0);
            return Ok(report);
        }
        found => report.add(found?, 0),
    }
    let (findings, rows) = db.read(history::migrations).await?;
    report.add(findings, rows);
    for rule in RULES {
        walk(db, rule, &mut report).await?;
    }
    report.add(db.read(logins::unowned).await?, 0);
    report.notes.extend(db.read(logins::reserved).await?);
    let (findings, rows) = history::journals(db, *audit_key).await?;
    report.add(findings, rows);
    deliveries::check(db, *audit_key, &mut report).await?;
    Ok(report)
}

async fn walk(db: &Db, rule: fn(&mut Tx<'_>, i64) -> Result<Step>, report: &mut Report) -> Result<()> {
    let (mut findings, mut rows, mut next) = (Vec::new(), 0, Some(0));
    while let Some(after) = next {
        let step = db.read(move |tx| rule(tx, after)).await?;
        findings.extend(step.findings);
        report.notes.extend(step.notes);
        rows += step.rows;
        next = step.next;
    }
    report.add(findings, rows);
    Ok(())
}
