//! The page for people: what they find on the pages, and who sees what.

use askama::Template;

use super::{Links, html, rendered};
use crate::error::Result;

const TEXT: &str = include_str!("using.md");

#[derive(Template)]
#[template(path = "docs/using.html")]
struct Using {
    links: Links,
    /// The parts of the text: anchor and title.
    parts: Vec<(&'static str, &'static str)>,
    text: String,
}

/// The page.
pub(super) fn page() -> Result<String> {
    rendered(&Using { links: Links::OF_PAGE, parts: parts(TEXT), text: html(TEXT) })
}

/// The anchors and titles of a text, from its headings.
pub(super) fn parts(text: &'static str) -> Vec<(&'static str, &'static str)> {
    let headings = text.lines().filter_map(|line| line.strip_prefix("## <a id=\""));
    headings.filter_map(|heading| heading.split_once("\"></a>")).collect()
}
