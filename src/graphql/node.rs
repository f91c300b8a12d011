//! Records by the `node_id` that REST shows.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::board;
use super::org;
use super::person;
use super::running::{Failure, Resolved, Running};
use super::value::Thing;
use crate::error::{Error, Result};
use crate::operation::{Cx, Seen, Subject};
use crate::repos::repo::Repo;
use crate::teams::team::SeenTeam;

/// The record with this `node_id`, if the caller may see it.
pub fn node(run: &Running, id: &str) -> Resolved<Thing> {
    let found = match decode(id) {
        Some((kind, number)) => find(run, &kind, number)?,
        None => None,
    };
    found.ok_or_else(|| unresolved(id))
}

/// The error of an ID that names nothing that the caller may see.
pub fn unresolved(id: &str) -> Failure {
    Failure::Field("NOT_FOUND", format!("Could not resolve to a node with the global id of '{id}'"))
}

fn find(run: &Running, kind: &str, id: i64) -> Resolved<Option<Thing>> {
    let exists = |error| if matches!(error, Error::NotFound) { Ok(None) } else { Err(Failure::from(error)) };
    Ok(match kind {
        "Organization" => run.org(id).map(|_| Some(Thing::Org(id))).or_else(exists)?,
        "User" => person::of(run, id).map(Some).or_else(exists)?,
        "Team" => run.find(|cx| team(run, cx, id))?.map(Thing::Team),
        "Repository" => run.find(|cx| shown(cx, id))?.map(|repo| Thing::Repo(repo.into())),
        "TeamDiscussion" => run.find(|cx| board::by_id(run, cx, id))?.map(Thing::Discussion),
        "TeamDiscussionComment" => run.find(|cx| board::comment_by_id(run, cx, id))?.map(Thing::Comment),
        _ => None,
    })
}

fn team(run: &Running, cx: &mut Cx, id: i64) -> Result<SeenTeam> {
    if !cx.caller.token.as_ref().is_some_and(|token| run.rules.team.scopes.satisfied_by(token.scopes)) {
        return Err(Error::NotFound);
    }
    let path = org::numbered("team_id", id);
    cx.find_toward(|team: &SeenTeam| Some(team.org_id), |cx| <SeenTeam as Seen>::find(cx, &path))
}

fn shown(cx: &mut Cx, id: i64) -> Result<Repo> {
    let path = org::numbered("repository_id", id);
    cx.find_toward(Repo::org, |cx| Ok(<Repo as Subject>::find(cx, &path)?.0))
}

/// The type and the identifier in a `node_id`: base64 of `04:User583231`.
pub fn decode(id: &str) -> Option<(String, i64)> {
    let plain = String::from_utf8(STANDARD.decode(id).ok()?).ok()?;
    let (length, rest) = plain.strip_prefix('0')?.split_once(':')?;
    let (kind, number) = rest.split_at_checked(length.parse().ok()?)?;
    let number: i64 = number.parse().ok().filter(|number| *number > 0)?;
    Some((kind.to_owned(), number))
}
