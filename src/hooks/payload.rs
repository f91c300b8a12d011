//! Payloads of deliveries, with the fields that receivers expect (decision 44).

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::changes;
use super::record::{GlobalHook, Head, OrgHook};
use super::stored::Hook;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::journal::{About, InvitationFacts, Parent, Part, PersonFacts, RepoFacts, SITE, TeamFacts};
use crate::links::{Links, node_id};
use crate::orgs::record::OrganizationSimple;
use crate::people::user::SimpleUser;
use crate::repos::level::{Level, Permissions};
use crate::repos::record::MinimalRepository;
use crate::repos::repo::Repo;

/// The texts of a ping.
const ZEN: [&str; 4] = [
    "Small teams, clear names.",
    "What is told twice is heard once.",
    "A secret is kept by changing it.",
    "Leave the door as you found it.",
];

/// The context of a payload: its organization, and how its URLs begin.
pub struct Scene<'a> {
    /// The beginning of URLs.
    pub links: &'a Links,
    /// The organization, or the site.
    pub org: i64,
    /// The number of the entry.
    pub entry: i64,
    /// The person who made the change.
    pub sender: Option<PersonFacts>,
}

/// A team as receivers know it.
#[derive(Serialize)]
struct TeamPayload<'a> {
    name: &'a str,
    id: i64,
    node_id: String,
    slug: &'a str,
    description: Option<&'a str>,
    privacy: &'a str,
    notification_setting: &'a str,
    url: String,
    html_url: String,
    members_url: String,
    repositories_url: String,
    permission: &'a str,
}

/// The payload of an event. `hook` is the webhook that alone receives it.
pub fn payload(tx: &mut Tx, scene: &Scene<'_>, part: &Part<'_>, hook: Option<&Hook>) -> Result<String> {
    let org = if scene.org == SITE { None } else { Some(organization(tx, scene)?) };
    let login = org.as_ref().map_or("", |org| org.login.as_str());
    let mut payload = Map::new();
    if let Some(action) = part.action {
        payload.insert("action".to_owned(), action.into());
    }
    for (name, member) in scene.members(tx, login, part, hook)? {
        payload.insert(name.to_owned(), member);
    }
    let sender = scene.sender(part, org.as_ref())?;
    if let Some(org) = org {
        payload.insert("organization".to_owned(), value(&org)?);
    }
    payload.insert("sender".to_owned(), sender);
    Ok(Value::Object(payload).to_string())
}

fn organization(tx: &mut Tx, scene: &Scene<'_>) -> Result<OrganizationSimple> {
    let (login, description): (String, Option<String>) = tx.one(ORGANIZATION, &[&scene.org])?;
    Ok(OrganizationSimple::new(scene.links, scene.org, &login, description))
}

const ORGANIZATION: &str = "
    SELECT login, description FROM orgs WHERE id = $1
    UNION ALL SELECT login, description FROM deleted_orgs WHERE id = $1";

impl Scene<'_> {
    /// The fields that only this event has.
    fn members(
        &self,
        tx: &mut Tx,
        login: &str,
        part: &Part<'_>,
        hook: Option<&Hook>,
    ) -> Result<Vec<(&'static str, Value)>> {
        let mut members = Vec::new();
        match &part.about {
            About::Team { team, parent, changes, repository } => {
                members.extend(changes.as_ref().map(|changes| ("changes", changes::json(changes))));
                members.push(("team", self.team(tx, login, team, *parent)?));
                if let Some((facts, level)) = repository {
                    let mut repository = self.repository(facts)?;
                    repository["permissions"] = value(&Permissions::of(level.and_then(Level::of_rank)))?;
                    members.push(("repository", repository));
                }
            }
            About::Membership { team, member, deleted } => {
                members.extend([("scope", "team".into()), ("member", self.person(member)?)]);
                let gone = || json!({ "id": team.id, "name": team.name, "deleted": true });
                let team = if *deleted { gone() } else { self.team(tx, login, team, Parent::Stored)? };
                members.push(("team", team));
            }
            About::Repository { repository, changes } => {
                members.extend(changes.as_ref().map(|changes| ("changes", changes::json(changes))));
                members.push(("repository", self.repository(repository)?));
            }
            About::Fork { repository, fork } => {
                members.push(("forkee", self.repository(fork)?));
                members.push(("repository", self.repository(repository)?));
            }
            About::Collaborator { repository, member, changes } => {
                members.push(("member", self.person(member)?));
                members.extend(changes.as_ref().map(|changes| ("changes", changes::json(changes))));
                members.push(("repository", self.repository(repository)?));
            }
            About::Person { person, role } => members.push(("membership", self.membership(login, person, role)?)),
            About::Invitation { invitation, person } => {
                members.push(("invitation", self.invitation(login, invitation)?));
                if let Some(person) = person {
                    members.push(("user", self.person(person)?));
                }
            }
            About::Organization { changes } => {
                members.extend(changes.as_ref().map(|changes| ("changes", changes::json(changes))));
            }
            About::User(user) => members.push(("user", self.person(user)?)),
            About::Hook(id) => {
                if part.event == "ping" {
                    let nth = usize::try_from(self.entry).unwrap_or_default() % ZEN.len();
                    members.push(("zen", ZEN[nth].into()));
                }
                members.extend([("hook_id", (*id).into()), ("hook", self.hook(login, part.event, hook)?)]);
            }
        }
        Ok(members)
    }

    /// The person who made the change. If the program made it, the sender is the organization, or the account
    /// concerned.
    fn sender(&self, part: &Part<'_>, org: Option<&OrganizationSimple>) -> Result<Value> {
        match (&self.sender, org, &part.about) {
            (Some(person), ..) => self.person(person),
            (None, Some(org), _) => value(&SimpleUser::of_kind(self.links, "Organization", org.id, &org.login, false)),
            (None, None, About::User(user)) => self.person(user),
            _ => Ok(Value::Null),
        }
    }

    fn person(&self, person: &PersonFacts) -> Result<Value> {
        value(&SimpleUser::of_kind(self.links, "User", person.id, &person.login, person.site_admin))
    }

    fn team(&self, tx: &mut Tx, login: &str, team: &TeamFacts, parent: Parent<'_>) -> Result<Value> {
        let parent = match (parent, team.parent) {
            (Parent::Was(parent), _) => parent.cloned(),
            (Parent::Stored, Some(parent)) => TeamFacts::by_id(tx, parent)?,
            (Parent::Stored, None) => None,
        };
        let mut payload = value(&self.short(login, team))?;
        payload["parent"] = parent.map(|parent| value(&self.short(login, &parent))).transpose()?.into();
        Ok(payload)
    }

    fn short<'t>(&self, login: &str, team: &'t TeamFacts) -> TeamPayload<'t> {
        let below = |path: &str| self.links.team(self.org, team.id, path);
        TeamPayload {
            name: &team.name,
            id: team.id,
            node_id: node_id("Team", team.id),
            slug: &team.slug,
            description: team.description.as_deref(),
            privacy: &team.privacy,
            notification_setting: &team.notification_setting,
            url: below(""),
            html_url: self.links.html(&format!("/orgs/{login}/teams/{}", team.slug)),
            members_url: below("/members{/member}"),
            repositories_url: below("/repos"),
            permission: &team.permission,
        }
    }

    /// The record without the fields that only responses have.
    fn repository(&self, facts: &RepoFacts) -> Result<Value> {
        let MinimalRepository { head, addresses, state, .. } =
            MinimalRepository::new(self.links, &Repo::of_facts(facts)?, None);
        let mut record = Map::new();
        for part in [value(&head)?, value(&addresses)?, value(&state)?] {
            if let Value::Object(members) = part {
                record.extend(members);
            }
        }
        record.insert("custom_properties".to_owned(), json!({}));
        Ok(record.into())
    }

    fn membership(&self, login: &str, person: &PersonFacts, role: &str) -> Result<Value> {
        let organization = self.links.api_of("/orgs/", login, "");
        Ok(json!({
            "url": format!("{organization}/memberships/{}", person.login),
            "state": "active",
            "role": role,
            "organization_url": organization,
            "user": self.person(person)?,
        }))
    }

    fn invitation(&self, login: &str, invitation: &InvitationFacts) -> Result<Value> {
        let inviter = match &invitation.inviter {
            Some(person) => self.person(person)?,
            None => value(&SimpleUser::of_kind(self.links, "Organization", self.org, login, false))?,
        };
        let teams = format!("/organizations/{}/invitations/{}/teams", self.org, invitation.id);
        Ok(json!({
            "id": invitation.id,
            "node_id": node_id("OrganizationInvitation", invitation.id),
            "login": invitation.login,
            "email": invitation.email,
            "role": invitation.role,
            "created_at": invitation.created_at,
            "failed_at": null,
            "failed_reason": null,
            "inviter": inviter,
            "team_count": invitation.team_count,
            "invitation_teams_url": self.links.api(&teams),
        }))
    }

    fn hook(&self, login: &str, event: &str, hook: Option<&Hook>) -> Result<Value> {
        let Some(hook) = hook else { return Ok(Value::Null) };
        match (event, self.org) {
            ("ping", SITE) => value(&GlobalHook::new(self.links, hook)),
            ("ping", _) => value(&OrgHook::new(self.links, login, hook)),
            (_, SITE) => value(&Head::new("Global", hook)),
            _ => value(&Head::new("Organization", hook)),
        }
    }
}

fn value(record: &impl Serialize) -> Result<Value> {
    serde_json::to_value(record).map_err(|error| Error::Bug(error.to_string()))
}
