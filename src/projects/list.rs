//! The projects of an organization: only what the caller reads, by id (decisions 33 and 38).

use schemars::JsonSchema;
use serde::Deserialize;

use super::project::ProjectRecord;
use super::project::reads;
use super::project::{Project, tables};
use crate::db::select;
use crate::error::Result;
use crate::operation::{Cx, List};
use crate::orgs::org::Org;
use crate::policy::Granted;
use crate::words::words;

words! {
    /// The projects to list.
    #[derive(Default)]
    pub enum Listed {
        /// Only open projects.
        #[default]
        Open = "open",
        /// Only closed projects.
        Closed = "closed",
        /// Open and closed projects.
        All = "all",
    }
}

/// List the projects of an organization that the caller can read, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfOrg {
    /// Filter by state.
    #[schemars(extend("default" = "open"))]
    pub state: Option<Listed>,
}

/// Lists the projects of an organization that the caller can read, by id.
pub fn of_org(cx: &mut Cx, org: Granted<Org>, p: OfOrg) -> Result<List<ProjectRecord>> {
    let (me, state) = (cx.my_id(), p.state.unwrap_or_default().word());
    let total: i64 = cx.tx.one(COUNT, &[&me, &org.id, &state])?;
    let (limit, offset) = cx.page.sql();
    let projects: Vec<Project> = cx.tx.all(PAGE, &[&me, &org.id, &state, &limit, &offset])?;
    let items = projects.iter().map(|project| ProjectRecord::new(cx.links, project));
    List::of(items, total)
}

const COUNT: &str =
    concat!("SELECT count(*) FROM projects p WHERE p.org_id = $2 AND (p.state = $3 OR $3 = 'all') AND ", reads!());

const PAGE: &str = select!(Project from
    tables!(), " WHERE p.org_id = $2 AND (p.state = $3 OR $3 = 'all') AND ", reads!(),
    " ORDER BY p.id LIMIT $4 OFFSET $5");
