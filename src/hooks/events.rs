//! The names of events that a webhook can subscribe to. Clients know more of them than this service emits.

use crate::error::{Error, Result};

/// Subscribes to every event.
pub const ALL: &str = "*";

/// The events that a global webhook can subscribe to (decision 68). They are also its default.
pub const GLOBAL: [&str; 2] = ["organization", "user"];

/// The events that a webhook of an organization can subscribe to.
const KNOWN: [&str; 63] = [
    "branch_protection_configuration",
    "branch_protection_rule",
    "check_run",
    "check_suite",
    "code_scanning_alert",
    "commit_comment",
    "create",
    "custom_property",
    "custom_property_values",
    "delete",
    "dependabot_alert",
    "deploy_key",
    "deployment",
    "deployment_status",
    "discussion",
    "discussion_comment",
    "fork",
    "gollum",
    "issue_comment",
    "issues",
    "label",
    "marketplace_purchase",
    "member",
    "membership",
    "merge_group",
    "meta",
    "milestone",
    "org_block",
    "organization",
    "package",
    "package_v2",
    "page_build",
    "ping",
    "project",
    "project_card",
    "project_column",
    "projects_v2",
    "projects_v2_item",
    "public",
    "pull_request",
    "pull_request_review",
    "pull_request_review_comment",
    "pull_request_review_thread",
    "push",
    "registry_package",
    "release",
    "repository",
    "repository_advisory",
    "repository_dispatch",
    "repository_import",
    "repository_ruleset",
    "repository_vulnerability_alert",
    "secret_scanning_alert",
    "secret_scanning_alert_location",
    "security_and_analysis",
    "star",
    "status",
    "team",
    "team_add",
    "watch",
    "workflow_dispatch",
    "workflow_job",
    "workflow_run",
];

/// The events that a webhook subscribes to, each once; `*` replaces the others. 422 for an unknown event.
pub fn wanted(names: Vec<String>, global: bool) -> Result<Vec<String>> {
    let known: &[&str] = if global { &GLOBAL } else { &KNOWN };
    let is_known = |name: &String| known.contains(&name.as_str()) || (name == ALL && !global);
    if names.is_empty() {
        return Err(Error::explained("Hook", "invalid", "events", "Choose at least one event."));
    }
    if !names.iter().all(is_known) {
        let text = if global {
            "A global hook can have the events `organization` and `user`."
        } else {
            "There is an unknown event. Use the names of webhook events, or `*` for all."
        };
        return Err(Error::explained("Hook", "invalid", "events", text));
    }
    if names.iter().any(|name| name == ALL) {
        return Ok(vec![ALL.to_owned()]);
    }
    let mut events: Vec<String> = Vec::with_capacity(names.len().min(known.len()));
    for name in names {
        if !events.contains(&name) {
            events.push(name);
        }
    }
    Ok(events)
}

#[cfg(test)]
mod tests {
    use super::{KNOWN, wanted};

    #[test]
    fn the_names_are_sorted() {
        assert!(KNOWN.is_sorted());
    }

    #[test]
    fn each_event_is_kept_once_and_all_swallow_the_others() {
        let read = |names: &[&str]| wanted(names.iter().map(|name| (*name).to_owned()).collect(), false);
        assert_eq!(read(&["team", "push", "team"]).unwrap(), ["team", "push"]);
        assert_eq!(read(&["team", "*"]).unwrap(), ["*"]);
        assert!(read(&[]).is_err() && read(&["teams"]).is_err());
        assert!(wanted(vec!["*".into()], true).is_err());
    }
}
