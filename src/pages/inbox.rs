//! The inbox of a person: the discussions that they were notified of, by organization (decision 37).

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

use super::guest::{Guest, Listed, body};
use super::layout::{Frame, Shown};
use crate::clock::Time;
use crate::error::{Error, Result};

/// The path below `/ui`.
const AT: &str = "/notifications";

/// The parts, by the word in the query, each with its name.
const PARTS: [(&str, &str); 3] = [("", "Unread"), ("all", "Everything"), ("mentions", "Taking part")];

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 3] = [
    ("read", "Everything is read."),
    ("finished", "Done. It comes back when something new happens there."),
    ("muted", "Muted. It comes back only when you are mentioned."),
];

/// The number of discussions on a page.
const MOST: u64 = 50;

/// A discussion that the person was notified of.
#[derive(Deserialize)]
struct Thread {
    id: String,
    organization: Organization,
    team: Team,
    subject: Subject,
    reason: String,
    unread: bool,
    updated_at: Time,
}

#[derive(Deserialize)]
struct Organization {
    login: String,
}

#[derive(Deserialize)]
struct Team {
    name: String,
    slug: String,
}

#[derive(Deserialize)]
struct Subject {
    title: String,
    url: String,
}

impl Thread {
    /// The number of the discussion.
    fn number(&self) -> &str {
        self.subject.url.rsplit('/').next().unwrap_or_default()
    }

    /// The reason why it is here.
    fn why(&self) -> &'static str {
        match self.reason.as_str() {
            "author" => "You wrote it",
            "comment" => "You took part",
            "manual" => "You asked to be told",
            "mention" => "Mentions you",
            _ => "You are on this team, or on one below it",
        }
    }
}

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else { return show(guest).await };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    let thread = &[("thread_id", form.get("thread"))];
    let done = match form.get("do") {
        "read-all" => {
            let until = body([("last_read_at", form.get("until").into())]);
            guest.call::<Value>("activity.markNotificationsAsRead", &[], until).await.map(|_| "read")
        }
        "finish" => guest.call::<Value>("activity.markThreadAsDone", thread, body([])).await.map(|_| "finished"),
        "mute" => {
            let ignored = body([("ignored", true.into())]);
            guest.call::<Value>("activity.setThreadSubscription", thread, ignored).await?;
            guest.call::<Value>("activity.markThreadAsDone", thread, body([])).await.map(|_| "muted")
        }
        _ => Err(Error::NotFound),
    };
    Ok(guest.see(AT, done?))
}

async fn show(guest: &Guest<'_>) -> Result<Shown> {
    let part = guest.query("part");
    let part = PARTS.iter().find(|(word, _)| *word == part).map_or("", |(word, _)| word);
    let fields = body([("all", (part == "all").into()), ("participating", (part == "mentions").into())]);
    let list = guest.list("activity.listNotificationsForAuthenticatedUser", &[], fields, guest.page(MOST)).await?;
    let frame = guest.frame()?;
    Shown::of(200, &Inbox { until: frame.now.to_string(), frame, part, list, done: guest.done(&DONE) })
}

#[derive(Template)]
#[template(path = "inbox.html")]
struct Inbox<'a> {
    frame: Frame,
    /// The time of the visit: what comes later stays unread.
    until: String,
    part: &'a str,
    list: Listed<Thread>,
    /// A sentence about what was just done; empty if nothing was.
    done: &'a str,
}

impl Inbox<'_> {
    /// The discussions by organization, in the order of the newest of each.
    fn rooms(&self) -> Vec<(&str, Vec<&Thread>)> {
        let mut rooms: Vec<(&str, Vec<&Thread>)> = Vec::new();
        for thread in &self.list.items {
            let org = thread.organization.login.as_str();
            match rooms.iter_mut().find(|(login, _)| *login == org) {
                Some((_, threads)) => threads.push(thread),
                None => rooms.push((org, vec![thread])),
            }
        }
        rooms
    }

    /// The part of the query that keeps the part.
    fn kept(&self) -> String {
        if self.part.is_empty() { String::new() } else { format!("part={}&", self.part) }
    }
}
