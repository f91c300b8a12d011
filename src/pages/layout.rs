//! The layout that all pages share.

use askama::Template;

use super::assets::STYLE;
use crate::error::{Error, Result};
use crate::links::Links;

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
    /// The source outside of this site to which its form may lead.
    pub source: Option<String>,
}

impl Shown {
    /// A page with this status.
    pub(super) fn of(status: u16, page: &impl Template) -> Result<Self> {
        let html = page.render().map_err(|error| Error::Bug(error.to_string()))?;
        Ok(Self { status, html, cookie: None, location: None, source: None })
    }

    /// The response to a form: a redirect to the page at this path on the host, which shows the result, or to an
    /// application.
    #[must_use]
    pub fn see(path: String) -> Self {
        Self { status: 303, html: String::new(), cookie: None, location: Some(path), source: None }
    }
}

/// The surroundings of every page.
pub(super) struct Frame {
    /// The URL of the style sheet.
    pub style: String,
    /// The beginning of paths on the host.
    pub base: String,
    /// The login of the visitor, if they are signed in.
    pub login: Option<String>,
    /// The code of the form that signs out; empty for a signed-out visitor.
    pub code: String,
    /// The site administrator who acts as the visitor, and the code of the form that stops it.
    pub impersonator: Option<(String, String)>,
    /// The version of the program.
    pub version: &'static str,
}

impl Frame {
    pub fn new(links: &Links, login: Option<String>, code: String, impersonator: Option<(String, String)>) -> Self {
        let style = links.html_path(&format!("/assets/{}", STYLE.name));
        Self { style, base: links.prefix().to_owned(), login, code, impersonator, version: env!("CARGO_PKG_VERSION") }
    }
}
