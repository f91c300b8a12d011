//! Values for parameters, and values of columns, as both drivers understand them.

use std::cell::Cell;

use rusqlite::types::ValueRef;

use crate::clock::Time;
use crate::error::{Error, Result};

/// A value that can be a parameter of a statement: integers, text, bytes, booleans, and options of them.
pub trait Bind: rusqlite::types::ToSql + tokio_postgres::types::ToSql + Sync {}
impl<T: rusqlite::types::ToSql + tokio_postgres::types::ToSql + Sync> Bind for T {}

/// The parameters `$1…$n` of a statement.
pub type Params<'a> = &'a [&'a dyn Bind];

/// A value that can be read from a column.
pub trait Column: rusqlite::types::FromSql + for<'a> tokio_postgres::types::FromSql<'a> {}
impl<T: rusqlite::types::FromSql + for<'a> tokio_postgres::types::FromSql<'a>> Column for T {}

/// One row of a result. Its columns are read in the order of the statement.
pub struct Row<'a> {
    held: Held<'a>,
    /// The position of the column that is read next.
    next: Cell<usize>,
}

/// A row as a driver has it.
enum Held<'a> {
    /// With the number of bytes of text that were read so far.
    Sqlite(&'a rusqlite::Row<'a>, &'a Cell<usize>),
    Postgres(&'a tokio_postgres::Row),
}

impl<'a> Row<'a> {
    pub(super) fn of_sqlite(row: &'a rusqlite::Row<'a>, read: &'a Cell<usize>) -> Self {
        Self { held: Held::Sqlite(row, read), next: Cell::new(0) }
    }

    pub(super) fn of_postgres(row: &'a tokio_postgres::Row) -> Self {
        Self { held: Held::Postgres(row), next: Cell::new(0) }
    }

    /// Reads the next value, which has one column or more.
    pub fn read<T: FromRow>(&self) -> Result<T> {
        T::from_row(self)
    }

    fn column<T: Column>(&self) -> Result<T> {
        let index = self.next.get();
        self.next.set(index.wrapping_add(1));
        self.at(index)
    }

    fn at<T: Column>(&self, index: usize) -> Result<T> {
        match &self.held {
            Held::Sqlite(row, read) => {
                let value = row.get_ref(index).map_err(|e| Error::Bug(format!("column {index}: {e}")))?;
                if let ValueRef::Text(bytes) | ValueRef::Blob(bytes) = value {
                    read.set(read.get() + bytes.len());
                }
                T::column_result(value).map_err(|e| Error::Bug(format!("column {index}: {e}")))
            }
            Held::Postgres(row) => row.try_get(index).map_err(|e| Error::Bug(format!("column {index}: {e}"))),
        }
    }

    /// The last column, if the engine says which one that is.
    pub(super) fn last<T: Column>(&self) -> Result<Option<T>> {
        match &self.held {
            Held::Sqlite(..) => Ok(None),
            Held::Postgres(row) => self.at(row.len() - 1).map(Some),
        }
    }
}

/// A value that is read from the next column, or a record from the next columns.
pub trait FromRow: Sized {
    /// Reads it.
    fn from_row(row: &Row<'_>) -> Result<Self>;
}

/// A record that an outer join may not find: then its first column, which is its ID, is null. It is the last that is
/// read from a row.
pub trait Joined: FromRow {}

impl<T: Joined> FromRow for Option<T> {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        if row.at::<Option<i64>>(row.next.get())?.is_some() {
            return row.read().map(Some);
        }
        row.next.set(usize::MAX);
        Ok(None)
    }
}

macro_rules! from_column {
    ($($type:ty),+) => {
        $(impl FromRow for $type {
            fn from_row(row: &Row<'_>) -> Result<Self> {
                row.column()
            }
        }

        impl FromRow for Option<$type> {
            fn from_row(row: &Row<'_>) -> Result<Self> {
                row.column()
            }
        })+
    };
}
from_column!(i64, bool, String, Vec<u8>);

impl FromRow for Time {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        row.read().map(Self)
    }
}

impl FromRow for Option<Time> {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(row.read::<Option<i64>>()?.map(Time))
    }
}

impl FromRow for () {
    fn from_row(_: &Row<'_>) -> Result<Self> {
        Ok(())
    }
}

macro_rules! from_columns {
    ($($name:ident),+) => {
        impl<$($name: FromRow),+> FromRow for ($($name,)+) {
            fn from_row(row: &Row<'_>) -> Result<Self> {
                Ok(($(row.read::<$name>()?,)+))
            }
        }
    };
}
from_columns!(A);
from_columns!(A, B);
from_columns!(A, B, C);
from_columns!(A, B, C, D);
from_columns!(A, B, C, D, E);
from_columns!(A, B, C, D, E, F);

/// A field that was made of what was read, or why it could not be made.
pub trait Made<T> {
    /// The field.
    fn made(self) -> Result<T>;
}

impl<T> Made<T> for T {
    fn made(self) -> Result<T> {
        Ok(self)
    }
}

impl<T> Made<T> for Result<T> {
    fn made(self) -> Result<T> {
        self
    }
}

/// Reads a word that the schema restricts to these.
pub fn word_of(words: &'static [&'static str]) -> impl Fn(String) -> Result<&'static str> {
    move |held| {
        let known = words.iter().find(|word| **word == held);
        known.copied().ok_or_else(|| Error::Bug(format!("a column holds the unknown word {held}")))
    }
}

/// The same for a column that may be null.
pub fn word_or_none(words: &'static [&'static str]) -> impl Fn(Option<String>) -> Result<Option<&'static str>> {
    move |held| held.map(word_of(words)).transpose()
}

/// Declares a record and the columns that it is read from.
///
/// A field is the column of its name in the table after `from`, or what the SQL after `=` says: a column or expression,
/// or the `COLUMNS` of another record. The function after `=>` makes the field of what was read. `COLUMNS` is the list
/// for a statement. Without `from`, the statement has a list of its own, in the order of the fields.
macro_rules! row {
    (
        $(#[$about:meta])*
        $shown:vis struct $name:ident $(from $table:literal)? {
            $($(#[$on:meta])* $see:vis $field:ident: $type:ty $(= $sql:expr)? $(=> $made:expr)?),+ $(,)?
        }
    ) => {
        $(#[$about])*
        $shown struct $name {
            $($(#[$on])* $see $field: $type),+
        }

        impl $crate::db::FromRow for $name {
            fn from_row(row: &$crate::db::Row<'_>) -> $crate::error::Result<Self> {
                Ok(Self { $($field: $crate::db::row!(@read row, $type $(, $made)?)),+ })
            }
        }

        $crate::db::row!(@columns $name $($table)?; $($field $($sql)?),+);
    };
    (@read $row:ident, $type:ty) => { $row.read()? };
    (@read $row:ident, $type:ty, $made:expr) => { $crate::db::Made::<$type>::made($made($row.read()?))? };
    (@columns $name:ident; $($rest:tt)*) => {};
    (@columns $name:ident $table:literal; $($field:ident $($sql:expr)?),+) => {
        impl $name {
            /// The columns of a statement that reads it.
            pub(crate) const COLUMNS: &'static str =
                const_str::concat!($(", ", $crate::db::row!(@column $table, $field $(, $sql)?)),+).split_at(2).1;
        }
    };
    (@column $table:literal, $field:ident) => { concat!($table, ".", stringify!($field)) };
    (@column $table:literal, $field:ident, $sql:expr) => { $sql };
}
pub(crate) use row;

/// The statement that reads a record from the tables after `from`, with the columns between them.
macro_rules! select {
    ($($record:ident)::+ $(, $more:literal)? from $($rest:expr),+ $(,)?) => {
        const_str::concat!("SELECT ", $($record)::+::COLUMNS, $(", ", $more,)? " FROM ", $($rest),+)
    };
}
pub(crate) use select;
