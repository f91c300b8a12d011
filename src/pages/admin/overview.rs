//! The first room of site administrators: the numbers that matter, and what runs here.

use askama::Template;

use crate::error::Result;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::site::overview::{MOST, Overview};

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let v: Overview = guest.call("site.look", &[], body([])).await?;
    Shown::of(200, &Page { frame: guest.frame()?, v })
}

#[derive(Template)]
#[template(path = "admin/overview.html")]
struct Page {
    frame: Frame,
    v: Overview,
}

impl Page {
    /// A number that is counted up to a bound.
    #[expect(
        clippy::unused_self,
        clippy::trivially_copy_pass_by_ref,
        reason = "templates call methods with references"
    )]
    fn count(&self, number: &i64) -> String {
        if *number > MOST { format!("over {MOST}") } else { number.to_string() }
    }
}
