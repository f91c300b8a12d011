//! People.

use std::sync::Arc;

use super::page::Listing;
use super::repo;
use super::running::{Failure, Resolved, Running};
use super::value::{Args, Out, Thing};
use crate::error::Result;
use crate::links::node_id;
use crate::people::email;
use crate::people::login::{self, Owner};
use crate::policy::OWNER;
use crate::rows::PersonRow;

/// A field of a person.
pub fn field<'a>(run: &Running, row: &'a PersonRow, name: &str, args: Args) -> Resolved<Out<'a>> {
    let profile = || run.profile(row.id);
    match name {
        "id" => Out::leaf(node_id("User", row.id)),
        "databaseId" => Out::database_id(row.id),
        "login" => Out::leaf(&row.login),
        "url" => Out::leaf(run.links.html(&["/", &row.login].concat())),
        "avatarUrl" => Out::leaf(run.links.html(&["/avatars/", &row.login].concat())),
        "isViewer" => Out::leaf(row.id == run.me),
        "isSiteAdmin" => Out::leaf(row.site_admin),
        "name" => Out::maybe(profile()?.name.clone()),
        "bio" => Out::maybe(profile()?.bio.clone()),
        "company" => Out::maybe(profile()?.company.clone()),
        "location" => Out::maybe(profile()?.location.clone()),
        "createdAt" => Out::leaf(profile()?.created_at.to_string()),
        "updatedAt" => Out::leaf(profile()?.updated_at.to_string()),
        // People see their own e-mail address, and of others what these show. The scopes of the token were checked before.
        "email" if row.id == run.me => Out::leaf(run.look(|cx| email::primary_of(cx.tx, row.id))?.unwrap_or_default()),
        "email" => Out::leaf(profile()?.public_email.clone().unwrap_or_default()),
        "organizationVerifiedDomainEmails" => Ok(Out::Nothing),
        "suspendedAt" => Out::maybe(suspended_at(run, row.id)?),
        "organization" => organization(run, row.id, args),
        "organizations" => organizations(run, row.id, args),
        "repository" => repo::named(run, &row.login, args),
        "repositories" => repo::list(run, Owner::User(row.id), args),
        _ => Err(Failure::unknown("User", name)),
    }
}

/// The time at which a person was suspended, for site administrators and the owners of their organizations.
fn suspended_at(run: &Running, user: i64) -> Resolved<Option<String>> {
    let Some(at) = run.profile(user)?.suspended_at else { return Ok(None) };
    let mut is_shown = run.look(|cx| Ok(cx.caller.administers_site()))?;
    for org in run.orgs_of(user)?.iter() {
        is_shown |= OWNER.holds(run.org(*org)?.1);
    }
    Ok(is_shown.then(|| at.to_string()))
}

/// The organization with this login, if the caller may know that the person is in it.
fn organization(run: &Running, user: i64, args: Args) -> Resolved<Out<'static>> {
    let login = args.text("login").unwrap_or_default();
    let Some(Owner::Org(org)) = run.look(|cx| login::find(cx.tx, login))? else { return Ok(Out::Null) };
    Out::one(run.orgs_of(user)?.contains(&org).then_some(Thing::Org(org)))
}

fn organizations(run: &Running, user: i64, args: Args) -> Resolved<Out<'static>> {
    let ids = run.orgs_of(user)?;
    run.known.list_orgs(&ids.as_slice().into());
    let (by, descending) = args.order("orderBy").unwrap_or(("CREATED_AT", false));
    // Identifiers are in the order of creation.
    let (order, by_login) = if by == "LOGIN" { ("LOGIN", true) } else { ("ID", false) };
    let key = |id| -> Result<Arc<str>> {
        Ok(if by_login { login::key(&run.org(id)?.0.login).into() } else { Arc::from("") })
    };
    let mut places = ids.iter().map(|id| Ok((key(*id)?, *id))).collect::<Result<Vec<(Arc<str>, i64)>>>()?;
    places.sort_unstable();
    if descending {
        places.reverse();
    }
    let kinds = ("OrganizationConnection", "OrganizationEdge");
    let listing = Listing { kinds, field: "organizations", of: user, order, places: &places, descending };
    listing.page(args, |page, _| Ok(page.iter().map(|(_, org)| (Thing::Org(*org), None)).collect()))
}
