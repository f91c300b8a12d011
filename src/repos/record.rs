//! Records of repositories (section 4 of `SPEC.md`). No git data is stored here, so fields about it are constant, and
//! no field is missing (decision 30).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::level::{Level, Permissions};
use super::repo::Repo;
use super::settings::{MergeMessage, MergeTitle, SquashMessage, SquashTitle};
use crate::clock::Time;
use crate::error::Result;
use crate::links::{Links, node_id};
use crate::operation::{Cx, Record};
use crate::people::login::Owner;
use crate::people::user::SimpleUser;
use crate::policy::Granted;

/// A repository in a list, with the permissions of the caller, or of the team if the list is of a team's repositories.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "minimal-repository")]
pub struct MinimalRepository {
    /// The fields that identify it.
    #[serde(flatten)]
    pub head: Head,
    /// The URLs of what belongs to it.
    #[serde(flatten)]
    pub addresses: super::addresses::Addresses,
    /// The fields that describe it.
    #[serde(flatten)]
    pub state: State,
    /// What the permission allows.
    pub permissions: Permissions,
    /// Name of the role: `read`, `triage`, `write`, `maintain` or `admin`; `none` without access.
    pub role_name: &'static str,
}

/// The fields that identify a repository.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Head {
    /// ID.
    pub id: i64,
    /// GraphQL node ID.
    pub node_id: String,
    /// Name.
    pub name: String,
    /// Full name: owner and name.
    pub full_name: String,
    /// Whether only people with access can read it.
    pub private: bool,
    /// Its owner.
    pub owner: SimpleUser,
    /// URL of the web page.
    pub html_url: String,
    /// Description.
    pub description: Option<String>,
    /// Whether it is a fork.
    pub fork: bool,
}

impl Head {
    fn new(links: &Links, repo: &Repo) -> Self {
        let full_name = repo.full_name();
        Self {
            id: repo.id,
            node_id: node_id("Repository", repo.id),
            name: repo.name.clone(),
            html_url: links.html(&format!("/{full_name}")),
            full_name,
            private: repo.private,
            owner: owner(links, repo),
            description: repo.description.clone(),
            fork: repo.fork_of.is_some(),
        }
    }
}

/// The short record of a repository's owner.
fn owner(links: &Links, repo: &Repo) -> SimpleUser {
    match repo.owner {
        Owner::Org(id) => SimpleUser::of_kind(links, "Organization", id, &repo.owner_login, false),
        Owner::User(id) => SimpleUser::of_kind(links, "User", id, &repo.owner_login, repo.owner_site_admin),
    }
}

/// The fields that describe a repository.
#[derive(Debug, Serialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "clients know each of them")]
pub struct State {
    /// Creation time.
    pub created_at: Time,
    /// Time of the last change.
    pub updated_at: Time,
    /// Creation time, because Guildhall hosts no Git data.
    pub pushed_at: Time,
    /// Git URL.
    pub git_url: String,
    /// SSH URL.
    pub ssh_url: String,
    /// HTTP URL for cloning.
    pub clone_url: String,
    /// URL of the web page.
    pub svn_url: String,
    /// URL of its website.
    pub homepage: Option<String>,
    /// Always 0.
    pub size: i64,
    /// Always 0.
    pub stargazers_count: i64,
    /// Always 0.
    pub watchers_count: i64,
    /// Always null.
    pub language: Option<String>,
    /// Whether issues are enabled.
    pub has_issues: bool,
    /// Whether projects are enabled.
    pub has_projects: bool,
    /// Whether downloads are enabled.
    pub has_downloads: bool,
    /// Whether the wiki is enabled.
    pub has_wiki: bool,
    /// Always false.
    pub has_pages: bool,
    /// Whether discussions are enabled.
    pub has_discussions: bool,
    /// Number of direct forks.
    pub forks_count: i64,
    /// Always null.
    pub mirror_url: Option<String>,
    /// Whether it is archived and read-only.
    pub archived: bool,
    /// Always false.
    pub disabled: bool,
    /// Always 0.
    pub open_issues_count: i64,
    /// Always null.
    pub license: Option<String>,
    /// True if people other than its owners may fork it while it is private. An organization may refuse such forks of
    /// all its repositories.
    pub allow_forking: bool,
    /// Whether it is a template for new repositories.
    pub is_template: bool,
    /// Whether commits made in the web interface must be signed off.
    pub web_commit_signoff_required: bool,
    /// Whether the head branch of a pull request is deleted after the merge.
    pub delete_branch_on_merge: bool,
    /// Topics.
    pub topics: Vec<String>,
    /// `public` or `private`.
    pub visibility: &'static str,
    /// Number of direct forks.
    pub forks: i64,
    /// Always 0.
    pub open_issues: i64,
    /// Always 0.
    pub watchers: i64,
    /// Name of the default branch.
    pub default_branch: String,
}

impl State {
    /// Those of a repository.
    #[must_use]
    pub fn new(links: &Links, repo: &Repo) -> Self {
        let (full_name, host) = (repo.full_name(), links.host());
        let page = links.html(&format!("/{full_name}"));
        let settings = &repo.settings;
        Self {
            created_at: repo.created_at,
            updated_at: repo.updated_at,
            pushed_at: repo.created_at,
            git_url: format!("git://{host}/{full_name}.git"),
            ssh_url: format!("git@{host}:{full_name}.git"),
            clone_url: format!("{page}.git"),
            svn_url: page,
            homepage: repo.homepage.clone(),
            size: 0,
            stargazers_count: 0,
            watchers_count: 0,
            language: None,
            has_issues: repo.has_issues,
            has_projects: repo.has_projects,
            has_downloads: settings.has_downloads,
            has_wiki: repo.has_wiki,
            has_pages: false,
            has_discussions: settings.has_discussions,
            forks_count: repo.forks_count,
            mirror_url: None,
            archived: repo.archived,
            disabled: false,
            open_issues_count: 0,
            license: None,
            allow_forking: settings.allow_forking,
            is_template: repo.is_template,
            web_commit_signoff_required: settings.web_commit_signoff_required,
            delete_branch_on_merge: settings.delete_branch_on_merge,
            topics: settings.topics.clone(),
            visibility: if repo.private { "private" } else { "public" },
            forks: repo.forks_count,
            open_issues: 0,
            watchers: 0,
            default_branch: repo.default_branch.clone(),
        }
    }
}

impl MinimalRepository {
    /// The record of a repository, with this level on it.
    #[must_use]
    pub fn new(links: &Links, repo: &Repo, level: Option<Level>) -> Self {
        Self {
            head: Head::new(links, repo),
            addresses: super::addresses::Addresses::of(&links.api_of("/repos/", &repo.full_name(), "")),
            state: State::new(links, repo),
            permissions: Permissions::of(level),
            role_name: level.map_or("none", Level::role_name),
        }
    }
}

/// A repository, in full.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "repository")]
pub struct Repository {
    /// The fields that lists have too, including the caller's permissions.
    #[serde(flatten)]
    pub minimal: MinimalRepository,
    /// How pull requests are merged.
    #[serde(flatten)]
    pub merging: Merging,
    /// The organization that owns it.
    pub organization: Option<SimpleUser>,
    /// The repository it was forked from and its source, if the caller reads the former.
    #[serde(flatten)]
    pub lineage: Option<Lineage>,
    /// Number of direct forks.
    pub network_count: i64,
    /// Always 0.
    pub subscribers_count: i64,
}

/// How the pull requests of a repository are merged.
#[derive(Debug, Serialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "clients know each of them")]
pub struct Merging {
    /// Whether pull requests may be merged by squashing.
    pub allow_squash_merge: bool,
    /// Whether pull requests may be merged with a merge commit.
    pub allow_merge_commit: bool,
    /// Whether pull requests may be merged by rebasing.
    pub allow_rebase_merge: bool,
    /// Whether pull requests may be merged automatically once all requirements are met.
    pub allow_auto_merge: bool,
    /// Whether the branch of a pull request may be updated when it is behind its base branch.
    pub allow_update_branch: bool,
    /// Default message of squash commits.
    pub squash_merge_commit_message: SquashMessage,
    /// Default title of squash commits.
    pub squash_merge_commit_title: SquashTitle,
    /// Default message of merge commits.
    pub merge_commit_message: MergeMessage,
    /// Default title of merge commits.
    pub merge_commit_title: MergeTitle,
}

impl Merging {
    fn of(repo: &Repo) -> Self {
        let settings = &repo.settings;
        Self {
            allow_squash_merge: settings.allow_squash_merge,
            allow_merge_commit: settings.allow_merge_commit,
            allow_rebase_merge: settings.allow_rebase_merge,
            allow_auto_merge: settings.allow_auto_merge,
            allow_update_branch: settings.allow_update_branch,
            squash_merge_commit_message: settings.squash_merge_commit_message,
            squash_merge_commit_title: settings.squash_merge_commit_title,
            merge_commit_message: settings.merge_commit_message,
            merge_commit_title: settings.merge_commit_title,
        }
    }
}

/// The repository that a fork was made from, and the source of its line of forks.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Lineage {
    /// The repository that it was forked from.
    pub parent: Box<MinimalRepository>,
    /// The repository at the root of the fork network.
    pub source: Box<MinimalRepository>,
}

/// Get a repository.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets a repository.
pub fn get(cx: &mut Cx, repo: Granted<Repo>, _: Get) -> Result<Record<Repository>> {
    Ok(full(cx, &repo)?.into())
}

/// The full record of a repository, for the person for whom it was read.
pub fn full(cx: &mut Cx, repo: &Repo) -> Result<Repository> {
    Ok(Repository {
        minimal: MinimalRepository::new(cx.links, repo, repo.level()),
        merging: Merging::of(repo),
        organization: repo.org().map(|_| owner(cx.links, repo)),
        lineage: lineage(cx, repo)?,
        network_count: repo.forks_count,
        subscribers_count: 0,
    })
}

/// If the source is gone or the caller may not see it, the parent is shown as the source.
fn lineage(cx: &mut Cx, repo: &Repo) -> Result<Option<Lineage>> {
    let Some(parent) = above(cx, repo.fork_of)? else { return Ok(None) };
    let source = above(cx, repo.source)?;
    let record = |repo: &Repo| Box::new(MinimalRepository::new(cx.links, repo, repo.level()));
    Ok(Some(Lineage { source: record(source.as_ref().unwrap_or(&parent)), parent: record(&parent) }))
}

fn above(cx: &mut Cx, id: Option<i64>) -> Result<Option<Repo>> {
    id.map_or(Ok(None), |id| Repo::shown(cx, id))
}
