//! The page of an invitation: who invites the person to what, and their answer (decisions 26, 27 and 61).

use askama::Template;
use serde_json::{Map, Value};

use super::call::Pages;
use super::form::Form;
use super::layout::{Shown, style};
use super::protection;
use super::visit::Visit;
use crate::error::{Error, Result};
use crate::invited::{self, Accepted};

/// The placeholder for the token after an invitation was declined: its token no longer shows anything.
const DECLINED: &str = "declined";

/// Answers a visit to the page of an invitation.
pub(super) async fn answer(pages: &Pages<'_>, token: &str, visit: &Visit) -> Result<Shown> {
    if token == DECLINED {
        return Shown::message(visit, 200, "You declined the invitation", &["You did not join. Nothing else happens."]);
    }
    match answered(pages, token, visit).await {
        Err(Error::NotFound) => gone(visit, "It may have been used already, or the invitation was cancelled."),
        Err(Error::Absent(why)) => gone(visit, &why),
        Err(Error::Suspended) => {
            let way = "Ask a site administrator to unsuspend it, or your identity provider to activate it again.";
            Shown::message(visit, 403, "This account is suspended", &[way])
        }
        shown => shown,
    }
}

fn gone(visit: &Visit, why: &str) -> Result<Shown> {
    let next = "If you still want to join, ask the person who invited you for a new invitation.";
    Shown::message(visit, 404, "This invitation link does not work any more", &[why, next])
}

async fn answered(pages: &Pages<'_>, token: &str, visit: &Visit) -> Result<Shown> {
    let shown: invited::Shown = pages.call(visit, ("invited.look", token), Map::new()).await?;
    if let Some(ended) = shown.ended {
        return Err(Error::Absent(ended.into()));
    }
    let Some(form) = &visit.form else { return page(pages, token, visit, &shown, &Filled::default()) };
    if let Some(refusal) = protection::refuse(&pages.service.site.mail_key, visit, token, form)? {
        return Ok(refusal);
    }
    match form.get("answer") {
        "accept" => accept(pages, token, visit, (&shown, form)).await,
        "decline" => {
            pages.call::<Value>(visit, ("invited.decline", token), Map::new()).await?;
            Ok(Shown::see(visit, &format!("/invitations/{DECLINED}")))
        }
        _ => page(pages, token, visit, &shown, &Filled::default()),
    }
}

async fn accept(
    pages: &Pages<'_>,
    token: &str,
    visit: &Visit,
    (shown, form): (&invited::Shown, &Form),
) -> Result<Shown> {
    let mut body = Map::new();
    if shown.account.is_none() {
        for field in ["login", "name"] {
            body.insert(field.to_owned(), form.get(field).trim().into());
        }
    }
    match pages.call::<Accepted>(visit, ("invited.accept", token), body).await {
        Ok(accepted) => Shown::of(200, &Welcome { style: style(visit), v: &accepted }),
        Err(Error::Unprocessable { errors, .. }) => {
            let first = errors.into_iter().next();
            let (field, message) = first.map_or(("login", None), |error| (error.field, error.message));
            let filled = Filled {
                login: form.get("login"),
                name: form.get("name"),
                field,
                problem: message.map_or_else(|| "This cannot be used.".to_owned(), Into::into),
            };
            page(pages, token, visit, shown, &filled)
        }
        Err(error) => Err(error),
    }
}

/// The text that was entered, and what is wrong with it.
#[derive(Default)]
struct Filled<'a> {
    login: &'a str,
    name: &'a str,
    field: &'a str,
    problem: String,
}

fn page(pages: &Pages<'_>, token: &str, visit: &Visit, v: &invited::Shown, filled: &Filled<'_>) -> Result<Shown> {
    let protection = protection::protect(&pages.service.site.mail_key, visit, token)?;
    let status = if filled.problem.is_empty() { 200 } else { 422 };
    let page = Invitation { style: style(visit), v, filled, code: &protection.code, expires: v.expires_at.day() };
    Ok(Shown { cookie: protection.cookie, ..Shown::of(status, &page)? })
}

#[derive(Template)]
#[template(path = "invitation/answer.html")]
struct Invitation<'a> {
    style: String,
    v: &'a invited::Shown,
    filled: &'a Filled<'a>,
    code: &'a str,
    expires: String,
}

#[derive(Template)]
#[template(path = "invitation/welcome.html")]
struct Welcome<'a> {
    style: String,
    v: &'a Accepted,
}
