//! Repositories, and the people with access to them.

use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::Arc;

use super::page::{Listing, Position};
use super::person;
use super::running::{Resolved, Running};
use super::value::{Args, Out, Thing};
use crate::links::node_id;
use crate::members::affiliation::Affiliation;
use crate::people::login::Owner;
use crate::policy::{ADMINS_REPO, SEES_COLLABORATORS};
use crate::repos::collaborators;
use crate::repos::level::Level;
use crate::repos::list::{self, RepoPlace, Which};
use crate::repos::repo::Repo;
use crate::rows::PersonRow;

/// The name of a rank as a permission.
pub fn permission(rank: i64) -> Option<&'static str> {
    Level::of_rank(rank).map(|level| match level {
        Level::Pull => "READ",
        Level::Triage => "TRIAGE",
        Level::Push => "WRITE",
        Level::Maintain => "MAINTAIN",
        Level::Admin => "ADMIN",
    })
}

/// A field of a repository.
pub fn field(run: &Running, repo: &Rc<Repo>, name: &str, args: Args) -> Resolved<Out> {
    match name {
        "id" => Out::leaf(node_id("Repository", repo.id)),
        "databaseId" => Out::database_id(repo.id),
        "name" => Out::leaf(repo.name.clone()),
        "nameWithOwner" => Out::leaf(repo.full_name()),
        "owner" => Ok(Out::One(match repo.owner {
            Owner::Org(id) => Thing::Org(id),
            Owner::User(id) => person::of(run, id)?,
        })),
        "description" => Out::maybe(repo.description.clone()),
        "url" => Out::leaf(run.links.html(&["/", &repo.full_name()].concat())),
        "isArchived" => Out::leaf(repo.archived),
        "isPrivate" => Out::leaf(repo.private),
        "isFork" => Out::leaf(repo.fork_of.is_some()),
        "isTemplate" => Out::leaf(repo.is_template),
        "visibility" => Out::leaf(if repo.private { "PRIVATE" } else { "PUBLIC" }),
        // There are no pushes here; as in the record, the creation is the newest one.
        "createdAt" | "pushedAt" => Out::leaf(repo.created_at.to_string()),
        "updatedAt" => Out::leaf(repo.updated_at.to_string()),
        "viewerPermission" => Out::maybe(permission(repo.rank)),
        "viewerCanAdminister" => Out::leaf(run.look(|cx| Ok(ADMINS_REPO.holds(repo.standing(cx))))?),
        _ => people(run, repo, args),
    }
}

/// A place in a list of repositories, in one of its orders.
#[derive(Clone)]
struct Ordered {
    key: Key,
    id: i64,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Time(i64),
    Name(Arc<str>),
}

impl Position for Ordered {
    fn write(&self) -> String {
        match &self.key {
            Key::Time(time) => format!("{} {time}", self.id),
            Key::Name(name) => format!("{} /{name}", self.id),
        }
    }

    fn read(text: &str) -> Option<Self> {
        let (id, key) = text.split_once(' ')?;
        let key = match key.strip_prefix('/') {
            Some(name) => Key::Name(name.into()),
            None => Key::Time(key.parse().ok()?),
        };
        Some(Self { key, id: id.parse().ok()? })
    }

    fn order(&self, other: &Self) -> Ordering {
        (&self.key, self.id).cmp(&(&other.key, other.id))
    }
}

/// The repositories of an owner that the caller may see.
pub fn list(run: &Running, owner: Owner, args: Args) -> Resolved<Out> {
    let which = match args.text("privacy") {
        Some("PUBLIC") => Which::Public,
        Some(_) => Which::Private,
        None => Which::All,
    };
    let (order, descending) = args.order("orderBy").unwrap_or(("CREATED_AT", false));
    let (order, key): (_, fn(RepoPlace) -> Key) = match order {
        "NAME" => ("NAME", |place| Key::Name(place.name_key.into())),
        "UPDATED_AT" => ("UPDATED_AT", |place| Key::Time(place.updated_at)),
        _ => ("CREATED_AT", |place| Key::Time(place.created_at)),
    };
    let lists_own = args.texts("ownerAffiliations").is_none_or(|kinds| kinds.contains(&"OWNER"));
    let all = if lists_own { run.look(|cx| list::every(cx, owner, which))? } else { Vec::new() };
    let is = |wanted: &str, value: bool| args.flag(wanted).is_none_or(|wanted| wanted == value);
    let shown = all.into_iter().filter(|place| is("isArchived", place.archived) && is("isFork", place.fork));
    let mut places: Vec<Ordered> = shown.map(|place| Ordered { id: place.id, key: key(place) }).collect();
    places.sort_unstable_by(Ordered::order);
    if descending {
        places.reverse();
    }
    let of = match owner {
        Owner::Org(id) => id,
        Owner::User(id) => -id,
    };
    let kinds = ("RepositoryConnection", "RepositoryEdge");
    let listing = Listing { kinds, field: "repositories", of, order, places: &places, descending };
    listing.page(args, |page, _| {
        let ids: Vec<i64> = page.iter().map(|place| place.id).collect();
        let mut found = run.look(|cx| Repo::by_ids(cx.tx, cx.my_id(), &ids))?;
        found.sort_by_key(|repo| ids.iter().position(|id| *id == repo.id));
        Ok(found.into_iter().map(|repo| (Thing::Repo(repo.into()), None)).collect())
    })
}

/// The people of a repository, by ID; null for callers who may not see them.
fn people(run: &Running, repo: &Rc<Repo>, args: Args) -> Resolved<Out> {
    let affiliation = match args.text("affiliation") {
        Some("DIRECT") => Affiliation::Direct,
        Some("OUTSIDE") => Affiliation::Outside,
        _ => Affiliation::All,
    };
    let standing = run.look(|cx| Ok(repo.standing(cx)))?;
    let Ok(granted) = SEES_COLLABORATORS.check(Repo::clone(repo), standing) else { return Ok(Out::NULL) };
    let places = run.look(|cx| collaborators::every(cx, &granted, affiliation))?;
    let kinds = ("RepositoryCollaboratorConnection", "RepositoryCollaboratorEdge");
    let listing =
        Listing { kinds, field: "collaborators", of: repo.id, order: "ID", places: &places, descending: false };
    listing.page(args, |page, before| {
        let window = (i64::try_from(page.len()).unwrap_or(0), i64::try_from(before).unwrap_or(0));
        let found = run.look(|cx| collaborators::some(cx, &granted, affiliation, window))?;
        let row = |login: &str, id, site_admin| Arc::new(PersonRow { id, login: login.to_owned(), site_admin });
        let people = found.iter().map(|one| row(&one.person.login, one.person.id, one.person.site_admin)).collect();
        Ok(person::many(people).into_iter().zip(found.iter().map(|one| permission(one.rank))).collect())
    })
}
