//! The inbox of a person: the discussions that they were notified of, by organization (decision 37).

use askama::Template;
use serde_json::Value;

use super::guest::{Guest, Listed, body};
use super::layout::{Frame, Shown};
use super::thread::Thread;
use crate::error::{Error, Result};
use crate::notices::muted::{Muted, Parts};

/// The path below `/ui`.
const AT: &str = "/notifications";

/// The parts, by the word in the query, each with its name.
const PARTS: [(&str, &str); 4] =
    [("", "Unread"), ("all", "Everything"), ("mentions", "Taking part"), ("muted", "Muted")];

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 4] = [
    ("read", "Everything is read."),
    ("finished", "Done. It comes back when something new happens there."),
    ("muted", "Muted. Nothing of it comes here any more. You find it under Muted."),
    ("unmuted", "No longer muted. What is new there comes here again."),
];

/// The number of discussions on a page.
const MOST: u64 = 30;

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
        "unmute" => {
            let path = ["org", "team_slug", "discussion_number"].map(|name| (name, form.get(name)));
            let choice = body([("choice", "default".into())]);
            guest.call::<Value>("discussions.choose", &path, choice).await.map(|_| "unmuted")
        }
        _ => Err(Error::NotFound),
    };
    Ok(guest.see(AT, done?))
}

async fn show(guest: &Guest<'_>) -> Result<Shown> {
    let part = guest.query("part");
    let part = PARTS.iter().find(|(word, _)| *word == part).map_or("", |(word, _)| word);
    let counts: Parts = guest.call("inbox.count", &[], body([])).await?;
    let (frame, done) = (guest.frame()?, guest.done(&DONE));
    let tabs = tabs(part, frame.unread, &counts);
    if part == "muted" {
        let list = guest.list("inbox.listMuted", &[], body([]), guest.page(MOST)).await?;
        return Shown::of(200, &MutedPosts { frame, tabs, list, done });
    }
    let fields = body([("all", (part == "all").into()), ("participating", (part == "mentions").into())]);
    let list = Thread::list(guest, fields, guest.page(MOST)).await?;
    Shown::of(200, &Inbox { until: frame.now.to_string(), frame, part, tabs, list, done })
}

/// The number of unread discussions alone, for the script that keeps it fresh.
pub(super) fn count(guest: &Guest<'_>) -> Result<Shown> {
    Shown::of(200, &Unread { frame: guest.frame()? })
}

/// A part of the inbox in its navigation.
struct Tab {
    word: &'static str,
    name: &'static str,
    /// The number of discussions in it; 0 to show none.
    count: i64,
    is_current: bool,
}

fn tabs(part: &str, unread: u64, counts: &Parts) -> [Tab; PARTS.len()] {
    PARTS.map(|(word, name)| {
        let count = match word {
            "" => i64::try_from(unread).unwrap_or_default(),
            "mentions" => counts.taking_part,
            "muted" => counts.muted,
            _ => 0,
        };
        Tab { word, name, count, is_current: word == part }
    })
}

#[derive(Template)]
#[template(path = "inbox/count.html")]
struct Unread {
    frame: Frame,
}

#[derive(Template)]
#[template(path = "inbox/muted.html")]
struct MutedPosts<'a> {
    frame: Frame,
    tabs: [Tab; PARTS.len()],
    list: Listed<Muted>,
    /// A sentence about what was just done; empty if nothing was.
    done: &'a str,
}

#[derive(Template)]
#[template(path = "inbox/list.html")]
struct Inbox<'a> {
    frame: Frame,
    /// The time of the visit: what comes later stays unread.
    until: String,
    part: &'a str,
    tabs: [Tab; PARTS.len()],
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
