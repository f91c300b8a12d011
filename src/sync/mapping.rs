//! The groups of an organization's provider, and which of them a team follows.
//!
//! Implements behavior rule 7 and decision 48. Linking requires the plan, an owner, and a team without children; it
//! removes the team from open invitations and ends the requests to join it. Unlinking requires only an owner, and keeps the people.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::provider::{self, identifier, number};
use crate::db::{ByIds, by_ids, row, select};
use crate::error::{Error, Result};
use crate::journal::Change;
use crate::members::{ends, groups, join_requests, synced};
use crate::operation::{Cx, Record, since};
use crate::orgs::org::Org;
use crate::policy::Granted;
use crate::teams::team::Team;
use crate::teams::tree;

/// The largest number of groups that a team follows.
const MOST: usize = 100;

/// A list of identity provider groups.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "group-mapping")]
pub struct GroupMapping {
    /// The groups.
    pub groups: Vec<IdPGroup>,
}

row! {
    /// A group of an identity provider.
    #[derive(Debug, Serialize, JsonSchema)]
    pub struct IdPGroup from "g" {
        /// ID.
        pub group_id: String = "g.id" => |id| identifier(provider::GROUP, id),
        /// Name.
        pub group_name: String = "g.display_name",
        /// Always empty, because identity providers send no description.
        pub group_description: String = "''",
        /// Synchronization status: `synced`, `paused` while the plan does not offer it, or the number of people who were
        /// skipped because they are not in the organization.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub status: Option<String> = "CAST(NULL AS TEXT)",
    }
}

/// List the groups that the organization's identity provider has provisioned.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfOrg {
    /// Number of results per page.
    #[schemars(range(min = 1, max = 100), extend("default" = 30))]
    pub per_page: Option<i64>,
    /// Start of the next page. Take it from the `Link` header.
    pub page: Option<String>,
}

/// Lists the groups in the order of their creation.
pub fn of_org(cx: &mut Cx, org: Granted<Org>, p: OfOrg) -> Result<Record<GroupMapping>> {
    let per_page = since::per_page(p.per_page);
    let after = p.page.and_then(|cursor| number(&cursor, provider::GROUP)).unwrap_or(0);
    let mut groups: Vec<IdPGroup> = cx.tx.all(OF_ORG, &[&org.id, &after, &(per_page + 1)])?;
    let link = since::last_before_more(&mut groups, per_page).map(|last| {
        let url = cx.links.api(&format!("/organizations/{}/team-sync/groups", org.id));
        format!("<{url}?per_page={per_page}&page={}>; rel=\"next\"", last.group_id)
    });
    Ok(Record::from(GroupMapping { groups }).linked(link))
}

const OF_ORG: &str = select!(IdPGroup from "scim_groups g WHERE g.org_id = $1 AND g.id > $2 ORDER BY g.id LIMIT $3");

/// List the groups that a team follows.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfTeam {}

/// Lists the groups that a team follows.
pub fn of_team(cx: &mut Cx, team: Granted<Team>, _: OfTeam) -> Result<Record<GroupMapping>> {
    shown(cx, &team)
}

fn shown(cx: &mut Cx, team: &Team) -> Result<Record<GroupMapping>> {
    let offered = synced::is_offered(cx.tx, team.org_id)?;
    let mut groups: Vec<IdPGroup> = cx.tx.all(OF_TEAM, &[&team.id])?;
    let skipped: Vec<(i64, i64)> = if offered { cx.tx.all(SKIPPED, &[&team.id])? } else { Vec::new() };
    for group in &mut groups {
        let skipped = skipped.iter().find(|(id, _)| identifier(provider::GROUP, *id) == group.group_id);
        group.status = Some(match skipped {
            Some((_, number)) => format!("synced; skipped, not in the organization: {number}"),
            None if offered => "synced".to_owned(),
            None => "paused".to_owned(),
        });
    }
    Ok(GroupMapping { groups }.into())
}

const OF_TEAM: &str = select!(IdPGroup from
    "team_groups l JOIN scim_groups g ON g.id = l.group_id
     WHERE l.team_id = $1 ORDER BY g.id");

/// People of the groups who are not in the team.
const SKIPPED: &str = "
    SELECT l.group_id, count(*)
    FROM team_groups l
    CROSS JOIN scim_group_members m
    CROSS JOIN scim_users s
    LEFT JOIN team_members t ON t.team_id = l.team_id AND t.user_id = s.user_id
    WHERE l.team_id = $1 AND m.group_id = l.group_id AND s.id = m.member_id AND t.user_id IS NULL
    GROUP BY l.group_id ORDER BY l.group_id";

/// Set the groups that a team follows. Its members are then those of the groups. An empty list ends synchronization and
/// keeps the members.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// All groups that the team follows from now on.
    pub groups: Vec<Wanted>,
}

/// A group to follow.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Wanted {
    /// ID.
    pub group_id: String,
    /// Name of the group, as in the list of groups.
    pub group_name: String,
    /// Description of the group, as in the list of groups.
    pub group_description: String,
}

/// Links the team to exactly these groups.
pub fn update(cx: &mut Cx, team: Granted<Team>, p: Update) -> Result<Record<GroupMapping>> {
    let (id, org) = (team.id, team.org_id);
    if !p.groups.is_empty() {
        may_link(cx, &team)?;
    }
    let wanted = wanted(cx, org, &p.groups)?;
    let before: Vec<i64> = cx.tx.all("SELECT group_id FROM team_groups WHERE team_id = $1", &[&id])?;
    let before: BTreeSet<i64> = before.into_iter().collect();
    if wanted != before {
        link(cx, &team, &before, &wanted)?;
    }
    shown(cx, &team)
}

fn may_link(cx: &mut Cx, team: &Team) -> Result<()> {
    if !synced::is_offered(cx.tx, team.org_id)? {
        let text = "Team synchronization requires the enterprise plan. A site administrator can set the \
                    plan: PATCH /admin/organizations/{org}.";
        return Err(Error::Forbidden(text.into()));
    }
    if tree::has_children(cx.tx, team.id)? {
        let text = "A team with child teams cannot be synchronized with an identity provider";
        return Err(Error::data("Team", text));
    }
    Ok(())
}

/// The named groups, which must belong to the organization.
fn wanted(cx: &mut Cx, org: i64, groups: &[Wanted]) -> Result<BTreeSet<i64>> {
    if groups.len() > MOST {
        return Err(Error::data("Team", format!("A team can follow at most {MOST} groups")));
    }
    let named: BTreeSet<i64> = groups.iter().filter_map(|group| number(&group.group_id, provider::GROUP)).collect();
    let ids: Vec<i64> = named.iter().copied().collect();
    let found: Vec<(i64, i64)> = by_ids(cx.tx, &GROUPS, &ids)?;
    let known: BTreeSet<i64> = found.into_iter().filter(|(_, of)| *of == org).map(|(group, _)| group).collect();
    let is_known = |group: &Wanted| number(&group.group_id, provider::GROUP).is_some_and(|id| known.contains(&id));
    if !groups.iter().all(is_known) {
        let text = "A group is not one of the organization's groups. List them with GET /orgs/{org}/team-sync/groups.";
        return Err(Error::data("Team", text));
    }
    Ok(known)
}

static GROUPS: ByIds = ByIds::new("SELECT id, org_id FROM scim_groups WHERE id IN ({ids}) ORDER BY id");

fn link(cx: &mut Cx, team: &Team, before: &BTreeSet<i64>, wanted: &BTreeSet<i64>) -> Result<()> {
    let (id, org) = (team.id, team.org_id);
    for group in before.difference(wanted) {
        cx.tx.run("DELETE FROM team_groups WHERE team_id = $1 AND group_id = $2", &[&id, group])?;
    }
    for group in wanted.difference(before) {
        cx.tx.run(LINK, &[&id, group, &cx.now()?.0])?;
    }
    let facts = |groups: &BTreeSet<i64>| {
        let groups: Vec<String> = groups.iter().map(|group| identifier(provider::GROUP, *group)).collect();
        json!({ "team": id, "groups": groups })
    };
    cx.record(org, Change::new("team.update_group_mappings", &facts(before), &facts(wanted)))?;
    if before.is_empty() {
        remove_from_invitations(cx, team)?;
        ends::clear(cx, org, &team.facts())?;
        join_requests::end_open(cx.tx, id)?;
    }
    let concerned: Vec<i64> = cx.tx.all(CONCERNED, &[&id])?;
    groups::follow(cx, org, &concerned.into_iter().collect())
}

const LINK: &str = "INSERT INTO team_groups (team_id, group_id, linked_at) VALUES ($1, $2, $3)";

/// All members of the team, and all people of its groups.
const CONCERNED: &str = "
    SELECT user_id FROM team_members WHERE team_id = $1
    UNION
    SELECT s.user_id
    FROM team_groups l CROSS JOIN scim_group_members m CROSS JOIN scim_users s
    WHERE l.team_id = $1 AND m.group_id = l.group_id AND s.id = m.member_id AND s.user_id IS NOT NULL";

/// A team that follows groups has no pending members.
fn remove_from_invitations(cx: &mut Cx, team: &Team) -> Result<()> {
    let taken: Vec<(i64, String)> = cx.tx.run_all(TAKE_OFF, &[&team.id])?;
    for (invitation, role) in taken {
        let before = json!({ "invitation": invitation, "team": team.id, "role": role });
        cx.record(team.org_id, Change::new("org.update_invitation", &before, &json!(null)))?;
    }
    Ok(())
}

const TAKE_OFF: &str = "DELETE FROM invitation_teams WHERE team_id = $1 RETURNING invitation_id, role";
