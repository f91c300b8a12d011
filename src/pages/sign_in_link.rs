//! The page of a link that signs in (decision 61): a button in the browser that asked, and the code in any other one.

use askama::Template;

use super::chosen::{self, Chosen};
use super::guest::{Guest, Message, body};
use super::layout::{Frame, Shown};
use super::sign_in::{New, arrived};
use crate::error::{Error, Result};
use crate::signin::{Linked, Opened};

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, token: &str) -> Result<Shown> {
    match answered(guest, token).await {
        Err(Error::NotFound) => {
            let ways = [
                "It works for a few minutes, and once. If it came by e-mail, ask for a new one, and use the newest e-mail.",
                "If the operator of this site gave it to you, ask them for a new one: guildhall user sign-in makes it.",
            ];
            let (title, login) = ("This link does not work any more", Some(guest.login_path("", "")));
            Shown::of(404, &Message { frame: guest.frame()?, title, texts: &ways, login })
        }
        shown => shown,
    }
}

async fn answered(guest: &Guest<'_>, token: &str) -> Result<Shown> {
    let path = [("token", token), ("browser", guest.browser.as_str())];
    let v: Linked = guest.call("signin.look", &path, body([])).await?;
    if v.used {
        return Ok(Shown::see(guest.visit.links.html_path("")));
    }
    let (code, return_to) = (guest.code("/login/link")?, guest.kept());
    let email = v.email.as_deref().unwrap_or_default();
    let new = New { code, return_to: &return_to, email, entered: "" };
    let is_new = v.login.is_none();
    let Some(form) = guest.visit.form.as_ref().filter(|_| v.code.is_none()) else {
        let digits = v.code.as_deref().map(|code| code.split_at_checked(4).unwrap_or((code, "")));
        return match &v.login {
            None if digits.is_none() => new.page(guest, &Chosen::default()),
            login => Shown::of(200, &Link { frame: guest.frame()?, code: new.code, login, digits }),
        };
    };
    if let Some(refusal) = guest.refuse("/login/link")? {
        return Ok(refusal);
    }
    let mut fields = body([("agent", guest.visit.agent.as_str().into())]);
    if is_new {
        fields.insert("chosen".to_owned(), chosen::fields(form).into());
    }
    match guest.call::<Opened>("signin.open", &path, fields).await {
        Ok(opened) => Ok(guest.signed_in(opened.session, arrived(guest, is_new, &return_to))),
        Err(error) if is_new => new.page(guest, &Chosen::refused(form, error)?),
        Err(error) => Err(error),
    }
}

#[derive(Template)]
#[template(path = "login/link.html")]
struct Link<'a> {
    frame: Frame,
    code: String,
    login: &'a Option<String>,
    digits: Option<(&'a str, &'a str)>,
}
