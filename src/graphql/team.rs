//! Teams: their people, their tree, their repositories and their boards.

use super::board;
use super::org::{named, numbered};
use super::page::Listing;
use super::person;
use super::repo::permission;
use super::running::{Resolved, Running};
use super::value::{Args, Out, Thing};
use crate::journal;
use crate::links::node_id;
use crate::memory::{OrgState, Part, Reach, RoleFilter, TeamFilter, TeamPlace};
use crate::operation::Subject;
use crate::people;
use crate::policy::{MAINTAINER, OWNER};
use crate::teams::places;
use crate::teams::repos;
use crate::teams::team::{SeenTeam, Team};

/// A field of a team.
pub fn field(run: &Running, team: &SeenTeam, name: &str, args: Args) -> Resolved<Out> {
    let page = |below: &str| run.links.html(&["/orgs/", &team.org.login, "/teams/", &team.slug, below].concat());
    match name {
        "id" => Out::leaf(node_id("Team", team.id)),
        "databaseId" => Out::database_id(team.id),
        "name" => Out::leaf(team.name.clone()),
        "slug" => Out::leaf(team.slug.clone()),
        "combinedSlug" => Out::leaf([&team.org.login, "/", &team.slug].concat()),
        "description" => Out::maybe(team.description.clone()),
        "privacy" => Out::leaf(if team.is_secret() { "SECRET" } else { "VISIBLE" }),
        "notificationSetting" => Out::leaf(team.notification_setting.to_uppercase()),
        "avatarUrl" => Out::leaf(run.links.html(&["/avatars/", &team.org.login].concat())),
        "url" => Out::leaf(page("")),
        "editTeamUrl" => Out::leaf(page("/edit")),
        "createdAt" => Out::leaf(team.created_at.to_string()),
        "updatedAt" => Out::leaf(team.updated_at.to_string()),
        "organization" => Ok(Out::One(Thing::Org(team.org_id))),
        "parentTeam" => Out::one(run.look(|cx| places::above(cx, team))?.map(Thing::Team)),
        "viewerCanAdminister" => {
            let path = numbered("team_id", team.id);
            let standing = run.look(|cx| Ok(<Team as Subject>::find(cx, &path)?.1))?;
            Out::leaf((OWNER | MAINTAINER).holds(standing))
        }
        "ancestors" => ancestors(run, team, args),
        "childTeams" => children(run, team, args),
        "members" => members(run, team, args),
        "discussions" => board::discussions(run, team, args),
        "discussion" => board::discussion(run, team, args.number("number").unwrap_or_default()),
        _ => repositories(run, team, args),
    }
}

const TEAMS: (&str, &str) = ("TeamConnection", "TeamEdge");

fn children(run: &Running, team: &SeenTeam, args: Args) -> Resolved<Out> {
    let filter = TeamFilter { roots: false, people: named(run, args)? };
    let immediate = args.flag("immediateOnly").unwrap_or(true);
    let mut all: Vec<TeamPlace> = run.look(|cx| places::below(cx, team, immediate, &filter))?;
    let descending = args.order("orderBy").is_some_and(|(_, descending)| descending);
    if descending {
        all.reverse();
    }
    let (of, order) = (team.id, "CHILD_NAME");
    let listing = Listing { kinds: TEAMS, field: "childTeams", of, order, places: &all, descending };
    listing.page(args, |page, _| {
        let teams = run.look(|cx| places::rows(cx, team.org_id, page))?;
        Ok(teams.into_iter().map(|team| (Thing::Team(team), None)).collect())
    })
}

/// The teams above a team, nearest first.
fn ancestors(run: &Running, team: &SeenTeam, args: Args) -> Resolved<Out> {
    let mut found = Vec::new();
    let mut above = run.look(|cx| places::above(cx, team))?;
    while let Some(team) = above {
        above = run.look(|cx| places::above(cx, &team))?;
        found.push(team);
    }
    // A position is the distance, which only a change of the tree changes.
    let places: Vec<i64> = (0_i64..).take(found.len()).collect();
    let (of, order) = (team.id, "DISTANCE");
    let listing = Listing { kinds: TEAMS, field: "ancestors", of, order, places: &places, descending: false };
    listing.page(args, |page, before| {
        Ok(found[before..before + page.len()].iter().map(|team| (Thing::Team(team.clone()), None)).collect())
    })
}

fn members(run: &Running, team: &SeenTeam, args: Args) -> Resolved<Out> {
    let reach = match args.text("membership") {
        Some("IMMEDIATE") => Reach::Immediate,
        Some("CHILD_TEAM") => Reach::ChildTeam,
        _ => Reach::All,
    };
    let role = match args.text("role") {
        Some("MAINTAINER") => RoleFilter::Maintainer,
        Some(_) => RoleFilter::Member,
        None => RoleFilter::All,
    };
    let (id, org) = (team.id, team.org_id);
    let at = (org, run.look(|cx| journal::version(cx.tx, org))?);
    let list = |state: &mut OrgState| state.members_page(id, role, reach, 0, u64::MAX);
    let everyone = run.look(|cx| cx.site.organizations.ask(cx.tx, at, Part::Members, list))?;
    let places: Vec<i64> = everyone.entries.iter().map(|entry| entry.user).collect();
    let kinds = ("TeamMemberConnection", "TeamMemberEdge");
    let listing = Listing { kinds, field: "members", of: id, order: "ID", places: &places, descending: false };
    listing.page(args, |page, _| {
        let (people, leads) = run.look(|cx| {
            let memory = &cx.site.organizations;
            let people = people::list::shown(cx.tx, memory, at, page)?;
            let leads = |state: &mut OrgState| page.iter().map(|user| state.leads(id, *user)).collect::<Vec<bool>>();
            Ok((people, memory.ask(cx.tx, at, Part::Members, leads)?))
        })?;
        let role = |leads: bool| Some(if leads { "MAINTAINER" } else { "MEMBER" });
        Ok(person::many(people).into_iter().zip(leads).map(|(person, leads)| (person, role(leads))).collect())
    })
}

fn repositories(run: &Running, team: &SeenTeam, args: Args) -> Resolved<Out> {
    let places = run.look(|cx| repos::every(cx, team.id))?;
    let kinds = ("TeamRepositoryConnection", "TeamRepositoryEdge");
    let listing =
        Listing { kinds, field: "repositories", of: team.id, order: "ID", places: &places, descending: false };
    listing.page(args, |page, before| {
        let window = (i64::try_from(page.len()).unwrap_or(0), i64::try_from(before).unwrap_or(0));
        let found = run.look(|cx| repos::some(cx, team.id, window))?;
        Ok(found.into_iter().map(|(repo, level)| (Thing::Repo(repo.into()), permission(level))).collect())
    })
}
