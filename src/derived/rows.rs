//! The rows of teams and people that lists show, kept beside what is derived: whoever changes one logs a change of
//! the team or the person, so that what is kept here is as fresh as the rest of the state.

use std::sync::Arc;

use foldhash::HashMap;

use crate::db::{FromRow, Kept, Row};
use crate::error::Result;

/// How many of a kind are kept for an organization.
const KEPT: usize = 200_000;

/// A team as it is stored, with what its short record shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brief {
    /// Identifier.
    pub id: i64,
    /// Organization.
    pub org_id: i64,
    /// Name.
    pub name: String,
    /// Slug.
    pub slug: String,
    /// Description.
    pub description: Option<String>,
    /// `secret` or `closed`.
    pub privacy: String,
    /// Whether its members are notified.
    pub notification_setting: String,
    /// Default permission.
    pub permission: String,
    /// Parent.
    pub parent_id: Option<i64>,
}

impl Kept for Brief {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.name.len() + self.slug.len() + self.description.as_ref().map_or(0, String::len)
    }
}

impl FromRow for Brief {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            org_id: row.get(1)?,
            name: row.get(2)?,
            slug: row.get(3)?,
            description: row.get(4)?,
            privacy: row.get(5)?,
            notification_setting: row.get(6)?,
            permission: row.get(7)?,
            parent_id: row.get(8)?,
        })
    }
}

/// A person as lists show them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Identifier.
    pub id: i64,
    /// Login, in its stored case.
    pub login: String,
    /// Whether they administer the site.
    pub site_admin: bool,
}

impl FromRow for Shown {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self { id: row.get(0)?, login: row.get(1)?, site_admin: row.get(2)? })
    }
}

/// Rows that are kept, by identifier.
#[derive(Debug)]
pub(super) struct Rows<T>(HashMap<i64, Arc<T>>);

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<T> Rows<T> {
    pub(super) fn get(&self, id: i64) -> Option<Arc<T>> {
        self.0.get(&id).cloned()
    }

    pub(super) fn keep(&mut self, id: i64, row: Arc<T>) {
        if self.0.len() >= KEPT {
            self.0.clear();
        }
        self.0.insert(id, row);
    }

    pub(super) fn forget(&mut self, id: i64) {
        self.0.remove(&id);
    }
}
