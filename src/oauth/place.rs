//! The organizations of a person, as a page that asks about an application shows them (decision 81).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::application::Application;
use crate::db::{Tx, row, select};
use crate::error::Result;

/// The most organizations that a page shows.
const SHOWN: i64 = 20;

row! {
    /// An organization of the person.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Place from "m" {
        /// Its login.
        pub login: String = "o.login",
        /// The person's role in it.
        pub role: String,
        /// True if it lets the application in.
        pub is_let_in: bool = "
            EXISTS (SELECT 1 FROM applications_let_in li WHERE li.org_id = m.org_id AND li.application_id = $3)",
        /// `asked`, `approved` or `refused`; null if its owners have not been asked about the application.
        pub state: Option<String> = "x.state",
    }
}

impl Place {
    /// True if the person owns it.
    #[must_use]
    pub fn is_owned(&self) -> bool {
        self.role == "admin"
    }

    /// True if the person may let the application into it, or may ask its owners.
    #[must_use]
    pub fn is_offered(&self) -> bool {
        !self.is_let_in && (self.is_owned() || self.role == "member" && self.state.is_none())
    }
}

/// The organizations of a person, and the number of those that are not shown.
pub(super) fn of(tx: &mut Tx, person: i64, application: &Application) -> Result<(Vec<Place>, i64)> {
    let places: Vec<Place> = tx.all(PLACES, &[&person, &SHOWN, &application.id])?;
    let count: i64 = tx.one(COUNT, &[&person])?;
    let more = count - i64::try_from(places.len()).unwrap_or(count);
    Ok((places, more))
}

const PLACES: &str = select!(Place from
    "org_members m JOIN orgs o ON o.id = m.org_id
     LEFT JOIN application_approvals x ON x.org_id = m.org_id AND x.application_id = $3
     WHERE m.user_id = $1 ORDER BY o.login LIMIT $2");

const COUNT: &str = "SELECT count(*) FROM org_members WHERE user_id = $1";
