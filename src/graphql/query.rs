//! The fields of the root, through which everything else is reached.

use super::node::node;
use super::person;
use super::repo;
use super::running::{Failure, Resolved, Running};
use super::search;
use super::value::{Args, Out, Thing};
use crate::clock::Time;
use crate::error::Result;
use crate::people::login::{self, Owner};

/// The number of nodes that a query may name.
const MOST_IDS: usize = 100;

/// A field of the root.
pub fn field(run: &Running, name: &str, args: Args) -> Resolved<Out<'static>> {
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
            None => Ok(Out::Null),
        },
        "search" => search::search(run, args),
        "repository" => repo::named(run, args.text("owner").unwrap_or_default(), args),
        "node" => node(run, args.text("id").unwrap_or_default()).map(Out::One),
        "nodes" => {
            let ids = args.texts("ids").unwrap_or_default();
            if ids.len() > MOST_IDS {
                let text = format!("You may not provide more than 100 node ids; you provided {}.", ids.len());
                return Err(Failure::Field("ARGUMENT_LIMIT", text));
            }
            Ok(Out::Many(ids.into_iter().map(|id| node(run, id)).collect()))
        }
        "rateLimit" => Out::one(run.spent.map(|_| Thing::Limit)),
        _ => Err(Failure::unknown("Query", name)),
    }
}

/// A field of `rateLimit`.
pub fn limit(run: &Running, name: &str) -> Resolved<Out<'static>> {
    let Some(spent) = run.spent else { return Ok(Out::Null) };
    match name {
        "limit" => Out::leaf(i64::from(spent.quota.limit)),
        "cost" => Out::leaf(i64::from(spent.cost)),
        "remaining" => Out::leaf(i64::from(spent.quota.remaining)),
        "used" => Out::leaf(i64::from(spent.quota.used)),
        "nodeCount" => Out::leaf(i64::try_from(spent.nodes).unwrap_or(i64::MAX)),
        "resetAt" => Out::leaf(Time(spent.quota.reset.saturating_mul(1_000_000)).to_string()),
        _ => Err(Failure::unknown("RateLimit", name)),
    }
}

fn missing(what: &str, name: &str) -> Failure {
    Failure::Field("NOT_FOUND", format!("Could not resolve to {what} of '{name}'."))
}

fn owner(run: &Running, login: &str) -> Result<Option<Owner>> {
    run.look(|cx| login::find(cx.tx, login))
}
