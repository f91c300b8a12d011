//! Creating a team.
//!
//! Implements behavior rules 5 and 6 and decisions 9 to 13, 15 and 16.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::attributes::{DESCRIPTION_MAX, valid_description, valid_name};
use super::record::{self, TeamWritten};
use super::{naming, slug, team, tree};
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::journal::{Change, Event, TeamFacts};
use crate::members::seats;
use crate::name::NAME_MAX;
use crate::operation::{Cx, Record};
use crate::orgs::org::{self, Org};
use crate::people::login;
use crate::people::user::{self, User};
use crate::policy::{Granted, OWNER};
use crate::repos::granting;
use crate::rows::{NotificationSetting, Permission, Privacy};

/// A person, by login or ID.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Who {
    /// ID of the person.
    Id(i64),
    /// Login of the person.
    Login(String),
}

impl Who {
    /// The form in which it is compared: a login in lower case.
    fn key(&self) -> Self {
        match self {
            Self::Id(id) => Self::Id(*id),
            Self::Login(login) => Self::Login(login::key(login)),
        }
    }
}

/// Create a team. The creator becomes a maintainer, even if not listed in `maintainers`.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Create {
    /// Name of the team. The slug is derived from it.
    #[schemars(length(min = 1, max = NAME_MAX), extend("x-function-validates" = true))]
    pub name: String,
    /// Description of the team.
    #[schemars(length(max = DESCRIPTION_MAX))]
    pub description: Option<String>,
    /// Logins or IDs of organization members who become maintainers. A string of digits is read as an ID if no account
    /// has it as its login.
    pub maintainers: Option<Vec<Who>>,
    /// Repositories to add the team to, as `organization/repository` or `repository`.
    pub repo_names: Option<Vec<String>>,
    /// Visibility of the team. Default: `secret`, or `closed` if it has a parent.
    pub privacy: Option<Privacy>,
    /// Permission on repositories that are added later without a permission.
    #[schemars(extend("default" = "pull"))]
    pub permission: Option<Permission>,
    /// Enables or disables the notifications of posts.
    #[schemars(extend("default" = "notifications_enabled"))]
    pub notification_setting: Option<NotificationSetting>,
    /// ID of the parent team.
    pub parent_team_id: Option<i64>,
}

/// Creates the team, its maintainers and its grants.
pub fn create(cx: &mut Cx, org: Granted<Org>, p: Create) -> Result<Record<TeamWritten, 201>> {
    let owner = org.allows(&OWNER);
    let privacy = p.privacy.unwrap_or(if p.parent_team_id.is_some() { Privacy::Closed } else { Privacy::Secret });
    if let Some(parent) = p.parent_team_id {
        tree::may_adopt(cx, org.id, parent, owner)?;
        tree::refuse_secret_nesting(privacy == Privacy::Secret, "privacy")?;
    }
    let name = valid_name(&p.name)?;
    let description = valid_description(p.description.as_deref())?;
    let maintainers = maintainers(cx, &org, p.maintainers.unwrap_or_default())?;
    let grants = granting::administered(cx, &org, &p.repo_names.unwrap_or_default())?;
    let permission = p.permission.unwrap_or_default();
    let new = New {
        name: name.to_owned(),
        description: description.map(str::to_owned),
        privacy,
        permission,
        notification_setting: p.notification_setting.unwrap_or_default(),
        parent_team_id: p.parent_team_id,
    };
    let team = insert(cx, org.id, owner, &new)?;
    let id = team.id;
    maintainers.iter().try_for_each(|who| seats::add(cx, org.id, team.clone(), who, ("maintainer", None)))?;
    grants.iter().try_for_each(|repo| granting::grant(cx, org.id, &team, repo.facts(), permission.level()))?;
    let record = record::written(cx, id)?;
    let location = record.team.url.clone();
    Ok(Record::from(record).at(location))
}

/// A team that will be created. Its fields are valid.
#[derive(Debug, Deserialize)]
pub struct New {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// Its visibility.
    pub privacy: Privacy,
    /// Its default permission.
    #[serde(default)]
    pub permission: Permission,
    /// The setting of its notifications.
    #[serde(default)]
    pub notification_setting: NotificationSetting,
    /// Its parent.
    pub parent_team_id: Option<i64>,
}

/// Creates a team without people and repositories, and records it. 422 if an owner, or a caller who is none, cannot take
/// its slug.
pub fn insert(cx: &mut Cx, org: i64, owner: bool, new: &New) -> Result<TeamFacts> {
    let slug = slug::from_name(&new.name).map(|slug| naming::choose(cx, org, None, owner, slug)).transpose()?;
    let now = cx.now()?;
    let id = naming::insert(cx.tx, org, slug, |tx, slug| {
        tx.run_one(
            CREATE,
            &[
                &org,
                &new.parent_team_id,
                &new.name,
                &slug::name_key(&new.name),
                &slug,
                &new.description,
                &new.privacy.word(),
                &new.permission.word(),
                &new.notification_setting.word(),
                &now.0,
            ],
        )
    })?;
    cx.tx.run("INSERT INTO team_counts (team_id) VALUES ($1)", &[&id])?;
    tree::plant(cx.tx, id, new.parent_team_id)?;
    announce(cx, id)
}

const CREATE: &str = "
    INSERT INTO teams (org_id, parent_id, name, name_key, slug, description, privacy, permission,
                       notification_setting, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
    RETURNING id";

/// Records the creation of the team, which has no people and no repositories yet.
fn announce(cx: &mut Cx, id: i64) -> Result<TeamFacts> {
    let team = team::row(cx.tx, id)?;
    let facts = team.facts();
    cx.record(
        team.org_id,
        Change::new("team.create", &json!(null), &json!(facts))
            .with_event(&Event::TeamCreated { team: facts.clone() })
            .folded(&team.change()),
    )?;
    Ok(facts)
}

/// The maintainers of a new team: the creator and those listed, who must be active members (decision 13).
fn maintainers(cx: &mut Cx, org: &Org, listed: Vec<Who>) -> Result<Vec<User>> {
    let creator = cx.caller.actor().map(|me| me.id);
    let creator = creator.map(|id| user::by_id(cx.tx, id)?.ok_or(Error::NotFound)).transpose()?;
    let mut people: Vec<User> = creator.into_iter().collect();
    // Each person is looked up once, however often they are listed.
    let mut named = HashSet::new();
    for who in listed.into_iter().filter(|who| named.insert(who.key())) {
        let person = find(cx.tx, &who)?.ok_or_else(|| invalid_maintainer(&who))?;
        let role = org::role_of(cx.tx, org.id, person.id)?;
        if person.suspended || !matches!(role, Some("admin" | "member")) {
            return Err(invalid_maintainer(&who));
        }
        if !people.iter().any(|known| known.id == person.id) {
            people.push(person);
        }
    }
    Ok(people)
}

fn find(tx: &mut Tx, who: &Who) -> Result<Option<User>> {
    match who {
        Who::Id(id) => user::by_id(tx, *id),
        Who::Login(text) => match user::by_login(tx, text) {
            Err(Error::NotFound) => by_digits(tx, text),
            found => found.map(Some),
        },
    }
}

/// The person whose identifier is this text. It is all digits, so it is no account's login.
fn by_digits(tx: &mut Tx, text: &str) -> Result<Option<User>> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    match text.parse() {
        Ok(id) if digits && login::find(tx, text)?.is_none() => user::by_id(tx, id),
        _ => Ok(None),
    }
}

/// Names the rejected entry. The message that existing clients know does not name it.
fn invalid_maintainer(who: &Who) -> Error {
    let value = match who {
        Who::Id(id) => Value::from(*id),
        Who::Login(text) => Value::from(text.chars().take(LONGEST_SHOWN).collect::<String>()),
    };
    Error::data("Team", "Invalid maintainers were specified.").about(value).at("maintainers")
}

/// No login is longer than this.
const LONGEST_SHOWN: usize = 100;
