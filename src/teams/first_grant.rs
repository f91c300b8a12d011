//! Creating a repository of an organization, with a team that is granted it at once.
//!
//! Implements decisions 17 (only a team that the caller sees) and 30. Everything else of a repository is in `repos`,
//! which does not know who sees a team.

use schemars::JsonSchema;
use serde::Deserialize;

use super::team::Team;
use super::visible::sees;
use crate::error::{Error, Result};
use crate::operation::{Cx, Record};
use crate::orgs::org::Org;
use crate::policy::Granted;
use crate::repos::create::{self, Chosen};
use crate::repos::granting;
use crate::repos::level::Level;
use crate::repos::record::Repository;

/// Create a repository in an organization. A member who creates a repository becomes its administrator.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct CreateRepository {
    /// The fields that the caller chooses.
    #[serde(flatten)]
    pub chosen: Chosen,
    /// ID of a team of the organization that the caller sees. It is granted the repository with its own `permission`.
    pub team_id: Option<i64>,
}

/// Creates a repository in an organization, and grants it to the team.
pub fn create(cx: &mut Cx, org: Granted<Org>, p: CreateRepository) -> Result<Record<Repository, 201>> {
    let team = p.team_id.map(|id| seen(cx, org.id, id)).transpose()?;
    let repo = create::in_org(cx, &org, p.chosen)?;
    if let Some(team) = team {
        let unknown = || Error::Bug(format!("the permission {} of a team is unknown", team.permission));
        let level = Level::of(team.permission).ok_or_else(unknown)?;
        granting::grant(cx, org.id, &team.facts(), repo.facts(), level)?;
    }
    create::created(cx, &repo)
}

/// The team with this identifier. The refusal is the same for a team that does not exist, that belongs to another
/// organization, or that the caller does not see.
fn seen(cx: &mut Cx, org: i64, id: i64) -> Result<Team> {
    let me = cx.my_id();
    let team = Team::by_id(cx, me, id)?.filter(|team| team.org_id == org);
    let team = team.filter(|team| sees(team.is_secret(), team.org_role, team.team_role.is_some()));
    team.ok_or_else(|| {
        let text = "team_id is not the ID of a team of this organization that you can see.";
        Error::explained("Repository", "invalid", "team_id", text)
    })
}
