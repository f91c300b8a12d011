//! The layout that all pages share.

use askama::Template;

use super::lines;
use super::when::relative;
use crate::clock::Time;
use crate::error::{Error, Result};

/// A page as a response.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// The status.
    pub status: u16,
    /// The HTML, or the text of the file.
    pub html: String,
    /// The `Set-Cookie` header.
    pub cookie: Option<String>,
    /// The `Location` header.
    pub location: Option<String>,
    /// The methods that the page has, for a request with another one.
    pub allow: Option<&'static str>,
    /// Seconds until trying again makes sense.
    pub wait: Option<u32>,
    /// The source outside of this site to which its form may lead.
    pub source: Option<String>,
    /// The media type and the name of a file that is downloaded instead of a page.
    pub file: Option<(&'static str, String)>,
    /// True if it may be compressed, because it shows no secret (docs/decisions/0042).
    pub compresses: bool,
}

impl Shown {
    /// A page with this status.
    pub(super) fn of(status: u16, page: &impl Template) -> Result<Self> {
        let html = page.render().map_err(|error| Error::Bug(error.to_string()))?;
        let html = lines::cut(html);
        Ok(Self { status, html, ..Self::default() })
    }

    /// A file to download, with its media type and its name.
    pub(super) fn file(text: String, media: &'static str, name: String) -> Self {
        Self { status: 200, html: text, file: Some((media, name)), ..Self::default() }
    }

    /// The response to a form: a redirect to the page at this path on the host, which shows the result, or to an
    /// application.
    #[must_use]
    pub fn see(path: String) -> Self {
        Self { status: 303, location: Some(path), ..Self::default() }
    }
}

/// The surroundings of every page.
pub(super) struct Frame {
    /// The path of the style sheet.
    pub style: String,
    /// The path of the script.
    pub script: String,
    /// The beginning of paths on the host.
    pub base: String,
    /// The path of the page on the host, to which its forms are sent.
    pub here: String,
    /// The code of its forms.
    pub form: String,
    /// The login of the visitor, if they are signed in.
    pub login: Option<String>,
    /// True if the visitor administers the site.
    pub administers: bool,
    /// The number of unread discussions in their inbox.
    pub unread: u64,
    /// The code of the form that signs out; empty for a signed-out visitor.
    pub code: String,
    /// The site administrator who acts as the visitor, and the code of the form that stops it.
    pub impersonator: Option<(String, String)>,
    /// The version of the program.
    pub version: &'static str,
    /// The time of the visit.
    pub now: Time,
}

impl Frame {
    /// A time as the page says it.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates pass references")]
    pub fn ago(&self, at: &Time) -> String {
        relative(*at, self.now)
    }
}
