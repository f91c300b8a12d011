//! The pages for errors.

use askama::Template;

use super::admin::tokens;
use super::form::Form;
use super::guest::Guest;
use super::layout::{Frame, Shown};
use super::plain::{self, FAILED, MAY_NOT};
use crate::error::{Error, Result};

/// The rest of the sentence about a form that no page has.
const LARGE: &str = " No form here needs that much. Nothing was saved. Go back in your browser: what you wrote is still in \
                     the form.";

/// The fields for secrets.
const SECRETS: [&str; 2] = ["secret", "token"];

/// The fields for texts, which may have one word.
const TEXTS: [&str; 7] = ["body", "description", "message", "name", "note", "reason", "title"];

/// An error as the page of it needs it.
#[derive(Debug)]
pub struct Refusal<'a> {
    /// The error.
    pub error: &'a Error,
    /// The status that the API has for it.
    pub status: u16,
    /// The message that the API has for it.
    pub message: &'a str,
    /// Seconds until trying again makes sense.
    pub wait: Option<u32>,
}

impl Guest<'_> {
    /// The page for an error.
    pub fn refused(&self, refusal: &Refusal<'_>) -> Result<Shown> {
        let frame = self.frame()?;
        let minutes = refusal.wait.unwrap_or_default().div_ceil(60);
        let (status, unsent) = (refusal.status, self.unsent());
        let otherwise = if status == 403 { MAY_NOT } else { FAILED };
        let message = &plain::sentence(refusal.message, otherwise);
        let shown = match (refusal.error, status) {
            (Error::RateLimited { .. } | Error::Abuse { .. }, _) => Shown::of(429, &TooMany { frame, minutes, unsent }),
            (_, 404) => Shown::of(404, &NotFound { frame }),
            (_, 503) => Shown::of(503, &Unavailable { frame, id: self.visit.id.as_str(), unsent }),
            (Error::TooLarge(_), _) => {
                let message = [message, LARGE].concat();
                Shown::of(status, &Other { frame, message: &message, id: self.visit.id.as_str(), unsent: None })
            }
            (_, 403) => Shown::of(403, &Forbidden { frame, message }),
            _ => {
                let unsent = unsent.filter(|_| status >= 500);
                Shown::of(status, &Other { frame, message, id: self.visit.id.as_str(), unsent })
            }
        };
        shown.map(|shown| self.with_cookie(Shown { wait: refusal.wait, ..shown }))
    }

    /// The form that was refused, to be sent again. What signs a person in is not shown again, and no token that was found.
    fn unsent(&self) -> Option<Unsent<'_>> {
        let form = self.sent().filter(|_| self.visit.path.starts_with("/ui") && self.visit.path != tokens::LIST)?;
        Some(Unsent { form, to: self.visit.target(), code: form.get("form").to_owned() })
    }

    /// The page for a form that was about something with another name now, to be sent to this page with this query.
    pub(super) fn renamed(&self, page: &str, query: &str) -> Result<Shown> {
        let text =
            "What you sent is about something that was renamed after you opened its page. Nothing has changed yet.";
        let unsent = self.unsent().ok_or(Error::NotFound)?;
        let to = [self.visit.links.prefix(), page, query].concat();
        self.give_back(422, "This has a new name", text, Unsent { to, code: self.code(page)?, ..unsent })
    }

    /// The page that keeps what a person wrote in a form without a code that is valid now, which nothing was done with.
    /// None if they wrote nothing.
    pub(super) fn unusable(&self, page: &str, title: &str, text: &str) -> Result<Option<Shown>> {
        let is_written = |unsent: &Unsent<'_>| unsent.fields().any(|(name, value)| Unsent::is_written(name, value));
        let Some(unsent) = self.unsent().filter(is_written) else { return Ok(None) };
        self.give_back(403, title, text, Unsent { code: self.code(page)?, ..unsent }).map(Some)
    }

    fn give_back(&self, status: u16, title: &str, text: &str, unsent: Unsent<'_>) -> Result<Shown> {
        Shown::of(status, &Kept { frame: self.frame()?, title, text, unsent: Some(unsent) })
    }
}

/// A form that was not carried out, as the person sent it.
struct Unsent<'a> {
    form: &'a Form,
    /// The path and the query on the host to which it is sent.
    to: String,
    /// Its code.
    code: String,
}

impl Unsent<'_> {
    /// The fields that come back. A secret is typed again.
    fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.fields().filter(|(name, _)| !SECRETS.contains(name))
    }

    /// True if a person wrote this value, who wants to see it again.
    fn is_written(name: &str, value: &str) -> bool {
        let text = value.trim();
        let is_text = TEXTS.contains(&name) || !text.is_ascii() || text.contains(char::is_whitespace);
        is_text && !text.is_empty()
    }

    /// The name of a field, for the person who wrote into it.
    fn called(name: &str) -> &'static str {
        match name {
            "title" => "Title",
            "body" => "Text",
            "description" => "Description",
            "message" => "Message",
            "name" => "Name",
            "note" => "Note",
            "reason" => "Reason",
            _ => "What you wrote",
        }
    }
}

#[derive(Template)]
#[template(path = "error/kept.html")]
struct Kept<'a> {
    frame: Frame,
    title: &'a str,
    text: &'a str,
    unsent: Option<Unsent<'a>>,
}

#[derive(Template)]
#[template(path = "error/403.html")]
struct Forbidden<'a> {
    frame: Frame,
    message: &'a str,
}

#[derive(Template)]
#[template(path = "error/404.html")]
struct NotFound {
    frame: Frame,
}

#[derive(Template)]
#[template(path = "error/429.html")]
struct TooMany<'a> {
    frame: Frame,
    minutes: u32,
    unsent: Option<Unsent<'a>>,
}

#[derive(Template)]
#[template(path = "error/503.html")]
struct Unavailable<'a> {
    frame: Frame,
    id: &'a str,
    unsent: Option<Unsent<'a>>,
}

#[derive(Template)]
#[template(path = "error/other.html")]
struct Other<'a> {
    frame: Frame,
    message: &'a str,
    id: &'a str,
    unsent: Option<Unsent<'a>>,
}
