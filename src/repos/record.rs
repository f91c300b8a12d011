//! Records of repositories (section 4 of `SPEC.md`). No git data is stored here, so fields about it are constant, and
//! no field is missing (decision 30).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::addresses::Addresses;
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
use crate::record::record;

record! {
    /// A repository in a list, with the permissions of the caller, or of the team if the list is of a team's
    /// repositories.
    #[schemars(rename = "minimal-repository")]
    pub struct MinimalRepository {
        /// The fields that identify it.
        #[serde(flatten)]
        pub head: Head = Head::new(links, repo),
        /// The URLs of what belongs to it.
        #[serde(flatten)]
        pub addresses: Addresses = Addresses::of(&links.api_of("/repos/", &repo.full_name(), "")),
        /// The fields that describe it.
        #[serde(flatten)]
        pub state: State = State::new(links, repo),
        /// The actions that the permission allows.
        pub permissions: Permissions = Permissions::of(level),
        /// Name of the role: `read`, `triage`, `write`, `maintain` or `admin`; `none` without access.
        pub role_name: &'static str = level.map_or("none", Level::role_name),
    }

    /// The record of a repository, with this level on it.
    pub fn new(links: &Links, repo: &Repo, level: Option<Level>) {}
}

record! {
    /// The fields that identify a repository.
    pub struct Head {
        /// ID.
        pub id: i64 = repo.id,
        /// GraphQL node ID.
        pub node_id: String = node_id("Repository", repo.id),
        /// Name.
        pub name: String = repo.name.clone(),
        /// Full name: owner and name.
        pub full_name: String = full_name,
        /// True if only people with access can read it.
        pub private: bool = repo.private,
        /// Its owner.
        pub owner: SimpleUser = owner(links, repo),
        /// URL of the web page.
        pub html_url: String = html_url,
        /// Description.
        pub description: Option<String> = repo.description.clone(),
        /// True if it is a fork.
        pub fork: bool = repo.fork_of.is_some(),
    }

    fn new(links: &Links, repo: &Repo) {
        let full_name = repo.full_name();
        let html_url = links.html(&format!("/{full_name}"));
    }
}

/// The short record of a repository's owner.
fn owner(links: &Links, repo: &Repo) -> SimpleUser {
    match repo.owner {
        Owner::Org(id) => SimpleUser::of_kind(links, "Organization", id, &repo.owner_login, false),
        Owner::User(id) => SimpleUser::of_kind(links, "User", id, &repo.owner_login, repo.owner_site_admin),
    }
}

record! {
    /// The fields that describe a repository.
    pub struct State {
        /// Creation time.
        pub created_at: Time = repo.created_at,
        /// Time of the last change.
        pub updated_at: Time = repo.updated_at,
        /// Creation time, because Guildhall hosts no Git data.
        pub pushed_at: Time = repo.created_at,
        /// Git URL.
        pub git_url: String = format!("git://{host}/{full_name}.git"),
        /// SSH URL.
        pub ssh_url: String = format!("git@{host}:{full_name}.git"),
        /// HTTP URL for cloning.
        pub clone_url: String = format!("{page}.git"),
        /// URL of the web page.
        pub svn_url: String = page,
        /// URL of its website.
        pub homepage: Option<String> = repo.homepage.clone(),
        /// Always 0.
        pub size: i64 = 0,
        /// Always 0.
        pub stargazers_count: i64 = 0,
        /// Always 0.
        pub watchers_count: i64 = 0,
        /// Always null.
        pub language: Option<String> = None,
        /// True if issues are enabled.
        pub has_issues: bool = repo.has_issues,
        /// True if projects are enabled.
        pub has_projects: bool = repo.has_projects,
        /// True if downloads are enabled.
        pub has_downloads: bool = settings.has_downloads,
        /// True if the wiki is enabled.
        pub has_wiki: bool = repo.has_wiki,
        /// Always false.
        pub has_pages: bool = false,
        /// True if discussions are enabled.
        pub has_discussions: bool = settings.has_discussions,
        /// Number of direct forks.
        pub forks_count: i64 = repo.forks_count,
        /// Always null.
        pub mirror_url: Option<String> = None,
        /// True if it is archived and read-only.
        pub archived: bool = repo.archived,
        /// Always false.
        pub disabled: bool = false,
        /// Always 0.
        pub open_issues_count: i64 = 0,
        /// Always null.
        pub license: Option<String> = None,
        /// True if people other than its owners may fork it while it is private. An organization may refuse such forks
        /// of all its repositories.
        pub allow_forking: bool = settings.allow_forking,
        /// True if it is a template for new repositories.
        pub is_template: bool = repo.is_template,
        /// True if commits made in the web interface must be signed off.
        pub web_commit_signoff_required: bool = settings.web_commit_signoff_required,
        /// True if the head branch of a pull request is deleted after the merge.
        pub delete_branch_on_merge: bool = settings.delete_branch_on_merge,
        /// Topics.
        pub topics: Vec<String> = settings.topics.clone(),
        /// `public` or `private`.
        pub visibility: &'static str = if repo.private { "private" } else { "public" },
        /// Number of direct forks.
        pub forks: i64 = repo.forks_count,
        /// Always 0.
        pub open_issues: i64 = 0,
        /// Always 0.
        pub watchers: i64 = 0,
        /// Name of the default branch.
        pub default_branch: String = repo.default_branch.clone(),
    }

    /// Those of a repository.
    pub fn new(links: &Links, repo: &Repo) {
        let (full_name, host) = (repo.full_name(), links.host());
        let page = links.html(&format!("/{full_name}"));
        let settings = &repo.settings;
    }
}

/// A repository, in full.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "repository")]
pub struct Repository {
    /// The fields that lists have too, including the caller's permissions.
    #[serde(flatten)]
    pub minimal: MinimalRepository,
    /// The settings for merging pull requests.
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

record! {
    /// The settings of a repository for merging pull requests.
    pub struct Merging {
        /// True if pull requests may be merged by squashing.
        pub allow_squash_merge: bool = settings.allow_squash_merge,
        /// True if pull requests may be merged with a merge commit.
        pub allow_merge_commit: bool = settings.allow_merge_commit,
        /// True if pull requests may be merged by rebasing.
        pub allow_rebase_merge: bool = settings.allow_rebase_merge,
        /// True if pull requests may be merged automatically once all requirements are met.
        pub allow_auto_merge: bool = settings.allow_auto_merge,
        /// True if the branch of a pull request may be updated when it is behind its base branch.
        pub allow_update_branch: bool = settings.allow_update_branch,
        /// Default message of squash commits.
        pub squash_merge_commit_message: SquashMessage = settings.squash_merge_commit_message,
        /// Default title of squash commits.
        pub squash_merge_commit_title: SquashTitle = settings.squash_merge_commit_title,
        /// Default message of merge commits.
        pub merge_commit_message: MergeMessage = settings.merge_commit_message,
        /// Default title of merge commits.
        pub merge_commit_title: MergeTitle = settings.merge_commit_title,
    }

    fn of(repo: &Repo) {
        let settings = &repo.settings;
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
    let Some(id) = id else { return Ok(None) };
    cx.find_toward(|found: &Option<Repo>| found.as_ref()?.org(), |cx| Repo::shown(cx, id))
}
