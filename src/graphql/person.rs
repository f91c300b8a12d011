//! People as nodes, by ID or as a page of a list.

use std::rc::Rc;
use std::sync::Arc;

use super::running::Running;
use super::value::{Person, Thing};
use crate::error::Result;
use crate::people::user::User;
use crate::rows::PersonRow;

/// A person by ID.
pub fn of(run: &Running, id: i64) -> Result<Thing> {
    let page: Rc<[i64]> = [id].into();
    Ok(on_page(&run.profile(id, &page)?.user, &page))
}

/// A person on a page with these people.
pub fn on_page(user: &User, page: &Rc<[i64]>) -> Thing {
    let row = PersonRow { id: user.id, login: user.login.clone(), site_admin: user.site_admin };
    Thing::User(Person { row: row.into(), page: Rc::clone(page) })
}

/// The people of a page.
pub fn many(people: Vec<Arc<PersonRow>>) -> Vec<Thing> {
    let page: Rc<[i64]> = people.iter().map(|person| person.id).collect();
    people.into_iter().map(|row| Thing::User(Person { row, page: Rc::clone(&page) })).collect()
}
