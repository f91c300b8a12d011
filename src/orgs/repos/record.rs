//! Records of repositories, as `github-schemas.md` gives them: no git data is kept here, so that what is about it is
//! constant, and nothing is missing (decision 30).

use schemars::JsonSchema;
use serde::Serialize;

use super::level::{Level, Permissions};
use super::repo::Repo;
use crate::clock::Time;
use crate::error::Result;
use crate::links::{Links, node_id};
use crate::operation::Cx;
use crate::people::login::Owner;
use crate::people::user::SimpleUser;

/// A repository in a list, with a level on it: of the caller, or of whoever the list is about.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "minimal-repository")]
pub struct MinimalRepository {
    /// What it is.
    #[serde(flatten)]
    pub head: Head,
    /// Where what belongs to it stands.
    #[serde(flatten)]
    pub addresses: super::addresses::Addresses,
    /// What it is like.
    #[serde(flatten)]
    pub state: State,
    /// What the level allows.
    pub permissions: Permissions,
    /// The name of the level: `read`, `triage`, `write`, `maintain` or `admin`; `none` for no access.
    pub role_name: &'static str,
}

/// What a repository is.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Head {
    /// Identifier.
    pub id: i64,
    /// Identifier in GraphQL.
    pub node_id: String,
    /// Name.
    pub name: String,
    /// Owner and name.
    pub full_name: String,
    /// Whether only those read it who were given access.
    pub private: bool,
    /// Its owner.
    pub owner: SimpleUser,
    /// Address of the page.
    pub html_url: String,
    /// Description.
    pub description: Option<String>,
    /// Whether it was forked from another.
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

/// The owner of a repository, in short.
fn owner(links: &Links, repo: &Repo) -> SimpleUser {
    match repo.owner {
        Owner::Org(id) => SimpleUser::of_kind(links, "Organization", id, &repo.owner_login, false),
        Owner::User(id) => SimpleUser::of_kind(links, "User", id, &repo.owner_login, repo.owner_site_admin),
    }
}

/// What a repository is like.
#[derive(Debug, Serialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "clients know each of them")]
pub struct State {
    /// When it was created.
    pub created_at: Time,
    /// When it changed last.
    pub updated_at: Time,
    /// Always null: nothing is pushed here.
    pub pushed_at: Option<Time>,
    /// Where git would find it.
    pub git_url: String,
    /// The same, over SSH.
    pub ssh_url: String,
    /// The same, over HTTP.
    pub clone_url: String,
    /// Address of the page.
    pub svn_url: String,
    /// Address of its own pages.
    pub homepage: Option<String>,
    /// Always 0.
    pub size: i64,
    /// Always 0.
    pub stargazers_count: i64,
    /// Always 0.
    pub watchers_count: i64,
    /// Always null.
    pub language: Option<String>,
    /// Whether it has issues.
    pub has_issues: bool,
    /// Whether it has projects.
    pub has_projects: bool,
    /// Always true.
    pub has_downloads: bool,
    /// Whether it has a wiki.
    pub has_wiki: bool,
    /// Always false.
    pub has_pages: bool,
    /// How many direct forks it has.
    pub forks_count: i64,
    /// Always null.
    pub mirror_url: Option<String>,
    /// Whether it is kept for reading only.
    pub archived: bool,
    /// Always false.
    pub disabled: bool,
    /// Always 0.
    pub open_issues_count: i64,
    /// Always null.
    pub license: Option<String>,
    /// Always true: whoever reads it can fork it.
    pub allow_forking: bool,
    /// Whether others begin with a copy of it.
    pub is_template: bool,
    /// Always empty.
    pub topics: Vec<String>,
    /// `public` or `private`.
    pub visibility: &'static str,
    /// How many direct forks it has.
    pub forks: i64,
    /// Always 0.
    pub open_issues: i64,
    /// Always 0.
    pub watchers: i64,
    /// The name of the branch that is shown first.
    pub default_branch: String,
}

impl State {
    fn new(links: &Links, repo: &Repo) -> Self {
        let (full_name, host) = (repo.full_name(), links.host());
        let page = links.html(&format!("/{full_name}"));
        Self {
            created_at: repo.created_at,
            updated_at: repo.updated_at,
            pushed_at: None,
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
            has_downloads: true,
            has_wiki: repo.has_wiki,
            has_pages: false,
            forks_count: repo.forks_count,
            mirror_url: None,
            archived: repo.archived,
            disabled: false,
            open_issues_count: 0,
            license: None,
            allow_forking: true,
            is_template: repo.is_template,
            topics: Vec::new(),
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

/// A repository with all that is known of it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "repository")]
pub struct Repository {
    /// What lists show too, with what the caller may do.
    #[serde(flatten)]
    pub minimal: MinimalRepository,
    /// The organization that owns it.
    pub organization: Option<SimpleUser>,
    /// Where it was forked from, if the caller reads that.
    #[serde(flatten)]
    pub lineage: Option<Lineage>,
    /// How many direct forks it has.
    pub network_count: i64,
    /// Always 0.
    pub subscribers_count: i64,
}

/// Where a repository was forked from.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Lineage {
    /// The repository that it is a fork of.
    pub parent: Box<MinimalRepository>,
    /// The repository where the line of forks begins.
    pub source: Box<MinimalRepository>,
}

/// The full record of a repository, as the person stands to it for whom it was read.
pub fn full(cx: &mut Cx, repo: &Repo) -> Result<Repository> {
    Ok(Repository {
        minimal: MinimalRepository::new(cx.links, repo, repo.level()),
        organization: repo.org().map(|_| owner(cx.links, repo)),
        lineage: lineage(cx, repo)?,
        network_count: repo.forks_count,
        subscribers_count: 0,
    })
}

/// A source that is gone or not for the caller to see leaves the parent as the beginning.
fn lineage(cx: &mut Cx, repo: &Repo) -> Result<Option<Lineage>> {
    let Some(parent) = above(cx, repo.fork_of)? else { return Ok(None) };
    let source = above(cx, repo.source)?;
    let record = |repo: &Repo| Box::new(MinimalRepository::new(cx.links, repo, repo.level()));
    Ok(Some(Lineage { source: record(source.as_ref().unwrap_or(&parent)), parent: record(&parent) }))
}

fn above(cx: &mut Cx, id: Option<i64>) -> Result<Option<Repo>> {
    let Some(id) = id else { return Ok(None) };
    let me = cx.my_id();
    Ok(Repo::by_id(cx.tx, me, id)?.filter(|repo| repo.may_be_shown(cx)))
}
