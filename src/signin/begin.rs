//! The beginning of a session: the end of every way to sign in.

use serde_json::json;

use super::sign_in::SignIn;
use super::sign_up::Chosen;
use super::{browser, sign_up};
use crate::access::session;
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::operation::Cx;
use crate::people::chosen::as_person;
use crate::people::email_changes as changes;
use crate::people::email_holder::{self, Holder};
use crate::people::user::{self, User};

/// Begins a session of the person of a sign-in, which ends; without a person, of the account that is made with what was
/// chosen. Returns the token of the session.
pub(super) fn begin(
    cx: &mut Cx,
    sign_in: &SignIn,
    browser: (&[u8; 32], &str),
    chosen: Option<&Chosen>,
) -> Result<String> {
    let person = match sign_in.user {
        Some(user) => person(cx, sign_in, user)?,
        None => sign_up::make(cx, sign_in, chosen)?,
    };
    if cx.tx.run("UPDATE sign_ins SET ended = TRUE WHERE id = $1 AND ended = FALSE", &[&sign_in.id])? == 0 {
        return Err(Error::NotFound);
    }
    start(cx, &person, if sign_in.email.is_some() { "mail" } else { "operator" }, browser)
}

/// The person of a sign-in; 404 if its e-mail address no longer signs them in. That it was read verifies it.
fn person(cx: &mut Cx, sign_in: &SignIn, user: i64) -> Result<User> {
    let Some(key) = &sign_in.email_key else { return user::by_id(cx.tx, user)?.ok_or(Error::NotFound) };
    let holder = email_holder::of(cx.tx, key)?.filter(|holder| holder.user.id == user);
    let Holder { user: person, email } = holder.ok_or(Error::NotFound)?;
    if !email.shown.verified {
        let own = changes::Person { id: person.id, login: &person.login };
        as_person(cx, &person, |cx| changes::verify(cx, own, (email.id, &email.shown.email)))?;
    }
    Ok(person)
}

/// Begins a session of a person in a browser: the hash of its cookie, and its `User-Agent` header. The session that the
/// browser had ends. `by` is the way in which the person signed in, for the audit log. Returns the token of the session.
/// 404 if the person is suspended.
pub fn start(cx: &mut Cx, person: &User, by: &str, (hash, agent): (&[u8; 32], &str)) -> Result<String> {
    if person.suspended {
        return Err(Error::NotFound);
    }
    if let (Some(previous), Some(session)) = (&cx.caller.person, &cx.caller.session) {
        session::end(cx.tx, previous.id, Some(session.id))?;
    }
    let (now, named, network) = (cx.now()?, browser::name(agent), browser::network(cx.peer()?));
    cx.tx.run(KNOW, &[&person.id, &hash.as_slice(), &now.0])?;
    let (id, text) = session::create(cx.tx, person.id, (&named, &network), now)?;
    let after = json!({ "id": id, "user": person.login, "by": by, "browser": named });
    let change = Change::new("session.create", &json!(null), &after);
    as_person(cx, person, |cx| cx.record(journal::SITE, change))?;
    Ok(text)
}

const KNOW: &str = "
    INSERT INTO known_browsers (user_id, browser, signed_in_at) VALUES ($1, $2, $3)
    ON CONFLICT (user_id, browser) DO UPDATE SET signed_in_at = excluded.signed_in_at";
