//! Simple pages: the `html_url` of a record shows the name and the identifier of a subject that the caller may see, and
//! `documentation_url` shows the operations (decision 1).
//!
//! A page shows the record at the same path of the API, so a caller who may not read the record does not get the page.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::{LazyLock, OnceLock};

use base64::Engine;
use bytes::Bytes;
use http_body_util::{BodyExt, Collected};
use hyper::StatusCode;
use hyper::body::Body;
use hyper::header::{self, HeaderValue};
use pulldown_cmark::{Options, Parser};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::query::decode_segment;
use super::reference;
use super::response::Answer;
use crate::operations::operations;
use crate::pages::STYLE;

/// The path of pages below the base URL.
pub const PREFIX: &str = "/ui";

/// The path of the pages of signing in below the base URL.
const LOGIN: &str = "/login";

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// Nothing is loaded and no script is run. The style is in the page, because a page that a browser has kept must not need
/// the style of an older version.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(STYLE.content));
    let policy = format!("default-src 'none'; style-src 'sha256-{hash}'; frame-ancestors 'none'; base-uri 'none'");
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});

/// True if a path below the base URL is for people.
pub(super) fn is_page(path: &str) -> bool {
    let below = |prefix| path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    below(PREFIX) || below(LOGIN)
}

/// The page that a path below the prefix names.
#[derive(Debug, PartialEq, Eq)]
pub enum Page<'a> {
    /// The documentation of the operations.
    Documentation,
    /// The picture of the account with this login.
    Avatar(Cow<'a, str>),
    /// The record at this path of the API.
    Record(Cow<'a, str>),
    /// A project, which pages name by its organization and number.
    Project(&'a str, i64),
}

/// Reads a path below the prefix.
#[must_use]
pub fn page(path: &str) -> Page<'_> {
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    match segments[..] {
        ["docs"] => Page::Documentation,
        ["avatars", login] => Page::Avatar(decode_segment(login).unwrap_or_default()),
        ["orgs", org, "projects", number] => Page::Project(org, number.parse().unwrap_or_default()),
        ["orgs", ..] => Page::Record(Cow::Borrowed(path)),
        [_] => Page::Record(Cow::Owned(["/users", path].concat())),
        _ => Page::Record(Cow::Owned(["/repos", path].concat())),
    }
}

/// The longest record, in bytes: a post whose characters are all escaped. What is longer is a list, which has no page.
const LONGEST: u64 = 1 << 20;

/// A response of the API as a page: a record that has a page, or why there is none.
pub async fn shown(mut answer: Answer) -> Answer {
    let body = std::mem::take(&mut answer.body);
    let is_record = body.size_hint().exact().is_some_and(|length| length <= LONGEST);
    let body = if is_record { body.collect().await.map(Collected::to_bytes) } else { Ok(Bytes::new()) };
    let body = body.unwrap_or_default();
    answer.headers.spell_out();
    answer.headers.insert(header::CONTENT_SECURITY_POLICY, POLICY.clone());
    // A 304 has no body, but its headers replace those that the browser has kept. A redirect leads to the current page.
    if answer.status.is_redirection() {
        return answer;
    }
    let record: Value = serde_json::from_slice(&body).unwrap_or_default();
    let (title, text) = if answer.status != StatusCode::OK {
        (record["message"].as_str().unwrap_or("Not Found").to_owned(), String::new())
    } else if record["html_url"].is_string() {
        (
            name(&record),
            format!("Identifier {}", record["id"].as_i64().or(record["number"].as_i64()).unwrap_or_default()),
        )
    } else {
        answer.status = StatusCode::NOT_FOUND;
        ("Not Found".to_owned(), String::new())
    };
    let mut html = String::new();
    for part in ["<h1>", &escaped(&title), "</h1>\n<p>", &text, "</p>\n"] {
        html.push_str(part);
    }
    answer.body = Bytes::from(document(&title, &html)).into();
    answer.headers.insert(header::CONTENT_TYPE, HTML);
    answer
}

/// The name of a record for people; a comment has only its number.
fn name(record: &Value) -> String {
    let names = ["full_name", "title", "name", "login"].iter().filter_map(|key| record[*key].as_str());
    names
        .into_iter()
        .find(|words| !words.is_empty())
        .map_or_else(|| format!("Comment {}", record["number"]), str::to_owned)
}

/// The documentation of the operations, each at the anchor that `documentation_url` names.
pub fn documentation(mut answer: Answer) -> Answer {
    static PAGE: OnceLock<Bytes> = OnceLock::new();
    let page = PAGE.get_or_init(|| {
        let text = reference::operations(&operations());
        let mut html = String::new();
        pulldown_cmark::html::push_html(&mut html, Parser::new_ext(&text, Options::ENABLE_TABLES));
        let html = html.replace("<table>", "<div class=\"wide\"><table>").replace("</table>", "</table></div>");
        document("Operations", &html).into()
    });
    answer.body = page.clone().into();
    answer.headers.spell_out();
    answer.headers.insert(header::CONTENT_TYPE, HTML);
    answer.headers.insert(header::CONTENT_SECURITY_POLICY, POLICY.clone());
    answer
}

fn document(title: &str, body: &str) -> String {
    let (title, style) = (escaped(title), STYLE.content);
    let mut page = String::with_capacity(body.len() + style.len() + 300);
    // Writing to a `String` cannot fail.
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\"><title>{title} - Guildhall</title>\n<style>{style}</style></head>\n\
         <body>\n<main class=\"text\">\n{body}</main>\n</body>\n</html>\n"
    );
    page
}

/// Escapes text for HTML and SVG.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::{Page, page};

    #[test]
    fn each_address_for_people_has_a_record() {
        for (path, record) in [
            ("/orgs/acme", "/orgs/acme"),
            ("/orgs/acme/teams/core", "/orgs/acme/teams/core"),
            ("/orgs/acme/teams/core/discussions/1/comments/2", "/orgs/acme/teams/core/discussions/1/comments/2"),
            ("/octo", "/users/octo"),
            ("/acme/tool", "/repos/acme/tool"),
        ] {
            assert_eq!(page(path), Page::Record(record.into()));
        }
        assert_eq!(page("/orgs/acme/projects/7"), Page::Project("acme", 7));
        assert_eq!(page("/orgs/acme/projects/x"), Page::Project("acme", 0));
        assert_eq!(page("/docs"), Page::Documentation);
        assert_eq!(page("/avatars/octo"), Page::Avatar("octo".into()));
    }
}
