//! The marked session in which a site administrator acts for a person (decision 61). It lasts an hour, names both people in
//! the audit log, and is never of another site administrator.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Opened, browser};
use crate::access::session;
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::operation::{Cx, Record};
use crate::people::me::Me;
use crate::people::named::Administered;
use crate::policy::Granted;

/// A person for whom the caller may act.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Actable {
    /// Login.
    pub login: String,
}

/// Get the person for whom a session would act.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {}

/// Gets the person, and changes nothing.
pub fn look(_: &mut Cx, person: Granted<Administered>, _: Look) -> Result<Record<Actable>> {
    refuse(&person)?;
    Ok(Actable { login: person.login.clone() }.into())
}

/// Act for a person.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Start {
    /// The `User-Agent` header of the browser.
    pub agent: String,
}

/// Begins a marked session of the person. The caller's own session stays.
pub fn start(cx: &mut Cx, person: Granted<Administered>, p: Start) -> Result<Record<Opened>> {
    refuse(&person)?;
    let (admin, own) = (cx.me()?.id, cx.caller.session.as_ref().ok_or(Error::NotFound)?.id);
    let (now, named, network) = (cx.now()?, browser::name(&p.agent), browser::network(cx.peer()?));
    let (id, text) = session::create(cx.tx, person.id, (&named, &network), now)?;
    session::mark(cx.tx, id, (admin, own))?;
    let after = json!({ "id": id, "user": person.login, "by": "administrator", "browser": named });
    cx.record(journal::SITE, Change::new("session.create", &json!(null), &after))?;
    Ok(Opened { session: text }.into())
}

fn refuse(person: &Administered) -> Result<()> {
    let why = match (person.site_admin, person.suspended) {
        (true, _) => "A site administrator acts for no other site administrator.",
        (_, true) => "This account is suspended. Unsuspend it first.",
        (false, false) => return Ok(()),
    };
    Err(Error::Forbidden(why.into()))
}

/// Stop acting for a person.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Stop {}

/// Ends the marked session. The browser returns to the administrator's own session, which gets another token.
pub fn stop(cx: &mut Cx, me: Granted<Me>, _: Stop) -> Result<Record<Opened>> {
    let marked = cx.caller.session.as_ref().filter(|session| session.impersonator.is_some());
    let id = marked.ok_or(Error::NotFound)?.id;
    let session = session::return_to_own(cx.tx, id)?;
    session::end(cx.tx, me.id, Some(id))?;
    let before = json!({ "id": id, "user": me.login, "by": "administrator" });
    cx.record(journal::SITE, Change::new("session.destroy", &before, &json!(null)))?;
    Ok(Opened { session }.into())
}
