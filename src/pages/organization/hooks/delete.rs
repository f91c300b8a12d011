//! The page that asks before a webhook is deleted.

use askama::Template;
use serde_json::Value;

use super::records::Hook;
use crate::error::Result;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::organization::Organization;

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, at: [&str; 2]) -> Result<Shown> {
    let hook = Hook::find(guest, at).await?;
    let of = Organization::find(guest, at[0]).await?;
    if !guest.has_form() {
        return Shown::of(200, &Delete { frame: guest.frame()?, of, hook });
    }
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    guest.call::<Value>("orgs.deleteWebhook", &[("org", at[0]), ("hook_id", at[1])], body([])).await?;
    Ok(guest.see(&format!("/orgs/{}/hooks", of.login), "deleted"))
}

#[derive(Template)]
#[template(path = "hooks/delete.html")]
struct Delete {
    frame: Frame,
    of: Organization,
    hook: Hook,
}
