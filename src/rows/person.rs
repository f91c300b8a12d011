//! A person, as lists show them.

use crate::db::{FromRow, Row};
use crate::error::Result;

/// A person, as lists show them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonRow {
    /// ID.
    pub id: i64,
    /// Login, in its stored case.
    pub login: String,
    /// Whether they administer the site.
    pub site_admin: bool,
}

impl FromRow for PersonRow {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self { id: row.get(0)?, login: row.get(1)?, site_admin: row.get(2)? })
    }
}
