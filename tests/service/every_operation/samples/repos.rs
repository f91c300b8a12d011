//! Samples of repositories.

use super::{Sample, sample};
use crate::support::{Value, json};

pub fn samples() -> Vec<Sample> {
    vec![
        sample("repos.listForOrg", "eve", 200).query("per_page=1&type=all"),
        sample("repos.createInOrg", "tom", 201).body(|scene| {
            let mut body = new_repository();
            body["team_id"] = scene.number("team_id", "core").into();
            body
        }),
        sample("repos.listForAuthenticatedUser", "eve", 200)
            .query("per_page=1&visibility=all&affiliation=organization_member"),
        sample("repos.createForAuthenticatedUser", "tom", 201).body(|_| new_repository()),
        sample("repos.listForUser", "eve", 200).person("nina").query("per_page=1"),
        sample("repos.get", "eve", 200),
        sample("repos.update", "olivia", 200).body(|_| {
            json!({
                "name": "motor",
                "description": "It turns.",
                "homepage": "https://motor.example.com",
                "private": true,
                "visibility": "private",
                "archived": true,
                "has_issues": false,
                "has_projects": false,
                "has_wiki": false,
                "is_template": true,
                "default_branch": "trunk",
                "has_discussions": true,
                "has_downloads": false,
                "allow_merge_commit": false,
                "allow_squash_merge": false,
                "allow_rebase_merge": false,
                "allow_auto_merge": true,
                "allow_update_branch": true,
                "allow_forking": false,
                "delete_branch_on_merge": true,
                "squash_merge_commit_title": "PR_TITLE",
                "squash_merge_commit_message": "BLANK",
                "merge_commit_title": "PR_TITLE",
                "merge_commit_message": "BLANK",
                "web_commit_signoff_required": true,
                "topics": ["engine"],
            })
        }),
        sample("search.repos", "eve", 200)
            .query("per_page=1&q=engine%20in:name%20archived:false&sort=updated&order=asc"),
        sample("search.users", "eve", 200).query("per_page=1&q=a%20in:login&sort=repositories&order=asc"),
        sample("search.teams", "eve", 200).query("per_page=1&q=org:acme"),
        sample("repos.getAllTopics", "eve", 200),
        sample("repos.replaceAllTopics", "olivia", 200).body(|_| json!({ "names": ["engine", "steam"] })),
        sample("repos.checkVulnerabilityAlerts", "olivia", 204),
        sample("repos.enableVulnerabilityAlerts", "olivia", 204).repo("vault"),
        sample("repos.disableVulnerabilityAlerts", "olivia", 204),
        sample("repos.delete", "olivia", 204),
        sample("teams.listReposInOrg", "eve", 200).query("per_page=1"),
        sample("teams.checkPermissionsForRepoInOrg", "eve", 204),
        sample("teams.addOrUpdateRepoPermissionsInOrg", "olivia", 204).body(|_| json!({ "permission": "maintain" })),
        sample("teams.removeRepoInOrg", "max", 204),
        sample("repos.createFork", "tom", 202).body(|_| json!({ "organization": "acme", "name": "gearbox" })),
    ]
}

pub fn collaborators() -> Vec<Sample> {
    vec![
        sample("repos.listTeams", "eve", 200).query("per_page=1"),
        sample("repos.listCollaborators", "max", 200).query("per_page=1&affiliation=all&permission=push"),
        sample("repos.checkCollaborator", "max", 204),
        sample("repos.addCollaborator", "olivia", 204).person("nina").body(|_| json!({ "permission": "maintain" })),
        sample("repos.removeCollaborator", "olivia", 204).person("ursula"),
        sample("repos.getCollaboratorPermissionLevel", "max", 200),
        sample("repos.explainAccess", "olivia", 200),
        sample("repos.listAccess", "olivia", 200).query("per_page=1&q=a"),
        sample("orgs.listOutsideCollaborators", "olivia", 200).query("per_page=1&filter=all"),
        sample("orgs.convertMemberToOutsideCollaborator", "olivia", 204),
        sample("orgs.removeOutsideCollaborator", "olivia", 204).person("ursula"),
    ]
}

fn new_repository() -> Value {
    json!({
        "name": "wheels",
        "description": "They turn.",
        "homepage": "https://wheels.example.com",
        "private": true,
        "visibility": "private",
        "has_issues": false,
        "has_projects": false,
        "has_wiki": false,
        "is_template": true,
        "has_discussions": true,
        "has_downloads": false,
        "allow_merge_commit": false,
        "allow_squash_merge": false,
        "allow_rebase_merge": false,
        "allow_auto_merge": true,
        "allow_update_branch": true,
        "allow_forking": false,
        "delete_branch_on_merge": true,
        "squash_merge_commit_title": "PR_TITLE",
        "squash_merge_commit_message": "BLANK",
        "merge_commit_title": "PR_TITLE",
        "merge_commit_message": "BLANK",
        "web_commit_signoff_required": true,
        "topics": ["wheel"],
    })
}
