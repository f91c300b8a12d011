//! The page of a link that signs in (decision 61): a button in the browser that asked, and the code in any other one.

use askama::Template;

use super::guest::{Guest, body};
use super::layout::{Frame, Shown};
use crate::error::{Error, Result};
use crate::signin::{Linked, Opened};

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, token: &str) -> Result<Shown> {
    match answered(guest, token).await {
        Err(Error::NotFound) => {
            let way = "It works for a few minutes, and once. Ask for a new one, and use the newest e-mail.";
            guest.message(404, "This link does not work any more", &[way])
        }
        shown => shown,
    }
}

async fn answered(guest: &Guest<'_>, token: &str) -> Result<Shown> {
    let path = [("token", token), ("browser", guest.browser.as_str())];
    let v: Linked = guest.call("signin.look", &path, body([])).await?;
    if guest.visit.form.is_none() || v.code.is_some() {
        let digits = v.code.as_deref().map(|code| code.split_at_checked(4).unwrap_or((code, "")));
        let page = Link { frame: guest.frame()?, code: guest.code("/login/link")?, v: &v, digits };
        return Shown::of(200, &page);
    }
    if let Some(refusal) = guest.refuse("/login/link")? {
        return Ok(refusal);
    }
    let fields = body([("agent", guest.visit.agent.as_str().into())]);
    let opened: Opened = guest.call("signin.open", &path, fields).await?;
    Ok(guest.signed_in(opened.session, guest.returned()))
}

#[derive(Template)]
#[template(path = "login/link.html")]
struct Link<'a> {
    frame: Frame,
    code: String,
    v: &'a Linked,
    digits: Option<(&'a str, &'a str)>,
}
