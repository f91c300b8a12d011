//! Teams by the names that a person types on a page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::roles::role_in;
use super::super::visible::sees;
use super::super::{lookup, slug};
use crate::error::{Error, Result};
use crate::operation::{Cx, Record};
use crate::orgs::org::Org;
use crate::policy::Granted;

/// The most names at a time.
const MOST: usize = 20;

/// A name, and the team that it names.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Named {
    /// The name as it was typed.
    pub name: String,
    /// ID of the team; none if the caller sees no such team.
    pub id: Option<i64>,
    /// Slug of that team.
    pub slug: Option<String>,
}

/// Look up teams by their names or slugs.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Names {
    /// Names or slugs, with commas between them.
    pub names: String,
}

/// Looks up the teams with these names. A team whose slug does not follow from its name is found by the slug.
pub fn list(cx: &mut Cx, org: Granted<Org>, p: Names) -> Result<Record<Vec<Named>>> {
    let names: Vec<&str> = p.names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    if names.len() > MOST {
        return Err(Error::explained("Team", "invalid", "teams", format!("Use at most {MOST} teams.")));
    }
    let found = names.into_iter().map(|name| {
        let (id, slug) = find(cx, &org, name)?.unzip();
        Ok(Named { name: name.to_owned(), id, slug })
    });
    Ok(found.collect::<Result<Vec<_>>>()?.into())
}

fn find(cx: &mut Cx, org: &Org, name: &str) -> Result<Option<(i64, String)>> {
    let Some(slug) = slug::from_name(name) else { return Ok(None) };
    let team = match lookup::by_slug(cx, org.id, &slug) {
        Err(Error::NotFound) => return Ok(None),
        found => found?,
    };
    let me = cx.my_id();
    let is_in = team.is_secret() && role_in(cx.tx, team.id, me)?.is_some();
    Ok(sees(team.is_secret(), org.my_role, is_in).then_some((team.id, slug)))
}
