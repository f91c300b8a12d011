//! The settings of a person: where they are signed in.

use askama::Template;
use serde_json::Value;

use super::guest::{Guest, body};
use super::layout::{Frame, Shown};
use crate::error::{Error, Result};
use crate::signin::ShownSession;

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else { return page(guest).await };
    let own = guest.person.as_ref().ok_or(Error::Unauthenticated)?.session;
    if let Some(refusal) = guest.refuse("/ui/settings")? {
        return Ok(refusal);
    }
    let session = match form.get("end") {
        "all" => None,
        id => Some(id.parse::<i64>().map_err(|_| Error::NotFound)?),
    };
    let fields = session.map_or_else(|| body([]), |session| body([("session", session.into())]));
    guest.call::<Value>("sessions.end", &[], fields).await?;
    if session.is_none_or(|session| session == own) {
        return Ok(guest.signed_out(Shown::see(guest.login_path("/out", ""))));
    }
    Ok(Shown::see(guest.visit.links.html_path("/settings?done=ended")))
}

async fn page(guest: &Guest<'_>) -> Result<Shown> {
    let sessions: Vec<ShownSession> = guest.call("sessions.list", &[], body([])).await?;
    let own = guest.person.as_ref().map_or(0, |person| person.session);
    let done = guest.visit.query == "done=ended";
    Shown::of(200, &Settings { frame: guest.frame()?, code: guest.code("/ui/settings")?, sessions, own, done })
}

#[derive(Template)]
#[template(path = "settings.html")]
struct Settings {
    frame: Frame,
    code: String,
    sessions: Vec<ShownSession>,
    /// The session of this browser.
    own: i64,
    /// True if a session was just ended.
    done: bool,
}
