//! The rooms of an organization's webhooks, for its owners, and of the site's, for its administrators (decisions 44 and 68).

mod delete;
mod delivery;
mod edit;
mod failing;
mod filled;
mod list;
mod new;
mod records;
mod room;

use crate::error::{Error, Result};
use crate::pages::guest::Guest;
use crate::pages::layout::Shown;
use crate::pages::organization::holder::At;

pub(in crate::pages) use failing::{Failing, failing};

/// The operations that change a webhook of an organization, and one of the site.
const UPDATE: [&str; 2] = ["orgs.updateWebhook", "enterpriseAdmin.updateGlobalWebhook"];

/// Answers a visit to the room at this path below the webhooks.
pub(in crate::pages) async fn answer(guest: &Guest<'_>, at: At<'_>, below: &[&str]) -> Result<Shown> {
    match *below {
        [] => list::answer(guest, at).await,
        ["new"] => new::answer(guest, at).await,
        [hook] => room::answer(guest, (at, hook)).await,
        [hook, "edit"] => edit::answer(guest, (at, hook)).await,
        [hook, "delete"] => delete::answer(guest, (at, hook)).await,
        [hook, "deliveries", delivery] => delivery::answer(guest, (at, hook), delivery).await,
        _ => Err(Error::NotFound),
    }
}
