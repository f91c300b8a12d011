//! Numbers of direct members of teams: what the requests of a transaction add and remove is summed up and written once
//! for each team.

use std::collections::BTreeMap;

use crate::db::{AtCommit, Bind, Bulk, StatementList, Tx};
use crate::error::Result;

/// The changes of a transaction, in order.
#[derive(Default)]
struct Counts {
    /// Team, and how many more members it has.
    changes: Vec<(i64, i64)>,
    /// The number of changes that are written.
    written: usize,
    /// The number of changes, and of those that were written, when the current request began.
    before: (usize, usize),
    /// The sums to write.
    sums: Vec<(i64, i64)>,
}

impl AtCommit for Counts {
    fn restart(&mut self) {
        *self = Self::default();
    }

    fn begin(&mut self) {
        self.before = (self.changes.len(), self.written);
    }

    fn undo(&mut self, _: bool) {
        let (changes, written) = self.before;
        self.changes.truncate(changes);
        self.written = written;
    }

    fn statements(&mut self, remote: bool) -> StatementList<'_> {
        self.sum();
        statements(&self.sums, remote)
    }

    fn concerns(&self) -> Option<Vec<i64>> {
        // The journal says which organizations.
        Some(Vec::new())
    }
}

impl Counts {
    fn sum(&mut self) {
        let mut sums = BTreeMap::<i64, i64>::new();
        for (team, by) in &self.changes[self.written..] {
            *sums.entry(*team).or_default() += by;
        }
        self.sums = sums.into_iter().filter(|(_, by)| *by != 0).collect();
    }
}

/// Statements that add these numbers. SQLite would make a table of the list.
fn statements(sums: &[(i64, i64)], remote: bool) -> StatementList<'_> {
    let rows = sums.iter().map(|(team, by)| -> [&dyn Bind; 2] { [team, by] });
    if remote { ALL.statements(&rows.collect::<Vec<_>>()) } else { rows.map(|row| (ONE, row.to_vec())).collect() }
}

const ONE: &str = "UPDATE team_counts SET members = members + $2 WHERE team_id = $1";

/// The first row says of which type the values are.
static ALL: Bulk<2> = Bulk::new(
    "WITH more(team_id, members) AS (VALUES (CAST(0 AS BIGINT), CAST(0 AS BIGINT)), {rows})
     UPDATE team_counts SET members = team_counts.members + more.members
     FROM more WHERE team_counts.team_id = more.team_id",
);

/// Counts so many more direct members of a team.
pub(super) fn add(tx: &mut Tx, team: i64, by: i64) -> Result<()> {
    tx.at_commit::<Counts>()?.changes.push((team, by));
    Ok(())
}

/// Writes what was added up so far, for a statement of a write that reads the numbers or counts again.
pub fn settle(tx: &mut Tx) -> Result<()> {
    if !tx.writes() {
        return Ok(());
    }
    let remote = tx.is_remote();
    let counts = tx.at_commit::<Counts>()?;
    if counts.written == counts.changes.len() {
        return Ok(());
    }
    counts.sum();
    counts.written = counts.changes.len();
    let sums = std::mem::take(&mut counts.sums);
    statements(&sums, remote).iter().try_for_each(|(sql, params)| tx.run(sql, params).map(drop))
}
