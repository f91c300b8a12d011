//! Creating a repository, in an organization or as the caller's own.
//!
//! Implements decision 30 and the organization's settings about the repositories that members create.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::attributes::{Visibility, is_private, valid_description, valid_homepage};
use super::level::Level;
use super::record::{self, Repository};
use super::repo::Repo;
use super::settings::{self, Given, Settings};
use super::{counted, naming, taken};
use crate::error::{Error, Result};
use crate::journal::{Change, Event};
use crate::operation::{Cx, Record};
use crate::orgs;
use crate::orgs::org::Org;
use crate::people::login::Owner;
use crate::people::me::Me;
use crate::policy::{Granted, OWNER};

/// The fields of a new repository that a caller chooses.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(transform = settings::with_defaults)]
pub struct Chosen {
    /// The name: letters, digits, dots, underscores and dashes.
    #[schemars(length(min = 1, max = naming::NAME_MAX))]
    pub name: String,
    /// Description of the repository.
    #[schemars(length(max = super::attributes::DESCRIPTION_MAX))]
    pub description: Option<String>,
    /// URL of its website.
    #[schemars(length(max = super::attributes::LINE_MAX))]
    pub homepage: Option<String>,
    /// True if only people with access can read it.
    #[schemars(extend("default" = false))]
    pub private: Option<bool>,
    /// Visibility of the repository, as an alternative to `private`.
    pub visibility: Option<Visibility>,
    /// True if issues are enabled.
    #[schemars(extend("default" = true))]
    pub has_issues: Option<bool>,
    /// True if projects are enabled.
    #[schemars(extend("default" = true))]
    pub has_projects: Option<bool>,
    /// True if the wiki is enabled.
    #[schemars(extend("default" = true))]
    pub has_wiki: Option<bool>,
    /// True if it is a template for new repositories.
    #[schemars(extend("default" = false))]
    pub is_template: Option<bool>,
    /// Other settings.
    #[serde(flatten)]
    pub settings: Given,
}

impl Chosen {
    fn checked(self) -> Result<New> {
        Ok(New {
            name: naming::valid_name(&self.name)?.to_owned(),
            description: valid_description(self.description)?,
            homepage: valid_homepage(self.homepage)?,
            private: is_private(self.private, self.visibility)?.unwrap_or(false),
            has_issues: self.has_issues.unwrap_or(true),
            has_projects: self.has_projects.unwrap_or(true),
            has_wiki: self.has_wiki.unwrap_or(true),
            is_template: self.is_template.unwrap_or(false),
            default_branch: "main".to_owned(),
            settings: Settings::default().with(self.settings.checked()?),
            fork_of: None,
            source: None,
        })
    }
}

/// Creates a repository in an organization.
pub fn in_org(cx: &mut Cx, org: &Granted<Org>, chosen: Chosen) -> Result<Repo> {
    let (owns, new) = (org.allows(&OWNER), chosen.checked()?);
    if !owns {
        refuse_kind(cx, org.id, new.private)?;
    }
    insert(cx, Owner::Org(org.id), owns, &new)
}

/// Refuses a member who may not create a repository of this visibility in the organization.
pub(super) fn refuse_kind(cx: &mut Cx, org: i64, private: bool) -> Result<()> {
    let creation = orgs::settings::stored(cx.tx, org)?.creation();
    let (allowed, kind) = if private { (creation.private, "private") } else { (creation.public, "public") };
    if allowed {
        return Ok(());
    }
    Err(Error::Forbidden(format!(
        "The organization does not let members create {kind} repositories. Choose another visibility or ask an owner."
    ).into()))
}

/// Create a repository for the caller.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct CreateOwn {
    /// The fields that the caller chooses.
    #[serde(flatten)]
    pub chosen: Chosen,
}

/// Creates a repository that the caller owns.
pub fn own(cx: &mut Cx, me: Granted<Me>, p: CreateOwn) -> Result<Record<Repository, 201>> {
    let repo = insert(cx, Owner::User(me.id), true, &p.chosen.checked()?)?;
    created(cx, &repo)
}

/// The response to a request that has created a repository.
pub fn created(cx: &mut Cx, repo: &Repo) -> Result<Record<Repository, 201>> {
    let record = record::full(cx, repo)?;
    let location = record.minimal.addresses.url.clone();
    Ok(Record::from(record).at(location))
}

/// A repository that will be created.
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own, and a column")]
pub(super) struct New {
    pub name: String,
    pub description: Option<String>,
    pub homepage: Option<String>,
    pub private: bool,
    pub has_issues: bool,
    pub has_projects: bool,
    pub has_wiki: bool,
    pub is_template: bool,
    pub default_branch: String,
    pub settings: Settings,
    pub fork_of: Option<i64>,
    pub source: Option<i64>,
}

/// Inserts a repository. A caller who does not own its owner becomes a collaborator who administers it.
pub(super) fn insert(cx: &mut Cx, owner: Owner, owns: bool, new: &New) -> Result<Repo> {
    taken::refuse(cx, owner, &new.name)?;
    naming::take(cx.tx, owner, &new.name)?;
    let (org, user) = naming::ids(owner);
    let id: i64 = cx.tx.run_one(
        INSERT,
        &[
            &org,
            &user,
            &new.name,
            &naming::name_key(&new.name),
            &new.description,
            &new.homepage,
            &new.private,
            &new.has_issues,
            &new.has_projects,
            &new.has_wiki,
            &new.is_template,
            &new.default_branch,
            &new.settings.stored(),
            &new.fork_of,
            &new.source,
            &cx.now()?.0,
        ],
    )?;
    let me = cx.my_id();
    counted::add(cx.tx, owner, new.private)?;
    if !owns {
        cx.tx.run(COLLABORATE, &[&id, &me, &Level::Admin.rank(), &cx.now()?.0])?;
    }
    let repo = Repo::by_id(cx.tx, me, id)?;
    let repo = repo.ok_or_else(|| Error::Bug("the repository that was created is not there".into()))?;
    let change = Change::new("repo.create", &json!(null), &repo.facts());
    super::note(cx, owner, change, &Event::RepositoryCreated { repository: repo.facts() })?;
    Ok(repo)
}

const INSERT: &str = "
    INSERT INTO repos (org_id, user_id, name, name_key, description, homepage, private, has_issues, has_projects,
                       has_wiki, is_template, default_branch, settings, fork_of, source_id, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)
    RETURNING id";

const COLLABORATE: &str = "
    INSERT INTO repo_collaborators (repo_id, user_id, level, granted_by, granted_at) VALUES ($1, $2, $3, $2, $4)";
