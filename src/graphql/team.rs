//! Teams: their people, their tree, their repositories and their boards.

use super::board;
use super::invitation;
use super::known::Granted;
use super::members;
use super::org::{self, TEAMS};
use super::page::{Listing, Series, Window};
use super::repo::Repositories;
use super::running::{Failure, Resolved, Running};
use super::value::{Args, Out, Thing};
use crate::links::node_id;
use crate::memory::TeamPlace;
use crate::repos::list::RepoPlace;
use crate::teams::places;
use crate::teams::team::SeenTeam;

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
        "membersUrl" => Out::leaf(page("/members")),
        "newTeamUrl" => Out::leaf(run.links.html(&["/orgs/", &team.org.login, "/new-team"].concat())),
        "repositoriesUrl" => Out::leaf(page("/repositories")),
        "teamsUrl" => Out::leaf(page("/teams")),
        "projectsV2" | "viewerCanSubscribe" | "viewerSubscription" => Ok(Out::Nothing),
        "createdAt" => Out::leaf(team.created_at.to_string()),
        "updatedAt" => Out::leaf(team.updated_at.to_string()),
        "organization" => Ok(Out::One(Thing::Org(team.org_id))),
        "parentTeam" => Out::one(run.parent(team)?.map(Thing::Team)),
        "viewerCanAdminister" => {
            let (_, standing) = run.with_standing(team)?;
            Out::leaf(run.rules.update_team.who_may.rule.holds(standing))
        }
        "ancestors" => ancestors(run, team, args),
        "childTeams" => children(run, team, args),
        "discussions" => board::discussions(run, team, args),
        "discussion" => board::discussion(run, team, args.number("number").unwrap_or_default()),
        "members" => members::list(run, team, args),
        "invitations" => invitation::of_team(run, team, run.with_standing(team)?, args),
        "reviewRequestDelegationEnabled" => Out::leaf(team.reviews.enabled),
        "reviewRequestDelegationAlgorithm" => Out::leaf(team.reviews.algorithm.to_uppercase()),
        "reviewRequestDelegationMemberCount" => Out::leaf(team.reviews.member_count),
        "reviewRequestDelegationNotifyTeam" => Out::leaf(team.reviews.notify_team),
        "repositories" => repositories(run, team, args),
        _ => Err(Failure::unknown("Team", name)),
    }
}

fn children(run: &Running, team: &SeenTeam, args: Args) -> Resolved<Out<'static>> {
    let (filter, of) = (org::filter(run, args)?, run.org(team.org_id)?);
    let immediate = args.flag("immediateOnly").unwrap_or(true);
    let descending = args.order("orderBy").is_some_and(|(_, descending)| descending);
    let series = Series { kinds: TEAMS, field: "childTeams", of: team.id, order: "CHILD_NAME" };
    let cut = |window: &Window<TeamPlace>| {
        run.look(|cx| places::below(cx, &of.0, team.id, immediate, &filter, |teams| window.cut(teams)))
    };
    series.page(args, descending, cut, |page, _| org::rows(run, &of.0, page))
}

/// The teams above a team, nearest first.
fn ancestors(run: &Running, team: &SeenTeam, args: Args) -> Resolved<Out<'static>> {
    let found = run.look(|cx| places::above(cx, team))?;
    // A position is the distance, which only a change of the tree changes.
    let places: Vec<i64> = (0_i64..).take(found.len()).collect();
    let (of, order) = (team.id, "DISTANCE");
    let listing = Listing { kinds: TEAMS, field: "ancestors", of, order, places: &places, descending: false };
    listing.page(args, |page, before| Ok(org::listed(run, found.into_iter().skip(before).take(page.len()).collect())))
}

const KINDS: (&str, &str) = ("TeamRepositoryConnection", "TeamRepositoryEdge");

fn repositories(run: &Running, team: &SeenTeam, args: Args) -> Resolved<Out<'static>> {
    let text = args.text("query").map(str::to_lowercase);
    let list = |team: i64, granted: &Granted| {
        let is = |place: &RepoPlace| text.as_ref().is_none_or(|text| place.name_key.contains(text));
        Repositories::new(KINDS, team, args, granted.iter().filter(|(place, _)| is(place)))
    };
    // The cursor of one team's list is refused by that of another.
    let granted = run.granted(team.id, |team, granted| list(team, granted).shown(args).unwrap_or_default())?;
    list(team.id, &granted).page(run, args)
}
