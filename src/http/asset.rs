//! Files that pages load: styles and pictures, with headers that let browsers cache them permanently.

use std::sync::LazyLock;

use bytes::Bytes;
use hyper::header::{self, HeaderValue};

use super::compression::Document;
use super::head::{Head, identified};
use super::response::{self, Answer};
use crate::pages::{Asset, ICON, SCRIPT, STYLE};

/// The name of a file contains a hash of its content.
const FOR_GOOD: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// The picture of the site has the same name in every version.
const FOR_A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// The files in both forms.
static FILES: LazyLock<[(&Asset, Document); 2]> = LazyLock::new(|| {
    [&*STYLE, &*SCRIPT].map(|asset| (asset, Document::new(Bytes::from_static(asset.content.as_bytes()))))
});

/// Responds with a file that pages load, if there is one of this name.
pub(super) fn asset(name: &str, head: &Head) -> Option<Answer> {
    let (asset, content) = FILES.iter().find(|(asset, _)| asset.name == name)?;
    let mut answer = file(HeaderValue::from_static(asset.media), FOR_GOOD);
    answer.headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    answer.body = content.body(&head.headers, &mut answer.headers);
    Some(identified(answer, head))
}

/// Responds with the picture of the site.
pub(super) fn icon(head: &Head) -> Answer {
    let mut answer = file(HeaderValue::from_static("image/x-icon"), FOR_A_DAY);
    answer.headers.remove(&header::VARY);
    answer.body = Bytes::from_static(ICON).into();
    identified(answer, head)
}

fn file(media: HeaderValue, kept: HeaderValue) -> Answer {
    let mut answer = response::json(200, None);
    let headers = &mut answer.headers;
    headers.spell_out();
    headers.insert(header::CONTENT_TYPE, media);
    headers.insert(header::CACHE_CONTROL, kept);
    answer
}
