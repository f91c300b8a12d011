//! Mutations of teams: what Terraform sends for the settings of a team.

use super::super::running::Resolved;
use super::super::value::Args;
use super::plan::{Plan, identifier, required};
use crate::db::Tx;

/// Sets how requests for reviews are delegated.
pub fn update_review_assignment(_: &mut Tx, _: i64, input: Args) -> Resolved<Plan> {
    let id = required(input, "id")?;
    let plan = Plan::new("teams.updateReviewAssignmentInOrg", &[("team_id", identifier(id, "Team")?)], id);
    Ok(plan
        .with("enabled", input.flag("enabled"))
        .with("algorithm", input.text("algorithm").map(str::to_lowercase))
        .with("team_member_count", input.number("teamMemberCount"))
        .with("notify_team", input.flag("notifyTeam")))
}
