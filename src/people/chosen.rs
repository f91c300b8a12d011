//! Accounts of people who choose their login themselves, on a page (decisions 22, 27 and 71).

use super::login::{self, Manner};
use super::user::{self, User};
use super::{admin, email};
use crate::error::{Error, Result};
use crate::name;
use crate::operation::{Caller, Cx, Person};

/// Creates an account with the login and the name that its person chose. The caller announces it.
pub fn create(cx: &mut Cx, login: &str, name: Option<&str>) -> Result<User> {
    let wanted = login.trim();
    if !login::is_valid(wanted, Manner::Chosen) {
        let text = "Choose a login of 1 to 39 letters, digits and single dashes, with no dash at either end.";
        return Err(Error::explained("User", "invalid", "login", text));
    }
    let name = name.filter(|name| !name.trim().is_empty()).map(name::valid).transpose();
    let name = name.map_err(|why| Error::explained("User", "invalid", "name", why))?;
    let person = user::create(cx.tx, wanted, cx.now()?)?.ok_or_else(|| admin::login_taken("User", wanted))?;
    cx.tx.run("UPDATE users SET name = $2 WHERE id = $1", &[&person.id, &name])?;
    Ok(person)
}

/// Creates such an account for a person who has proved that they read e-mails to an address, which is a verified one of
/// theirs, and announces it. 404 if an account has verified the e-mail address.
pub fn register(cx: &mut Cx, address: &str, (login, name): (&str, Option<&str>)) -> Result<User> {
    let person = create(cx, login, name)?;
    if !email::add(cx.tx, person.id, address)? {
        return Err(Error::NotFound);
    }
    as_person(cx, &person, |cx| user::announce(cx, &person))?;
    Ok(person)
}

/// Runs a function as this person, whom the audit log then names.
pub fn as_person<T>(cx: &mut Cx, person: &User, run: impl FnOnce(&mut Cx) -> Result<T>) -> Result<T> {
    let login = person.login.as_str().into();
    let caller =
        Caller { person: Some(Person { id: person.id, login, site_admin: person.site_admin }), ..Caller::default() };
    run(&mut Cx::new(&mut *cx.tx, &caller, cx.moment, cx.links, cx.site))
}
