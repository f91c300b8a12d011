//! The webhooks of an organization, each with the state of its last delivery.

use askama::Template;

use super::records::{Delivery, Hook};
use crate::error::{Error, Result};
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::organization::Organization;

/// The number of webhooks on a page.
const MOST: u64 = 20;

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 1] = [("deleted", "Webhook deleted.")];

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, org: &str) -> Result<Shown> {
    if guest.has_form() {
        return Err(Error::NotFound);
    }
    let list: Listed<Hook> = guest.list("orgs.listWebhooks", &[("org", org)], body([]), guest.page(MOST)).await?;
    let of = Organization::find(guest, org).await?;
    let mut newest = Vec::with_capacity(list.items.len());
    for hook in &list.items {
        newest.push(hook.newest(guest, org).await?);
    }
    Shown::of(200, &Hooks { frame: guest.frame()?, done: guest.done(&DONE), of, list, newest })
}

#[derive(Template)]
#[template(path = "hooks/list.html")]
struct Hooks {
    frame: Frame,
    /// A sentence about what was just done; empty if nothing was.
    done: &'static str,
    of: Organization,
    list: Listed<Hook>,
    /// The newest delivery of each.
    newest: Vec<Option<Delivery>>,
}

impl Hooks {
    /// The webhooks, each with its newest delivery.
    fn hooks(&self) -> impl Iterator<Item = (&Hook, &Option<Delivery>)> {
        self.list.items.iter().zip(&self.newest)
    }
}
