//! The sessions of a person.

use askama::Template;
use serde_json::Value;

use super::{Room, page, see};
use crate::error::{Error, Result};
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::signin::ShownSession;

const AT: &str = "/sessions";

/// The number of sessions on a page.
const MOST: u64 = 30;

/// Answers a visit to the room.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else { return show(guest).await };
    let own = guest.person.as_ref().ok_or(Error::Unauthenticated)?.session;
    if let Some(refusal) = guest.refuse(&page(AT))? {
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
    Ok(see(guest, AT, "ended"))
}

async fn show(guest: &Guest<'_>) -> Result<Shown> {
    let sessions: Vec<ShownSession> = guest.call("sessions.list", &[], body([])).await?;
    let sessions = Listed::part(sessions, guest.page(MOST));
    let own = guest.person.as_ref().map_or(0, |person| person.session);
    Shown::of(200, &SessionsPage { frame: guest.frame()?, room: Room::new(guest, AT, None)?, sessions, own })
}

#[derive(Template)]
#[template(path = "settings/sessions.html")]
struct SessionsPage {
    frame: Frame,
    room: Room,
    sessions: Listed<ShownSession>,
    /// The session of this browser.
    own: i64,
}
