//! Text that users write: its limits, and what is computed from it once, before the transaction that writes it
//! (decision 35).

use std::sync::Arc;

use md5::{Digest, Md5};

use super::markdown;
use crate::error::{Error, Result};
use crate::name;
use crate::operation::{Call, Cx, Prepared};

/// The longest title, in characters.
pub const TITLE_MAX: usize = 255;

/// The longest body, in characters.
pub const BODY_MAX: usize = 65_535;

/// A body with what is stored next to it.
#[derive(Debug)]
pub struct Body {
    /// The Markdown as it was sent.
    pub text: String,
    /// The MD5 of its bytes, in lower-case hexadecimal digits.
    pub version: String,
    /// HTML.
    pub html: String,
    /// The logins and teams that it mentions.
    pub mentions: Vec<String>,
}

impl Body {
    /// Returns the body that was rendered before the transaction; 422 if it is blank or too long.
    pub fn sent<'a>(cx: &Cx<'a, '_>, resource: &'static str, text: &str) -> Result<&'a Self> {
        refuse_unusable(resource, text)?;
        cx.prepared()
    }
}

/// Refuses a body that is blank or too long: 422.
pub(super) fn refuse_unusable(resource: &'static str, body: &str) -> Result<()> {
    measure(resource, "body", body, BODY_MAX)
}

/// Renders the body that a request contains, unless it will be refused.
#[must_use]
pub fn prepare(call: &Call) -> Option<Prepared> {
    let text = call.text("body")?;
    refuse_unusable("", text).ok()?;
    let markdown::Rendered { html, mentions } = markdown::render(text);
    Some(Arc::new(Body { version: version(text), text: text.to_owned(), html, mentions }))
}

/// Returns the title without invisible characters; 422 if it is blank, too long or more than one line.
pub fn valid_title(title: &str) -> Result<String> {
    let title = name::without_invisible(title);
    measure("TeamDiscussion", "title", &title, TITLE_MAX)?;
    if name::is_one_line(&title) {
        return Ok(title);
    }
    let message = "Title contains a line break or another control character";
    Err(Error::explained("TeamDiscussion", "custom", "title", message))
}

fn measure(resource: &'static str, field: &'static str, text: &str, longest: usize) -> Result<()> {
    if text.trim().is_empty() {
        let message = if field == "title" { "Title cannot be blank" } else { "Body cannot be blank" };
        return Err(Error::explained(resource, "custom", field, message));
    }
    if text.chars().count() > longest {
        let message = format!("{field} is too long (maximum is {longest} characters)");
        return Err(Error::explained(resource, "custom", field, message));
    }
    Ok(())
}

/// The version of a text: it differs if the text does.
#[must_use]
pub fn version(text: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    Md5::digest(text.as_bytes()).iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_md5_of_the_bytes() {
        assert_eq!(version(""), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(version("The quick brown fox jumps over the lazy dog"), "9e107d9d372bb6826bd81d3542a419d6");
    }
}
