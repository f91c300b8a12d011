//! The first room of site administrators: the numbers that matter, and what runs here.

use askama::Template;

use crate::error::Result;
use crate::hooks::failing::Failing;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::site::overview::{MOST, Overview};

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let v: Overview = guest.call("administration.look", &[], body([])).await?;
    let hooks: Vec<Failing> = guest.call("administration.hooks", &[], body([])).await?;
    Shown::of(200, &Page { frame: guest.frame()?, done: guest.done(&[]), v, hooks })
}

#[derive(Template)]
#[template(path = "admin/overview.html")]
struct Page {
    frame: Frame,
    /// A sentence about what was just done; empty if nothing was.
    done: &'static str,
    v: Overview,
    /// Some of the webhooks that fail or are switched off.
    hooks: Vec<Failing>,
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
