//! Repositories, and the people with access to them.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::page::{Listing, Position};
use super::person;
use super::record;
use super::running::{Failure, Resolved, Running};
use super::value::{Args, Out, Thing};
use crate::error::Error;
use crate::links::node_id;
use crate::members::affiliation::Affiliation;
use crate::operation::Path;
use crate::people::login::{self, Owner};
use crate::repos::collaborators;
use crate::repos::level::Level;
use crate::repos::list::{self, RepoPlace, Which};
use crate::repos::repo::{Named, Repo};
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
pub fn field<'a>(run: &Running, repo: &'a Rc<Repo>, name: &str, args: Args) -> Resolved<Out<'a>> {
    match name {
        "id" => Out::leaf(node_id("Repository", repo.id)),
        "databaseId" => Out::database_id(repo.id),
        "name" => Out::leaf(&repo.name),
        "nameWithOwner" => Out::leaf(repo.full_name()),
        "owner" => Ok(Out::One(match repo.owner {
            Owner::Org(id) => Thing::Org(id),
            Owner::User(id) => person::of(run, id)?,
        })),
        "description" => Out::maybe(repo.description.as_ref()),
        "url" => Out::leaf(run.links.html(&["/", &repo.full_name()].concat())),
        "isArchived" => Out::leaf(repo.archived),
        "isPrivate" => Out::leaf(repo.private),
        "isFork" => Out::leaf(repo.fork_of.is_some()),
        "isTemplate" => Out::leaf(repo.is_template),
        "visibility" => Out::leaf(if repo.private { "PRIVATE" } else { "PUBLIC" }),
        // Nothing is ever pushed here. As in REST, this is the time of creation.
        "createdAt" | "pushedAt" => Out::leaf(repo.created_at.to_string()),
        "updatedAt" => Out::leaf(repo.updated_at.to_string()),
        "viewerPermission" => Out::maybe(permission(repo.rank)),
        "viewerCanAdminister" => {
            Out::leaf(run.look(|cx| Ok(run.rules.update_repo.who_may.rule.holds(repo.standing(cx))))?)
        }
        "collaborators" => people(run, repo, args),
        _ => record::field(run, repo, name, args),
    }
}

/// The repository of this owner that the arguments name.
pub fn named(run: &Running, owner: &str, args: Args) -> Resolved<Out<'static>> {
    let name = args.text("name").unwrap_or_default();
    let path = Path(vec![(Arc::from("owner"), owner.to_owned()), (Arc::from("repo"), name.to_owned())]);
    let follow = args.flag("followRenames").unwrap_or(true);
    let found = run.find(|cx| match Repo::named_toward(cx, &path)? {
        Named::Now(repo) => Ok(repo),
        Named::Formerly(repo) if follow => Ok(repo),
        Named::Formerly(_) => Err(Error::NotFound),
    })?;
    let Some(repo) = found else {
        let text = format!("Could not resolve to a Repository with the name '{owner}/{name}'.");
        return Err(Failure::Field("NOT_FOUND", text));
    };
    Ok(Out::One(Thing::Repo(repo.into())))
}

/// A place in a list of repositories, in one of its orders.
#[derive(Clone)]
struct Ordered {
    key: Key,
    id: i64,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Number(i64),
    Name(Arc<str>),
}

impl Position for Ordered {
    fn write(&self) -> String {
        match &self.key {
            Key::Number(time) => format!("{} {time}", self.id),
            Key::Name(name) => format!("{} /{name}", self.id),
        }
    }

    fn read(text: &str) -> Option<Self> {
        let (id, key) = text.split_once(' ')?;
        let key = match key.strip_prefix('/') {
            Some(name) => Key::Name(name.into()),
            None => Key::Number(key.parse().ok()?),
        };
        Some(Self { key, id: id.parse().ok()? })
    }

    fn order(&self, other: &Self) -> Ordering {
        (&self.key, self.id).cmp(&(&other.key, other.id))
    }
}

/// The repositories of an owner that the caller may see. Those that the caller has in other ways than as the owner are
/// the caller's, too.
pub fn list(run: &Running, owner: Owner, args: Args) -> Resolved<Out<'static>> {
    let which = match args.text("privacy") {
        Some("PUBLIC") => Which::Public,
        Some(_) => Which::Private,
        None => Which::All,
    };
    let ways = |name: &str| {
        let kinds = args.texts(name)?;
        Some(["OWNER", "COLLABORATOR", "ORGANIZATION_MEMBER"].map(|kind| kinds.contains(&kind)))
    };
    let of_owner = ways("ownerAffiliations").unwrap_or([true; 3]);
    let mut all = match (owner, of_owner) {
        (Owner::User(id), ways) if id == run.me => run.look(|cx| list::every_of_caller(cx, which, ways))?,
        (Owner::Org(id), [true, ..]) => run.look(|cx| cx.toward(id, |cx| list::every(cx, owner, which)))?,
        (_, [true, ..]) => run.look(|cx| list::every(cx, owner, which))?,
        _ => Vec::new(),
    };
    if let Some(ways) = ways("affiliations") {
        let own = run.look(|cx| list::every_of_caller(cx, which, ways))?;
        let own: HashSet<i64> = own.into_iter().map(|place| place.id).collect();
        all.retain(|place| own.contains(&place.id));
    }
    let is = |wanted: &str, value: bool| args.flag(wanted).is_none_or(|wanted| wanted == value);
    let shown = all.into_iter().filter(|place| is("isArchived", place.archived) && is("isFork", place.fork));
    let of = match owner {
        Owner::Org(id) => id,
        Owner::User(id) => -id,
    };
    let shown: Vec<_> = shown.map(|place| (place, None)).collect();
    Repositories::new(("RepositoryConnection", "RepositoryEdge"), of, args, &shown).page(run, args)
}

/// A list of repositories in the order that the arguments ask for, each with the level that a team is granted.
pub struct Repositories {
    kinds: (&'static str, &'static str),
    of: i64,
    order: &'static str,
    descending: bool,
    places: Vec<Ordered>,
    levels: HashMap<i64, Option<i64>>,
}

impl Repositories {
    /// These repositories, as the list of an object with this identifier.
    pub fn new<'a>(
        kinds: (&'static str, &'static str),
        of: i64,
        args: Args,
        all: impl IntoIterator<Item = &'a (RepoPlace, Option<i64>)>,
    ) -> Self {
        let (order, descending) = args.order("orderBy").unwrap_or(("CREATED_AT", false));
        let (order, key): (_, fn(&RepoPlace, Option<i64>) -> Key) = match order {
            "NAME" => ("NAME", |place, _| Key::Name(place.name_key.as_str().into())),
            "UPDATED_AT" => ("UPDATED_AT", |place, _| Key::Number(place.updated_at)),
            "PERMISSION" => ("PERMISSION", |_, level| Key::Number(level.unwrap_or(0))),
            // No repository here has stars.
            "STARGAZERS" => ("STARGAZERS", |_, _| Key::Number(0)),
            _ => ("CREATED_AT", |place, _| Key::Number(place.created_at)),
        };
        let (mut places, mut levels) = (Vec::new(), HashMap::new());
        for (place, level) in all {
            places.push(Ordered { id: place.id, key: key(place, *level) });
            levels.insert(place.id, *level);
        }
        places.sort_unstable_by(Ordered::order);
        if descending {
            places.reverse();
        }
        Self { kinds, of, order, descending, places, levels }
    }

    fn listing(&self) -> Listing<'_, Ordered> {
        let Self { kinds, of, order, descending, ref places, .. } = *self;
        Listing { kinds, field: "repositories", of, order, places, descending }
    }

    /// The identifiers of those on the page that the arguments ask for.
    pub fn shown(&self, args: Args) -> Resolved<Vec<i64>> {
        Ok(self.listing().cut(args)?.iter().map(|place| place.id).collect())
    }

    /// The page that the arguments ask for.
    pub fn page(&self, run: &Running, args: Args) -> Resolved<Out<'static>> {
        self.listing().page(args, |page, _| {
            let found = run.repos(&page.iter().map(|place| place.id).collect::<Vec<_>>())?;
            run.known.list_repos(&found);
            let level = |repo: &Repo| self.levels.get(&repo.id).copied().flatten().and_then(permission);
            Ok(found
                .into_iter()
                .map(|repo| (level(&repo), repo))
                .map(|(level, repo)| (Thing::Repo(repo), level))
                .collect())
        })
    }
}

/// The people of a repository, by ID; null for callers who may not see them.
fn people(run: &Running, repo: &Rc<Repo>, args: Args) -> Resolved<Out<'static>> {
    let affiliation = match args.text("affiliation") {
        Some("DIRECT") => Affiliation::Direct,
        Some("OUTSIDE") => Affiliation::Outside,
        _ => Affiliation::All,
    };
    let standing = run.look(|cx| Ok(repo.standing(cx)))?;
    let Ok(granted) = run.rules.collaborators.who_may.check(Repo::clone(repo), standing) else { return Ok(Out::Null) };
    let mut places = run.look(|cx| collaborators::every(cx, &granted, affiliation))?;
    let everyone = places.len();
    if let Some(name) = args.text("login") {
        let named = run.look(|cx| login::find(cx.tx, name))?;
        places.retain(|id| named == Some(Owner::User(*id)));
    }
    if let Some(text) = args.text("query") {
        places = person::containing(run, &places, text)?;
    }
    let filtered = places.len() < everyone;
    let kinds = ("RepositoryCollaboratorConnection", "RepositoryCollaboratorEdge");
    let listing =
        Listing { kinds, field: "collaborators", of: repo.id, order: "ID", places: &places, descending: false };
    listing.page(args, |page, before| {
        let window = (i64::try_from(page.len()).unwrap_or(0), i64::try_from(before).unwrap_or(0));
        let found = run.look(|cx| {
            if filtered {
                collaborators::of(cx, &granted, page)
            } else {
                collaborators::some(cx, &granted, affiliation, window)
            }
        })?;
        let row = |login: &str, id, site_admin| Arc::new(PersonRow { id, login: login.to_owned(), site_admin });
        let people = found.iter().map(|one| row(&one.person.login, one.person.id, one.person.site_admin)).collect();
        Ok(person::many(run, people).into_iter().zip(found.iter().map(|one| permission(one.rank))).collect())
    })
}
