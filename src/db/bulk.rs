//! Many rows in few statements, for work that concerns a whole organization at once.

use std::sync::OnceLock;

use super::{Bind, FromRow, StatementList, Tx};
use crate::error::Result;

/// The numbers of rows that a statement may have. Any number of rows is split into these, so few statements are
/// prepared.
const SIZES: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// A statement with `{rows}` where rows of `N` values go, written out for one row and for many.
pub struct Bulk<const N: usize> {
    sql: &'static str,
    texts: [OnceLock<String>; SIZES.len()],
}

impl<const N: usize> Bulk<N> {
    /// A statement for rows.
    #[must_use]
    pub const fn new(sql: &'static str) -> Self {
        Self { sql, texts: [const { OnceLock::new() }; SIZES.len()] }
    }

    /// Runs the statement with all rows.
    pub fn run(&'static self, tx: &mut Tx<'_>, rows: &[[&dyn Bind; N]]) -> Result<()> {
        tx.run_together(&self.parts(rows))
    }

    /// Runs the statement, which changes rows, with all rows. Returns the rows that it returns, in any order.
    pub fn all<T: FromRow>(&'static self, tx: &mut Tx<'_>, rows: &[[&dyn Bind; N]]) -> Result<Vec<T>> {
        let mut returned = Vec::with_capacity(rows.len());
        for (sql, params) in self.parts(rows) {
            returned.extend(tx.run_all(sql, params)?);
        }
        Ok(returned)
    }

    /// The statements for all rows, the largest first, to be run later.
    pub fn statements<'v>(&'static self, rows: &[[&'v dyn Bind; N]]) -> StatementList<'v> {
        self.parts(rows).into_iter().map(|(sql, params)| (sql, params.to_vec())).collect()
    }

    fn parts<'r, 'v>(&'static self, mut rows: &'r [[&'v dyn Bind; N]]) -> Vec<(&'static str, &'r [&'v dyn Bind])> {
        let mut statements = Vec::new();
        for (size, text) in SIZES.iter().zip(&self.texts).rev() {
            while let Some((chunk, rest)) = rows.split_at_checked(*size).filter(|_| !rows.is_empty()) {
                statements.push((text.get_or_init(|| self.text(*size)).as_str(), chunk.as_flattened()));
                rows = rest;
            }
        }
        statements
    }

    fn text(&self, rows: usize) -> String {
        let row = |row: usize| {
            let values: Vec<String> = (1..=N).map(|n| format!("${}", row * N + n)).collect();
            format!("({})", values.join(", "))
        };
        let rows: Vec<String> = (0..rows).map(row).collect();
        self.sql.replace("{rows}", &rows.join(", "))
    }
}
