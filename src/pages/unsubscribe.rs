//! The page that stops e-mails about posts. The button of a mail client needs neither the page nor its form (decision
//! 61).

use askama::Template;
use serde_json::Value;

use super::form::Form;
use super::guest::{Guest, body};
use super::layout::{Frame, Shown};
use crate::error::{Error, Result};
use crate::notices::unsubscribing::Chosen;

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, token: &str) -> Result<Shown> {
    match answered(guest, token).await {
        Err(Error::NotFound) => guest.message(
            404,
            "This link does not work",
            &["Open it from the e-mail again. It ends when your e-mail address changes."],
        ),
        shown => shown,
    }
}

async fn answered(guest: &Guest<'_>, token: &str) -> Result<Shown> {
    let Some(form) = &guest.visit.form else { return page(guest, token).await };
    if guest.is_one_click() {
        // Mail providers send many of these from few IP addresses, so no page follows, which the limit would count.
        choose(guest, token, "none").await?;
        return guest.message(200, "You are unsubscribed", &["From now on, you get no e-mail about posts."]);
    }
    if let Some(refusal) = guest.refuse(token)? {
        return Ok(refusal);
    }
    let choice = form.get("choice");
    if !CHOICES.iter().any(|(known, _)| *known == choice) {
        return page(guest, token).await;
    }
    choose(guest, token, choice).await?;
    Ok(Shown::see(guest.visit.links.html_path(&format!("/unsubscribe/{token}?done={choice}"))))
}

/// The choices, and the message of the page for each.
const CHOICES: [(&str, &str); 4] = [
    ("discussion", "This post is muted."),
    ("mentions", "From now on, you only get e-mail about posts that mention you."),
    ("none", "From now on, you get no e-mail about posts."),
    ("all", "From now on, you get e-mail about all posts again."),
];

async fn choose(guest: &Guest<'_>, token: &str, choice: &str) -> Result<()> {
    let fields = body([("choice", choice.into())]);
    guest.call::<Value>("unsubscribing.choose", &[("token", token)], fields).await.map(drop)
}

async fn page(guest: &Guest<'_>, token: &str) -> Result<Shown> {
    let v: Chosen = guest.call("unsubscribing.look", &[("token", token)], body([])).await?;
    let (frame, code) = (guest.frame()?, guest.code(token)?);
    Shown::of(200, &Unsubscribe { frame, v: &v, done: done(guest, &v), code })
}

/// The message for the last choice, if it is in effect.
fn done(guest: &Guest<'_>, v: &Chosen) -> &'static str {
    let query = Form::read_encoded(&guest.visit.query).unwrap_or_default();
    let choice = query.get("done");
    let is_so = if choice == "discussion" { v.ignored } else { v.posts == choice };
    CHOICES.iter().find(|(known, _)| *known == choice && is_so).map_or("", |(_, done)| done)
}

#[derive(Template)]
#[template(path = "unsubscribe.html")]
struct Unsubscribe<'a> {
    frame: Frame,
    v: &'a Chosen,
    done: &'a str,
    code: String,
}
