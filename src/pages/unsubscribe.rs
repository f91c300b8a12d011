//! The page that stops e-mails about posts. The button of a mail client needs neither the page nor its form (decision
//! 61).

use askama::Template;
use serde_json::{Map, Value};

use super::call::Pages;
use super::form::Form;
use super::layout::{Shown, style};
use super::protection;
use super::visit::Visit;
use crate::error::{Error, Result};
use crate::notices::unsubscribing::Chosen;

/// Answers a visit to the page.
pub(super) async fn answer(pages: &Pages<'_>, token: &str, visit: &Visit) -> Result<Shown> {
    match answered(pages, token, visit).await {
        Err(Error::NotFound) => Shown::message(
            visit,
            404,
            "This link does not work",
            &["Open it from the e-mail again. It ends when your e-mail address changes."],
        ),
        shown => shown,
    }
}

async fn answered(pages: &Pages<'_>, token: &str, visit: &Visit) -> Result<Shown> {
    let Some(form) = &visit.form else { return page(pages, token, visit).await };
    if form.get("List-Unsubscribe") == "One-Click" {
        // Mail providers send many of these from few IP addresses, so no page follows, which the limit would count.
        choose(pages, token, visit, "none").await?;
        return Shown::message(visit, 200, "You are unsubscribed", &["From now on, you get no e-mail about posts."]);
    }
    if let Some(refusal) = protection::refuse(&pages.service.site.mail_key, visit, token, form)? {
        return Ok(refusal);
    }
    let choice = form.get("choice");
    if !CHOICES.iter().any(|(known, _)| *known == choice) {
        return page(pages, token, visit).await;
    }
    choose(pages, token, visit, choice).await?;
    Ok(Shown::see(visit, &format!("/unsubscribe/{token}?done={choice}")))
}

/// The choices, and the message of the page for each.
const CHOICES: [(&str, &str); 4] = [
    ("discussion", "This discussion is muted."),
    ("mentions", "From now on, you only get e-mail about posts that mention you."),
    ("none", "From now on, you get no e-mail about posts."),
    ("all", "From now on, you get e-mail about all posts again."),
];

async fn choose(pages: &Pages<'_>, token: &str, visit: &Visit, choice: &str) -> Result<()> {
    let body = Map::from_iter([("choice".to_owned(), Value::from(choice))]);
    pages.call::<Value>(visit, ("unsubscribing.choose", token), body).await.map(drop)
}

async fn page(pages: &Pages<'_>, token: &str, visit: &Visit) -> Result<Shown> {
    let v: Chosen = pages.call(visit, ("unsubscribing.look", token), Map::new()).await?;
    let protection = protection::protect(&pages.service.site.mail_key, visit, token)?;
    let page = Unsubscribe { style: style(visit), v: &v, done: done(visit, &v), code: &protection.code };
    Ok(Shown { cookie: protection.cookie, ..Shown::of(200, &page)? })
}

/// The message for the last choice, if it is in effect.
fn done(visit: &Visit, v: &Chosen) -> &'static str {
    let query = Form::read_encoded(&visit.query).unwrap_or_default();
    let choice = query.get("done");
    let is_so = if choice == "discussion" { v.ignored } else { v.posts == choice };
    CHOICES.iter().find(|(known, _)| *known == choice && is_so).map_or("", |(_, done)| done)
}

#[derive(Template)]
#[template(path = "unsubscribe.html")]
struct Unsubscribe<'a> {
    style: String,
    v: &'a Chosen,
    done: &'a str,
    code: &'a str,
}
