//! What all pages have in common.

use askama::Template;

use super::assets::STYLE;
use crate::error::{Error, Result};

/// A page as it is answered.
#[derive(Debug)]
pub struct Shown {
    /// The status.
    pub status: u16,
    /// The HTML.
    pub html: String,
    /// The `Set-Cookie` header.
    pub cookie: Option<String>,
}

impl Shown {
    /// A page with this status.
    pub(super) fn of(status: u16, page: &impl Template) -> Result<Self> {
        let html = page.render().map_err(|error| Error::Bug(error.to_string()))?;
        Ok(Self { status, html, cookie: None })
    }

    /// A page that only says something.
    pub(super) fn message(status: u16, title: &str, texts: &[&str]) -> Result<Self> {
        Self::of(status, &Message { style: style(), title, texts })
    }
}

/// The name of the style sheet.
pub(super) fn style() -> &'static str {
    &STYLE.name
}

#[derive(Template)]
#[template(path = "message.html")]
struct Message<'a> {
    style: &'static str,
    title: &'a str,
    texts: &'a [&'a str],
}
