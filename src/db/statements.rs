//! What a transaction needs from an engine to run statements.

use super::row::{Bind, Params, Row};
use crate::error::Result;

/// The function that is called for each row.
pub(super) type OnRow<'a> = &'a mut dyn FnMut(&Row<'_>) -> Result<()>;

/// What a transaction runs statements on.
pub(super) trait Statements {
    /// Calls a function for each row.
    fn each(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()>;

    /// Runs a statement with one parameter, once for each key.
    fn each_of(&mut self, sql: &'static str, keys: &mut dyn Iterator<Item = &dyn Bind>, row: OnRow<'_>) -> Result<()>;

    /// Runs a statement that returns no rows. Returns the number of changed rows.
    fn run(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64>;

    /// Runs the statements of a migration.
    fn batch(&mut self, sql: &str) -> Result<()>;

    /// Describes what is wrong with the file.
    fn damage(&mut self) -> Result<Vec<String>>;
}
