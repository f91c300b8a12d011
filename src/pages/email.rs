//! The page of the link that verifies an e-mail address (decision 72). It shows a button, and works only for the account
//! that asked for the address.

use askama::Template;
use serde_json::{Map, Value};

use super::call::Pages;
use super::layout::{Shown, style};
use super::protection;
use super::visit::Visit;
use crate::error::{Error, Result};
use crate::people::email_link;

/// Answers a visit to the page.
pub(super) async fn answer(pages: &Pages<'_>, token: &str, visit: &Visit) -> Result<Shown> {
    match answered(pages, token, visit).await {
        Err(Error::Unauthenticated) => {
            let texts = [
                "The link works only for the account that asked for this e-mail address. Sign in, then open it again.",
            ];
            Shown::message(visit, 401, "Sign in first", &texts)
        }
        Err(Error::NotFound) => {
            let why = "It is for another account, the e-mail address was removed, or a newer e-mail was sent.";
            Shown::message(visit, 404, "This link does not work", &[why])
        }
        Err(Error::Unprocessable { .. }) => {
            let why =
                "Another account has verified this e-mail address in the meantime. Remove it there, then try again.";
            Shown::message(visit, 422, "The e-mail address cannot be verified", &[why])
        }
        shown => shown,
    }
}

async fn answered(pages: &Pages<'_>, token: &str, visit: &Visit) -> Result<Shown> {
    let v: email_link::Shown = pages.call(visit, ("emails.look", token), Map::new()).await?;
    let key = &pages.service.site.mail_key;
    if let Some(form) = &visit.form {
        if let Some(refusal) = protection::refuse(key, visit, token, form)? {
            return Ok(refusal);
        }
        pages.call::<Value>(visit, ("emails.verify", token), Map::new()).await?;
        return Ok(Shown::see(visit, &format!("/emails/{token}")));
    }
    let protection = protection::protect(key, visit, token)?;
    let page = Email { style: style(visit), v: &v, code: &protection.code };
    Ok(Shown { cookie: protection.cookie, ..Shown::of(200, &page)? })
}

#[derive(Template)]
#[template(path = "email.html")]
struct Email<'a> {
    style: String,
    v: &'a email_link::Shown,
    code: &'a str,
}
