//! A text rendered as a post would be, without writing it, for the page on which it is written (decision 35).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::markdown;
use super::text::{self, BODY_MAX};
use crate::error::Result;
use crate::operation::{Cx, Record};
use crate::people::me::Me;
use crate::policy::Granted;

/// A rendered text.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Previewed {
    /// Safe HTML.
    pub html: String,
}

/// Render a text as a post would be.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Preview {
    /// Text, in Markdown.
    #[schemars(length(max = BODY_MAX), extend("x-function-validates" = true))]
    pub body: String,
}

/// Renders a text as a post would be, within the same limits.
pub fn preview(_: &mut Cx, _: Granted<Me>, p: Preview) -> Result<Record<Previewed>> {
    text::refuse_unusable("TeamDiscussion", &p.body)?;
    Ok(Previewed { html: html(&p.body) }.into())
}

/// A text as safe HTML, within the limits of a post.
#[must_use]
pub fn html(text: &str) -> String {
    markdown::render(text).html
}
