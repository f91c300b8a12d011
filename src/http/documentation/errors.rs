//! The page of errors: the response to each kind of refusal.

use askama::Template;

use super::{Links, rendered};
use crate::error::Result;
use crate::http::openapi::examples::{self, Refusal};

#[derive(Template)]
#[template(path = "docs/errors.html")]
struct Errors {
    links: Links,
    /// The refusals, each with true if it is the first with its status.
    refusals: Vec<(&'static Refusal, bool)>,
}

/// The page.
pub(super) fn page() -> Result<String> {
    let mut before = 0;
    let is_first = |refusal: &'static Refusal| {
        let is_first = refusal.status != before;
        before = refusal.status;
        (refusal, is_first)
    };
    rendered(&Errors { links: Links::OF_PAGE, refusals: examples::refusals().map(is_first).collect() })
}
