//! Updating an organization's profile and settings.
//!
//! Implements decisions 7 (null clears only the description), 16 (an update that changes nothing), 18 (outsiders change
//! nothing) and 21 (the plan is not set here).

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::creation::{CreationType, Wanted};
use super::org::Org;
use super::settings::{self, OrgSettings, OrganizationFull};
use super::switches::Given;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::journal::Change;
use crate::mail::address;
use crate::name;
use crate::operation::{Cx, Patch, Record};
use crate::policy::Granted;
use crate::words::words;

/// The longest text of a profile, in characters.
pub const TEXT_MAX: usize = 255;

/// The longest description, in characters: as long as a team's.
const DESCRIPTION_MAX: usize = 65_535;

words! {
    /// Permission of members on every repository of the organization.
    pub enum DefaultPermission {
        /// Read and clone.
        Read = "read",
        /// Read and push.
        Write = "write",
        /// Read, push and administer.
        Admin = "admin",
        /// No access.
        None = "none",
    }
}

/// Update an organization. Omitted fields stay unchanged; an empty string clears a field.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// Display name.
    #[schemars(extend("x-function-validates" = true))]
    pub name: Option<String>,
    /// Description of the organization; null clears it.
    #[serde(default)]
    pub description: Patch<String>,
    /// The company.
    pub company: Option<String>,
    /// URL of its website.
    pub blog: Option<String>,
    /// The location.
    pub location: Option<String>,
    /// The public e-mail address.
    pub email: Option<String>,
    /// Twitter username.
    pub twitter_username: Option<String>,
    /// Billing e-mail address, visible to owners only.
    pub billing_email: Option<String>,
    /// Permission of members on every repository.
    pub default_repository_permission: Option<DefaultPermission>,
    /// True if members may create teams.
    pub members_can_create_teams: Option<bool>,
    /// True if members may leave teams without an owner or maintainer.
    pub members_can_leave_teams: Option<bool>,
    /// True if members may create repositories.
    pub members_can_create_repositories: Option<bool>,
    /// The kinds of repositories that members may create. It overrides the other switches.
    pub members_allowed_repository_creation_type: Option<CreationType>,
    /// True if members may create public repositories.
    pub members_can_create_public_repositories: Option<bool>,
    /// True if members may create private repositories.
    pub members_can_create_private_repositories: Option<bool>,
    /// True if members may fork private repositories of the organization.
    pub members_can_fork_private_repositories: Option<bool>,
    /// Switches without an effect here.
    #[serde(flatten)]
    pub switches: Given,
    /// True if the organization has projects.
    pub has_organization_projects: Option<bool>,
    /// True if its repositories have projects.
    pub has_repository_projects: Option<bool>,
    /// True if owners see the IP addresses of members in the audit log.
    pub audit_shows_addresses: Option<bool>,
    /// True if applications need the approval of an owner. An application cannot change this.
    pub applications_need_approval: Option<bool>,
}

/// Changes the profile and the settings.
pub fn update(cx: &mut Cx, org: Granted<Org>, p: Update) -> Result<Record<OrganizationFull>> {
    let before = settings::stored(cx.tx, org.id)?;
    let after = changed(&before, p);
    if after != before {
        check(&before, &after)?;
        if after.applications_need_approval != before.applications_need_approval {
            refuse_application(cx)?;
        }
        save(cx.tx, org.id, &after, cx.now()?)?;
        let (before, after) = difference(&json!(before), &json!(after));
        let (before, after) = (without_addresses(before), without_addresses(after));
        cx.record(org.id, Change::new("org.update", &before, &after))?;
    }
    Ok(settings::full(cx, &org, true)?.into())
}

/// Letting all applications in is as much as approving one.
fn refuse_application(cx: &Cx) -> Result<()> {
    if cx.caller.application().is_some() {
        let text = "An application cannot change which applications an organization lets in.";
        return Err(Error::Forbidden(text.into()));
    }
    cx.refuse_stale_session()
}

fn changed(before: &OrgSettings, p: Update) -> OrgSettings {
    let before = before.clone();
    let wanted = Wanted {
        kind: p.members_allowed_repository_creation_type,
        any: p.members_can_create_repositories,
        public: p.members_can_create_public_repositories,
        private: p.members_can_create_private_repositories,
    };
    let (any, public, private) = before.creation().after(wanted).columns();
    let permission = p.default_repository_permission.map(|permission| permission.word().to_owned());
    OrgSettings {
        name: p.name.map(|name| name.trim().to_owned()).or(before.name),
        description: p.description.or(before.description),
        company: p.company.or(before.company),
        blog: p.blog.or(before.blog),
        location: p.location.or(before.location),
        email: p.email.map(address).or(before.email),
        twitter_username: p.twitter_username.or(before.twitter_username),
        billing_email: p.billing_email.map(address).or(before.billing_email),
        default_repository_permission: permission.unwrap_or(before.default_repository_permission),
        members_can_create_teams: p.members_can_create_teams.unwrap_or(before.members_can_create_teams),
        members_can_leave_teams: p.members_can_leave_teams.unwrap_or(before.members_can_leave_teams),
        members_can_create_repositories: any,
        members_can_create_public_repositories: public,
        members_can_create_private_repositories: private,
        members_can_fork_private_repositories: p
            .members_can_fork_private_repositories
            .unwrap_or(before.members_can_fork_private_repositories),
        switches: before.switches.with(p.switches),
        has_organization_projects: p.has_organization_projects.unwrap_or(before.has_organization_projects),
        has_repository_projects: p.has_repository_projects.unwrap_or(before.has_repository_projects),
        audit_shows_addresses: p.audit_shows_addresses.unwrap_or(before.audit_shows_addresses),
        applications_need_approval: p.applications_need_approval.unwrap_or(before.applications_need_approval),
        plan: before.plan,
    }
}

/// Writes the profile and the settings.
pub fn save(tx: &mut Tx, org: i64, after: &OrgSettings, now: Time) -> Result<()> {
    tx.run(
        SAVE,
        &[
            &org,
            &after.name,
            &after.description,
            &after.company,
            &after.blog,
            &after.location,
            &after.email,
            &after.twitter_username,
            &after.billing_email,
            &after.default_repository_permission,
            &after.members_can_create_teams,
            &after.members_can_create_repositories,
            &after.has_organization_projects,
            &after.has_repository_projects,
            &after.audit_shows_addresses,
            &now.0,
            &after.members_can_create_public_repositories,
            &after.members_can_create_private_repositories,
            &after.members_can_fork_private_repositories,
            &after.switches.stored(),
            &after.applications_need_approval,
            &after.members_can_leave_teams,
        ],
    )?;
    Ok(())
}

const SAVE: &str = "
    UPDATE orgs
    SET name = $2, description = $3, company = $4, blog = $5, location = $6, email = $7, twitter_username = $8,
        billing_email = $9, default_repository_permission = $10, members_can_create_teams = $11,
        members_can_create_repositories = $12, has_organization_projects = $13, has_repository_projects = $14,
        audit_shows_addresses = $15, updated_at = CASE WHEN updated_at > $16 THEN updated_at ELSE $16 END,
        members_can_create_public_repositories = $17, members_can_create_private_repositories = $18,
        members_can_fork_private_repositories = $19, switches = $20,
        applications_need_approval = $21, members_can_leave_teams = $22
    WHERE id = $1";

/// Refuses new text that is too long or cannot be stored, and new text that is not an e-mail address. A value that was
/// stored before there was a rule does not block an update.
fn check(before: &OrgSettings, after: &OrgSettings) -> Result<()> {
    let texts = [
        ("name", &before.name, &after.name, TEXT_MAX),
        ("description", &before.description, &after.description, DESCRIPTION_MAX),
        ("company", &before.company, &after.company, TEXT_MAX),
        ("blog", &before.blog, &after.blog, TEXT_MAX),
        ("location", &before.location, &after.location, TEXT_MAX),
        ("email", &before.email, &after.email, TEXT_MAX),
        ("twitter_username", &before.twitter_username, &after.twitter_username, TEXT_MAX),
        ("billing_email", &before.billing_email, &after.billing_email, TEXT_MAX),
    ];
    for (field, before, after, longest) in texts {
        let Some(text) = after.as_deref().filter(|_| before != after) else { continue };
        if field == "name" {
            shown(field, text)?;
        }
        storable(field, text, longest)?;
        if matches!(field, "email" | "billing_email") && !text.is_empty() && address::read(text).is_none() {
            return Err(invalid(field, format!("{field} must be an e-mail address, like name@example.com, or empty")));
        }
    }
    Ok(())
}

/// Refuses text of a profile that is too long or cannot be stored.
pub fn storable(field: &'static str, text: &str, longest: usize) -> Result<()> {
    if text.chars().count() > longest {
        return Err(invalid(field, format!("{field} is too long (maximum is {longest} characters)")));
    }
    if text.contains('\0') {
        return Err(invalid(field, format!("{field} cannot contain NUL characters")));
    }
    Ok(())
}

/// Refuses a name with characters that cannot be shown. An empty one is no name.
pub fn shown(field: &'static str, name: &str) -> Result<()> {
    if name::can_be_shown(name) {
        return Ok(());
    }
    Err(invalid(field, name::CANNOT_BE_SHOWN.into()))
}

fn invalid(field: &'static str, message: String) -> Error {
    Error::explained("Organization", "invalid", field, message)
}

/// The e-mail address as it is stored. Text that is none stays as it is, to be refused if it is new.
fn address(text: String) -> String {
    address::read(&text).unwrap_or(text)
}

/// Only the fields that differ between two records.
#[must_use]
pub fn difference(before: &Value, after: &Value) -> (Value, Value) {
    let differs = |one: &Value, other: &Value| -> Map<String, Value> {
        let members = one.as_object().into_iter().flatten();
        members.filter(|(key, value)| other.get(key) != Some(value)).map(|(k, v)| (k.clone(), v.clone())).collect()
    };
    (differs(before, after).into(), differs(after, before).into())
}

/// The audit log shows that an e-mail address changed, but not the e-mail address (decision 47).
fn without_addresses(mut changed: Value) -> Value {
    for key in ["email", "billing_email"] {
        if let Some(address) = changed.get_mut(key).filter(|address| !address.is_null()) {
            *address = "(not kept)".into();
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::difference;

    #[test]
    fn the_audit_shows_only_what_changed() {
        let (before, after) = difference(&json!({ "a": 1, "b": null }), &json!({ "a": 1, "b": "x" }));
        assert_eq!((before, after), (json!({ "b": null }), json!({ "b": "x" })));
    }
}
