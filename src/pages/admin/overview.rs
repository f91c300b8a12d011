//! The first room of site administrators: the numbers that matter, and what runs here.

use askama::Template;

use crate::error::Result;
use crate::hooks::failing::Failing;
use crate::links::segment;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::site::overview::{MOST, Overview};

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let v: Overview = guest.call("administration.look", &[], body([])).await?;
    let hooks: Vec<Failing> = guest.call("administration.hooks", &[], body([])).await?;
    let mut rooms = Vec::with_capacity(hooks.len());
    for hook in &hooks {
        rooms.push(room(guest, hook).await?);
    }
    Shown::of(200, &Page { frame: guest.frame()?, done: guest.done(&[]), v, hooks, rooms })
}

/// The path of the room of a webhook below `/ui`. An owner sees everything that was sent there, and another site administrator what
/// waits or was given up.
async fn room(guest: &Guest<'_>, hook: &Failing) -> Result<String> {
    let id = hook.id;
    Ok(match &hook.org {
        Some(org) if !guest.may("orgs.updateWebhook", &[("org", org), ("hook_id", &id.to_string())]).await? => {
            let state = if hook.active { "waiting" } else { "dead" };
            format!("/admin/deliveries?state={state}&hook={id}")
        }
        Some(org) => format!("/orgs/{}/hooks/{id}", segment(org)),
        None => format!("/admin/hooks/{id}"),
    })
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
    /// The path below `/ui` to which each leads.
    rooms: Vec<String>,
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
