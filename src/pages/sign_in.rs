//! Signing in by a code: the page for the e-mail address, and the page for the code (decision 61).

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

use super::guest::{Guest, body};
use super::layout::{Frame, Shown};
use crate::error::{Error, Result};
use crate::signin::{Entered, Waiting};

/// The field of the caller that the page offers.
#[derive(Deserialize)]
struct Own {
    email: Option<String>,
}

/// The page for the e-mail address. A person who has signed in recently does not need it.
pub(super) async fn address(guest: &Guest<'_>) -> Result<Shown> {
    if !guest.service.site.signin_by_mail && !guest.is_recent() {
        let way = "The operator of this site can make a link for you that signs you in.";
        return guest.message(200, "You cannot sign in by e-mail here", &[way]);
    }
    let Some(form) = &guest.visit.form else {
        return if guest.is_recent() {
            Ok(guest.returned())
        } else {
            ask(guest, &own_address(guest).await?, String::new())
        };
    };
    if let Some(refusal) = guest.refuse("/login")? {
        return Ok(refusal);
    }
    send(guest, form.get("email")).await
}

/// The primary e-mail address of a person who is signed in.
async fn own_address(guest: &Guest<'_>) -> Result<String> {
    if !guest.is_signed_in() {
        return Ok(String::new());
    }
    let own: Own = guest.call("users.getAuthenticated", &[], body([])).await?;
    Ok(own.email.unwrap_or_default())
}

/// Has a code sent, and shows the page for it.
async fn send(guest: &Guest<'_>, email: &str) -> Result<Shown> {
    let fields = body([("email", email.into()), ("agent", guest.visit.agent.as_str().into())]);
    match guest.call::<Value>("signin.ask", &[("browser", &guest.browser)], fields).await {
        Ok(_) => Ok(Shown::see(guest.login_path("/code", &guest.return_to()))),
        Err(error) => ask(guest, email, problem(error)?),
    }
}

/// The message about a field, if that is the error.
fn problem(error: Error) -> Result<String> {
    let Error::Unprocessable { errors, .. } = &error else { return Err(error) };
    let message = errors.first().and_then(|error| error.message.as_deref());
    Ok(message.unwrap_or("This cannot be used.").to_owned())
}

fn ask(guest: &Guest<'_>, email: &str, problem: String) -> Result<Shown> {
    let status = if problem.is_empty() { 200 } else { 422 };
    let (frame, code, return_to) = (guest.frame()?, guest.code("/login")?, guest.return_to());
    Shown::of(status, &Address { frame, code, return_to, email, problem })
}

/// The page that a signed-in person gets where a recent sign-in is needed.
pub(super) fn confirm(guest: &Guest<'_>) -> Result<Shown> {
    Shown::of(403, &Confirm { frame: guest.frame()?, login: guest.login_from_here() })
}

/// The page for the code.
pub(super) async fn code(guest: &Guest<'_>) -> Result<Shown> {
    let visitor = [("browser", guest.browser.as_str())];
    let waiting = match guest.call::<Waiting>("signin.waiting", &visitor, body([])).await {
        Err(Error::NotFound) if guest.visit.form.is_some() => return ended(guest),
        Err(Error::NotFound) => return Ok(Shown::see(guest.login_path("", &guest.return_to()))),
        waiting => waiting?,
    };
    let Some(form) = &guest.visit.form else { return enter(guest, &waiting, "", String::new()) };
    if let Some(refusal) = guest.refuse("/login/code")? {
        return Ok(refusal);
    }
    if form.get("answer") == "again" {
        return send(guest, &waiting.email).await;
    }
    let fields = body([("code", form.get("code").into()), ("agent", guest.visit.agent.as_str().into())]);
    match guest.call::<Entered>("signin.enter", &visitor, fields).await {
        Ok(Entered { session: Some(token), .. }) => Ok(guest.signed_in(token, guest.returned())),
        Ok(Entered { left: 1.., .. }) if waiting.left > 1 => {
            let left = waiting.left - 1;
            let times = if left == 1 { "once more" } else { &format!("{left} more times") };
            let problem = format!("That is not the code in the latest e-mail. You can try {times}.");
            enter(guest, &waiting, form.get("code"), problem)
        }
        Ok(_) | Err(Error::NotFound) => ended(guest),
        Err(error) => enter(guest, &waiting, form.get("code"), problem(error)?),
    }
}

fn ended(guest: &Guest<'_>) -> Result<Shown> {
    let way = "A code works for 15 minutes, once, and not after five wrong ones. Ask for a new one.";
    Shown::of(422, &Ended { frame: guest.frame()?, way, again: guest.login_path("", &guest.return_to()) })
}

fn enter(guest: &Guest<'_>, v: &Waiting, entered: &str, problem: String) -> Result<Shown> {
    let status = if problem.is_empty() { 200 } else { 422 };
    let (frame, code, return_to) = (guest.frame()?, guest.code("/login/code")?, guest.return_to());
    let other = guest.login_path("", &return_to);
    Shown::of(status, &Digits { frame, code, return_to, v, entered, problem, other })
}

#[derive(Template)]
#[template(path = "login/address.html")]
struct Address<'a> {
    frame: Frame,
    code: String,
    return_to: String,
    email: &'a str,
    problem: String,
}

#[derive(Template)]
#[template(path = "login/confirm.html")]
struct Confirm {
    frame: Frame,
    /// The path of the page to sign in.
    login: String,
}

#[derive(Template)]
#[template(path = "login/code.html")]
struct Digits<'a> {
    frame: Frame,
    code: String,
    return_to: String,
    v: &'a Waiting,
    entered: &'a str,
    problem: String,
    other: String,
}

#[derive(Template)]
#[template(path = "login/ended.html")]
struct Ended<'a> {
    frame: Frame,
    way: &'a str,
    again: String,
}
