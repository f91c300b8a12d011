//! The page of the link that verifies an e-mail address (decision 72). It shows a button, and works only for the account
//! that asked for the address.

use askama::Template;
use serde_json::Value;

use super::guest::{Guest, body};
use super::layout::{Frame, Shown};
use crate::error::{Error, Result};
use crate::people::email_link;

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, token: &str) -> Result<Shown> {
    match answered(guest, token).await {
        Err(Error::NotFound) => {
            let why = "It is for another account, the e-mail address was removed, or a newer e-mail was sent.";
            guest.message(404, "This link does not work", &[why])
        }
        Err(Error::Unprocessable { .. }) => {
            let why =
                "Another account has verified this e-mail address in the meantime. Remove it there, then try again.";
            guest.message(422, "The e-mail address cannot be verified", &[why])
        }
        shown => shown,
    }
}

async fn answered(guest: &Guest<'_>, token: &str) -> Result<Shown> {
    let of = &[("token", token)];
    let v: email_link::Shown = guest.call("emails.look", of, body([])).await?;
    if guest.visit.form.is_some() {
        if let Some(refusal) = guest.refuse(token)? {
            return Ok(refusal);
        }
        guest.call::<Value>("emails.verify", of, body([])).await?;
        return Ok(Shown::see(guest.visit.links.html_path(&format!("/emails/{token}"))));
    }
    Shown::of(200, &Email { frame: guest.frame()?, v: &v, code: guest.code(token)? })
}

#[derive(Template)]
#[template(path = "email.html")]
struct Email<'a> {
    frame: Frame,
    v: &'a email_link::Shown,
    code: String,
}
