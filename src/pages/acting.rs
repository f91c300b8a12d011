//! The pages on which a site administrator begins and stops to act for a person (decision 61).

use askama::Template;

use super::guest::{Guest, STOP, body};
use super::layout::{Frame, Shown};
use crate::error::Result;
use crate::signin::{Actable, Opened};

/// Answers a visit to the page that begins it.
pub(super) async fn start(guest: &Guest<'_>, login: &str) -> Result<Shown> {
    let (of, page) = (&[("username", login)], ["/ui/admin/users/", login, "/act"].concat());
    if guest.visit.form.is_none() {
        let v: Actable = guest.call("acting.look", of, body([])).await?;
        let login = (!guest.is_recent()).then(|| guest.login_from_here());
        return Shown::of(200, &Act { frame: guest.frame()?, code: guest.code(&page)?, v, login });
    }
    if let Some(refusal) = guest.refuse(&page)? {
        return Ok(refusal);
    }
    let fields = body([("agent", guest.visit.agent.as_str().into())]);
    let Opened { session } = guest.call("acting.start", of, fields).await?;
    Ok(guest.signed_in(session, home(guest)))
}

/// Answers the form that stops it.
pub(super) async fn stop(guest: &Guest<'_>) -> Result<Shown> {
    if guest.visit.form.is_none() {
        return Ok(home(guest));
    }
    if let Some(refusal) = guest.refuse(STOP)? {
        return Ok(refusal);
    }
    let Opened { session } = guest.call("acting.stop", &[], body([])).await?;
    Ok(guest.signed_in(session, home(guest)))
}

fn home(guest: &Guest<'_>) -> Shown {
    Shown::see(guest.visit.links.html_path(""))
}

#[derive(Template)]
#[template(path = "act.html")]
struct Act {
    frame: Frame,
    code: String,
    v: Actable,
    /// The path of the page to sign in, if a recent sign-in is needed first.
    login: Option<String>,
}
