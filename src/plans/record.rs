//! The record of a plan.

use schemars::JsonSchema;
use serde::Serialize;

use super::stored::Stored;
use crate::clock::Time;
use crate::operation::Cx;
use crate::orgs::org::Org;
use crate::plan::{Plan, Summary};

/// The largest number of items and sentences of a plan that are listed besides its changes, in each list.
const LISTED: usize = 2_000;

/// The changes after which an organization is as a file says.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "organization-plan")]
pub struct OrganizationPlan {
    /// ID of the plan.
    pub id: i64,
    /// URL of the plan.
    pub url: String,
    /// Time until which the plan is stored.
    pub expires_at: Time,
    /// Numbers of changes by their effect.
    pub summary: Summary,
    /// The plan.
    #[serde(flatten)]
    pub plan: Plan,
}

impl OrganizationPlan {
    /// The record of a plan as it is stored.
    pub fn new(cx: &Cx, org: &Org, stored: Stored) -> Self {
        let Stored { id, expires_at, plan, .. } = stored;
        let url = cx.links.api_of("/orgs/", &org.login, &format!("/plans/{id}"));
        Self { id, url, expires_at, summary: Summary::of(&plan.changes), plan }
    }
}

/// Cuts the lists that are not bounded by the number of changes.
pub fn shorten(plan: &mut Plan) {
    let omitted = plan.not_in_file.len().saturating_sub(LISTED);
    plan.not_in_file.truncate(LISTED);
    let sentences = plan.skipped.len().saturating_sub(LISTED);
    plan.skipped.truncate(LISTED);
    plan.not_kept.truncate(LISTED);
    for (number, what) in [(omitted, "that are not in the file are not listed"), (sentences, "were skipped too")] {
        if number > 0 {
            plan.skipped.push(format!("{number} more {what}"));
        }
    }
}
