//! Creating, renaming and promoting people: what site administrators do to accounts only.
//!
//! Implements decisions 22 (logins) and 42 (site administration). Suspension and deletion also concern a person's
//! organizations, so they are in `accounts`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::login::{self, Manner, Owner};
use super::named::{Administered, Person};
use super::user::{self, SimpleUser};
use super::{email, profile, user::User};
use crate::error::{Error, Result};
use crate::journal;
use crate::mail::address;
use crate::operation::{Cx, Done, Patch, Record};
use crate::policy::Granted;
use crate::site::Site;

/// Create a person. ASCII characters that a login cannot contain are replaced by dashes; others are refused.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Create {
    /// The login: 1 to 100 letters, digits, dots, underscores and dashes. It must be new, and not reserved.
    pub login: String,
    /// E-mail address of the person. It counts as verified.
    pub email: Option<String>,
    /// True if the account is suspended from the start.
    #[schemars(extend("default" = false))]
    pub suspended: Option<bool>,
}

/// Creates the account.
pub fn create(cx: &mut Cx, _: Granted<Site>, p: Create) -> Result<Record<SimpleUser, 201>> {
    let wanted = given_login(&p.login, "User")?;
    let mut user = user::create(cx.tx, &wanted, cx.now()?)?.ok_or_else(|| login_taken("User", &wanted))?;
    if let Some(address) = &p.email {
        give_email(cx, &user, address)?;
    }
    if p.suspended == Some(true) {
        cx.tx.run(SUSPEND, &[&user.id, &cx.now()?.0])?;
        user.suspended = true;
    }
    user::announce(cx, &user)?;
    let record = SimpleUser::new(cx.links, &user);
    let location = record.url.clone();
    Ok(Record::from(record).at(location))
}

const SUSPEND: &str = "UPDATE users SET suspended = TRUE, suspended_at = $2 WHERE id = $1";

fn give_email(cx: &mut Cx, user: &User, address: &str) -> Result<()> {
    let refused = "This is not a valid e-mail address. A valid one is like name@example.com.";
    let address = address::read(address).ok_or_else(|| Error::explained("User", "invalid", "email", refused))?;
    if email::add(cx.tx, user.id, &address)? {
        return Ok(());
    }
    Err(Error::explained(
        "User",
        "already_exists",
        "email",
        format!("Another account has the e-mail address {address}. Choose another one."),
    ))
}

/// Returns a login as a site administrator gives it; 422 if it has letters that only resemble those of a login, or is empty
/// or too long after normalization.
pub fn given_login(text: &str, resource: &'static str) -> Result<String> {
    let login = login::normalize(text);
    if text.is_ascii() && login::is_valid(&login, Manner::Given) {
        return Ok(login);
    }
    let message =
        "A login must have 1 to 100 ASCII letters, digits, dots, underscores or dashes, and must not be `.` or `..`.";
    Err(Error::explained(resource, "invalid", "login", message))
}

/// The error for a login that another account has or had, or that is reserved (decision 22).
#[must_use]
pub fn login_taken(resource: &'static str, login: &str) -> Error {
    if login::is_reserved(login) {
        let message = format!("The login {login} is reserved for the service. Choose another one.");
        return Error::explained(resource, "invalid", "login", message);
    }
    let message = format!("The login {login} is in use or was used before. Choose another one.");
    Error::explained(resource, "already_exists", "login", message)
}

/// Update a person. After a rename, the former login stays reserved for them, but no longer leads to their account.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// The new login. Required unless `name` is given.
    pub login: Option<String>,
    /// The new name. An empty one is removed.
    #[serde(default)]
    pub name: Patch<String>,
}

/// An accepted change, with the URL of the changed record.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "change-accepted")]
pub struct Change {
    /// Description of the change.
    pub message: String,
    /// URL of the record. It does not change when the login does.
    pub url: String,
}

/// Changes the login and the name at once; clients expect 202.
pub fn update(cx: &mut Cx, person: Granted<Administered>, p: Update) -> Result<Record<Change, 202>> {
    if p.login.is_none() && p.name == Patch::Absent {
        return Err(Error::Invalid(vec!["\"login\" wasn't supplied.".into()]));
    }
    let login = p.login.map_or_else(|| Ok(person.login.clone()), |login| given_login(&login, "User"))?;
    if login != person.login {
        take_login(cx, Owner::User(person.id), "User", &person.login, &login)?;
        set_login(cx, person.id, &login)?;
        let (before, after) = (json!({ "login": person.login }), json!({ "id": person.id, "login": login }));
        cx.record(journal::SITE, journal::Change::new("user.rename", &before, &after))?;
    }
    profile::set_name(cx, person.id, &login, p.name)?;
    let url = cx.links.api(&format!("/user/{}", person.id));
    let record = Change { message: rename_queued("user"), url: url.clone() };
    Ok(Record::from(record).at(url))
}

/// The message that clients expect after a rename, although the rename is complete by then.
#[must_use]
pub fn rename_queued(of: &str) -> String {
    format!("Job queued to rename {of}. It may take a few minutes to complete.")
}

/// Stores a login that was claimed for the person.
pub fn set_login(cx: &mut Cx, user: i64, login: &str) -> Result<()> {
    cx.tx.run(RENAME, &[&user, &login, &cx.now()?.0])?;
    user::record_shown(cx.tx, &cx.author()?, user)
}

const RENAME: &str = "
    UPDATE users
    SET login = $2, updated_at = CASE WHEN updated_at > $3 THEN updated_at ELSE $3 END
    WHERE id = $1";

/// Claims a new login and leaves the current one; 422 if another account has or had the new one, or if it is
/// reserved.
pub fn take_login(cx: &mut Cx, owner: Owner, resource: &'static str, present: &str, new: &str) -> Result<()> {
    if !login::claim(cx.tx, new, owner)? {
        return Err(login_taken(resource, new));
    }
    if login::key(present) != login::key(new) {
        login::leave(cx.tx, present)?;
    }
    Ok(())
}

/// Make a person a site administrator.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Promote {}

/// Makes a person a site administrator.
pub fn promote(cx: &mut Cx, person: Granted<Person>, _: Promote) -> Result<Done> {
    if !person.site_admin {
        make_site_admin(cx, &person)?;
    }
    Ok(Done)
}

/// Makes a person a site administrator who is none.
pub fn make_site_admin(cx: &mut Cx, person: &User) -> Result<()> {
    set_site_admin(cx, person, true)?;
    cx.record(journal::SITE, journal::Change::new("user.promote", &json!(null), &json!({ "user": person.login })))
}

/// Remove the site administrator role from a person. Impersonation tokens that they created stop working.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Demote {}

/// Removes site administration from a person.
pub fn demote(cx: &mut Cx, person: Granted<Person>, _: Demote) -> Result<Done> {
    if person.site_admin {
        set_site_admin(cx, &person, false)?;
        cx.record(journal::SITE, journal::Change::new("user.demote", &json!({ "user": person.login }), &json!(null)))?;
    }
    Ok(Done)
}

fn set_site_admin(cx: &mut Cx, person: &User, site_admin: bool) -> Result<()> {
    cx.tx.run(SET_SITE_ADMIN, &[&person.id, &site_admin, &cx.now()?.0])?;
    cx.tx.run(END_MARKED, &[&person.id])?;
    user::record_shown(cx.tx, &cx.author()?, person.id)
}

/// A marked session ends with what it rests on, and does not return with it.
const END_MARKED: &str = "DELETE FROM sessions WHERE made_by = $1 OR (user_id = $1 AND made_by IS NOT NULL)";

const SET_SITE_ADMIN: &str = "
    UPDATE users
    SET site_admin = $2, updated_at = CASE WHEN updated_at > $3 THEN updated_at ELSE $3 END
    WHERE id = $1";
