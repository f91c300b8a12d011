//! Many rows in few statements, for work that concerns a whole organization at once.

use std::sync::OnceLock;

use super::{Bind, FromRow, Tx};
use crate::error::Result;

/// How many rows go into one statement.
const AT_ONCE: usize = 50;

/// A statement with `{rows}` where rows of `N` values go, written out for one row and for many.
pub struct Bulk<const N: usize> {
    sql: &'static str,
    one: OnceLock<String>,
    many: OnceLock<String>,
}

impl<const N: usize> Bulk<N> {
    /// A statement for rows.
    #[must_use]
    pub const fn new(sql: &'static str) -> Self {
        Self { sql, one: OnceLock::new(), many: OnceLock::new() }
    }

    /// Runs the statement with all rows.
    pub fn run(&'static self, tx: &mut Tx<'_>, rows: &[[&dyn Bind; N]]) -> Result<()> {
        let (many, rest) = rows.as_chunks::<AT_ONCE>();
        for chunk in many {
            tx.run(self.many(), chunk.as_flattened())?;
        }
        rest.iter().try_for_each(|row| tx.run(self.one(), row).map(|_| ()))
    }

    /// Runs the statement with all rows; what it returns, in any order.
    pub fn all<T: FromRow>(&'static self, tx: &mut Tx<'_>, rows: &[[&dyn Bind; N]]) -> Result<Vec<T>> {
        let (many, rest) = rows.as_chunks::<AT_ONCE>();
        let mut returned = Vec::with_capacity(rows.len());
        for chunk in many {
            returned.extend(tx.all(self.many(), chunk.as_flattened())?);
        }
        for row in rest {
            returned.extend(tx.all(self.one(), row)?);
        }
        Ok(returned)
    }

    fn one(&'static self) -> &'static str {
        self.one.get_or_init(|| self.text(1))
    }

    fn many(&'static self) -> &'static str {
        self.many.get_or_init(|| self.text(AT_ONCE))
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
