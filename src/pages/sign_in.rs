//! Signing in by a code: the page for the e-mail address, and the page for the code (decision 61).

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

use super::chosen::{self, Chosen};
use super::guest::{Guest, body};
use super::layout::{Frame, Shown};
use super::problem::Problem;
use crate::error::{Error, Result};
use crate::identity::Provider;
use crate::signin::{Entered, Waiting};

/// The field of the caller that the page offers.
#[derive(Deserialize)]
struct Own {
    email: Option<String>,
}

/// The page for the e-mail address. A person who has signed in recently does not need it.
pub(super) async fn address(guest: &Guest<'_>) -> Result<Shown> {
    if guest.person.as_ref().is_some_and(|person| person.impersonator.is_some()) {
        return guest.message(200, "You act for another person", &["Stop that before you sign in again."]);
    }
    if !guest.service.site.signin_by_mail && guest.provider.is_none() && !guest.is_recent() {
        let way = "The operator of this site can make a link for you that signs you in.";
        return guest.message(200, "You cannot sign in by e-mail here", &[way]);
    }
    let Some(form) = &guest.visit.form else {
        return if guest.is_recent() {
            Ok(guest.returned(guest.return_to()))
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
        Ok(_) => Ok(guest.keeping(Shown::see(guest.login_path("/code", &guest.return_to())))),
        Err(error) => ask(guest, email, Problem::of(error)?.text),
    }
}

fn ask(guest: &Guest<'_>, email: &str, problem: String) -> Result<Shown> {
    let status = if problem.is_empty() { 200 } else { 422 };
    let (frame, code, return_to) = (guest.frame()?, guest.code("/login")?, guest.return_to());
    let (by_mail, provider) = (guest.service.site.signin_by_mail, guest.provider.map(Provider::host));
    let (signup, has_ended) = (signup(guest), guest.has_ended);
    Shown::of(status, &Address { frame, code, return_to, by_mail, email, problem, provider, signup, has_ended })
}

fn signup(guest: &Guest<'_>) -> bool {
    guest.service.site.signup_domains.as_ref().is_none_or(|domains| !domains.is_empty())
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
    let (entered, return_to) = (form.get("code"), guest.return_to());
    let mut fields = body([("code", entered.into()), ("agent", guest.visit.agent.as_str().into())]);
    let makes = form.get("answer") == "make";
    if makes {
        fields.insert("chosen".to_owned(), chosen::fields(form).into());
    }
    let new = New { code: guest.code("/login/code")?, return_to: &return_to, email: &waiting.email, entered };
    match guest.call::<Entered>("signin.enter", &visitor, fields).await {
        Ok(Entered { session: Some(token), signs_up, .. }) => {
            Ok(guest.signed_in(token, arrived(guest, signs_up, &return_to)))
        }
        Ok(Entered { signs_up: true, .. }) => new.page(guest, &Chosen::default()),
        Ok(Entered { left: left @ 1.., .. }) => {
            let times = if left == 1 { "once more" } else { &format!("{left} more times") };
            let problem = format!("That is not the code in the latest e-mail. You can try {times}.");
            enter(guest, &waiting, form.get("code"), problem)
        }
        Ok(_) | Err(Error::NotFound) => ended(guest),
        Err(error) if makes => new.page(guest, &Chosen::refused(form, error)?),
        Err(error) => enter(guest, &waiting, form.get("code"), Problem::of(error)?.text),
    }
}

/// The page after signing in; for a new account that is to return nowhere, the one that says what to do with it.
pub(super) fn arrived(guest: &Guest<'_>, is_new: bool, return_to: &str) -> Shown {
    let login = guest.visit.form.as_ref().map_or("", |form| form.get("login"));
    if is_new && return_to.is_empty() { guest.see_home("welcome", login) } else { guest.returned(return_to.to_owned()) }
}

/// The page that makes an account.
pub(super) struct New<'a> {
    /// The code of its form.
    pub code: String,
    pub return_to: &'a str,
    pub email: &'a str,
    /// The code that was sent to the e-mail address; empty if it is the link.
    pub entered: &'a str,
}

impl New<'_> {
    /// The page, with what was entered in it.
    pub fn page(&self, guest: &Guest<'_>, filled: &Chosen<'_>) -> Result<Shown> {
        let (frame, New { code, return_to, email, entered }) = (guest.frame()?, self);
        let here = [guest.visit.links.prefix(), &guest.visit.path].concat();
        Shown::of(filled.problem.status(), &Making { frame, here, code, return_to, email, entered, filled })
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
    Shown::of(
        status,
        &Digits { frame, code, return_to, v, entered, problem, other, signup: signup(guest), mails: guest.mails() },
    )
}

#[derive(Template)]
#[template(path = "login/address.html")]
struct Address<'a> {
    frame: Frame,
    code: String,
    return_to: String,
    /// True if people may sign in by e-mail.
    by_mail: bool,
    email: &'a str,
    problem: String,
    /// The host of the site's identity provider, if people may sign in there.
    provider: Option<&'a str>,
    /// True if some people make accounts for themselves.
    signup: bool,
    /// True if the browser has a session that has ended.
    has_ended: bool,
}

#[derive(Template)]
#[template(path = "login/new.html")]
struct Making<'a> {
    frame: Frame,
    here: String,
    code: &'a str,
    return_to: &'a str,
    email: &'a str,
    entered: &'a str,
    filled: &'a Chosen<'a>,
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
    signup: bool,
    /// True if a mail server sends e-mails.
    mails: bool,
}

#[derive(Template)]
#[template(path = "login/ended.html")]
struct Ended<'a> {
    frame: Frame,
    way: &'a str,
    again: String,
}
