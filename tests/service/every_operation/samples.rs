//! One request for each row of the table that succeeds in the scene.

#[path = "samples/hooks.rs"]
mod hooks;
#[path = "samples/notices.rs"]
mod notices;
#[path = "samples/plans.rs"]
pub mod plans;
#[path = "samples/repos.rs"]
mod repos;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{available_parallelism, scope};

use guildhall::operation::{Method, Operation};
use guildhall::operations::operations;

use super::scene::Scene;
use crate::support::{Value, json};

/// A request that a row answers with success.
#[derive(Clone)]
pub struct Sample {
    pub operation: &'static str,
    /// The holder of the token.
    pub who: &'static str,
    pub status: u16,
    /// The team that the path names.
    pub team: &'static str,
    /// The repository that the path names.
    pub repo: &'static str,
    /// The person that the path names.
    pub person: &'static str,
    pub query: &'static str,
    body: Option<fn(&Scene) -> Value>,
}

fn sample(operation: &'static str, who: &'static str, status: u16) -> Sample {
    Sample { operation, who, status, team: "core", repo: "engine", person: "tom", query: "", body: None }
}

impl Sample {
    pub fn team(self, team: &'static str) -> Self {
        Self { team, ..self }
    }

    pub fn repo(self, repo: &'static str) -> Self {
        Self { repo, ..self }
    }

    pub fn person(self, person: &'static str) -> Self {
        Self { person, ..self }
    }

    pub fn query(self, query: &'static str) -> Self {
        Self { query, ..self }
    }

    fn body(self, body: fn(&Scene) -> Value) -> Self {
        Self { body: Some(body), ..self }
    }

    /// The part of its query that the row cannot do without.
    pub fn required(&self, row: &Operation) -> String {
        let required = |name: &str| row.params.fields.iter().any(|field| field.required && field.name == name);
        let pairs = self.query.split('&').filter(|pair| pair.split_once('=').is_some_and(|(name, _)| required(name)));
        pairs.collect::<Vec<_>>().join("&")
    }

    /// The members of its body, if it sends one.
    pub fn members(&self, scene: &Scene) -> Option<Value> {
        self.body.map(|body| body(scene))
    }
}

/// Every row of the table with its sample.
pub fn all() -> Vec<(Operation, Sample)> {
    let of_teams = [teams(), members(), projects(), discussions(), reactions()].into_iter().flatten();
    let of_orgs = [
        people(),
        notices::samples(),
        orgs(),
        memberships(),
        roles(),
        invitations(),
        hooks::samples(),
        plans::samples(),
        repos::samples(),
        repos::collaborators(),
        absent(),
        administration(),
    ];
    let mut samples: Vec<Sample> = of_teams.chain(of_orgs.into_iter().flatten()).collect();
    let of_row = |row: Operation| {
        let nth = samples.iter().position(|sample| sample.operation == row.name);
        let nth = nth.unwrap_or_else(|| panic!("{} needs a sample in every_operation/samples.rs", row.name));
        (row, samples.swap_remove(nth))
    };
    let rows = operations().into_iter().map(of_row).collect();
    assert!(samples.is_empty(), "{} is no row of the table", samples[0].operation);
    rows
}

/// Calls a function for each row with its sample, on all cores: each makes a scene of its own, and the longest of these
/// tests run when all others have ended. The results are in any order.
pub fn each<R: Send>(check: impl Fn(&Operation, &Sample) -> R + Sync) -> Vec<R> {
    let (all, next, results) = (all(), AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((row, sample)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = check(row, sample);
            results.lock().expect("no panic").push(result);
        }
    };
    scope(|scope| {
        let cores = available_parallelism().map_or(1, usize::from);
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    results.into_inner().expect("no panic")
}

/// The same for each write.
pub fn each_write<R: Send>(check: impl Fn(&Operation, &Sample) -> R + Sync) -> Vec<R> {
    let writes = |row: &Operation, sample: &Sample| (row.method != Method::Get).then(|| check(row, sample));
    each(writes).into_iter().flatten().collect()
}

/// The operations of missing features.
fn absent() -> Vec<Sample> {
    let rows = operations().into_iter().filter(|row| row.absent);
    rows.map(|row| sample(row.name, if row.name == "repos.listInvitations" { "olivia" } else { "eve" }, 200)).collect()
}

fn teams() -> Vec<Sample> {
    vec![
        sample("teams.list", "olivia", 200).query("per_page=2"),
        sample("teams.create", "olivia", 201).body(|scene| {
            json!({
                "name": "Fresh Paint",
                "description": "They paint.",
                "maintainers": ["tom", scene.number("account_id", "eve")],
                "repo_names": ["acme/engine"],
                "privacy": "closed",
                "notification_setting": "notifications_disabled",
                "permission": "push",
                "parent_team_id": scene.number("team_id", "parents"),
            })
        }),
        sample("teams.getByName", "eve", 200),
        sample("teams.updateInOrg", "olivia", 200).body(|scene| {
            json!({
                "name": "Hard Core",
                "description": "They do it all.",
                "privacy": "closed",
                "notification_setting": "notifications_disabled",
                "permission": "admin",
                "parent_team_id": scene.number("team_id", "parents"),
            })
        }),
        sample("teams.deleteInOrg", "olivia", 204).team("parents"),
        sample("teams.listChildInOrg", "eve", 200).team("parents").query("per_page=1"),
        sample("teams.listForAuthenticatedUser", "tom", 200).query("per_page=1&effective=true"),
        sample("teams.updateReviewAssignmentInOrg", "max", 200).body(
            |_| json!({ "enabled": true, "algorithm": "load_balance", "team_member_count": 3, "notify_team": false }),
        ),
        sample("teams.listIdPGroupsForOrg", "olivia", 200).query("per_page=1"),
        sample("teams.listIdPGroupsInOrg", "eve", 200),
        sample("teams.createOrUpdateIdPGroupConnectionsInOrg", "olivia", 200).body(|scene| {
            let group = scene.value("group_id", "staff");
            json!({ "groups": [{ "group_id": group, "group_name": "Staff", "group_description": "" }] })
        }),
    ]
}

fn members() -> Vec<Sample> {
    vec![
        sample("teams.listJoinRequestsInOrg", "max", 200).query("per_page=1&state=all"),
        sample("teams.createJoinRequestInOrg", "olivia", 201).body(|_| json!({ "message": "May I?" })),
        sample("teams.decideJoinRequestInOrg", "max", 200).body(|_| json!({ "state": "declined" })),
        sample("teams.deleteJoinRequestInOrg", "eve", 204),
        sample("teams.listMembersInOrg", "eve", 200).team("parents").query("per_page=1&role=all&membership=all"),
        sample("teams.getMembershipForUserInOrg", "eve", 200),
        sample("teams.addOrUpdateMembershipForUserInOrg", "max", 200)
            .person("eve")
            .body(|_| json!({ "role": "maintainer", "expires_at": "2026-01-09T18:00:00Z" })),
        sample("teams.removeMembershipForUserInOrg", "max", 204),
        sample("teams.getMemberLegacy", "eve", 204),
        sample("teams.addMemberLegacy", "max", 204).person("eve"),
        sample("teams.removeMemberLegacy", "max", 204),
    ]
}

fn projects() -> Vec<Sample> {
    vec![
        sample("teams.listProjectsInOrg", "eve", 200).query("per_page=1"),
        sample("teams.checkPermissionsForProjectInOrg", "eve", 200),
        sample("teams.addOrUpdateProjectPermissionsInOrg", "olivia", 204).body(|_| json!({ "permission": "write" })),
        sample("teams.removeProjectInOrg", "max", 204),
        sample("projects.listForOrg", "eve", 200).query("per_page=1&state=all"),
        sample("projects.createForOrg", "eve", 201).body(|_| json!({ "name": "Launch", "body": "To the moon." })),
        sample("projects.get", "eve", 200),
        sample("projects.update", "olivia", 200).body(|_| {
            json!({
                "name": "Way",
                "body": "Where we go.",
                "state": "closed",
                "organization_permission": "write",
                "private": false,
            })
        }),
        sample("projects.delete", "olivia", 204),
        sample("projects.listCollaborators", "olivia", 200).query("per_page=1&affiliation=all"),
        sample("projects.addCollaborator", "olivia", 204).body(|_| json!({ "permission": "admin" })),
        sample("projects.removeCollaborator", "olivia", 204).person("ray"),
        sample("projects.getPermissionForUser", "olivia", 200),
        sample("projects.explainAccess", "olivia", 200),
        sample("projects.listAccess", "olivia", 200).query("per_page=1&q=a"),
    ]
}

fn discussions() -> Vec<Sample> {
    vec![
        sample("teams.listDiscussionsInOrg", "eve", 200).query("per_page=1&direction=asc&pinned=false"),
        sample("teams.createDiscussionInOrg", "max", 201)
            .body(|_| json!({ "title": "Lunch", "body": "At *noon*, @tom?", "private": true })),
        sample("teams.getDiscussionInOrg", "eve", 200),
        sample("teams.updateDiscussionInOrg", "max", 200).body(|_| json!({ "title": "Dinner", "body": "At six." })),
        sample("teams.deleteDiscussionInOrg", "max", 204),
        sample("teams.listDiscussionCommentsInOrg", "eve", 200).query("per_page=1&direction=asc"),
        sample("teams.createDiscussionCommentInOrg", "eve", 201).body(|_| json!({ "body": "Yes, @max." })),
        sample("teams.getDiscussionCommentInOrg", "eve", 200),
        sample("teams.updateDiscussionCommentInOrg", "max", 200).body(|_| json!({ "body": "No." })),
        sample("teams.deleteDiscussionCommentInOrg", "max", 204),
    ]
}

fn reactions() -> Vec<Sample> {
    vec![
        sample("reactions.listForTeamDiscussionInOrg", "eve", 200).query("per_page=1&content=heart"),
        sample("reactions.createForTeamDiscussionInOrg", "eve", 201).body(|_| json!({ "content": "+1" })),
        sample("reactions.deleteForTeamDiscussion", "max", 204),
        sample("reactions.listForTeamDiscussionCommentInOrg", "eve", 200).query("per_page=1&content=heart"),
        sample("reactions.createForTeamDiscussionCommentInOrg", "eve", 201).body(|_| json!({ "content": "-1" })),
        sample("reactions.deleteForTeamDiscussionComment", "max", 204),
    ]
}

fn people() -> Vec<Sample> {
    vec![
        sample("meta.root", "nina", 200),
        sample("meta.get", "nina", 200),
        sample("meta.getAllVersions", "nina", 200),
        sample("rateLimit.get", "nina", 200),
        sample("users.getAuthenticated", "nina", 200),
        sample("users.updateAuthenticated", "eve", 200).body(|_| json!({ "name": "Eve", "email": "eve@example.net" })),
        sample("users.listEmailsForAuthenticated", "nina", 200).query("per_page=1"),
        sample("users.addEmailForAuthenticated", "nina", 201).body(|_| json!({ "emails": ["nina@example.net"] })),
        sample("users.deleteEmailForAuthenticated", "eve", 204).body(|_| json!({ "emails": ["eve@example.com"] })),
        sample("users.setPrimaryEmailVisibilityForAuthenticated", "nina", 200)
            .body(|_| json!({ "visibility": "public" })),
        sample("users.getByUsername", "nina", 200),
        sample("users.getById", "nina", 200),
        sample("users.list", "nina", 200).query("per_page=1&since=1"),
    ]
}

fn orgs() -> Vec<Sample> {
    vec![
        sample("orgs.listForAuthenticatedUser", "tom", 200).query("per_page=1"),
        sample("orgs.listForUser", "nina", 200).person("max").query("per_page=1"),
        sample("orgs.list", "nina", 200).query("per_page=1&since=1"),
        sample("orgs.get", "olivia", 200),
        sample("orgs.delete", "olivia", 202),
        sample("orgs.update", "olivia", 200).body(|_| {
            json!({
                "name": "Acme",
                "description": "It makes things.",
                "company": "Acme Inc.",
                "blog": "https://acme.example.com",
                "location": "Nowhere",
                "email": "all@acme.example.com",
                "twitter_username": "acme",
                "billing_email": "bills@acme.example.com",
                "default_repository_permission": "none",
                "members_can_create_teams": false,
                "members_can_leave_teams": true,
                "members_can_create_repositories": false,
                "members_allowed_repository_creation_type": "private",
                "members_can_create_public_repositories": false,
                "members_can_create_private_repositories": true,
                "members_can_fork_private_repositories": true,
                "members_can_create_internal_repositories": true,
                "members_can_create_pages": false,
                "members_can_create_public_pages": false,
                "members_can_create_private_pages": false,
                "web_commit_signoff_required": true,
                "advanced_security_enabled_for_new_repositories": true,
                "dependabot_alerts_enabled_for_new_repositories": true,
                "dependabot_security_updates_enabled_for_new_repositories": true,
                "dependency_graph_enabled_for_new_repositories": true,
                "secret_scanning_enabled_for_new_repositories": true,
                "secret_scanning_push_protection_enabled_for_new_repositories": true,
                "has_organization_projects": false,
                "has_repository_projects": false,
                "audit_shows_addresses": true,
                "applications_need_approval": true,
            })
        }),
        sample("orgs.getAuditLog", "olivia", 200)
            .query("per_page=1&phrase=action:team.add_member+user:tom&include=all&order=asc"),
        sample("orgs.listMembers", "eve", 200).query("per_page=2&role=member"),
        sample("orgs.checkMembershipForUser", "eve", 204),
        sample("orgs.removeMember", "olivia", 204),
        sample("orgs.listPublicMembers", "nina", 200).query("per_page=1"),
        sample("orgs.checkPublicMembershipForUser", "nina", 204).person("max"),
        sample("orgs.setPublicMembershipForAuthenticatedUser", "tom", 204),
        sample("orgs.removePublicMembershipForAuthenticatedUser", "max", 204).person("max"),
    ]
}

fn memberships() -> Vec<Sample> {
    vec![
        sample("orgs.getMembershipForUser", "eve", 200),
        sample("orgs.setMembershipForUser", "olivia", 200).person("nina").body(|_| json!({ "role": "admin" })),
        sample("orgs.removeMembershipForUser", "olivia", 204),
        sample("orgs.listMembershipsForAuthenticatedUser", "tom", 200).query("per_page=1&state=active"),
        sample("orgs.getMembershipForAuthenticatedUser", "tom", 200),
        sample("orgs.updateMembershipForAuthenticatedUser", "ivan", 200).body(|_| json!({ "state": "active" })),
        sample("orgs.acceptMembershipForUser", "ivan", 200).person("ivan").body(|_| json!({ "state": "active" })),
    ]
}

fn roles() -> Vec<Sample> {
    vec![
        sample("orgs.listOrgRoles", "olivia", 200),
        sample("orgs.getOrgRole", "olivia", 200),
        sample("orgs.listOrgRoleTeams", "olivia", 200).query("per_page=1"),
        sample("orgs.listOrgRoleUsers", "olivia", 200).query("per_page=1"),
        sample("orgs.assignTeamToOrgRole", "olivia", 204),
        sample("orgs.revokeOrgRoleTeam", "olivia", 204).team("parents"),
        sample("orgs.revokeAllOrgRolesTeam", "olivia", 204).team("parents"),
        sample("orgs.assignUserToOrgRole", "olivia", 204),
        sample("orgs.revokeOrgRoleUser", "olivia", 204).person("ray"),
        sample("orgs.revokeAllOrgRolesUser", "olivia", 204).person("ray"),
        sample("orgs.listSecurityManagerTeams", "olivia", 200).query("per_page=1"),
        sample("orgs.addSecurityManagerTeam", "olivia", 204),
        sample("orgs.removeSecurityManagerTeam", "olivia", 204).team("parents"),
    ]
}

fn invitations() -> Vec<Sample> {
    vec![
        sample("teams.listPendingInvitationsInOrg", "max", 200).team("parents").query("per_page=1"),
        sample("orgs.removeMembershipForAuthenticatedUser", "ivan", 204),
        sample("orgs.listPendingInvitations", "olivia", 200).query("per_page=1"),
        sample("orgs.createInvitation", "olivia", 201).body(|scene| {
            json!({
                "invitee_id": scene.number("account_id", "nina"),
                "email": "nina@globex.example.com",
                "role": "admin",
                "team_ids": [scene.number("team_id", "parents")],
            })
        }),
        sample("orgs.cancelInvitation", "olivia", 204),
        sample("orgs.listInvitationTeams", "olivia", 200).query("per_page=1"),
        sample("orgs.listFailedInvitations", "olivia", 200).query("per_page=1"),
    ]
}

fn administration() -> Vec<Sample> {
    vec![
        sample("enterpriseAdmin.createUser", "sam", 201)
            .body(|_| json!({ "login": "zoe", "email": "zoe@example.com", "suspended": false })),
        sample("enterpriseAdmin.updateUsernameForUser", "sam", 202)
            .body(|_| json!({ "login": "thomas", "name": "Thomas" })),
        sample("enterpriseAdmin.addEmailsForUser", "sam", 201)
            .body(|_| json!({ "emails": ["tom@example.net"], "verified": true })),
        sample("enterpriseAdmin.deleteEmailsForUser", "sam", 204)
            .person("eve")
            .body(|_| json!({ "emails": ["eve@example.net"] })),
        sample("enterpriseAdmin.deleteUser", "sam", 204),
        sample("enterpriseAdmin.createImpersonationOAuthToken", "sam", 201)
            .body(|_| json!({ "scopes": ["repo"], "effective_teams": true })),
        sample("enterpriseAdmin.deleteImpersonationOAuthToken", "sam", 204).person("ursula"),
        sample("enterpriseAdmin.promoteUserToBeSiteAdministrator", "sam", 204),
        sample("enterpriseAdmin.demoteSiteAdministrator", "sam", 204).person("ursula"),
        sample("enterpriseAdmin.suspendUser", "sam", 204).body(|_| json!({ "reason": "A test." })),
        sample("enterpriseAdmin.unsuspendUser", "sam", 204).person("walt").body(|_| json!({ "reason": "A test." })),
        sample("enterpriseAdmin.createOrg", "sam", 201)
            .body(|_| json!({ "login": "initech", "admin": "tom", "profile_name": "Initech" })),
        sample("orgs.createForAuthenticatedUser", "sam", 201)
            .body(|_| json!({ "login": "hooli", "profile_name": "Hooli" })),
        sample("enterpriseAdmin.updateOrgName", "sam", 202).body(|_| json!({ "login": "apex", "plan": "enterprise" })),
        sample("enterpriseAdmin.listPersonalAccessTokens", "sam", 200).query("per_page=1"),
        sample("enterpriseAdmin.deletePersonalAccessToken", "sam", 204),
        sample("enterpriseAdmin.getAuditLog", "sam", 200).query("per_page=1&phrase=action:user.create"),
    ]
}
