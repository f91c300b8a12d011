//! Signing out.

use askama::Template;
use serde_json::Value;

use super::guest::{Guest, SIGN_OUT, body};
use super::layout::{Frame, Shown};
use crate::error::Result;

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let page = Out { frame: guest.frame()? };
    // A browser sends no session with a form of another site, so that the person seems to be signed out.
    if guest.visit.is_foreign
        && let Some(refusal) = guest.refuse(SIGN_OUT)?
    {
        return Ok(refusal);
    }
    let (Some(_), Some(person)) = (&guest.visit.form, &guest.person) else { return Shown::of(200, &page) };
    if let Some(refusal) = guest.refuse(SIGN_OUT)? {
        return Ok(refusal);
    }
    guest.call::<Value>("sessions.end", &[], body([("session", person.session.into())])).await?;
    // A page that is for another account is returned to after signing in to that.
    let (to, below) = (guest.return_to(), if guest.return_to().is_empty() { "/out" } else { "" });
    Ok(guest.signed_out(Shown::see(guest.login_path(below, &to))))
}

#[derive(Template)]
#[template(path = "login/out.html")]
struct Out {
    frame: Frame,
}
