//! The page of an invitation: who invites the person to what, and their answer (decisions 26, 27 and 61).

use askama::Template;
use serde_json::{Map, Value};

use super::chosen::{self, Chosen};
use super::form::Form;
use super::guest::{Guest, body};
use super::layout::{Frame, Shown};
use crate::error::{Error, Result};
use crate::invited::{self, Accepted};

/// The placeholder for the token after an invitation was declined: its token no longer shows anything.
const DECLINED: &str = "declined";

/// Answers a visit to the page of an invitation.
pub(super) async fn answer(guest: &Guest<'_>, token: &str) -> Result<Shown> {
    if token == DECLINED {
        return guest.message(200, "You declined the invitation", &["You did not join. Nothing else happens."]);
    }
    match answered(guest, token).await {
        Err(Error::NotFound) => gone(guest, "It may have been used already, or the invitation was canceled."),
        Err(Error::Absent(why)) => gone(guest, &why),
        Err(Error::Suspended) => {
            let way = "Ask a site administrator to unsuspend it, or your identity provider to activate it again.";
            guest.message(403, "This account is suspended", &[way])
        }
        shown => shown,
    }
}

fn gone(guest: &Guest<'_>, why: &str) -> Result<Shown> {
    let next = "If you still want to join, ask the person who invited you for a new invitation.";
    guest.message(404, "This invitation link does not work any more", &[why, next])
}

async fn answered(guest: &Guest<'_>, token: &str) -> Result<Shown> {
    let shown: invited::Shown = guest.call("invited.look", &[("token", token)], Map::new()).await?;
    if let Some(ended) = shown.ended {
        return Err(Error::Absent(ended.into()));
    }
    let Some(form) = &guest.visit.form else { return page(guest, &shown, &Chosen::default()) };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    match form.get("answer") {
        "accept" => accept(guest, token, (&shown, form)).await,
        "decline" => {
            guest.call::<Value>("invited.decline", &[("token", token)], Map::new()).await?;
            Ok(Shown::see(guest.visit.links.html_path(&format!("/invitations/{DECLINED}"))))
        }
        _ => page(guest, &shown, &Chosen::default()),
    }
}

async fn accept(guest: &Guest<'_>, token: &str, (shown, form): (&invited::Shown, &Form)) -> Result<Shown> {
    let mut fields = body([("browser", guest.browser.as_str().into()), ("agent", guest.visit.agent.as_str().into())]);
    fields.extend(chosen::fields(form));
    match guest.call::<Accepted>("invited.accept", &[("token", token)], fields).await {
        Ok(Accepted { org, session: None }) => Ok(guest.see_home("joined", &org)),
        Ok(Accepted { org, session: Some(token) }) => Ok(guest.signed_in(token, guest.see_home("welcome", &org))),
        Err(error) => page(guest, shown, &Chosen::refused(form, error)?),
    }
}

fn page(guest: &Guest<'_>, v: &invited::Shown, filled: &Chosen<'_>) -> Result<Shown> {
    let (frame, expires) = (guest.frame()?, v.expires_at.day());
    let here = guest.here();
    let login = guest.login_path("", &here);
    let accepts = if v.account.is_none() { frame.impersonator.is_none() } else { v.account == frame.login };
    Shown::of(filled.problem.status(), &Invitation { frame, v, filled, expires, accepts, here, login })
}

#[derive(Template)]
#[template(path = "invitation/answer.html")]
struct Invitation<'a> {
    frame: Frame,
    v: &'a invited::Shown,
    filled: &'a Chosen<'a>,
    expires: String,
    /// True if the visitor may accept: as the person who is signed in, or with a new account.
    accepts: bool,
    /// The path of the page on the host.
    here: String,
    /// The path of the page that signs in and leads back.
    login: String,
}
