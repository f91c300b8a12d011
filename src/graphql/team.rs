//! Teams: their people, their tree, their repositories and their boards.

use super::board;
use super::invitation;
use super::members;
use super::org::{self, TEAMS, numbered};
use super::page::{Listing, Series, Window};
use super::repo;
use super::running::{Resolved, Running};
use super::value::{Args, Out, Thing};
use crate::error::Result;
use crate::links::node_id;
use crate::memory::TeamPlace;
use crate::operation::Subject;
use crate::policy::{MAINTAINER, OWNER, Standing};
use crate::teams::places;
use crate::teams::repos;
use crate::teams::team::{SeenTeam, Team};

/// A field of a team.
pub fn field<'a>(run: &Running, team: &'a SeenTeam, name: &str, args: Args) -> Resolved<Out<'a>> {
    let page = |below: &str| run.links.html(&["/orgs/", &team.org.login, "/teams/", &team.slug, below].concat());
    match name {
        "id" => Out::leaf(node_id("Team", team.id)),
        "databaseId" => Out::database_id(team.id),
        "name" => Out::leaf(&team.name),
        "slug" => Out::leaf(&team.slug),
        "combinedSlug" => Out::leaf([&team.org.login, "/", &team.slug].concat()),
        "description" => Out::maybe(team.description.as_ref()),
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
            let (_, standing) = with_standing(run, team)?;
            Out::leaf((OWNER | MAINTAINER).holds(standing))
        }
        "ancestors" => ancestors(run, team, args),
        "childTeams" => children(run, team, args),
        "discussions" => board::discussions(run, team, args),
        "discussion" => board::discussion(run, team, args.number("number").unwrap_or_default()),
        "members" => members::list(run, team, args),
        "invitations" => invitation::of_team(run, team, with_standing(run, team)?, args),
        "reviewRequestDelegationEnabled" => Out::leaf(team.reviews.enabled),
        "reviewRequestDelegationAlgorithm" => Out::leaf(team.reviews.algorithm.to_uppercase()),
        "reviewRequestDelegationMemberCount" => Out::leaf(team.reviews.member_count),
        "reviewRequestDelegationNotifyTeam" => Out::leaf(team.reviews.notify_team),
        _ => repositories(run, team, args),
    }
}

/// The team with the caller's standing to it.
fn with_standing(run: &Running, team: &SeenTeam) -> Result<(Team, Standing)> {
    let path = numbered("team_id", team.id);
    run.look(|cx| <Team as Subject>::find(cx, &path))
}

fn children(run: &Running, team: &SeenTeam, args: Args) -> Resolved<Out<'static>> {
    let filter = org::filter(run, args)?;
    let immediate = args.flag("immediateOnly").unwrap_or(true);
    let descending = args.order("orderBy").is_some_and(|(_, descending)| descending);
    let series = Series { kinds: TEAMS, field: "childTeams", of: team.id, order: "CHILD_NAME" };
    let cut = |window: &Window<TeamPlace>| {
        run.look(|cx| places::below(cx, team, immediate, &filter, |teams| window.cut(teams)))
    };
    series.page(args, descending, cut, |page, _| org::rows(run, team.org_id, page))
}

/// The teams above a team, nearest first.
fn ancestors(run: &Running, team: &SeenTeam, args: Args) -> Resolved<Out<'static>> {
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

fn repositories(run: &Running, team: &SeenTeam, args: Args) -> Resolved<Out<'static>> {
    let mut all = run.look(|cx| repos::every(cx, team.id))?;
    if let Some(text) = args.text("query").map(str::to_lowercase) {
        all.retain(|(place, _)| place.name_key.contains(&text));
    }
    let all = all.into_iter().map(|(place, level)| (place, Some(level))).collect();
    repo::page(run, ("TeamRepositoryConnection", "TeamRepositoryEdge"), team.id, args, all)
}
