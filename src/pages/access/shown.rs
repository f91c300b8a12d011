//! The page of a repository or a project.

use askama::Template;
use serde::Deserialize;

use super::place::Place;
use super::reasons::Access;
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::operation::Page;
use crate::pages::form::Form;
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::names::Names;
use crate::pages::problem::Problem;
use crate::pages::suggestions::{self, Suggestion};

/// The number of people on a page, each with the reasons for their access and what may be changed.
const PEOPLE: u64 = 10;

/// The most reasons for the access of each of several people, and of the one who was looked for.
const REASONS: [usize; 2] = [3, 30];

/// The number of teams on a page.
const TEAMS: u64 = 8;

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 3] = [
    ("given", "Access given."),
    ("taken", "Access taken away."),
    ("created", "Created. Now give teams and people access to it."),
];

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
    /// True if the visitor sees the access through every team.
    sees_all: bool,
    people: Listed<Access>,
    grants: Listed<Grant>,
}

/// The page. After a form that was refused, it has what was typed.
pub(super) async fn show(guest: &Guest<'_>, place: &Place, typed: &Form, problem: &Problem) -> Result<Shown> {
    let filters = Form::read_encoded(&guest.visit.query).unwrap_or_default();
    let of = &place.operations;
    let fields = body([("q", filters.get("q").into()), ("level", filters.get("level").into())]);
    let people = guest.list(of.list, &place.path(&[]), fields, guest.page(PEOPLE)).await;
    let (mine, all): (Option<Access>, _) = match people {
        Ok(people) => {
            let grants = guest.list(of.grants, &place.path(&[]), body([]), guest.page_of("teams-page", TEAMS)).await?;
            let is_owner = guest.may("orgs.createInvitation", &[("org", &place.owner)]).await?;
            (None, Some(Administered { sees_all: is_owner || !place.has_teams, people, grants }))
        }
        Err(Error::NotFound | Error::Forbidden(_)) => {
            let me = guest.person.as_ref().map_or("", |person| &person.login);
            (Some(guest.call(of.explain, &place.path(&[("username", me)]), body([])).await?), None)
        }
        Err(error) => return Err(error),
    };
    let logins = all.iter().flat_map(|all: &Administered| &all.people.items).chain(&mine).map(|of| of.login.as_str());
    let names = Names::of(guest, logins).await?;
    let (mut teams, mut people) = (Vec::new(), Vec::new());
    if all.is_some() && place.has_teams {
        (teams, people) =
            (suggestions::teams(guest, &place.owner).await?, suggestions::people(guest, &place.owner).await?);
    }
    let done = guest.done(&DONE);
    Shown::of(
        problem.status(),
        &AccessPage { frame: guest.frame()?, place, mine, all, names, teams, people, filters, typed, problem, done },
    )
}

#[derive(Template)]
#[template(path = "access/page.html")]
struct AccessPage<'a> {
    frame: Frame,
    place: &'a Place,
    /// The visitor's own access, if they may not see that of others.
    mine: Option<Access>,
    all: Option<Administered>,
    names: Names,
    /// The teams and the people that the forms offer.
    teams: Vec<Suggestion>,
    people: Vec<Suggestion>,
    filters: Form,
    typed: &'a Form,
    problem: &'a Problem,
    /// A sentence about what was just done; empty if nothing was.
    done: &'a str,
}

impl AccessPage<'_> {
    /// The number of reasons that the page shows for this access.
    fn most(&self, of: &Access) -> usize {
        let is_alone = self.all.is_none() || self.filters.get("q").eq_ignore_ascii_case(&of.login);
        REASONS[usize::from(is_alone)]
    }

    /// The number of the other reasons.
    fn more(&self, of: &Access) -> usize {
        of.paths.len().saturating_sub(self.most(of))
    }

    /// The part of the query that keeps the filters.
    fn kept(&self) -> String {
        let kept = ["q", "level"].map(|name| format!("{name}={}&", crate::links::segment(self.filters.get(name))));
        kept.concat()
    }

    /// The same for links to other people, which also keep the page of teams.
    fn kept_for_people(&self, teams: &Page) -> String {
        format!("{}teams-page={}&", self.kept(), teams.number)
    }

    /// The same for links to other teams, which also keep the page of people.
    fn kept_for_teams(&self, people: &Page) -> String {
        format!("{}page={}&teams-", self.kept(), people.number)
    }
}
