//! The organization's own record: public, with additional fields for its owners.
//!
//! Implements decisions 16 (restricted creation of teams) and 18 (the profile is public).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::creation::{Creation, CreationType};
use super::org::Org;
use super::record::{self, OrganizationDetailed};
use super::switches::Switches;
use crate::db::{Tx, row, select};
use crate::error::Result;
use crate::memory::{Part, People};
use crate::operation::{Cx, Record};
use crate::policy::{Granted, OWNER};
use crate::record::record;
use crate::scope::SM;

/// An organization, in full.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "organization-full")]
pub struct OrganizationFull {
    /// The fields that every caller sees.
    #[serde(flatten)]
    pub public: OrganizationDetailed,
    /// The additional fields for owners.
    #[serde(flatten)]
    pub private: Option<OwnersPart>,
}

record! {
    /// The additional fields of an organization that only its owners see.
    pub struct OwnersPart {
        /// Number of private repositories.
        pub total_private_repos: i64 = private_repos,
        /// Number of private repositories.
        pub owned_private_repos: i64 = private_repos,
        /// Always 0.
        pub private_gists: i64 = 0,
        /// Always 0, because Guildhall hosts no Git data.
        pub disk_usage: i64 = 0,
        /// Always 0.
        pub collaborators: i64 = 0,
        /// Billing e-mail address.
        pub billing_email: Option<String> = stored.billing_email,
        /// Permission of members on every repository: `none`, `read`, `write` or `admin`.
        pub default_repository_permission: String = stored.default_repository_permission,
        /// True if members may create repositories.
        pub members_can_create_repositories: bool = creation.any(),
        /// The kinds of repositories that members may create; `all` if they may create public ones.
        pub members_allowed_repository_creation_type: CreationType = creation.kind(),
        /// True if members may create public repositories.
        pub members_can_create_public_repositories: bool = creation.public,
        /// True if members may create private repositories.
        pub members_can_create_private_repositories: bool = creation.private,
        /// True if members may fork private repositories of the organization.
        pub members_can_fork_private_repositories: bool = stored.members_can_fork_private_repositories,
        /// Switches without an effect here.
        #[serde(flatten)]
        pub switches: Switches = stored.switches,
        /// Always false, because Guildhall has no two-factor authentication.
        pub two_factor_requirement_enabled: bool = false,
        /// True if members may create teams.
        pub members_can_create_teams: bool = stored.members_can_create_teams,
        /// True if members may leave teams.
        pub members_can_leave_teams: bool = stored.members_can_leave_teams,
        /// True if owners see the IP addresses of members in the audit log.
        pub audit_shows_addresses: bool = stored.audit_shows_addresses,
        /// True if applications need the approval of an owner.
        pub applications_need_approval: bool = stored.applications_need_approval,
        /// Plan of the organization, set by a site administrator.
        pub plan: Plan = Plan { name: stored.plan, space: 0, private_repos: 0, filled_seats: seats, seats },
    }

    /// The fields of an organization with these settings, this many private repositories and this many people.
    fn new(stored: OrgSettings, private_repos: i64, seats: i64) {
        let creation = stored.creation();
    }
}

/// The plan of an organization.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Plan {
    /// Name of the plan, for example `free` or `enterprise`.
    pub name: String,
    /// Always 0.
    pub space: i64,
    /// Always 0.
    pub private_repos: i64,
    /// Number of members.
    pub filled_seats: i64,
    /// Same as `filled_seats`, because seats are not limited.
    pub seats: i64,
}

/// Get an organization. Its profile is public. Owners also see its settings if their token has a scope that covers
/// them.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets an organization.
pub fn get(cx: &mut Cx, org: Granted<Org>, _: Get) -> Result<Record<OrganizationFull>> {
    let trusted = SM.satisfied_by(cx.caller.scopes());
    let owner = org.allows(&OWNER) && trusted;
    let record = full(cx, &org, owner)?;
    let modified = record.public.updated_at;
    Ok(Record::from(record).modified(modified))
}

/// The record; for an owner, it includes the fields that only owners see.
pub(super) fn full(cx: &mut Cx, org: &Org, owner: bool) -> Result<OrganizationFull> {
    let profile = record::profile(cx.tx, org.id)?;
    let public = OrganizationDetailed::new(cx.links, profile);
    let private = if owner { Some(owners_part(cx, org)?) } else { None };
    Ok(OrganizationFull { public, private })
}

/// The number of people in the organization. It is read from memory, except by a write, which may not read there.
fn seats(cx: &mut Cx, org: &Org) -> Result<i64> {
    if cx.tx.writes() {
        return cx.tx.one(SEATS, &[&org.id]);
    }
    let (_, seats) = cx
        .site
        .organizations
        .ask(cx.tx, (org.id, org.version), Part::People, |state| state.people_page(People::All, 0, 0))?;
    Ok(i64::try_from(seats).unwrap_or(i64::MAX))
}

const SEATS: &str = "SELECT count(*) FROM org_members WHERE org_id = $1 AND role <> 'billing_manager'";

fn owners_part(cx: &mut Cx, org: &Org) -> Result<OwnersPart> {
    let stored = stored(cx.tx, org.id)?;
    let private_repos: i64 = cx.tx.one("SELECT private_repos FROM orgs WHERE id = $1", &[&org.id])?;
    let seats = seats(cx, org)?;
    Ok(OwnersPart::new(stored, private_repos, seats))
}

row! {
    /// The fields that an update can change, and the plan.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
    pub struct OrgSettings from "o" {
        /// Name for people.
        pub name: Option<String>,
        /// Description.
        pub description: Option<String>,
        /// Company.
        pub company: Option<String>,
        /// URL of its website.
        pub blog: Option<String>,
        /// Location.
        pub location: Option<String>,
        /// Public e-mail address.
        pub email: Option<String>,
        /// Twitter username.
        pub twitter_username: Option<String>,
        /// E-mail address for bills.
        pub billing_email: Option<String>,
        /// Permission of members on every repository.
        pub default_repository_permission: String,
        /// True if members may create teams.
        pub members_can_create_teams: bool,
        /// True if members may leave teams.
        pub members_can_leave_teams: bool,
        /// True if members may create repositories.
        pub members_can_create_repositories: bool,
        /// True if these include public ones.
        pub members_can_create_public_repositories: bool,
        /// True if these include private ones.
        pub members_can_create_private_repositories: bool,
        /// True if members may fork private repositories of the organization.
        pub members_can_fork_private_repositories: bool,
        /// Switches without an effect here.
        #[serde(flatten)]
        pub switches: Switches => Switches::read,
        /// True if the organization has projects.
        pub has_organization_projects: bool,
        /// True if its repositories have projects.
        pub has_repository_projects: bool,
        /// True if owners see the IP addresses of members in the audit log.
        pub audit_shows_addresses: bool,
        /// True if applications need the approval of an owner.
        pub applications_need_approval: bool,
        /// The plan.
        pub plan: String,
    }
}

impl OrgSettings {
    /// The settings of a new organization.
    #[must_use]
    pub fn usual() -> Self {
        Self {
            name: None,
            description: None,
            company: None,
            blog: None,
            location: None,
            email: None,
            twitter_username: None,
            billing_email: None,
            default_repository_permission: "read".to_owned(),
            members_can_create_teams: true,
            members_can_leave_teams: false,
            members_can_create_repositories: true,
            members_can_create_public_repositories: true,
            members_can_create_private_repositories: true,
            members_can_fork_private_repositories: false,
            switches: Switches::default(),
            has_organization_projects: true,
            has_repository_projects: true,
            audit_shows_addresses: false,
            applications_need_approval: true,
            plan: "free".to_owned(),
        }
    }

    /// The kinds of repositories that members may create.
    #[must_use]
    pub fn creation(&self) -> Creation {
        let kinds = (self.members_can_create_public_repositories, self.members_can_create_private_repositories);
        Creation::of_columns(self.members_can_create_repositories, kinds.0, kinds.1)
    }
}

/// The stored settings of the organization with this identifier, which exists.
pub fn stored(tx: &mut Tx, org: i64) -> Result<OrgSettings> {
    tx.one(STORED, &[&org])
}

const STORED: &str = select!(OrgSettings from "orgs o WHERE o.id = $1");
