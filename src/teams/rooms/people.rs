//! The members of an organization with their teams, as pages show them: those that the caller may know of (decisions 17
//! and 18).

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::visible::is_seen;
use crate::clock::Time;
use crate::db::{ByIds, by_ids_after, row, select};
use crate::error::{Error, Result};
use crate::memory::{OrgState, Part, People};
use crate::name;
use crate::operation::{Cx, List};
use crate::orgs::members::Role;
use crate::orgs::org::Org;
use crate::policy::Granted;

/// The longest text that names are compared with, in characters.
const LONGEST: usize = 200;

/// A member of an organization.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Member {
    /// ID.
    pub id: i64,
    /// Login.
    pub login: String,
    /// Name.
    pub name: Option<String>,
    /// `admin` or `member`.
    pub role: String,
    /// The time at which they became a member.
    pub since: Time,
    /// Their first three teams, by name.
    pub teams: Vec<MemberTeam>,
    /// Number of their teams.
    pub team_count: i64,
}

impl Member {
    /// The name, or the login if there is none.
    #[must_use]
    pub fn called(&self) -> &str {
        name::called(self.name.as_deref(), &self.login)
    }

    /// The number of teams besides the first three.
    #[must_use]
    pub fn more(&self) -> i64 {
        self.team_count - i64::try_from(self.teams.len()).unwrap_or_default()
    }
}

/// A team of a member.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct MemberTeam {
    /// Slug.
    pub slug: String,
    /// Name.
    pub name: String,
    /// `maintainer` or `member`.
    pub role: String,
}

row! {
    /// A member, without their teams.
    struct Found from "m" {
        id: i64 = "m.user_id",
        login: String = "u.login",
        name: Option<String> = "u.name",
        role: String,
        since: Time = "m.created_at",
    }
}

row! {
    /// A team of a member, and the number of all of theirs.
    struct FoundTeam from "x" {
        user_id: i64,
        slug: String,
        name: String,
        role: String,
        total: i64,
    }
}

/// List the members of an organization with their teams, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Members {
    /// Filter by role.
    pub role: Option<Role>,
    /// Only people with this text in their login or name.
    pub q: Option<String>,
    /// Only the person with this login.
    pub login: Option<String>,
}

/// Lists the members of a page.
pub fn list(cx: &mut Cx, org: Granted<Org>, p: Members) -> Result<List<Member>> {
    let (ids, total) = found(cx, &org, &p)?;
    let members: Vec<Found> = by_ids_after(cx.tx, &MEMBERS, &[&org.id], &ids)?;
    let mut teams: HashMap<i64, Vec<FoundTeam>> = HashMap::new();
    for team in by_ids_after::<FoundTeam>(cx.tx, &TEAMS, &[&cx.my_id(), &org.id], &ids)? {
        teams.entry(team.user_id).or_default().push(team);
    }
    let member = |of: Found| {
        let teams = teams.remove(&of.id).unwrap_or_default();
        let team_count = teams.first().map_or(0, |team| team.total);
        let team = |team: FoundTeam| MemberTeam { slug: team.slug, name: team.name, role: team.role };
        let teams = teams.into_iter().map(team).collect();
        Member { id: of.id, login: of.login, name: of.name, role: of.role, since: of.since, teams, team_count }
    };
    List::of(members.into_iter().map(member).collect::<Vec<_>>(), total)
}

static MEMBERS: ByIds = ByIds::after(
    1,
    select!(Found from
    "org_members m JOIN users u ON u.id = m.user_id
     WHERE m.org_id = $1 AND m.role <> 'billing_manager' AND m.user_id IN ({ids}) ORDER BY m.user_id"),
);

static TEAMS: ByIds = ByIds::after(
    2,
    select!(FoundTeam from
    "(SELECT m.user_id, t.slug, t.name, m.role, count(*) OVER (PARTITION BY m.user_id) AS total,
             row_number() OVER (PARTITION BY m.user_id ORDER BY t.name_key, t.id) AS place
      FROM team_members m JOIN teams t ON t.id = m.team_id
      WHERE m.user_id IN ({ids}) AND t.org_id = $2 AND ", is_seen!(), ") x
     WHERE x.place <= 3 ORDER BY x.user_id, x.place"),
);

/// The IDs of the people of the page, and the number of people on all pages.
fn found(cx: &mut Cx, org: &Org, p: &Members) -> Result<(Vec<i64>, u64)> {
    let role = p.role.unwrap_or_default();
    let folded = |text: &Option<String>| {
        let text = text.as_deref().map(|text| text.trim().to_ascii_lowercase());
        text.filter(|text| !text.is_empty())
    };
    let (q, login) = (folded(&p.q), folded(&p.login));
    if q.is_none() && login.is_none() {
        let which = match role {
            Role::All => People::All,
            Role::Admin => People::Owners,
            Role::Member => People::NonOwners,
        };
        let (offset, limit) = (cx.page.offset(), cx.page.per_page);
        let page = |state: &mut OrgState| state.people_page(which, offset, limit);
        return cx.site.organizations.ask(cx.tx, (org.id, org.version), Part::People, page);
    }
    if q.as_ref().is_some_and(|text| text.chars().count() > LONGEST) {
        return Err(Error::explained("Member", "invalid", "q", format!("Use at most {LONGEST} characters.")));
    }
    let (is_all, is_admin) = (role == Role::All, role == Role::Admin);
    let (limit, offset) = cx.page.sql();
    let page: Vec<(i64, i64)> = cx.tx.all(PAGE, &[&org.id, &q, &login, &is_all, &is_admin, &limit, &offset])?;
    let total = match page.first() {
        Some((_, total)) => *total,
        None if offset > 0 => cx.tx.one(COUNT, &[&org.id, &q, &login, &is_all, &is_admin])?,
        None => 0,
    };
    Ok((page.into_iter().map(|(id, _)| id).collect(), u64::try_from(total).unwrap_or_default()))
}

macro_rules! matching {
    ($columns:literal, $end:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM org_members m CROSS JOIN searched_people sp
             WHERE m.org_id = $1 AND m.role <> 'billing_manager' AND sp.id = m.user_id
               AND (CAST($2 AS TEXT) IS NULL OR replace(sp.login_text, $2, '') <> sp.login_text
                    OR replace(sp.name_text, $2, '') <> sp.name_text)
               AND (CAST($3 AS TEXT) IS NULL OR sp.login_text = $3)
               AND ($4 = TRUE OR (m.role = 'admin') = $5)",
            $end
        )
    };
}

const COUNT: &str = matching!("count(*)", "");
const PAGE: &str = matching!("m.user_id, count(*) OVER ()", " ORDER BY m.user_id LIMIT $6 OFFSET $7");
