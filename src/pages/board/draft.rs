//! A text that is being written: what was typed, its preview, and what is wrong with it.

use askama::Template;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::At;
use crate::error::{Error, Result};
use crate::notices::reader::Reader;
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::plain::{self, MAY_NOT};
use crate::pages::problem::Problem;
use crate::posts::preview::Previewed;

/// The reason for a text whose place is not found.
const GONE: &str = "What it belongs to is gone, or you may no longer see it.";

/// The fields of a form, and what comes back with them.
#[derive(Default)]
pub(super) struct Draft {
    pub title: String,
    pub body: String,
    pub private: bool,
    /// The version of the text that is being changed.
    pub version: String,
    pub problem: Problem,
    /// The text as safe HTML, if it is previewed.
    pub preview: Option<String>,
}

impl Draft {
    /// The fields that were typed. Browsers send lines that end with two characters, and texts are stored with one.
    pub fn typed(form: &Form) -> Self {
        Self {
            title: form.get("title").to_owned(),
            body: form.get("body").replace("\r\n", "\n"),
            private: form.get("private") == "yes",
            version: form.get("version").to_owned(),
            ..Self::default()
        }
    }

    /// The same with its preview, or with what is wrong with the text.
    pub async fn previewed(self, at: &At<'_>) -> Result<Self> {
        let fields = body([("body", self.body.clone().into())]);
        match at.guest.call::<Previewed>("posts.preview", &[], fields).await {
            Ok(previewed) => Ok(Self { preview: Some(previewed.html), ..self }),
            Err(error) => Ok(Self { problem: Problem::of(error)?, ..self }),
        }
    }

    /// Writes the text with this operation, or returns it with what is wrong with it.
    pub async fn write<T: DeserializeOwned>(
        self,
        guest: &Guest<'_>,
        operation: &str,
        path: &[(&str, &str)],
        fields: Map<String, Value>,
    ) -> Result<std::result::Result<T, Self>> {
        match guest.call(operation, path, fields).await {
            Ok(record) => Ok(Ok(record)),
            Err(error) => Ok(Err(Self { problem: Problem::of(error)?, ..self })),
        }
    }

    /// The page that gives the text back because it cannot be written there, or another error.
    pub fn given_back(&self, guest: &Guest<'_>, error: Error) -> Result<Shown> {
        let (status, why, wait) = match error {
            Error::NotFound | Error::Absent(_) => (404, GONE.to_owned(), None),
            Error::Forbidden(why) => (403, plain::sentence(&why, MAY_NOT), None),
            Error::Abuse { retry_after } => {
                let minutes = retry_after.div_ceil(60).max(1);
                let why = format!("You have written a lot in a short time. Try again in {minutes} min.");
                (429, why, Some(retry_after))
            }
            other => return Err(other),
        };
        let shown = Shown::of(status, &Unsaved { frame: guest.frame()?, why: &why, draft: self })?;
        Ok(Shown { wait, ..shown })
    }
}

/// The page that gives back a text that could not be saved.
#[derive(Template)]
#[template(path = "board/unsaved.html")]
struct Unsaved<'a> {
    frame: Frame,
    why: &'a str,
    draft: &'a Draft,
}

impl At<'_> {
    /// A discussion as the visitor sees it, with the comments from one number to another.
    pub async fn reader(&self, number: &str, [first, last]: [i64; 2]) -> Result<Reader> {
        let fields = body([("first", first.into()), ("last", last.into())]);
        self.guest.call("discussions.look", &self.post_path(number), fields).await
    }

    /// True if the visitor wrote this a moment ago: it was sent twice.
    pub fn is_repeated(&self, by: Option<&str>, created_at: crate::clock::Time) -> bool {
        by == Some(self.me()) && created_at.plus_seconds(60) >= self.guest.service.now()
    }
}
