//! The layout that all pages share.

use askama::Template;

use super::assets::STYLE;
use super::visit::Visit;
use crate::error::{Error, Result};

/// A page as a response.
#[derive(Debug)]
pub struct Shown {
    /// The status.
    pub status: u16,
    /// The HTML.
    pub html: String,
    /// The `Set-Cookie` header.
    pub cookie: Option<String>,
    /// The `Location` header.
    pub location: Option<String>,
}

impl Shown {
    /// A page with this status.
    pub(super) fn of(status: u16, page: &impl Template) -> Result<Self> {
        let html = page.render().map_err(|error| Error::Bug(error.to_string()))?;
        Ok(Self { status, html, cookie: None, location: None })
    }

    /// A page that only shows a message.
    pub(super) fn message(visit: &Visit, status: u16, title: &str, texts: &[&str]) -> Result<Self> {
        Self::of(status, &Message { style: style(visit), title, texts })
    }

    /// The response to a form: a redirect to the page at this path below `/ui`, which shows the result.
    pub(super) fn see(visit: &Visit, path: &str) -> Self {
        Self { status: 303, html: String::new(), cookie: None, location: Some(visit.links.html_path(path)) }
    }
}

/// The URL of the style sheet.
pub(super) fn style(visit: &Visit) -> String {
    visit.links.html_path(&format!("/assets/{}", STYLE.name))
}

#[derive(Template)]
#[template(path = "message.html")]
struct Message<'a> {
    style: String,
    title: &'a str,
    texts: &'a [&'a str],
}
