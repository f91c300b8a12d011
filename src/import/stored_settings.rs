//! The settings of organizations and repositories that are stored, most of them without an effect here, under their
//! names in the API (decision 52).

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::cursor::Cursor;
use super::desired::{Org, Repo};
use super::fault::Fault;
use crate::db::row;
use crate::orgs::settings::OrgSettings;
use crate::orgs::switches;
use crate::repos::settings::{Given, Settings, valid_topics};

/// The switches that a file gives an organization.
pub fn switches(at: &Cursor) -> switches::Given {
    let truth = |key: &&str| Some(((*key).to_owned(), at.flag(key)?.into()));
    let given: Map<String, Value> = switches::Given::KEYS.iter().filter_map(truth).collect();
    at.keep(serde_json::from_value(given.into()).map_err(|e| at.fault(e.to_string()))).unwrap_or_default()
}

/// The settings that a file gives a repository.
pub fn of_repo(at: &Cursor) -> Given {
    Given {
        has_discussions: at.flag("has_discussions"),
        has_downloads: at.flag("has_downloads"),
        allow_merge_commit: at.flag("allow_merge_commit"),
        allow_squash_merge: at.flag("allow_squash_merge"),
        allow_rebase_merge: at.flag("allow_rebase_merge"),
        allow_auto_merge: at.flag("allow_auto_merge"),
        allow_update_branch: at.flag("allow_update_branch"),
        allow_forking: at.flag("allow_forking"),
        delete_branch_on_merge: at.flag("delete_branch_on_merge"),
        squash_merge_commit_title: at.read("squash_merge_commit_title", word),
        squash_merge_commit_message: at.read("squash_merge_commit_message", word),
        merge_commit_title: at.read("merge_commit_title", word),
        merge_commit_message: at.read("merge_commit_message", word),
        web_commit_signoff_required: at.flag("web_commit_signoff_required"),
        topics: topics(at),
    }
}

fn word<T: DeserializeOwned>(at: &Cursor) -> Result<T, Fault> {
    // The words are plain. Any other text is escaped, so that the message can show it.
    serde_json::from_value(at.text()?.escape_debug().to_string().into()).map_err(|e| at.fault(e.to_string()))
}

fn topics(at: &Cursor) -> Option<Vec<String>> {
    let at = at.get("topics")?;
    let texts: Vec<_> = at.items()?.filter_map(|item| item.keep(item.text().map(str::to_owned))).collect();
    at.keep(valid_topics(texts).map_err(|why| at.fault(why)))
}

/// The settings of an organization, overridden by those in the file.
pub fn stated(file: &Org, was: &OrgSettings) -> OrgSettings {
    let permission = file.default_repository_permission.map(str::to_owned);
    let (any, public, private) = creation(file, was);
    OrgSettings {
        name: line(file.name.as_ref(), was.name.as_ref()),
        description: file.description.clone().or_else(|| was.description.clone()),
        company: line(file.company.as_ref(), was.company.as_ref()),
        blog: line(file.blog.as_ref(), was.blog.as_ref()),
        location: line(file.location.as_ref(), was.location.as_ref()),
        email: line(file.email.as_ref(), was.email.as_ref()),
        twitter_username: line(file.twitter_username.as_ref(), was.twitter_username.as_ref()),
        billing_email: line(file.billing_email.as_ref(), was.billing_email.as_ref()),
        default_repository_permission: permission.unwrap_or_else(|| was.default_repository_permission.clone()),
        members_can_create_teams: file.members_can_create_teams.unwrap_or(was.members_can_create_teams),
        members_can_leave_teams: file.members_can_leave_teams.unwrap_or(was.members_can_leave_teams),
        members_can_create_repositories: any,
        members_can_create_public_repositories: public,
        members_can_create_private_repositories: private,
        members_can_fork_private_repositories: file
            .members_can_fork_private_repositories
            .unwrap_or(was.members_can_fork_private_repositories),
        switches: was.switches.clone().with(file.switches.clone()),
        has_organization_projects: file.has_organization_projects.unwrap_or(was.has_organization_projects),
        has_repository_projects: file.has_repository_projects.unwrap_or(was.has_repository_projects),
        audit_shows_addresses: file.audit_shows_addresses.unwrap_or(was.audit_shows_addresses),
        applications_need_approval: was.applications_need_approval,
        plan: was.plan.clone(),
    }
}

/// The columns that say which repositories members may create. They stay as they are if they mean what the file says.
fn creation(file: &Org, was: &OrgSettings) -> (bool, bool, bool) {
    let is = was.creation().after(file.creation);
    if is != was.creation() {
        return is.columns();
    }
    (
        was.members_can_create_repositories,
        was.members_can_create_public_repositories,
        was.members_can_create_private_repositories,
    )
}

/// A line in a file is trimmed; a stored line that differs in nothing else stays.
fn line(file: Option<&String>, was: Option<&String>) -> Option<String> {
    let same = |text: &&String| file.is_none_or(|file| file == text.trim());
    was.filter(same).or(file).cloned()
}

row! {
    /// The settings of a repository that a file can contain.
    #[derive(Clone, PartialEq, Eq, Serialize)]
    pub struct RepoSettings from "r" {
        /// Its description.
        pub description: Option<String>,
        /// The URL of its website.
        pub homepage: Option<String>,
        /// True if it is private.
        pub private: bool,
        /// True if it is archived.
        pub archived: bool,
        /// Its default branch.
        pub default_branch: String,
        /// True if it has issues.
        pub has_issues: bool,
        /// True if it has projects.
        pub has_projects: bool,
        /// True if it has a wiki.
        pub has_wiki: bool,
        /// True if other repositories can be created from it.
        pub is_template: bool,
        /// True if it has vulnerability alerts.
        pub vulnerability_alerts: bool,
        /// The settings that are stored together.
        #[serde(flatten)]
        pub others: Settings = "r.settings" => Settings::read,
    }
}

impl RepoSettings {
    /// The settings of a repository for which the file contains none.
    pub fn usual() -> Self {
        Self {
            description: None,
            homepage: None,
            private: false,
            archived: false,
            default_branch: "main".to_owned(),
            has_issues: true,
            has_projects: true,
            has_wiki: true,
            is_template: false,
            vulnerability_alerts: false,
            others: Settings::default(),
        }
    }

    /// The settings of a new repository of the file.
    pub fn of_new(file: &Repo) -> Self {
        Self { private: file.private_if_new, ..Self::usual() }.with(file)
    }

    /// These settings, overridden by those in the file.
    pub fn with(&self, file: &Repo) -> Self {
        Self {
            description: file.description.clone().or_else(|| self.description.clone()),
            homepage: file.homepage.clone().or_else(|| self.homepage.clone()),
            private: file.private.unwrap_or(self.private),
            archived: file.archived.unwrap_or(self.archived),
            default_branch: file.default_branch.clone().unwrap_or_else(|| self.default_branch.clone()),
            has_issues: file.has_issues.unwrap_or(self.has_issues),
            has_projects: file.has_projects.unwrap_or(self.has_projects),
            has_wiki: file.has_wiki.unwrap_or(self.has_wiki),
            is_template: file.is_template.unwrap_or(self.is_template),
            vulnerability_alerts: file.vulnerability_alerts.unwrap_or(self.vulnerability_alerts),
            others: self.others.clone().with(file.settings.clone()),
        }
    }
}
