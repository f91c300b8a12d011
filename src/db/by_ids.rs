//! Rows by a list of identifiers or keys.
//!
//! SQLite looks each one up with the same prepared statement, because a list in the statement would need a temporary
//! table. PostgreSQL gets the list in one round trip. It is padded to one of a few lengths, so that few statements are
//! prepared.

use std::sync::OnceLock;

use super::{Bind, FromRow, Tx};
use crate::error::Result;

/// The lengths to which lists are padded.
const LENGTHS: [usize; 3] = [4, 30, 100];

/// A statement with `{ids}` where the list goes, written out once for each length.
pub struct ByIds {
    sql: &'static str,
    single: OnceLock<String>,
    texts: [OnceLock<String>; LENGTHS.len()],
}

impl ByIds {
    /// A statement for lists.
    #[must_use]
    pub const fn new(sql: &'static str) -> Self {
        Self { sql, single: OnceLock::new(), texts: [const { OnceLock::new() }; LENGTHS.len()] }
    }

    fn single(&'static self) -> &'static str {
        self.single.get_or_init(|| self.sql.replace("{ids}", "$1"))
    }

    fn text(&'static self, nth: usize) -> &'static str {
        self.texts[nth].get_or_init(|| {
            let list: Vec<String> = (1..=LENGTHS[nth]).map(|n| format!("${n}")).collect();
            self.sql.replace("{ids}", &list.join(", "))
        })
    }
}

/// Returns the rows with these identifiers. Each identifier must occur once. For rows in order, pass the identifiers in
/// the order in which the statement sorts.
pub fn by_ids<T: FromRow>(tx: &mut Tx<'_>, statement: &'static ByIds, ids: &[impl Bind]) -> Result<Vec<T>> {
    let mut rows = Vec::with_capacity(ids.len());
    if !tx.is_remote() {
        tx.each_of(statement.single(), ids, |row| {
            rows.push(T::from_row(row)?);
            Ok(())
        })?;
        return Ok(rows);
    }
    for chunk in ids.chunks(LENGTHS[LENGTHS.len() - 1]) {
        let nth = LENGTHS.iter().position(|length| chunk.len() <= *length).unwrap_or(LENGTHS.len() - 1);
        let last = chunk.len() - 1;
        let padded: Vec<&dyn Bind> = (0..LENGTHS[nth]).map(|i| &chunk[i.min(last)] as &dyn Bind).collect();
        rows.extend(tx.all(statement.text(nth), &padded)?);
    }
    Ok(rows)
}
