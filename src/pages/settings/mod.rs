//! The settings of a person, one room for each part.

mod application;
mod applications;
mod emails;
mod notifications;
mod profile;
mod provider;
mod registering;
mod sessions;
mod tokens;

use askama::Template;

use super::guest::Guest;
use super::layout::{Frame, Shown};
use super::problem::Problem;
use crate::error::{Error, Result};

/// Answers a visit to the room at this path below the settings.
pub(super) async fn answer(guest: &Guest<'_>, below: &[&str]) -> Result<Shown> {
    match below {
        [] => profile::answer(guest).await,
        ["emails"] => emails::answer(guest).await,
        ["sessions"] => sessions::answer(guest).await,
        ["tokens"] => tokens::answer(guest).await,
        ["applications"] => applications::answer(guest).await,
        ["applications", "new"] => registering::answer(guest).await,
        ["applications", "registered", client_id] => application::answer(guest, client_id).await,
        ["notifications"] => notifications::answer(guest).await,
        ["provider"] => provider::answer(guest).await,
        _ => Err(Error::NotFound),
    }
}

/// The sentences of a room after a form, by the word in the query.
const DONE: [(&str, &str); 14] = [
    ("saved", "Saved."),
    ("ended", "That session has ended."),
    ("added", "Added. Open the link in the e-mail to verify the address."),
    ("again", "Sent. Open the link in the newest e-mail to verify the address."),
    ("removed", "Address removed."),
    ("primary", "E-mails now go to your new main address. Only you see it."),
    ("public", "Everyone now sees your main address."),
    ("private", "Only you see your main address now."),
    ("revoked", "Token revoked."),
    ("forgotten", "The application no longer acts for you."),
    ("unkeyed", "Secret removed."),
    ("deleted", "Application deleted."),
    ("connected", "Your account is connected."),
    ("disconnected", "Your account is not connected any more."),
];

/// The part that all rooms show.
struct Room {
    /// The code of its forms.
    code: String,
    /// Its path below the settings.
    at: &'static str,
    /// The sentence about what was just done; empty if nothing was.
    done: &'static str,
    /// The problem of what was sent.
    problem: Option<Problem>,
    /// True if people may sign in at an identity provider.
    has_provider: bool,
}

impl Room {
    /// The rest of the path of each, and the name.
    const ALL: [(&str, &str); 7] = [
        ("", "Profile"),
        ("/emails", "E-mail addresses"),
        ("/sessions", "Sessions"),
        ("/tokens", "Tokens"),
        (applications::AT, "Applications"),
        ("/notifications", "Notifications"),
        (provider::AT, "Identity provider"),
    ];

    fn new(guest: &Guest<'_>, at: &'static str, problem: Option<Problem>) -> Result<Self> {
        let (code, has_provider) = (guest.code(&page(at))?, guest.provider.is_some());
        Ok(Self { code, at, done: guest.done(&DONE), problem, has_provider })
    }

    /// The rooms that there are for everyone here.
    fn rooms(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let has_provider = self.has_provider;
        Self::ALL.into_iter().filter(move |(at, _)| has_provider || *at != provider::AT)
    }

    /// The status of its page.
    fn status(&self) -> u16 {
        if self.problem.is_some() { 422 } else { 200 }
    }

    /// Its name.
    fn name(&self) -> &'static str {
        Self::ALL.iter().find(|(at, _)| *at == self.at).map_or("", |(_, name)| name)
    }

    /// The message about a field; empty if nothing is wrong with it.
    fn wrong(&self, field: &str) -> &str {
        self.problem.as_ref().map_or("", |problem| problem.text_at(field))
    }
}

/// The name of a room in the codes of its forms.
fn page(at: &str) -> String {
    ["/ui/settings", at].concat()
}

/// The redirect to a room, which shows what was done.
fn see(guest: &Guest<'_>, at: &str, done: &str) -> Shown {
    Shown::see(guest.visit.links.html_path(&format!("/settings{at}?done={done}")))
}

/// A page that asks before something ends.
#[derive(Template)]
#[template(path = "settings/confirm.html")]
struct Confirm<'a> {
    frame: Frame,
    room: Room,
    /// The path below the settings of the page to which it belongs.
    to: &'a str,
    question: String,
    text: &'a str,
    /// The hidden field that names what ends.
    named: (&'a str, &'a str),
    /// The value of the button, and its text.
    button: (&'a str, String),
}
