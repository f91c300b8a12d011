//! A delivery: the reason why it failed, what to do, and trying it again.

use askama::Template;

use super::{Delivery, InWords, retry};
use crate::error::{Error, Result};
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 1] = [("again", "It is tried again. Load this page again to see what came of it.")];

/// Answers a visit to the page.
pub(in crate::pages::admin) async fn answer(guest: &Guest<'_>, id: &str) -> Result<Shown> {
    let number: i64 = id.parse().map_err(|_| Error::NotFound)?;
    let of: Delivery = guest.call("administration.delivery", &[], body([("id", number.into())])).await?;
    if !guest.has_form() {
        return show(guest, of, Problem::default()).await;
    }
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    match retry(guest, id).await {
        Ok(()) => Ok(guest.see(&format!("/admin/deliveries/{number}"), "again")),
        Err(error) => show(guest, of, Problem { field: "", ..Problem::of(error)? }).await,
    }
}

async fn show(guest: &Guest<'_>, of: Delivery, problem: Problem) -> Result<Shown> {
    let room = match (&of.hook_org, of.hook) {
        (Some(org), Some(hook)) => {
            let at = [("org", org.as_str()), ("hook_id", &hook.to_string())];
            let is_seen = guest.may("orgs.updateWebhook", &at).await?;
            is_seen.then(|| format!("/ui/orgs/{org}/hooks/{hook}"))
        }
        (None, Some(hook)) => Some(format!("/ui/admin/hooks/{hook}")),
        _ => None,
    };
    let invited = of.org.as_deref().filter(|_| of.is_invitation());
    let invitations = match invited {
        Some(org) if guest.may("orgs.createInvitation", &[("org", org)]).await? => {
            Some(format!("/ui/orgs/{org}/people?show=invited"))
        }
        _ => None,
    };
    let done = if problem.is_none() { guest.done(&DONE) } else { "" };
    Shown::of(problem.status(), &DeliveryPage { frame: guest.frame()?, problem, done, of, room, invitations })
}

#[derive(Template)]
#[template(path = "admin/delivery.html")]
struct DeliveryPage {
    frame: Frame,
    problem: Problem,
    /// A sentence about what was just done; empty if nothing was.
    done: &'static str,
    of: Delivery,
    /// The path of the room of its webhook, if the visitor sees it.
    room: Option<String>,
    /// The path of the invitations of the organization, if this is the e-mail of one and the visitor sees them.
    invitations: Option<String>,
}
