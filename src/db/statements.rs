//! The connection that a transaction runs its statements on.
//!
//! The methods with a body are about servers. What they do by default is right for SQLite, which is a file.

use super::postgres::Origin;
use super::rerun::Rerun;
use super::row::{Bind, Params, Row};
use crate::error::Result;

/// The function that is called for each row.
pub(super) type OnRow<'a> = &'a mut dyn FnMut(&Row<'_>) -> Result<()>;

/// A connection that a transaction runs statements on.
pub(super) trait Statements {
    /// Calls a function for each row. The statement changes nothing.
    fn each(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()>;

    /// Runs a statement with one parameter, once for each key.
    fn each_of(&mut self, sql: &'static str, keys: &mut dyn Iterator<Item = &dyn Bind>, row: OnRow<'_>) -> Result<()>;

    /// Runs a statement that changes rows, and calls a function for each row that it returns.
    fn run_each(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()>;

    /// Runs a statement that returns no rows. Returns the number of changed rows.
    fn run(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64>;

    /// Runs the statements of a migration.
    fn batch(&mut self, sql: &str) -> Result<()>;

    /// Describes what is wrong with the file. A server checks its data itself.
    fn damage(&mut self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// True if each statement is a round trip to a server.
    fn is_remote(&self) -> bool {
        false
    }

    /// Like `each`, without a transaction if none has begun. The last column is the text of the snapshot.
    fn each_alone(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()> {
        self.each(sql, params, row)
    }

    /// Sends a statement together with the next one. Its result is kept until it is needed or anything changes.
    fn ahead(&mut self, _sql: &'static str, _params: Vec<Box<dyn Bind + Send>>) {}

    /// Runs statements that return no rows, without waiting for each response.
    fn run_together(&mut self, statements: &[(&'static str, Params<'_>)]) -> Result<()> {
        statements.iter().try_for_each(|(sql, params)| self.run(sql, params).map(drop))
    }

    /// The text of the snapshot of this transaction, if it is known.
    fn snapshot(&self) -> Option<&str> {
        None
    }

    /// The origin of the snapshot. The incarnation is that of the cache of all readers.
    fn origin(&self, _incarnation: u64) -> Origin {
        Origin::default()
    }

    /// True if the transaction may have changed something.
    fn has_written(&self) -> bool {
        true
    }

    /// The reason why the current work must run again, if a statement has shown that.
    fn rerun(&self) -> Option<Rerun> {
        None
    }
}
