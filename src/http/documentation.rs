//! The documentation of the operations as a page, each at the anchor that `documentation_url` names (decision 53).

use std::sync::{LazyLock, OnceLock};

use base64::Engine;
use hyper::header::{self, HeaderMap, HeaderValue};
use pulldown_cmark::{Options, Parser};
use sha2::{Digest, Sha256};

use super::compression::Document;
use super::reference;
use super::response::Answer;
use crate::operations::operations;
use crate::pages::STYLE;

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// Nothing is loaded and no script is run. The style is in the page, because a page that a browser has kept must not need
/// the style of an older version.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(&STYLE.content));
    let policy = format!("default-src 'none'; style-src 'sha256-{hash}'; frame-ancestors 'none'; base-uri 'none'");
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});

/// The page.
pub(super) fn documentation(mut answer: Answer, sent: &HeaderMap) -> Answer {
    static PAGE: OnceLock<Document> = OnceLock::new();
    let page = PAGE.get_or_init(|| {
        let text = reference::operations(&operations());
        let mut html = String::new();
        pulldown_cmark::html::push_html(&mut html, Parser::new_ext(&text, Options::ENABLE_TABLES));
        let html = html.replace("<table>", "<div class=\"wide\"><table>").replace("</table>", "</table></div>");
        Document::new(document(&html))
    });
    answer.body = page.body(sent, &mut answer.headers);
    answer.headers.spell_out();
    answer.headers.insert(header::CONTENT_TYPE, HTML);
    answer.headers.insert(header::CONTENT_SECURITY_POLICY, POLICY.clone());
    answer
}

fn document(body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\"><title>Operations - Guildhall</title>\n\
         <style>{}</style></head>\n<body>\n<main class=\"text\">\n{body}</main>\n</body>\n</html>\n",
        STYLE.content
    )
}
