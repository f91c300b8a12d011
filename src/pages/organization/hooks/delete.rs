//! The page that asks before a webhook is deleted.

use askama::Template;
use serde_json::Value;

use super::records::Hook;
use crate::error::Result;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::organization::holder::{At, Holder};

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, (at, id): (At<'_>, &str)) -> Result<Shown> {
    let hook = Hook::find(guest, (at, id)).await?;
    let of = Holder::find(guest, at).await?;
    if !guest.has_form() {
        return Shown::of(200, &Delete { frame: guest.frame()?, of, hook });
    }
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    let operations = ["orgs.deleteWebhook", "enterpriseAdmin.deleteGlobalWebhook"];
    let (operation, path) = at.operation(operations, &[("hook_id", id)]);
    guest.call::<Value>(operation, &path, body([])).await?;
    Ok(guest.see(&format!("{}/hooks", of.path()), "deleted"))
}

#[derive(Template)]
#[template(path = "hooks/delete.html")]
struct Delete {
    frame: Frame,
    of: Holder,
    hook: Hook,
}
