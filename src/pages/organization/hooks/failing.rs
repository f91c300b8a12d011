//! The webhooks whose last delivery failed, on the home page of an owner.

use super::records::{Delivery, Hook};
use crate::dispatch::FIRST;
use crate::error::{Error, Result};
use crate::operation::Page;
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::organization::holder::At;

/// The most of them that are shown.
const SHOWN: usize = 5;

/// The most organizations, and the most webhooks, that a home page looks at.
const MOST: usize = 20;

/// A webhook whose last delivery failed.
pub(in crate::pages) struct Failing {
    /// The login of the organization.
    pub org: String,
    /// The host of the receiver.
    pub host: String,
    /// The path of the room below `/ui`.
    pub path: String,
    /// The last delivery.
    pub last: Delivery,
}

/// The failing webhooks of these organizations, of which the visitor is an owner.
pub(in crate::pages) async fn failing(guest: &Guest<'_>, owned: &[&str]) -> Result<Vec<Failing>> {
    let (mut found, mut seen) = (Vec::new(), 0);
    for org in owned.iter().take(MOST) {
        let page = Page { per_page: MOST as u64, ..FIRST };
        let hooks: Result<Listed<Hook>> = guest.list("orgs.listWebhooks", &[("org", org)], body([]), page).await;
        let hooks = match hooks {
            Err(Error::NotFound | Error::Forbidden(_)) => continue,
            hooks => hooks?,
        };
        for hook in hooks.items.iter().filter(|hook| hook.active) {
            if seen == MOST || found.len() == SHOWN {
                return Ok(found);
            }
            seen += 1;
            let at = At::Organization(org);
            let failed = hook.newest(guest, at).await?.filter(|last| !last.is_accepted());
            found.extend(failed.map(|last| Failing {
                org: (*org).to_owned(),
                host: hook.host().to_owned(),
                path: hook.path(at),
                last,
            }));
        }
    }
    Ok(found)
}
