//! The list of all people.
//!
//! Implements decisions 18 (profiles are public) and 57.

use schemars::JsonSchema;
use serde::Deserialize;

use super::user::{SimpleUser, User};
use crate::db::select;
use crate::error::Result;
use crate::operation::{Cx, Part, Record};
use crate::policy::{Granted, SITE_ADMIN};
use crate::site::Site;

/// List all people, in order of account creation. Only site administrators see suspended people.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct All {
    /// The requested part of the list.
    #[serde(flatten)]
    pub part: Part,
}

/// Lists the people after an identifier.
pub fn list(cx: &mut Cx, site: Granted<Site>, p: All) -> Result<Record<Vec<SimpleUser>>> {
    let (since, limit) = p.part.sql();
    let people: Vec<User> = cx.tx.all(ALL, &[&since, &limit, &site.allows(&SITE_ADMIN.rule)])?;
    let rows = people.iter().map(|person| (person.id, SimpleUser::new(cx.links, person))).collect();
    p.part.of(cx.links, "/users", rows)
}

const ALL: &str =
    select!(User from "users u WHERE u.id > $1 AND (u.suspended = FALSE OR $3 = TRUE) ORDER BY u.id LIMIT $2");
