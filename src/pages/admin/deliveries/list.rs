//! The list of deliveries in one state, and trying again all that were given up.

use askama::Template;
use serde_json::{Map, Value};

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
const KINDS: [(&str, &str); 3] = [("", "All"), ("hook", "Webhooks"), ("mail", "E-mail")];

/// The states: the word in the query, and the name.
const STATES: [(&str, &str); 2] = [("dead", "Given up"), ("waiting", "Waiting")];

/// Answers a visit to the page.
pub(in crate::pages::admin) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else { return show(guest, Problem::default()).await };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    let chosen = Chosen { kind: known(&KINDS, form.get("kind")), hook: number(form.get("hook")) };
    let done = match form.get("do") {
        "all" => retry_all(guest, &chosen).await,
        "" if form.has("again") => retry(guest, form.get("again")).await.map(|()| (1, false)),
        _ => return Err(Error::NotFound),
    };
    match done {
        Ok((count, is_more)) => {
            let more = if is_more { "&more=1" } else { "" };
            Ok(guest.see("/admin/deliveries", &format!("retried&count={count}{more}{}", chosen.query())))
        }
        Err(Error::NotFound) => show(guest, Problem::at("", GONE)).await,
        Err(error) => show(guest, Problem { field: "", ..Problem::of(error)? }).await,
    }
}

/// Tries again all that was given up, step by step. Returns the number, and true if there may be more.
async fn retry_all(guest: &Guest<'_>, chosen: &Chosen) -> Result<(i64, bool)> {
    let (mut count, mut after) = (0, 0);
    for _ in 0..STEPS {
        let fields = chosen.fields(body([("after", after.into())]));
        let retried: Retried = guest.call("administration.retryDeliveries", &[], fields).await?;
        count += retried.count;
        let Some(last) = retried.last else { return Ok((count, false)) };
        after = last;
    }
    Ok((count, true))
}

/// The chosen receivers.
struct Chosen {
    /// The kind; empty for both.
    kind: &'static str,
    /// The ID of the only webhook; none for all.
    hook: Option<i64>,
}

impl Chosen {
    fn fields(&self, mut fields: Map<String, Value>) -> Map<String, Value> {
        if !self.kind.is_empty() {
            fields.insert("kind".to_owned(), self.kind.into());
        }
        fields.extend(self.hook.map(|id| ("hook".to_owned(), id.into())));
        fields
    }

    /// The end of the query of a page with the same receivers.
    fn query(&self) -> String {
        let hook = self.hook.map(|id| format!("&hook={id}")).unwrap_or_default();
        format!("&kind={}{hook}", self.kind)
    }
}

/// A positive number, if the text is one.
fn number(text: &str) -> Option<i64> {
    text.parse().ok().filter(|number| *number > 0)
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
    let state = known(&STATES, &guest.query("state"));
    let chosen = Chosen { kind: known(&KINDS, &guest.query("kind")), hook: number(&guest.query("hook")) };
    let after = number(&guest.query("after")).unwrap_or(0);
    let fields = body([("state", state.into()), ("after", after.into()), ("per_page", (MOST + 1).into())]);
    let fields = chosen.fields(fields);
    let mut list: Vec<Delivery> = guest.call("administration.deliveries", &[], fields).await?;
    let has_more = list.len() > MOST;
    list.truncate(MOST);
    let next = list.last().map(|last| last.id).filter(|_| has_more);
    let done = if problem.is_none() { done(guest) } else { String::new() };
    let (status, frame) = (problem.status(), guest.frame()?);
    Shown::of(status, &Deliveries { frame, problem, done, state, chosen, list, is_later: after > 0, next })
}

#[derive(Template)]
#[template(path = "admin/deliveries.html")]
struct Deliveries {
    frame: Frame,
    problem: Problem,
    /// A sentence about what was just done; empty if nothing was.
    done: String,
    /// The chosen state.
    state: &'static str,
    chosen: Chosen,
    list: Vec<Delivery>,
    /// True if the page is not the first one.
    is_later: bool,
    /// The delivery after which the next page begins.
    next: Option<i64>,
}
