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

use crate::db::{Db, FromRow, Tx};
use crate::error::{Error, Result};

/// An invariant that is violated.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// The problem.
    pub what: String,
    /// The advice on repairing it.
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

/// One step of a rule: the rows that it reads, and what it finds.
#[derive(Default)]
struct Step {
    /// The rows of the step have identifiers above this one.
    after: i64,
    /// The identifier of its last row.
    upto: i64,
    /// The row after which the next step begins, if there may be more.
    next: Option<i64>,
    /// The number of its rows.
    rows: usize,
    findings: Vec<Finding>,
    /// Notes for the operator that are not problems.
    notes: Vec<String>,
}

impl Step {
    /// Reads the rows of the step, each with its identifier.
    fn rows<R: FromRow>(&mut self, tx: &mut Tx<'_>, sql: &'static str) -> Result<Vec<(i64, R)>> {
        let rows: Vec<(i64, R)> = tx.all(sql, &[&self.after, &STEP])?;
        (self.rows, self.upto) = (rows.len(), rows.last().map_or(self.after, |(id, _)| *id));
        self.next = i64::try_from(self.rows).is_ok_and(|rows| rows == STEP).then_some(self.upto);
        Ok(rows)
    }

    /// Reads only the identifiers of the rows.
    fn ids(&mut self, tx: &mut Tx<'_>, sql: &'static str) -> Result<()> {
        self.rows::<()>(tx, sql).map(drop)
    }

    /// Adds a finding for each row that a statement finds wrong between `after` and `upto`.
    fn each<R: FromRow>(
        &mut self,
        tx: &mut Tx<'_>,
        sql: &'static str,
        mend: &'static str,
        what: impl Fn(R) -> String,
    ) -> Result<()> {
        let wrong: Vec<R> = tx.all(sql, &[&self.after, &self.upto])?;
        self.findings.extend(wrong.into_iter().map(|row| Finding::new(what(row), mend)));
        Ok(())
    }

    fn found(&mut self, what: impl Into<String>, mend: &'static str) {
        self.findings.push(Finding::new(what, mend));
    }
}

/// The result of all checks.
#[derive(Debug, Default)]
pub struct Report {
    /// The violated invariants; empty if the database is intact.
    pub findings: Vec<Finding>,
    /// The number of rules that were checked.
    pub rules: usize,
    /// The number of rows that they were checked on.
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

/// A rule, which is checked step by step.
type Rule = fn(&mut Tx<'_>, &mut Step) -> Result<()>;

/// The rules that need nothing but the rows.
const RULES: [Rule; 20] = [
    history::migrations,
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
    logins::unowned,
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
    for rule in RULES {
        walk(db, rule, &mut report).await?;
    }
    report.notes.extend(db.read(logins::reserved).await?);
    let (findings, rows) = history::journals(db, *audit_key).await?;
    report.add(findings, rows);
    deliveries::check(db, *audit_key, &mut report).await?;
    Ok(report)
}

async fn walk<R>(db: &Db, rule: R, report: &mut Report) -> Result<()>
where
    R: Fn(&mut Tx<'_>, &mut Step) -> Result<()> + Copy + Send + 'static,
{
    let (mut findings, mut rows, mut next) = (Vec::new(), 0, Some(0));
    while let Some(after) = next {
        let read = db.read(move |tx| {
            let mut step = Step { after, ..Step::default() };
            rule(tx, &mut step).map(|()| step)
        });
        let step = read.await?;
        next = step.next;
        findings.extend(step.findings);
        report.notes.extend(step.notes);
        rows += step.rows;
    }
    report.add(findings, rows);
    Ok(())
}
