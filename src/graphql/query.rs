//! The queries at the top: where everything else is found.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::org;
use super::person;
use super::running::{Failure, Resolved, Running};
use super::value::{Args, Out, Thing};
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::operation::{Cx, Path, Seen, Subject};
use crate::people::login::{self, Owner};
use crate::repos::repo::{Named, Repo};
use crate::scope::SR;
use crate::teams::team::SeenTeam;

/// How many nodes a query may name.
const MOST_IDS: usize = 100;

/// A field of the root.
pub fn field(run: &Running, name: &str, args: Args) -> Resolved<Out> {
    match name {
        "viewer" => Ok(Out::One(person::of(run, run.me)?)),
        "user" => {
            let login = args.text("login").unwrap_or_default();
            match owner(run, login)? {
                Some(Owner::User(id)) => Ok(Out::One(person::of(run, id)?)),
                _ => Err(missing("a User with the login", login)),
            }
        }
        "organization" => {
            let login = args.text("login").unwrap_or_default();
            match owner(run, login)? {
                Some(Owner::Org(id)) => Ok(Out::One(Thing::Org(id))),
                _ => Err(missing("an Organization with the login", login)),
            }
        }
        "repositoryOwner" => match owner(run, args.text("login").unwrap_or_default())? {
            Some(Owner::Org(id)) => Ok(Out::One(Thing::Org(id))),
            Some(Owner::User(id)) => Ok(Out::One(person::of(run, id)?)),
            None => Ok(Out::NULL),
        },
        "repository" => repository(run, args),
        "node" => node(run, args.text("id").unwrap_or_default()).map(Out::One),
        "nodes" => {
            let ids = args.texts("ids").unwrap_or_default();
            if ids.len() > MOST_IDS {
                let text = format!("You may not provide more than 100 node ids; you provided {}.", ids.len());
                return Err(Failure::Field("ARGUMENT_LIMIT", text));
            }
            Ok(Out::Many(ids.into_iter().map(|id| node(run, id)).collect()))
        }
        _ => Out::one(run.spent.map(|_| Thing::Limit)),
    }
}

/// A field of `rateLimit`.
pub fn limit(run: &Running, name: &str) -> Resolved<Out> {
    let Some(spent) = run.spent else { return Ok(Out::NULL) };
    match name {
        "limit" => Out::leaf(i64::from(spent.quota.limit)),
        "cost" => Out::leaf(i64::from(spent.cost)),
        "remaining" => Out::leaf(i64::from(spent.quota.remaining)),
        "used" => Out::leaf(i64::from(spent.quota.used)),
        "nodeCount" => Out::leaf(i64::try_from(spent.nodes).unwrap_or(i64::MAX)),
        _ => Out::leaf(Time(spent.quota.reset.saturating_mul(1_000_000)).to_string()),
    }
}

fn missing(what: &str, name: &str) -> Failure {
    Failure::Field("NOT_FOUND", format!("Could not resolve to {what} of '{name}'."))
}

fn owner(run: &Running, login: &str) -> Result<Option<Owner>> {
    run.look(|cx| login::find(cx.tx, login))
}

fn repository(run: &Running, args: Args) -> Resolved<Out> {
    let [owner, name] = ["owner", "name"].map(|part| args.text(part).unwrap_or_default());
    let path = Path(vec![(Arc::from("owner"), owner.to_owned()), (Arc::from("repo"), name.to_owned())]);
    let follow = args.flag("followRenames").unwrap_or(true);
    let found = run.find(|cx| {
        let repo = match Repo::named(cx, &path)? {
            Named::Now(repo) => repo,
            Named::Formerly(repo) if follow => repo,
            Named::Formerly(_) => return Err(Error::NotFound),
        };
        if repo.may_be_shown(cx) { Ok(repo) } else { Err(Error::NotFound) }
    })?;
    let Some(repo) = found else {
        let text = format!("Could not resolve to a Repository with the name '{owner}/{name}'.");
        return Err(Failure::Field("NOT_FOUND", text));
    };
    Ok(Out::One(Thing::Repo(repo.into())))
}

/// The record with this `node_id`, if the caller may see it.
fn node(run: &Running, id: &str) -> Resolved<Thing> {
    let found = match decode(id) {
        Some((kind, number)) => find(run, &kind, number)?,
        None => None,
    };
    let text = || format!("Could not resolve to a node with the global id of '{id}'");
    found.ok_or_else(|| Failure::Field("NOT_FOUND", text()))
}

fn find(run: &Running, kind: &str, id: i64) -> Resolved<Option<Thing>> {
    let exists = |error| if matches!(error, Error::NotFound) { Ok(None) } else { Err(Failure::from(error)) };
    Ok(match kind {
        "Organization" => run.org(id).map(|_| Some(Thing::Org(id))).or_else(exists)?,
        "User" => person::of(run, id).map(Some).or_else(exists)?,
        "Team" => run.find(|cx| team(cx, id))?.map(Thing::Team),
        "Repository" => run.find(|cx| shown(cx, id))?.map(|repo| Thing::Repo(repo.into())),
        _ => None,
    })
}

fn team(cx: &mut Cx, id: i64) -> Result<SeenTeam> {
    if !cx.caller.token.as_ref().is_some_and(|token| SR.satisfied_by(token.scopes)) {
        return Err(Error::NotFound);
    }
    <SeenTeam as Seen>::find(cx, &org::numbered("team_id", id))
}

fn shown(cx: &mut Cx, id: i64) -> Result<Repo> {
    Ok(<Repo as Subject>::find(cx, &org::numbered("repository_id", id))?.0)
}

/// The type and the identifier in a `node_id`: base64 of `04:User583231`.
fn decode(id: &str) -> Option<(String, i64)> {
    let plain = String::from_utf8(STANDARD.decode(id).ok()?).ok()?;
    let (length, rest) = plain.strip_prefix('0')?.split_once(':')?;
    let (kind, number) = rest.split_at_checked(length.parse().ok()?)?;
    let number: i64 = number.parse().ok().filter(|number| *number > 0)?;
    Some((kind.to_owned(), number))
}
