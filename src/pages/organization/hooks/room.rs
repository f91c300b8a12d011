//! The room of a webhook: what it is, its deliveries, and sending them again.

use askama::Template;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::UPDATE;
use super::records::{Delivery, Hook};
use crate::deliver::again::Replayable;
use crate::error::{Error, Result};
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::organization::holder::{At, Holder};
use crate::pages::problem::Problem;

/// The number of deliveries on a page.
const MOST: usize = 20;

/// The periods that can be sent again: the word, the name, and the length in seconds.
const PERIODS: [(&str, &str, i64); 3] = [
    ("hour", "The last hour", 60 * 60),
    ("day", "The last 24 hours", 24 * 60 * 60),
    ("week", "The last 7 days", 7 * 24 * 60 * 60),
];

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 8] = [
    ("created", "The webhook is added, and a test is on its way."),
    ("saved", "Saved."),
    ("tested", "A test is on its way. Load this page again to see what comes back."),
    ("off", "The webhook is switched off."),
    ("on", "The webhook is switched on."),
    ("again", "It is sent again. Load this page again to see what comes back."),
    ("replayed", "Everything since then is sent again, in order."),
    ("nothing", "There is nothing to send again: nothing was sent since then, or it is waiting to be sent already."),
];

/// The sentence for a delivery that is not in the log.
const GONE: &str = "This delivery is not kept any more.";

/// The events that a replay sends.
#[derive(Deserialize)]
struct Replayed {
    events: i64,
}

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, (at, id): (At<'_>, &str)) -> Result<Shown> {
    let hook = Hook::find(guest, (at, id)).await?;
    let of = Holder::find(guest, at).await?;
    let Some(form) = &guest.visit.form else { return show(guest, (at, of), hook, Problem::default()).await };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    match carry_out(guest, (at, id), form).await {
        Ok(Ok(done)) => Ok(guest.see(&hook.path(of.at()), done)),
        Ok(Err(problem)) => show(guest, (at, of), hook, problem).await,
        Err(error) => show(guest, (at, of), hook, Problem { field: "", ..Problem::of(error)? }).await,
    }
}

/// Does what a form asks for, and returns the word for it.
async fn carry_out(
    guest: &Guest<'_>,
    (at, id): (At<'_>, &str),
    form: &Form,
) -> Result<std::result::Result<&'static str, Problem>> {
    let call = async |operations: [&'static str; 2], fields: Map<String, Value>| {
        let (operation, path) = at.operation(operations, &[("hook_id", id)]);
        guest.call::<Value>(operation, &path, fields).await
    };
    let switch = |on: bool| body([("active", on.into())]);
    let done = match form.get("do") {
        "test" => call(["orgs.pingWebhook", "enterpriseAdmin.pingGlobalWebhook"], body([])).await.map(|_| "tested")?,
        "off" => call(UPDATE, switch(false)).await.map(|_| "off")?,
        "on" => call(UPDATE, switch(true)).await.map(|_| "on")?,
        "replay" => match since(guest, form) {
            Ok(since) => {
                let operations = ["orgs.replayWebhookDeliveries", "administration.replayHook"];
                let (operation, path) = at.operation(operations, &[("hook_id", id)]);
                let Replayed { events } = guest.call(operation, &path, since).await?;
                if events > 0 { "replayed" } else { "nothing" }
            }
            Err(problem) => return Ok(Err(problem)),
        },
        "" => match redeliver(guest, (at, id), form.get("again")).await {
            Ok(done) => done,
            Err(Error::NotFound) => return Ok(Err(Problem::at("", GONE))),
            Err(error) => return Err(error),
        },
        _ => return Err(Error::NotFound),
    };
    Ok(Ok(done))
}

/// Sends a delivery again, and returns the word for that.
pub(super) async fn redeliver(guest: &Guest<'_>, (at, id): (At<'_>, &str), delivery: &str) -> Result<&'static str> {
    let operations = ["orgs.redeliverWebhookDelivery", "administration.redeliverHook"];
    let (operation, path) = at.operation(operations, &[("hook_id", id), ("delivery_id", delivery)]);
    guest.call::<Value>(operation, &path, body([])).await.map(|_| "again")
}

/// The start of a replay: a delivery, or a period.
fn since(guest: &Guest<'_>, form: &Form) -> std::result::Result<Map<String, Value>, Problem> {
    if form.has("delivery") {
        let delivery: i64 = form.get("delivery").parse().map_err(|_| Problem::at("", GONE))?;
        return Ok(body([("since_delivery", delivery.into())]));
    }
    let period = PERIODS.iter().find(|(word, ..)| *word == form.get("period"));
    let (.., seconds) = period.ok_or_else(|| Problem::at("period", "Choose a period."))?;
    Ok(body([("since", guest.service.now().plus_seconds(-seconds).to_string().into())]))
}

async fn show(guest: &Guest<'_>, (at, of): (At<'_>, Holder), hook: Hook, problem: Problem) -> Result<Shown> {
    let before = guest.query("before").parse().ok().filter(|id: &i64| *id > 0);
    let mut list = Delivery::list(guest, at, hook.id, (before, MOST + 1)).await?;
    let has_more = list.len() > MOST;
    list.truncate(MOST);
    let older = list.last().map(|last| last.id).filter(|_| has_more);
    let done = if problem.is_none() { guest.done(&DONE) } else { "" };
    let (frame, status, is_later) = (guest.frame()?, problem.status(), before.is_some());
    let mut room = Room { frame, of, hook, problem, done, list, is_later, older, replays: false };
    if let Some(first) = room.failed().last().map(|first| first.id).filter(|_| room.hook.active) {
        let id = room.hook.id.to_string();
        let (operation, path) = at.operation(["rooms.replay", "administration.replay"], &[("hook_id", &id)]);
        let Replayable { sends } = guest.call(operation, &path, body([("since_delivery", first.into())])).await?;
        room.replays = sends;
    }
    Shown::of(status, &room)
}

#[derive(Template)]
#[template(path = "hooks/room.html")]
struct Room {
    frame: Frame,
    of: Holder,
    hook: Hook,
    problem: Problem,
    /// A sentence about what was just done; empty if nothing was.
    done: &'static str,
    list: Vec<Delivery>,
    /// True if the page is not the first one.
    is_later: bool,
    /// The delivery before which the next page begins, if there is one.
    older: Option<i64>,
    /// True if what failed does not all wait to be sent already.
    replays: bool,
}

impl Room {
    /// The newest deliveries that failed, without one that was accepted between them.
    fn failed(&self) -> Vec<&Delivery> {
        let newest = self.list.iter().filter(|_| !self.is_later);
        newest.take_while(|delivery| !delivery.is_accepted()).collect()
    }
}
