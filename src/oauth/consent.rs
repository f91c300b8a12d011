//! Consents: scopes that a person has allowed an application, and when they are asked again.

use serde_json::json;

use super::application::Application;
use crate::db::{Tx, row, select};
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::operation::Cx;
use crate::scope::Scopes;

row! {
    /// The consent of a person to an application.
    struct Consent from "c" {
        scopes: Scopes = "c.scopes" => stored,
        effective_teams: bool,
    }
}

/// Scopes as they are stored.
pub(super) fn stored(scopes: String) -> Result<Scopes> {
    Scopes::parse(&scopes).map_err(|e| Error::Bug(format!("a stored scope is unknown: {e}")))
}

fn of(tx: &mut Tx, person: i64, application: &Application) -> Result<Option<Consent>> {
    tx.maybe(OF, &[&person, &application.id])
}

const OF: &str = select!(Consent from "consents c WHERE c.user_id = $1 AND c.application_id = $2");

/// True if the person has allowed all that the application gets with these scopes, or need not be asked.
pub(super) fn covers(tx: &mut Tx, person: i64, application: &Application, scopes: Scopes) -> Result<bool> {
    if application.switches.skip_consent {
        return Ok(true);
    }
    let is_enough = |consent: Consent| {
        consent.scopes.cover(scopes) && (consent.effective_teams || !application.switches.effective_teams)
    };
    Ok(of(tx, person, application)?.is_some_and(is_enough))
}

/// The error if an application asks for more than the page has shown.
pub(super) fn changed() -> Error {
    Error::sentence("What the application asks for has changed. Start again.")
}

/// Stores that the caller allows an application these scopes, besides those that they have allowed. `shown` is true if the
/// page said that the teams above their own are listed as theirs.
pub(super) fn give(cx: &mut Cx, application: &Application, scopes: Scopes, shown: bool) -> Result<()> {
    let person = cx.me()?;
    let (user, login) = (person.id, &*person.login);
    if application.switches.effective_teams && !shown {
        return Err(changed());
    }
    let previous = of(cx.tx, user, application)?;
    let held = previous.as_ref().map(|consent| consent.scopes);
    let scopes = held.unwrap_or_default().and(scopes);
    let effective = application.switches.effective_teams;
    if held == Some(scopes) && previous.is_some_and(|consent| consent.effective_teams || !effective) {
        return Ok(());
    }
    cx.tx.run(GIVE, &[&user, &application.id, &scopes.header(), &effective])?;
    let facts = |scopes: Scopes| json!({ "user": login, "application": application.name, "scopes": scopes.header() });
    let (action, before) = match held {
        Some(held) => ("oauth_authorization.update", facts(held)),
        None => ("oauth_authorization.create", json!(null)),
    };
    cx.record(journal::SITE, Change::new(action, &before, &facts(scopes)))
}

const GIVE: &str = "
    INSERT INTO consents (user_id, application_id, scopes, effective_teams) VALUES ($1, $2, $3, $4)
    ON CONFLICT (user_id, application_id) DO UPDATE SET scopes = excluded.scopes,
        effective_teams = consents.effective_teams OR excluded.effective_teams";

/// The session of the caller, to which what they allow belongs. A token of an application would outlive a marked session,
/// and name the person alone.
pub(super) fn session(cx: &Cx) -> Result<i64> {
    let refuse = |why: &'static str| Err(Error::Forbidden(why.into()));
    match &cx.caller.session {
        None => refuse("Sign in to the pages first."),
        Some(session) if session.impersonator.is_some() => {
            refuse("You act for another person, for whom you cannot do this.")
        }
        Some(session) => Ok(session.id),
    }
}

/// Takes back what a person has allowed an application, with its tokens. Returns whether there was anything.
pub(super) fn end(cx: &mut Cx, person: (i64, &str), application: &Application) -> Result<bool> {
    let (user, login) = person;
    let consents = cx.tx.run(END, &[&user, &application.id])?;
    let tokens =
        cx.tx.run("DELETE FROM tokens WHERE user_id = $1 AND application_id = $2", &[&user, &application.id])?;
    if consents + tokens == 0 {
        return Ok(false);
    }
    let before = json!({ "user": login, "application": application.name });
    cx.record(journal::SITE, Change::new("oauth_authorization.destroy", &before, &json!(null)))?;
    Ok(true)
}

const END: &str = "DELETE FROM consents WHERE user_id = $1 AND application_id = $2";
