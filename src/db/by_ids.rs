//! Rows by a list of identifiers or keys.
//!
//! SQLite looks each one up with the same prepared statement, because a list in the statement would need a temporary
//! table. PostgreSQL gets the list in one round trip. It is padded to one of a few lengths, so that few statements are
//! prepared.

use std::sync::OnceLock;

use super::row::Params;
use super::{Bind, FromRow, Tx};
use crate::error::Result;

/// The lengths to which lists are padded.
const LENGTHS: [usize; 3] = [4, 30, 100];

/// A statement with `{ids}` where the list goes, written out once for each length.
pub struct ByIds {
    sql: &'static str,
    /// The number of parameters before the list.
    before: usize,
    single: OnceLock<String>,
    texts: [OnceLock<String>; LENGTHS.len()],
}

impl ByIds {
    /// A statement for lists.
    #[must_use]
    pub const fn new(sql: &'static str) -> Self {
        Self::after(0, sql)
    }

    /// The same for lists after this number of other parameters.
    #[must_use]
    pub const fn after(before: usize, sql: &'static str) -> Self {
        Self { sql, before, single: OnceLock::new(), texts: [const { OnceLock::new() }; LENGTHS.len()] }
    }

    fn single(&'static self) -> &'static str {
        self.single.get_or_init(|| self.with_list(1))
    }

    fn text(&'static self, nth: usize) -> &'static str {
        self.texts[nth].get_or_init(|| self.with_list(LENGTHS[nth]))
    }

    fn with_list(&self, length: usize) -> String {
        let list: Vec<String> = (1..=length).map(|n| format!("${}", self.before + n)).collect();
        self.sql.replace("{ids}", &list.join(", "))
    }
}

/// Returns the rows with these identifiers. Each identifier must occur once. For rows in order, pass the identifiers in
/// the order in which the statement sorts.
pub fn by_ids<T: FromRow>(tx: &mut Tx<'_>, statement: &'static ByIds, ids: &[impl Bind]) -> Result<Vec<T>> {
    if !tx.is_remote() {
        let mut rows = Vec::with_capacity(ids.len());
        tx.each_of(statement.single(), ids, |row| {
            rows.push(T::from_row(row)?);
            Ok(())
        })?;
        return Ok(rows);
    }
    by_ids_after(tx, statement, &[], ids)
}

/// The same for a statement with these parameters before its list. The rows of a list of more than 100 identifiers are
/// in the order of the statement only within each hundred.
pub fn by_ids_after<T: FromRow>(
    tx: &mut Tx<'_>,
    statement: &'static ByIds,
    before: Params<'_>,
    ids: &[impl Bind],
) -> Result<Vec<T>> {
    let mut rows = Vec::with_capacity(ids.len());
    if !tx.is_remote() {
        for id in ids {
            rows.extend(tx.all(statement.single(), &[before, &[id as &dyn Bind]].concat())?);
        }
        return Ok(rows);
    }
    for chunk in ids.chunks(LENGTHS[LENGTHS.len() - 1]) {
        let nth = LENGTHS.iter().position(|length| chunk.len() <= *length).unwrap_or(LENGTHS.len() - 1);
        let last = chunk.len() - 1;
        let padded = (0..LENGTHS[nth]).map(|i| &chunk[i.min(last)] as &dyn Bind);
        rows.extend(tx.all(statement.text(nth), &before.iter().copied().chain(padded).collect::<Vec<_>>())?);
    }
    Ok(rows)
}
