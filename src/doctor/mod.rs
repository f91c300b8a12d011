//! `guildhall doctor`: checks every invariant of a live database, and says how to repair what is wrong.
//!
//! The checks read the tables in steps, each step on one snapshot, so that a running server is not blocked. What is
//! counted or derived from other rows can be recomputed (`mend`); everything else needs a decision by the operator.

pub mod clock;
mod deliveries;
pub mod files;
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

/// A check: a rule for all rows of a kind.
#[derive(Debug)]
pub struct Check {
    /// The rows or files that it is about, in words.
    pub name: &'static str,
    /// The number of rows that it was checked on.
    pub rows: usize,
    /// The number of findings.
    pub findings: usize,
    /// True if it was checked on all rows.
    pub is_whole: bool,
}

/// The most that a run reads and reports.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Rows.
    pub rows: usize,
    /// Findings.
    pub findings: usize,
    /// Bytes of the file of SQLite. A larger one is not read.
    pub file: u64,
}

impl Bounds {
    /// No bounds.
    pub const NONE: Self = Self { rows: usize::MAX, findings: usize::MAX, file: u64::MAX };
}

/// The result of checks.
#[derive(Debug)]
pub struct Report {
    /// The violated invariants; empty if the database is intact. Those of a check are together, in the order of the checks.
    pub findings: Vec<Finding>,
    /// The checks, in order.
    pub checks: Vec<Check>,
    /// The number of rows that were read.
    pub rows: usize,
    /// Notes for the operator that are not problems.
    pub notes: Vec<String>,
    bounds: Bounds,
    /// True if a check found more than is listed.
    is_cut: bool,
}

impl Report {
    /// A report of nothing yet.
    #[must_use]
    pub fn within(bounds: Bounds) -> Self {
        Self { findings: Vec::new(), checks: Vec::new(), rows: 0, notes: Vec::new(), bounds, is_cut: false }
    }

    /// True if as much was read or found as may be.
    fn is_full(&self) -> bool {
        self.rows >= self.bounds.rows || self.findings.len() >= self.bounds.findings
    }

    /// Adds what a check found on all of its rows.
    pub fn add(&mut self, name: &'static str, findings: Vec<Finding>, rows: usize) {
        self.begin(name);
        self.extend(findings, rows);
        self.end();
    }

    fn begin(&mut self, name: &'static str) {
        self.checks.push(Check { name, rows: 0, findings: 0, is_whole: false });
    }

    /// Adds what the check that has begun found on some of its rows.
    fn extend(&mut self, findings: Vec<Finding>, rows: usize) {
        let found = findings.len();
        let room = self.bounds.findings.saturating_sub(self.findings.len());
        self.is_cut |= found > room;
        self.findings.extend(findings.into_iter().take(room));
        self.rows += rows;
        if let Some(check) = self.checks.last_mut() {
            check.rows += rows;
            check.findings += found;
        }
    }

    fn end(&mut self) {
        if let Some(check) = self.checks.last_mut() {
            check.is_whole = !self.is_cut;
        }
    }
}

/// A rule, which is checked step by step.
type Rule = fn(&mut Tx<'_>, &mut Step) -> Result<()>;

/// The rules that need nothing but the rows, each with the name of its check.
const RULES: [(&str, Rule); 20] = [
    ("Migrations", history::migrations),
    ("People", logins::users),
    ("Logins of organizations", logins::orgs),
    ("Organizations and their members", orgs::orgs),
    ("Invitations", orgs::invitations),
    ("Roles of organizations", orgs::roles),
    ("Repositories", repos::repos),
    ("Scopes of tokens", orgs::tokens),
    ("Teams and their numbers", teams::teams),
    ("Members of teams", teams::members),
    ("Earlier names of teams", teams::old_slugs),
    ("Roles of teams", teams::roles),
    ("Trees of teams", tree::tree),
    ("Projects", projects::projects),
    ("Synchronized teams", providers::synced),
    ("Boards", posts::boards),
    ("Discussions", posts::discussions),
    ("Comments", posts::comments),
    ("Earlier names of repositories", repos::former_names),
    ("Logins without an account", logins::unowned),
];

/// Checks every rule.
pub async fn run(db: &Db, audit_key: &[u8; 32]) -> Result<Report> {
    let mut report = Report::within(Bounds::NONE);
    run_within(db, audit_key, &mut report).await.map(|()| report)
}

/// Checks every rule, as far as the bounds of the report allow. If the run is dropped, the report has what was found so far.
pub async fn run_within(db: &Db, audit_key: &[u8; 32], report: &mut Report) -> Result<()> {
    match file(db, report.bounds.file).await {
        // A file that cannot be read completely is a finding; the following checks would only fail because of it.
        Err(Error::Unavailable(why)) if db.file().is_some() => {
            report.add("The database", vec![Finding::new(why, RESTORE)], 0);
            return Ok(());
        }
        Ok(Some(findings)) => report.add("The database", findings, 0),
        Ok(None) => report.begin("The database"),
        Err(error) => return Err(error),
    }
    for (name, rule) in RULES {
        walk(db, name, rule, report).await?;
    }
    report.notes.extend(db.read(logins::reserved).await?);
    history::journals(db, *audit_key, report).await?;
    deliveries::check(db, *audit_key, report).await
}

/// The problems that the engine finds in its file; none if the file is larger than this.
async fn file(db: &Db, largest: u64) -> Result<Option<Vec<Finding>>> {
    let size = db.file().and_then(|path| std::fs::metadata(path).ok()).map_or(0, |file| file.len());
    if size > largest {
        return Ok(None);
    }
    db.read_on_pool(history::file).await.map(Some)
}

async fn walk<R>(db: &Db, name: &'static str, rule: R, report: &mut Report) -> Result<()>
where
    R: Fn(&mut Tx<'_>, &mut Step) -> Result<()> + Copy + Send + 'static,
{
    report.begin(name);
    let mut next = Some(0);
    while let Some(after) = next {
        if report.is_full() {
            return Ok(());
        }
        let read = db.read(move |tx| {
            let mut step = Step { after, ..Step::default() };
            rule(tx, &mut step).map(|()| step)
        });
        let step = read.await?;
        next = step.next;
        report.notes.extend(step.notes);
        report.extend(step.findings, step.rows);
    }
    report.end();
    Ok(())
}
