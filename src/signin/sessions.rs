//! The visitor of a page, and the sessions of a person: listing and ending them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::end_all;
use crate::access::session::{self, Session};
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::operation::{Cx, Done, List, Record};
use crate::people::me::Me;
use crate::people::named::Administered;
use crate::policy::Granted;
use crate::site::Site;

/// The visitor of a page.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Visitor {
    /// The person, if they are signed in.
    pub person: Option<SignedIn>,
}

/// A person who is signed in.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct SignedIn {
    /// Login.
    pub login: String,
    /// True if they administer the site.
    pub site_admin: bool,
    /// ID of the session.
    pub session: i64,
    /// Login of the site administrator who acts as the person, in a marked session.
    pub impersonator: Option<String>,
    /// The time until which the person has signed in recently.
    pub recent_until: Time,
}

/// Get the visitor of a page.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Visit {}

/// Gets the visitor of a page. Each page asks this once, which a limit counts.
pub fn visitor(cx: &mut Cx, _: Granted<Site>, _: Visit) -> Result<Record<Visitor>> {
    let session = cx.caller.person.as_ref().zip(cx.caller.session.as_ref());
    let person = session.map(|(person, session)| SignedIn {
        login: person.login.to_string(),
        site_admin: person.site_admin,
        session: session.id,
        impersonator: session.impersonator.as_deref().map(str::to_owned),
        recent_until: session.recent_until(),
    });
    Ok(Visitor { person }.into())
}

/// A session of a person.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Shown {
    /// ID.
    pub id: i64,
    /// The browser, such as "Firefox on Linux".
    pub browser: String,
    /// The network that the person signed in from.
    pub network: String,
    /// The time at which the person signed in.
    pub signed_in_at: Time,
    /// The time of its last use, to the minute.
    pub used_at: Time,
    /// Login of the site administrator who acts in it, for a marked session.
    pub impersonator: Option<String>,
}

impl From<Session> for Shown {
    fn from(of: Session) -> Self {
        let Session { id, browser, network, signed_in_at, used_at, impersonator } = of;
        Self { id, browser, network, signed_in_at, used_at, impersonator }
    }
}

/// List the caller's sessions.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Sessions {}

/// Lists the caller's sessions, the newest first.
pub fn list(cx: &mut Cx, me: Granted<Me>, _: Sessions) -> Result<List<Shown>> {
    let now = cx.now()?;
    let sessions = session::list(cx.tx, me.id, now)?;
    let total = i64::try_from(sessions.len()).unwrap_or(i64::MAX);
    List::of(sessions.into_iter().map(Shown::from), total)
}

/// End sessions of the caller.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct End {
    /// The ID of the session. Default: all sessions, and every code and link that was sent to the caller.
    pub session: Option<i64>,
}

/// Ends a session of the caller at once, or all of them.
pub fn end(cx: &mut Cx, me: Granted<Me>, p: End) -> Result<Done> {
    let ended = match p.session {
        Some(session) => session::end(cx.tx, me.id, Some(session))?,
        None => end_all(cx.tx, me.id)?,
    };
    if ended == 0 {
        return Err(Error::NotFound);
    }
    let before = json!({ "id": p.session, "user": me.login });
    cx.record(journal::SITE, Change::new("session.destroy", &before, &json!(null)))?;
    Ok(Done)
}

/// List the sessions of a person.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfPerson {}

/// Lists the sessions of a person for site administrators, the newest first.
pub fn list_of_person(cx: &mut Cx, person: Granted<Administered>, _: OfPerson) -> Result<Record<Vec<Shown>>> {
    let now = cx.now()?;
    let sessions = session::list(cx.tx, person.id, now)?;
    Ok(sessions.into_iter().map(Shown::from).collect::<Vec<_>>().into())
}

/// End all sessions of a person.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct EndOfPerson {}

/// Ends all sessions of a person at once, and every code and link that was sent to them.
pub fn end_of_person(cx: &mut Cx, person: Granted<Administered>, _: EndOfPerson) -> Result<Done> {
    if end_all(cx.tx, person.id)? > 0 {
        let before = json!({ "user": person.login, "by": "administrator" });
        cx.record(journal::SITE, Change::new("session.destroy", &before, &json!(null)))?;
    }
    Ok(Done)
}
