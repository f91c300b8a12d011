//! Organizations.

use std::sync::Arc;

use super::page::Listing;
use super::person;
use super::repo;
use super::running::{Resolved, Running};
use super::value::{Args, Out, Thing};
use crate::error::Result;
use crate::links::node_id;
use crate::memory::{OrgState, Part, People, TeamFilter};
use crate::operation::{Path, Seen};
use crate::people;
use crate::people::login::{self, Owner};
use crate::policy::{MAY_CREATE, MEMBER, OWNER, SEES_CONCEALED};
use crate::teams::places;
use crate::teams::team::SeenTeam;

/// A field of an organization.
pub fn field(run: &Running, id: i64, name: &str, args: Args) -> Resolved<Out> {
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
        "viewerCanAdminister" => Out::leaf(OWNER.holds(run.org(id)?.1)),
        "viewerIsAMember" => Out::leaf(MEMBER.holds(run.org(id)?.1)),
        "viewerCanCreateTeams" => Out::leaf((OWNER | MEMBER & MAY_CREATE).holds(run.org(id)?.1)),
        "team" => team(run, id, args.text("slug").unwrap_or_default()),
        "teams" => teams(run, id, args),
        "membersWithRole" => members(run, id, args),
        _ => repo::list(run, Owner::Org(id), args),
    }
}

/// The parameter of a path that names something by its identifier.
pub fn numbered(name: &str, id: i64) -> Path {
    Path(vec![(Arc::from(name), id.to_string())])
}

fn team(run: &Running, org: i64, slug: &str) -> Resolved<Out> {
    let mut path = numbered("org_id", org);
    path.0.push((Arc::from("team_slug"), slug.to_owned()));
    Out::one(run.find(|cx| <SeenTeam as Seen>::find(cx, &path))?.map(Thing::Team))
}

/// The people that an argument names. A login that does not exist names none.
pub fn named(run: &Running, args: Args) -> Result<Option<Vec<i64>>> {
    let Some(logins) = args.texts("userLogins") else { return Ok(None) };
    let mut people = Vec::new();
    for login in logins {
        if let Some(Owner::User(id)) = run.look(|cx| login::find(cx.tx, login))? {
            people.push(id);
        }
    }
    Ok(Some(people))
}

fn teams(run: &Running, id: i64, args: Args) -> Resolved<Out> {
    let filter = TeamFilter { roots: args.flag("rootTeamsOnly").unwrap_or(false), people: named(run, args)? };
    let org = run.org(id)?;
    let mut places = run.look(|cx| places::of_org(cx, &org.0, &filter))?;
    let descending = args.order("orderBy").is_some_and(|(_, descending)| descending);
    if descending {
        places.reverse();
    }
    let kinds = ("TeamConnection", "TeamEdge");
    let listing = Listing { kinds, field: "teams", of: id, order: "NAME", places: &places, descending };
    listing.page(args, |places, _| {
        let teams = run.look(|cx| places::rows(cx, id, places))?;
        Ok(teams.into_iter().map(|team| (Thing::Team(team), None)).collect())
    })
}

/// The members, by ID, with their roles. Callers who do not see concealed members get only the public ones, and no
/// roles.
fn members(run: &Running, id: i64, args: Args) -> Resolved<Out> {
    let org = run.org(id)?;
    let sees_all = SEES_CONCEALED.holds(org.1);
    let which = if sees_all { People::All } else { People::Public };
    let at = (id, org.0.version);
    let list = |state: &mut OrgState| state.people_page(which, 0, u64::MAX).0;
    let places: Vec<i64> = run.look(|cx| cx.site.organizations.ask(cx.tx, at, Part::People, list))?;
    let kinds = ("OrganizationMemberConnection", "OrganizationMemberEdge");
    let listing = Listing { kinds, field: "membersWithRole", of: id, order: "ID", places: &places, descending: false };
    listing.page(args, |page, _| {
        let (people, owners) = run.look(|cx| {
            let memory = &cx.site.organizations;
            let people = people::list::shown(cx.tx, memory, at, page)?;
            let owners = |state: &mut OrgState| page.iter().map(|user| state.is_owner(*user)).collect::<Vec<bool>>();
            Ok((people, memory.ask(cx.tx, at, Part::People, owners)?))
        })?;
        let role = |owner: bool| sees_all.then_some(if owner { "ADMIN" } else { "MEMBER" });
        Ok(person::many(people).into_iter().zip(owners).map(|(person, owner)| (person, role(owner))).collect())
    })
}
