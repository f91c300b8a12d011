//! The documentation: contents with an anchor for each operation, which `documentation_url` names, a page for each
//! operation, one of errors, and one for people who use the pages (decision 53).
//!
//! Everyone gets the same, so it needs no session, counts in no limit, and works while the database does not.

mod contents;
mod errors;
mod operation;
mod using;

use std::sync::OnceLock;

use askama::Template;
use hyper::header::{self, HeaderMap, HeaderValue};
use pulldown_cmark::{Options, Parser};

use super::compression::{self, Document};
use super::response::Answer;
use crate::error::{Error, Result};
use crate::pages::{SCRIPT, STYLE};

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// The links that every page of the documentation has, relative to the page.
struct Links {
    /// The beginning of paths that stand beside the contents.
    beside: &'static str,
}

impl Links {
    const OF_CONTENTS: Self = Self { beside: "" };
    const OF_PAGE: Self = Self { beside: "../" };

    fn style(&self) -> String {
        format!("{}assets/{}", self.beside, STYLE.name)
    }

    fn script(&self) -> String {
        format!("{}assets/{}", self.beside, SCRIPT.name)
    }
}

/// The page below the contents of this name, or the contents. None if there is none.
pub(super) fn documentation(below: &str, query: Option<&str>, sent: &HeaderMap, answer: Answer) -> Option<Answer> {
    static CONTENTS: OnceLock<Option<Document>> = OnceLock::new();
    let typed = query.and_then(contents::typed).unwrap_or_default();
    let mut answer = answer;
    answer.headers.spell_out();
    answer.headers.insert(header::CONTENT_TYPE, HTML);
    answer.body = match below.strip_prefix('/') {
        None if below.is_empty() && typed.is_empty() => {
            let contents = CONTENTS.get_or_init(|| Some(Document::new(contents::page("").ok()?)));
            contents.as_ref()?.body(sent, &mut answer.headers)
        }
        None if below.is_empty() => compression::page(contents::page(&typed).ok()?, sent, &mut answer.headers),
        Some("errors") => compression::page(errors::page().ok()?, sent, &mut answer.headers),
        Some("using") => compression::page(using::page().ok()?, sent, &mut answer.headers),
        name => compression::page(operation::page(name?)?.ok()?, sent, &mut answer.headers),
    };
    Some(answer)
}

fn rendered(page: &impl Template) -> Result<String> {
    page.render().map_err(|error| Error::Bug(error.to_string()))
}

/// Our own Markdown as HTML. Tables scroll inside themselves.
fn html(markdown: &str) -> String {
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, Parser::new_ext(markdown, Options::ENABLE_TABLES));
    html.replace("<table>", "<div class=\"wide\" tabindex=\"0\"><table>").replace("</table>", "</table></div>")
}

/// A line of Markdown as HTML within a paragraph.
fn line(markdown: &str) -> String {
    html(markdown).trim().trim_start_matches("<p>").trim_end_matches("</p>").to_owned()
}
