//! The e-mail addresses of a person (decision 72).

use askama::Template;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Confirm, Room, page, see};
use crate::error::{Error, Result};
use crate::links::segment;
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;

const AT: &str = "/emails";

/// An e-mail address of the caller.
#[derive(Deserialize)]
struct Address {
    email: String,
    primary: bool,
    verified: bool,
    visibility: Option<String>,
}

impl Address {
    /// The address in a query.
    fn encoded(&self) -> String {
        segment(&self.email)
    }
}

/// Answers a visit to the room.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else {
        let removed = guest.query("remove");
        return if removed.is_empty() { show(guest, None, None).await } else { confirm(guest, &removed).await };
    };
    if let Some(refusal) = guest.refuse(&page(AT))? {
        return Ok(refusal);
    }
    let (operation, fields, done) = asked(form)?;
    match guest.call::<Value>(operation, &[], fields).await {
        Ok(_) => Ok(see(guest, AT, done)),
        Err(error) => {
            let typed = (done == "added").then(|| form.get("email"));
            show(guest, typed, Some(Problem::of(error)?)).await
        }
    }
}

/// The operation that a form asks for, the fields of its body, and the word for what it does.
fn asked(form: &Form) -> Result<(&'static str, Map<String, Value>, &'static str)> {
    let email = form.get("email");
    let listed = || body([("emails", json!([email]))]);
    let shown = |visibility: &str| body([("visibility", visibility.into())]);
    let visibility = "users.setPrimaryEmailVisibilityForAuthenticated";
    Ok(match form.get("do") {
        "add" => ("users.addEmailForAuthenticated", listed(), "added"),
        "again" => ("users.addEmailForAuthenticated", listed(), "again"),
        "remove" => ("users.deleteEmailForAuthenticated", listed(), "removed"),
        "primary" => ("users.updateAuthenticated", body([("email", email.into())]), "primary"),
        "show" => (visibility, shown("public"), "public"),
        "hide" => (visibility, shown("private"), "private"),
        _ => return Err(Error::NotFound),
    })
}

async fn addresses(guest: &Guest<'_>) -> Result<Vec<Address>> {
    guest.call("users.listEmailsForAuthenticated", &[], body([])).await
}

/// The page that asks before an address is removed.
async fn confirm(guest: &Guest<'_>, email: &str) -> Result<Shown> {
    if guest.frame()?.impersonator.is_some() {
        return show(guest, None, None).await;
    }
    let known = addresses(guest).await?.into_iter().find(|address| address.email == email).ok_or(Error::NotFound)?;
    let text = match (known.verified, known.primary) {
        (false, _) => "Its link stops working.",
        (true, false) => "You can no longer sign in with it. It gets an e-mail about this.",
        (true, true) => {
            "You can no longer sign in with it, and e-mails go to another address of yours. It gets an e-mail about this."
        }
    };
    let page = Confirm {
        frame: guest.frame()?,
        room: Room::new(guest, AT, None)?,
        to: AT,
        question: format!("Remove {email}?"),
        text,
        named: ("email", email),
        button: ("remove", format!("Remove {email}")),
    };
    Shown::of(200, &page)
}

async fn show(guest: &Guest<'_>, typed: Option<&str>, problem: Option<Problem>) -> Result<Shown> {
    let addresses = addresses(guest).await?;
    let last = addresses.iter().filter(|address| address.verified).count() <= 1;
    let room = Room::new(guest, AT, problem)?;
    let (adds, typed) = (typed.is_some(), typed.unwrap_or_default());
    let login = (!guest.is_recent()).then(|| guest.login_from_here());
    Shown::of(room.status(), &Emails { frame: guest.frame()?, room, addresses, last, adds, typed, login })
}

#[derive(Template)]
#[template(path = "settings/emails.html")]
struct Emails<'a> {
    frame: Frame,
    room: Room,
    addresses: Vec<Address>,
    /// True if a verified address cannot be removed, because it is the last one.
    last: bool,
    /// True if an address was to be added.
    adds: bool,
    /// The new address, if it was refused.
    typed: &'a str,
    /// The path of the page to sign in, if a recent sign-in is needed before an address is added.
    login: Option<String>,
}
