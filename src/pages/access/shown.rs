//! The page of a repository or a project, and the page that asks before access is taken away.

use askama::Template;
use serde::Deserialize;

use super::place::Place;
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::pages::form::Form;
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;

/// The number of people on a page.
const MOST: u64 = 30;

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 2] = [("given", "Access is given."), ("taken", "Access is taken away.")];

/// A person's access.
#[derive(Deserialize)]
struct Access {
    login: String,
    level: String,
    paths: Vec<Path>,
}

/// A reason for it.
#[derive(Deserialize)]
struct Path {
    kind: String,
    level: String,
    team: Option<Team>,
    granted_by: Option<Person>,
    granted_at: Option<Time>,
}

#[derive(Deserialize)]
struct Team {
    slug: String,
    name: String,
}

#[derive(Deserialize)]
struct Person {
    login: String,
}

/// A grant to a team.
#[derive(Deserialize)]
struct Grant {
    org: String,
    slug: String,
    name: String,
    secret: bool,
    level: String,
    granted_by: Option<String>,
    granted_at: Option<Time>,
}

/// The access that an administrator sees.
struct Administered {
    people: Listed<Access>,
    grants: Listed<Grant>,
}

/// The page. After a form that was refused, it has what was typed.
pub(super) async fn show(guest: &Guest<'_>, place: &Place, typed: &Form, problem: &Problem) -> Result<Shown> {
    let filters = Form::read_encoded(&guest.visit.query).unwrap_or_default();
    let of = &place.operations;
    let fields = body([("q", filters.get("q").into()), ("level", filters.get("level").into())]);
    let people = guest.list(of.list, &place.path(&[]), fields, guest.page(MOST)).await;
    let (mine, all) = match people {
        Ok(people) => {
            let grants = guest.list(of.grants, &place.path(&[]), body([]), guest.page(MOST)).await?;
            (None, Some(Administered { people, grants }))
        }
        Err(Error::NotFound | Error::Forbidden(_)) => {
            let me = guest.person.as_ref().map_or("", |person| &person.login);
            (Some(guest.call(of.explain, &place.path(&[("username", me)]), body([])).await?), None)
        }
        Err(error) => return Err(error),
    };
    let done = guest.done(&DONE);
    Shown::of(problem.status(), &AccessPage { frame: guest.frame()?, place, mine, all, filters, typed, problem, done })
}

#[derive(Template)]
#[template(path = "access/page.html")]
struct AccessPage<'a> {
    frame: Frame,
    place: &'a Place,
    /// The visitor's own access, if they may not see that of others.
    mine: Option<Access>,
    all: Option<Administered>,
    filters: Form,
    typed: &'a Form,
    problem: &'a Problem,
    /// A sentence about what was just done; empty if nothing was.
    done: &'a str,
}

impl AccessPage<'_> {
    /// True if a person was added by hand.
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn is_single(&self, of: &Access) -> bool {
        of.paths.iter().any(|path| path.kind == "collaborator")
    }

    /// The part of the query that keeps the filters.
    fn kept(&self) -> String {
        let kept = ["q", "level"].map(|name| format!("{name}={}&", crate::links::segment(self.filters.get(name))));
        kept.concat()
    }
}

/// Asks before access is taken away.
pub(super) async fn take(guest: &Guest<'_>, place: &Place, query: &Form) -> Result<Shown> {
    let [kind, who, org] = ["take", "who", "org"].map(|name| query.get(name));
    let (operation, words) = match kind {
        "team" => (place.operations.remove_team, vec![("org", org), ("team_slug", who)]),
        "person" => (place.operations.remove_person, vec![("username", who)]),
        _ => return Err(Error::NotFound),
    };
    if !guest.may(operation, &place.path(&words)).await? {
        return Err(Error::NotFound);
    }
    Shown::of(200, &Taking { frame: guest.frame()?, place, kind, who, org })
}

#[derive(Template)]
#[template(path = "access/take.html")]
struct Taking<'a> {
    frame: Frame,
    place: &'a Place,
    kind: &'a str,
    who: &'a str,
    org: &'a str,
}
