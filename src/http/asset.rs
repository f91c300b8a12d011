//! Files that pages load: styles and pictures, with headers that let browsers cache them permanently.

use bytes::Bytes;
use hyper::header::{self, HeaderValue};

use super::head::{Head, identified};
use super::response::{self, Answer};
use crate::pages;

/// The name of a file contains a hash of its content.
const FOR_GOOD: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// The picture of the site has the same name in every version.
const FOR_A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// Responds with a file that pages load, if there is one of this name.
pub(super) fn asset(name: &str, head: &Head) -> Option<Answer> {
    let asset = pages::asset(name)?;
    Some(file(asset.content.as_bytes(), HeaderValue::from_static(asset.media), FOR_GOOD, head))
}

/// Responds with the picture of the site.
pub(super) fn icon(head: &Head) -> Answer {
    file(pages::ICON, HeaderValue::from_static("image/x-icon"), FOR_A_DAY, head)
}

fn file(content: &'static [u8], media: HeaderValue, kept: HeaderValue, head: &Head) -> Answer {
    let mut answer = response::json(200, Some(Bytes::from_static(content).into()));
    let headers = &mut answer.headers;
    headers.spell_out();
    headers.insert(header::CONTENT_TYPE, media);
    headers.insert(header::CACHE_CONTROL, kept);
    headers.remove(&header::VARY);
    identified(answer, head)
}
