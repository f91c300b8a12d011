//! Values for parameters, and values of columns, as both drivers understand them.

use std::cell::Cell;

use rusqlite::types::ValueRef;

use crate::error::{Error, Result};

/// A value that can be a parameter of a statement: integers, text, bytes, booleans, and options of them.
pub trait Bind: rusqlite::types::ToSql + tokio_postgres::types::ToSql + Sync {}
impl<T: rusqlite::types::ToSql + tokio_postgres::types::ToSql + Sync> Bind for T {}

/// The parameters `$1…$n` of a statement.
pub type Params<'a> = &'a [&'a dyn Bind];

/// A value that can be read from a column.
pub trait Column: rusqlite::types::FromSql + for<'a> tokio_postgres::types::FromSql<'a> {}
impl<T: rusqlite::types::FromSql + for<'a> tokio_postgres::types::FromSql<'a>> Column for T {}

/// One row of a result.
pub enum Row<'a> {
    /// From SQLite, with the number of bytes of text that were read so far.
    Sqlite(&'a rusqlite::Row<'a>, &'a Cell<usize>),
    /// From PostgreSQL.
    Postgres(&'a tokio_postgres::Row),
}

impl Row<'_> {
    /// The column at this position, counted from 0.
    pub fn get<T: Column>(&self, index: usize) -> Result<T> {
        match self {
            Self::Sqlite(row, read) => {
                let value = row.get_ref(index).map_err(|e| Error::Bug(format!("column {index}: {e}")))?;
                if let ValueRef::Text(bytes) | ValueRef::Blob(bytes) = value {
                    read.set(read.get() + bytes.len());
                }
                T::column_result(value).map_err(|e| Error::Bug(format!("column {index}: {e}")))
            }
            Self::Postgres(row) => row.try_get(index).map_err(|e| Error::Bug(format!("column {index}: {e}"))),
        }
    }

    /// The last column, if the engine says which one that is.
    pub(super) fn last<T: Column>(&self) -> Result<Option<T>> {
        match self {
            Self::Sqlite(..) => Ok(None),
            Self::Postgres(row) => self.get(row.len() - 1).map(Some),
        }
    }

    /// The value of a column that can only contain one of these words, or null.
    pub fn word(&self, index: usize, words: &[&'static str]) -> Result<Option<&'static str>> {
        let Some(held) = self.get::<Option<String>>(index)? else { return Ok(None) };
        let known = words.iter().find(|word| **word == held);
        known.map(|word| Some(*word)).ok_or_else(|| Error::Bug(format!("column {index} holds the unknown word {held}")))
    }
}

/// A record that is read from a row.
pub trait FromRow: Sized {
    /// Reads the columns in the order of the statement.
    fn from_row(row: &Row<'_>) -> Result<Self>;
}

macro_rules! from_row_for_tuples {
    ($($name:ident $index:tt),+) => {
        impl<$($name: Column),+> FromRow for ($($name,)+) {
            fn from_row(row: &Row<'_>) -> Result<Self> {
                Ok(($(row.get::<$name>($index)?,)+))
            }
        }
    };
}
from_row_for_tuples!(A 0);
from_row_for_tuples!(A 0, B 1);
from_row_for_tuples!(A 0, B 1, C 2);
from_row_for_tuples!(A 0, B 1, C 2, D 3);
from_row_for_tuples!(A 0, B 1, C 2, D 3, E 4);
from_row_for_tuples!(A 0, B 1, C 2, D 3, E 4, F 5);
