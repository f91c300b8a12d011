//! The webhooks of an organization or of the site, each with the state of its last delivery.

use askama::Template;

use super::records::{Delivery, Hook};
use crate::error::{Error, Result};
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::organization::holder::{At, Holder};

/// The number of webhooks on a page.
const MOST: u64 = 20;

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 1] = [("deleted", "Webhook deleted.")];

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, at: At<'_>) -> Result<Shown> {
    if guest.has_form() {
        return Err(Error::NotFound);
    }
    let (operation, path) = at.operation(["orgs.listWebhooks", "enterpriseAdmin.listGlobalWebhooks"], &[]);
    let list: Listed<Hook> = guest.list(operation, &path, body([]), guest.page(MOST)).await?;
    let of = Holder::find(guest, at).await?;
    let mut newest = Vec::with_capacity(list.items.len());
    for hook in &list.items {
        newest.push(hook.newest(guest, at).await?);
    }
    Shown::of(200, &Hooks { frame: guest.frame()?, done: guest.done(&DONE), of, list, newest })
}

#[derive(Template)]
#[template(path = "hooks/list.html")]
struct Hooks {
    frame: Frame,
    /// A sentence about what was just done; empty if nothing was.
    done: &'static str,
    of: Holder,
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
