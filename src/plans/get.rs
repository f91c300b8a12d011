//! Reading a plan.

use schemars::JsonSchema;
use serde::Deserialize;

use super::record::OrganizationPlan;
use super::stored;
use crate::error::Result;
use crate::operation::{Cx, Record};
use crate::orgs::org::Org;
use crate::policy::Granted;

/// Get a plan for an organization. A plan is stored for a day.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {
    /// ID of the plan.
    pub plan_id: i64,
}

/// Gets a plan.
pub fn get(cx: &mut Cx, org: Granted<Org>, p: Get) -> Result<Record<OrganizationPlan>> {
    let now = cx.now()?;
    let stored = stored::find(cx.tx, org.id, p.plan_id, now)?;
    Ok(OrganizationPlan::new(cx, &org, stored).into())
}
