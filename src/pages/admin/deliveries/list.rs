//! The list of deliveries in one state, and trying again all that were given up.

use askama::Template;

use super::{Delivery, GONE, InWords, retry};
use crate::deliver::room::Retried;
use crate::error::{Error, Result};
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;

/// The number of deliveries on a page.
const MOST: usize = 30;

/// The most steps in which all that failed is tried again. A step takes 500 deliveries.
const STEPS: usize = 20;

/// The kinds of receivers: the word, and the name.
const KINDS: [(&str, &str); 3] = [("", "Webhooks and e-mail"), ("hook", "Webhooks"), ("mail", "E-mail")];

/// The states: the word in the query, and the name.
const STATES: [(&str, &str); 2] = [("dead", "Given up"), ("waiting", "Waiting")];

/// Answers a visit to the page.
pub(in crate::pages::admin) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else { return show(guest, Problem::default()).await };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    let kind = known(&KINDS, form.get("kind"));
    let done = match form.get("do") {
        "all" => retry_all(guest, kind).await,
        "" if form.has("again") => retry(guest, form.get("again")).await.map(|()| (1, false)),
        _ => return Err(Error::NotFound),
    };
    match done {
        Ok((count, is_more)) => {
            let more = if is_more { "&more=1" } else { "" };
            Ok(guest.see("/admin/deliveries", &format!("retried&count={count}{more}&kind={kind}")))
        }
        Err(Error::NotFound) => show(guest, Problem::at("", GONE)).await,
        Err(error) => show(guest, Problem { field: "", ..Problem::of(error)? }).await,
    }
}

/// Tries again all that was given up, step by step. Returns the number, and true if there may be more.
async fn retry_all(guest: &Guest<'_>, kind: &str) -> Result<(i64, bool)> {
    let (mut count, mut after) = (0, 0);
    for _ in 0..STEPS {
        let mut fields = body([("after", after.into())]);
        if !kind.is_empty() {
            fields.insert("kind".to_owned(), kind.into());
        }
        let retried: Retried = guest.call("administration.retryDeliveries", &[], fields).await?;
        count += retried.count;
        let Some(last) = retried.last else { return Ok((count, false)) };
        after = last;
    }
    Ok((count, true))
}

/// The word among these, or the first one.
fn known(words: &[(&'static str, &str)], word: &str) -> &'static str {
    words.iter().find(|(known, _)| *known == word).map_or(words[0].0, |(known, _)| known)
}

/// The sentence about what was just tried again; empty if nothing was.
fn done(guest: &Guest<'_>) -> String {
    let query = Form::read_encoded(&guest.visit.query).unwrap_or_default();
    if query.get("done") != "retried" {
        return guest.done(&[]).to_owned();
    }
    let more = if query.get("more").is_empty() { "" } else { " There are more: press the button once more." };
    match query.get("count").parse::<u32>() {
        Ok(0) => "There is nothing left to try again.".to_owned(),
        Ok(1) => "1 delivery is tried again. Load this page again to see what came of it.".to_owned(),
        Ok(count) => {
            format!("{count} deliveries are tried again. Load this page again to see what came of them.{more}")
        }
        Err(_) => String::new(),
    }
}

async fn show(guest: &Guest<'_>, problem: Problem) -> Result<Shown> {
    let (state, kind) = (known(&STATES, &guest.query("state")), known(&KINDS, &guest.query("kind")));
    let after = guest.query("after").parse().unwrap_or(0_i64);
    let mut fields = body([("state", state.into()), ("after", after.into()), ("per_page", (MOST + 1).into())]);
    if !kind.is_empty() {
        fields.insert("kind".to_owned(), kind.into());
    }
    let mut list: Vec<Delivery> = guest.call("administration.deliveries", &[], fields).await?;
    let has_more = list.len() > MOST;
    list.truncate(MOST);
    let next = list.last().map(|last| last.id).filter(|_| has_more);
    let done = if problem.is_none() { done(guest) } else { String::new() };
    let (status, frame) = (problem.status(), guest.frame()?);
    Shown::of(status, &Deliveries { frame, problem, done, state, kind, list, is_later: after > 0, next })
}

#[derive(Template)]
#[template(path = "admin/deliveries.html")]
struct Deliveries {
    frame: Frame,
    problem: Problem,
    /// A sentence about what was just done; empty if nothing was.
    done: String,
    /// The chosen state and kind.
    state: &'static str,
    kind: &'static str,
    list: Vec<Delivery>,
    /// True if the page is not the first one.
    is_later: bool,
    /// The delivery after which the next page begins.
    next: Option<i64>,
}
