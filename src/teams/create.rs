//! Creating a team.
//!
//! Keeps behaviour rules 5 and 6 and decisions 9 to 13, 15 and 16.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::attributes::{
    DESCRIPTION_MAX, NAME_MAX, NotificationSetting, Permission, Privacy, valid_description, valid_name,
};
use super::record::{self, TeamWritten};
use super::{naming, slug, team, tree};
use crate::error::{Error, Result};
use crate::events::{self, Event, TeamFacts};
use crate::operation::{Created, Cx};
use crate::orgs::org::{self, Org};
use crate::orgs::repos::granting;
use crate::orgs::{changes, team_membership};
use crate::people::login;
use crate::people::user::{self, User};
use crate::policy::{Granted, OWNER};

/// A person, by login or by identifier.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Who {
    /// By identifier.
    Id(i64),
    /// By login.
    Login(String),
}

impl Who {
    /// As it is compared: a login without case.
    fn key(&self) -> Self {
        match self {
            Self::Id(id) => Self::Id(*id),
            Self::Login(login) => Self::Login(login::key(login)),
        }
    }
}

/// Create a team. The creator becomes a maintainer without being listed.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Create {
    /// The name of the team, from which its slug is made.
    #[schemars(length(min = 1, max = NAME_MAX))]
    pub name: String,
    /// The description of the team.
    #[schemars(length(max = DESCRIPTION_MAX))]
    pub description: Option<String>,
    /// Logins or identifiers of organization members who become maintainers.
    pub maintainers: Option<Vec<Who>>,
    /// Repositories to add the team to, as `organization/repository` or `repository`.
    pub repo_names: Option<Vec<String>>,
    /// Who sees it: `secret` unless it has a parent, then `closed`.
    pub privacy: Option<Privacy>,
    /// The permission given to repositories added later when none is specified.
    #[schemars(extend("default" = "pull"))]
    pub permission: Option<Permission>,
    /// Whether its members are notified of posts.
    #[schemars(extend("default" = "notifications_enabled"))]
    pub notification_setting: Option<NotificationSetting>,
    /// The identifier of the team to set as parent.
    pub parent_team_id: Option<i64>,
}

/// Creates the team, its maintainers and its grants.
pub fn create(cx: &mut Cx, org: Granted<Org>, p: Create) -> Result<Created<TeamWritten>> {
    let owner = org.allows(&OWNER);
    let privacy = p.privacy.unwrap_or(if p.parent_team_id.is_some() { Privacy::Closed } else { Privacy::Secret });
    if let Some(parent) = p.parent_team_id {
        tree::may_adopt(cx, org.id, parent, owner)?;
        tree::refuse_secret_nesting(privacy == Privacy::Secret)?;
    }
    let name = valid_name(&p.name)?;
    let description = valid_description(p.description.as_deref())?;
    let maintainers = maintainers(cx, &org, p.maintainers.unwrap_or_default())?;
    let grants = granting::administered(cx, &org, &p.repo_names.unwrap_or_default())?;
    let permission = p.permission.unwrap_or_default();
    let slug = naming::choose(cx, org.id, None, owner, name)?;
    let (id,): (i64,) = cx.tx.one(
        CREATE,
        &[
            &org.id,
            &p.parent_team_id,
            &name,
            &slug::name_key(name),
            &slug.as_deref().unwrap_or_default(),
            &description,
            &privacy.as_str(),
            &permission.as_str(),
            &p.notification_setting.unwrap_or_default().as_str(),
            &cx.now.0,
        ],
    )?;
    if slug.is_none() {
        let slug = naming::fall_back(cx.tx, org.id, id)?;
        cx.tx.run("UPDATE teams SET slug = $2 WHERE id = $1", &[&id, &slug])?;
    }
    cx.tx.run("INSERT INTO team_counts (team_id) VALUES ($1)", &[&id])?;
    tree::plant(cx.tx, id, p.parent_team_id)?;
    let team = announce(cx, id)?;
    maintainers.iter().try_for_each(|who| team_membership::activate(cx, org.id, team.clone(), who, "maintainer"))?;
    grants.iter().try_for_each(|repo| granting::grant(cx, org.id, &team, repo.facts(), permission.level()))?;
    let record = record::written(cx, id)?;
    let location = Some(record.team.url.clone());
    Ok(Created { record, location })
}

const CREATE: &str = "
    INSERT INTO teams (org_id, parent_id, name, name_key, slug, description, privacy, permission,
                       notification_setting, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
    RETURNING id";

/// Tells everybody concerned of the new team, which as yet has nobody and nothing.
fn announce(cx: &mut Cx, id: i64) -> Result<TeamFacts> {
    let team = team::brief(cx.tx, id)?;
    let facts = team.facts();
    changes::log(cx.tx, team.org_id, &[team.change()])?;
    events::emit(cx, team.org_id, &Event::TeamCreated { team: facts.clone() })?;
    events::record(cx, team.org_id, "team.create", &json!(null), &json!(facts))?;
    Ok(facts)
}

/// The maintainers of a new team: the creator and those listed, who must be active members (decision 13).
fn maintainers(cx: &mut Cx, org: &Org, listed: Vec<Who>) -> Result<Vec<User>> {
    let me = cx.me()?;
    let creator = user::by_id(cx.tx, me.id)?.ok_or(Error::NotFound)?;
    let mut people = vec![creator];
    // Each is looked up once, however often they are listed.
    let mut named = HashSet::new();
    for who in listed.into_iter().filter(|who| named.insert(who.key())) {
        let person = find(cx, who)?.ok_or_else(invalid_maintainers)?;
        let role = org::role_of(cx.tx, org.id, person.id)?;
        if person.suspended || !matches!(role, Some("admin" | "member")) {
            return Err(invalid_maintainers());
        }
        if !people.iter().any(|known| known.id == person.id) {
            people.push(person);
        }
    }
    Ok(people)
}

fn find(cx: &mut Cx, who: Who) -> Result<Option<User>> {
    match who {
        Who::Id(id) => user::by_id(cx.tx, id),
        Who::Login(login) => match user::by_login(cx.tx, &login) {
            Err(Error::NotFound) => Ok(None),
            found => found.map(Some),
        },
    }
}

fn invalid_maintainers() -> Error {
    Error::data("Team", "Invalid maintainers were specified.")
}
