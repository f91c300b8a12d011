//! Files that pages load: styles and pictures, with headers that let browsers cache them permanently.

use hyper::header::{self, HeaderValue};

use super::head::{Head, identified};
use super::response::{self, Answer};
use crate::pages;

/// The name of a file contains a hash of its content.
const FOR_GOOD: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Responds with a file that pages load, if there is one of this name.
pub(super) fn asset(name: &str, head: &Head) -> Option<Answer> {
    let asset = pages::asset(name)?;
    let mut answer = response::json(200, Some(bytes::Bytes::from_static(asset.content.as_bytes()).into()));
    let headers = &mut answer.headers;
    headers.spell_out();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.media));
    headers.insert(header::CACHE_CONTROL, FOR_GOOD);
    headers.remove(&header::VARY);
    Some(identified(answer, head))
}
