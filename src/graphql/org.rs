//! Organizations.

use std::sync::Arc;

use super::invitation;
use super::page::{Item, Series, Window};
use super::person;
use super::repo;
use super::running::{Failure, Resolved, Running};
use super::value::{Args, Out, Thing};
use crate::error::Result;
use crate::links::node_id;
use crate::memory::{OrgState, Part, People, Sequence, TeamFilter, TeamPlace, Teams};
use crate::operation::{Path, Seen};
use crate::orgs::org::Org;
use crate::people;
use crate::people::login::{self, Owner};
use crate::policy::{MEMBER, SEES_CONCEALED};
use crate::teams::places;
use crate::teams::team::SeenTeam;

/// A field of an organization.
pub fn field(run: &Running, id: i64, name: &str, args: Args) -> Resolved<Out<'static>> {
    let link = |path: &str| -> Result<String> { Ok(run.links.html(&[path, &run.org(id)?.0.login].concat())) };
    match name {
        "id" => Out::leaf(node_id("Organization", id)),
        "databaseId" => Out::database_id(id),
        "login" => Out::leaf(run.org(id)?.0.login.clone()),
        "url" => Out::leaf(link("/")?),
        "avatarUrl" => Out::leaf(link("/avatars/")?),
        "name" => Out::leaf(run.org_profile(id)?.name.clone().unwrap_or_default()),
        "description" => Out::maybe(run.org_profile(id)?.description.clone()),
        "email" => Out::maybe(run.org_profile(id)?.email.clone()),
        "createdAt" => Out::leaf(run.org_profile(id)?.created_at.to_string()),
        "updatedAt" => Out::leaf(run.org_profile(id)?.updated_at.to_string()),
        "viewerCanAdminister" => Out::leaf(run.rules.update_org.who_may.rule.holds(run.org(id)?.1)),
        "viewerIsAMember" => Out::leaf(MEMBER.holds(run.org(id)?.1)),
        "viewerCanCreateTeams" => Out::leaf(run.rules.create_team.who_may.rule.holds(run.org(id)?.1)),
        "team" => team(run, id, args.text("slug").unwrap_or_default()),
        "teams" => teams(run, id, args),
        "membersWithRole" => members(run, id, args),
        "pendingMembers" => invitation::of_org(run, &*run.org(id)?, args),
        "enterpriseOwners" | "samlIdentityProvider" => Ok(Out::Nothing),
        "repository" => repo::named(run, &run.org(id)?.0.login, args),
        "repositories" => repo::list(run, Owner::Org(id), args),
        _ => Err(Failure::unknown("Organization", name)),
    }
}

/// The parameter of a path that names something by its identifier.
pub fn numbered(name: &str, id: i64) -> Path {
    Path(vec![(Arc::from(name), id.to_string())])
}

fn team(run: &Running, org: i64, slug: &str) -> Resolved<Out<'static>> {
    let mut path = numbered("org_id", org);
    path.0.push((Arc::from("team_slug"), slug.to_owned()));
    Out::one(run.find(|cx| cx.toward(org, |cx| <SeenTeam as Seen>::find(cx, &path)))?.map(Thing::Team))
}

/// The most logins of an argument.
const MOST_LOGINS: usize = 100;

/// The people that an argument names. Logins that do not exist are skipped.
fn named(run: &Running, args: Args) -> Resolved<Option<Vec<i64>>> {
    let Some(logins) = args.texts("userLogins") else { return Ok(None) };
    if logins.len() > MOST_LOGINS {
        let text = format!("You may not provide more than {MOST_LOGINS} userLogins; you provided {}.", logins.len());
        return Err(Failure::Field("ARGUMENT_LIMIT", text));
    }
    Ok(Some(run.look(|cx| login::people(cx.tx, &logins))?))
}

/// The teams that the arguments of a list ask for. With a token that has `effective_teams`, the caller also belongs to
/// the teams above their own (decision 63).
pub fn filter(run: &Running, args: Args) -> Resolved<TeamFilter> {
    let role = args.text("role");
    Ok(TeamFilter {
        roots: args.flag("rootTeamsOnly").unwrap_or(false),
        people: named(run, args)?,
        secret: args.text("privacy").map(|privacy| privacy == "SECRET"),
        led_by: (role == Some("ADMIN")).then_some(run.me),
        joined_by: (role == Some("MEMBER")).then_some(run.me),
        effective: run.effective_teams.then_some(run.me),
    })
}

fn teams(run: &Running, id: i64, args: Args) -> Resolved<Out<'static>> {
    let (filter, org) = (filter(run, args)?, run.org(id)?);
    let descending = args.order("orderBy").is_some_and(|(_, descending)| descending);
    let series = Series { kinds: TEAMS, field: "teams", of: id, order: "NAME" };
    let cut = |window: &Window<TeamPlace>| match args.text("query") {
        None => run.look(|cx| places::of_org(cx, &org.0, &filter, |teams| window.cut(teams))),
        Some(text) => run.look(|cx| {
            let all = places::of_org(cx, &org.0, &filter, |teams| teams.part(0..teams.total()))?;
            Ok(window.cut(&Teams::of(places::containing(cx, &org.0, all, text)?)))
        }),
    };
    series.page(args, descending, cut, |places, _| rows(run, &org.0, places))
}

/// The names of the types of a list of teams: the connection and the edge.
pub const TEAMS: (&str, &str) = ("TeamConnection", "TeamEdge");

/// The teams of a page.
pub fn rows(run: &Running, org: &Org, places: &[TeamPlace]) -> Result<Vec<Item>> {
    let ids: Vec<i64> = places.iter().map(|(_, id)| *id).collect();
    Ok(listed(run, run.look(|cx| places::rows(cx, org, &ids))?))
}

/// These teams, which are on one page.
pub fn listed(run: &Running, teams: Vec<SeenTeam>) -> Vec<Item> {
    run.known.list_teams(&teams);
    teams.into_iter().map(|team| (Thing::Team(team), None)).collect()
}

/// The members, by ID, with their roles. Callers who do not see concealed members get only the public ones, and no
/// roles.
fn members(run: &Running, id: i64, args: Args) -> Resolved<Out<'static>> {
    let org = run.org(id)?;
    let sees_all = SEES_CONCEALED.holds(org.1);
    let which = if sees_all { People::All } else { People::Public };
    let at = (id, org.0.version);
    let kinds = ("OrganizationMemberConnection", "OrganizationMemberEdge");
    let series = Series { kinds, field: "membersWithRole", of: id, order: "ID" };
    let cut = |window: &Window<i64>| {
        let cut = |state: &mut OrgState| window.cut(&state.users(which));
        run.look(|cx| cx.site.organizations.ask(cx.tx, at, Part::People, cut))
    };
    series.page(args, false, cut, |page, _| {
        let (people, owners) = run.look(|cx| {
            let memory = &cx.site.organizations;
            let people = people::list::shown(cx.tx, memory, at, page)?;
            let owners = |state: &mut OrgState| page.iter().map(|user| state.is_owner(*user)).collect::<Vec<bool>>();
            Ok((people, memory.ask(cx.tx, at, Part::People, owners)?))
        })?;
        let role = |owner: bool| sees_all.then_some(if owner { "ADMIN" } else { "MEMBER" });
        Ok(person::many(run, people).into_iter().zip(owners).map(|(person, owner)| (person, role(owner))).collect())
    })
}
