//! People as nodes, by ID or as a page of a list.

use std::sync::Arc;

use super::running::{Resolved, Running};
use super::value::Thing;
use crate::error::Result;
use crate::people::user::User;
use crate::people::{self, login, profile};
use crate::rows::PersonRow;

/// A person by ID.
pub fn of(run: &Running, id: i64) -> Result<Thing> {
    Ok(one(&run.profile(id)?.user))
}

/// This person.
pub fn one(user: &User) -> Thing {
    Thing::User(Arc::new(PersonRow { id: user.id, login: user.login.clone(), site_admin: user.site_admin }))
}

/// These people, who are on one page.
pub fn many(run: &Running, people: Vec<Arc<PersonRow>>) -> Vec<Thing> {
    run.known.list_people(&people.iter().map(|person| person.id).collect());
    people.into_iter().map(Thing::User).collect()
}

/// The number of people who are looked up between two checks that the query may go on.
const PART: usize = 1_000;

/// Those of these people whose login or name contains a text, in any case.
pub fn containing(run: &Running, people: &[i64], text: &str) -> Resolved<Vec<i64>> {
    let (text, mut found) = (text.to_lowercase(), Vec::new());
    for part in people.chunks(PART) {
        run.go_on()?;
        let profiles = run.look(|cx| profile::profiles(cx.tx, part))?;
        let name = |one: &profile::Profile| one.name.as_ref().map(|name| name.to_lowercase()).unwrap_or_default();
        let wanted =
            profiles.iter().filter(|one| login::key(&one.user.login).contains(&text) || name(one).contains(&text));
        found.extend(wanted.map(|one| one.user.id));
    }
    Ok(found)
}

/// These people by login.
pub fn by_login(run: &Running, (org, version): (i64, i64), ids: &[i64]) -> Resolved<Vec<(Arc<str>, i64)>> {
    let mut places = Vec::with_capacity(ids.len());
    for part in ids.chunks(PART) {
        run.go_on()?;
        let rows = run.look(|cx| people::list::shown(cx.tx, &cx.site.organizations, (org, version), part))?;
        places.extend(rows.iter().map(|row| (Arc::from(login::key(&row.login)), row.id)));
    }
    places.sort_unstable();
    Ok(places)
}
