//! The scopes and the rules of fields and mutations: those of the operations that show or change the same (decision 60).

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::operation::Operation;
use crate::policy::Requirement;
use crate::scope::Accepted;

/// The requirements of an operation.
pub struct Row {
    /// The scopes; a token needs one of them.
    pub scopes: Accepted,
    /// The callers who may run it.
    pub who_may: Requirement,
}

/// The operations that fields and mutations share their scopes and rules with.
pub struct Rules {
    /// Showing a team.
    pub team: Row,
    /// Creating a team.
    pub create_team: Row,
    /// Updating a team.
    pub update_team: Row,
    /// The invitations that include a team.
    pub team_invitations: Row,
    /// The discussions of a team.
    pub discussions: Row,
    /// Updating a discussion.
    pub update_discussion: Row,
    /// Pinning a discussion.
    pub pin_discussion: Row,
    /// Updating a comment.
    pub update_comment: Row,
    /// Updating an organization.
    pub update_org: Row,
    /// The invitations to an organization.
    pub org_invitations: Row,
    /// Updating a repository.
    pub update_repo: Row,
    /// The people of a repository.
    pub collaborators: Row,
    /// The switch for vulnerability alerts of a repository.
    pub alerts: Row,
    /// The scopes of each mutation.
    pub mutations: BTreeMap<&'static str, Accepted>,
}

impl Rules {
    /// Takes them from the rows of the table. Each of these mutations comes with the name of its operation.
    pub fn of(rows: &[Operation], mutations: impl Iterator<Item = (&'static str, &'static str)>) -> Result<Self> {
        let row = |name: &str| -> Result<Row> {
            let found = rows.iter().find(|row| row.name == name);
            let row =
                found.ok_or_else(|| Error::Bug(format!("GraphQL needs the operation {name}, which is missing")))?;
            Ok(Row { scopes: row.scopes, who_may: row.who_may.clone() })
        };
        Ok(Self {
            team: row("teams.getByName")?,
            create_team: row("teams.create")?,
            update_team: row("teams.updateInOrg")?,
            team_invitations: row("teams.listPendingInvitationsInOrg")?,
            discussions: row("teams.listDiscussionsInOrg")?,
            update_discussion: row("teams.updateDiscussionInOrg")?,
            pin_discussion: row("discussions.pin")?,
            update_comment: row("teams.updateDiscussionCommentInOrg")?,
            update_org: row("orgs.update")?,
            org_invitations: row("orgs.listPendingInvitations")?,
            update_repo: row("repos.update")?,
            collaborators: row("repos.listCollaborators")?,
            alerts: row("repos.checkVulnerabilityAlerts")?,
            mutations: mutations.map(|(name, of)| Ok((name, row(of)?.scopes))).collect::<Result<_>>()?,
        })
    }
}
