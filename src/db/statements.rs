//! What a transaction runs statements on, as far as it needs to know.

use super::row::{Bind, Params, Row};
use crate::error::Result;

/// What is called for each row.
pub(super) type OnRow<'a> = &'a mut dyn FnMut(&Row<'_>) -> Result<()>;

/// What a transaction runs statements on.
pub(super) trait Statements {
    /// Calls a function for each row.
    fn each(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()>;

    /// Runs a statement of one parameter for one key after the other.
    fn each_of(&mut self, sql: &'static str, keys: &mut dyn Iterator<Item = &dyn Bind>, row: OnRow<'_>) -> Result<()>;

    /// Runs a statement that returns no rows; how many rows it changed.
    fn run(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64>;

    /// Runs the statements of a migration.
    fn batch(&mut self, sql: &str) -> Result<()>;

    /// What is wrong with the file.
    fn damage(&mut self) -> Result<Vec<String>>;
}
