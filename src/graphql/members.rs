//! The people of a team.

use std::sync::Arc;

use super::page::{Item, Listing, Series, Window};
use super::person;
use super::running::{Resolved, Running};
use super::value::{Args, Out};
use crate::error::Result;
use crate::memory::{OrgState, Part, Reach, RoleFilter, Sequence, Users};
use crate::people;
use crate::teams::team::SeenTeam;

/// The people of a team whom a list shows.
struct Members<'r> {
    run: &'r Running<'r>,
    team: i64,
    at: (i64, i64),
    role: RoleFilter,
    reach: Reach,
}

const KINDS: (&str, &str) = ("TeamMemberConnection", "TeamMemberEdge");
const FIELD: &str = "members";

/// The people of a team, by ID, which is the order of creation, or by login.
pub fn list(run: &Running, team: &SeenTeam, args: Args) -> Resolved<Out<'static>> {
    let reach = match args.text("membership") {
        Some("IMMEDIATE") => Reach::Immediate,
        Some("CHILD_TEAM") => Reach::ChildTeam,
        _ => Reach::All,
    };
    let role = match args.text("role") {
        Some("MAINTAINER") => RoleFilter::Maintainer,
        Some(_) => RoleFilter::Member,
        None => RoleFilter::All,
    };
    let at = (team.org_id, run.org(team.org_id)?.0.version);
    let members = Members { run, team: team.id, at, role, reach };
    let (by, descending) = args.order("orderBy").unwrap_or(("CREATED_AT", false));
    match (by, args.text("query")) {
        ("CREATED_AT", None) => members.by_id(args, descending),
        (by, text) => members.chosen(args, by == "LOGIN", text, descending),
    }
}

impl Members<'_> {
    fn ask<R>(&self, ask: impl FnOnce(&Users) -> R) -> Result<R> {
        let of = |state: &mut OrgState| ask(&state.members(self.team, self.role, self.reach));
        self.run.look(|cx| cx.site.organizations.ask(cx.tx, self.at, Part::Members, of))
    }

    fn by_id(&self, args: Args, descending: bool) -> Resolved<Out<'static>> {
        let series = Series { kinds: KINDS, field: FIELD, of: self.team, order: "ID" };
        let cut = |window: &Window<i64>| self.ask(|people| window.cut(people));
        series.page(args, descending, cut, |page, _| self.load(page))
    }

    /// Those whose login or name contains the text. No index can find them, so all are read.
    fn chosen(&self, args: Args, by_login: bool, text: Option<&str>, descending: bool) -> Resolved<Out<'static>> {
        let mut people = self.ask(|people| people.part(0..people.total()))?;
        if let Some(text) = text {
            people = person::containing(self.run, &people, text)?;
        }
        let mut places = if by_login {
            person::by_login(self.run, self.at, &people)?
        } else {
            people.into_iter().map(|user| (Arc::from(""), user)).collect()
        };
        if descending {
            places.reverse();
        }
        let order = if by_login { "LOGIN" } else { "CREATED_AT" };
        let listing = Listing { kinds: KINDS, field: FIELD, of: self.team, order, places: &places, descending };
        listing.page(args, |page, _| self.load(&page.iter().map(|(_, user)| *user).collect::<Vec<_>>()))
    }

    /// These people with their roles.
    fn load(&self, page: &[i64]) -> Result<Vec<Item>> {
        let (people, leads) = self.run.look(|cx| {
            let memory = &cx.site.organizations;
            let people = people::list::shown(cx.tx, memory, self.at, page)?;
            let leads =
                |state: &mut OrgState| page.iter().map(|user| state.leads(self.team, *user)).collect::<Vec<bool>>();
            Ok((people, memory.ask(cx.tx, self.at, Part::Members, leads)?))
        })?;
        let role = |leads: bool| Some(if leads { "MAINTAINER" } else { "MEMBER" });
        Ok(person::many(self.run, people).into_iter().zip(leads).map(|(person, leads)| (person, role(leads))).collect())
    }
}
