//! The operations on e-mail addresses: those of the person, and those of site administrators (decision 72).

use schemars::JsonSchema;
use serde::Deserialize;

use super::email::Email;
use super::email_changes::{self as changes, Person};
use super::me::Me;
use super::named::Administered;
use crate::error::Result;
use crate::operation::{Cx, Done, Record};
use crate::policy::Granted;
use crate::words::words;

/// Add e-mail addresses to your account. They are unverified, and each gets an e-mail with a link that verifies it. The
/// response is the same if another account has an address; then only that account gets an e-mail. An unverified address
/// that you have gets its e-mail again. Clients may also send the list, or one address, instead of an object.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Add {
    /// The e-mail addresses, at least one. A person has at most 50.
    pub emails: Vec<String>,
}

/// Adds addresses of the caller.
pub fn add(cx: &mut Cx, me: Granted<Me>, p: Add) -> Result<Record<Vec<Email>, 201>> {
    cx.refuse_impersonator()?;
    Ok(changes::ask(cx, of(&me), &p.emails)?.into())
}

/// Remove e-mail addresses from your account. The last verified one cannot be removed. If the primary one is removed, the
/// oldest verified one becomes primary. Clients may also send the list, or one address, instead of an object.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Remove {
    /// The e-mail addresses, at least one.
    pub emails: Vec<String>,
}

/// Removes addresses of the caller.
pub fn remove(cx: &mut Cx, me: Granted<Me>, p: Remove) -> Result<Done> {
    cx.refuse_impersonator()?;
    changes::remove(cx, of(&me), &p.emails)?;
    Ok(Done)
}

words! {
    /// The people who see the primary e-mail address of a person.
    pub enum Visibility {
        /// Everyone.
        Public = "public",
        /// Only the person.
        Private = "private",
    }
}

/// Show your primary e-mail address in your public profile, or hide it. Another primary address is hidden at first.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Show {
    /// `public` if everyone sees it, `private` if only you do.
    pub visibility: Visibility,
}

/// Shows or hides the primary address of the caller.
pub fn show(cx: &mut Cx, me: Granted<Me>, p: Show) -> Result<Record<Vec<Email>>> {
    cx.refuse_impersonator()?;
    Ok(vec![changes::set_visibility(cx, of(&me), p.visibility.word())?].into())
}

/// Add e-mail addresses to a person's account.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Give {
    /// The e-mail addresses, at least one.
    pub emails: Vec<String>,
    /// True if they count as verified. Otherwise, each gets an e-mail with a link that the person opens.
    #[schemars(extend("default" = false))]
    pub verified: Option<bool>,
}

/// Adds addresses of a person.
pub fn give(cx: &mut Cx, person: Granted<Administered>, p: Give) -> Result<Record<Vec<Email>, 201>> {
    let person = Person { id: person.id, login: &person.login };
    let add = if p.verified == Some(true) { changes::give } else { changes::ask };
    Ok(add(cx, person, &p.emails)?.into())
}

/// Remove e-mail addresses from a person's account. The last verified one cannot be removed.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Take {
    /// The e-mail addresses, at least one.
    pub emails: Vec<String>,
}

/// Removes addresses of a person.
pub fn take(cx: &mut Cx, person: Granted<Administered>, p: Take) -> Result<Done> {
    changes::remove(cx, Person { id: person.id, login: &person.login }, &p.emails)?;
    Ok(Done)
}

/// The caller, whose addresses change.
pub(super) fn of(me: &Me) -> Person<'_> {
    Person { id: me.id, login: &me.login }
}
