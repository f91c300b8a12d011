//! The rooms of an organization's webhooks, for its owners (decision 44).

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

pub(in crate::pages) use failing::{Failing, failing};

/// Answers a visit to the room at this path below the webhooks.
pub(super) async fn answer(guest: &Guest<'_>, org: &str, below: &[&str]) -> Result<Shown> {
    match *below {
        [] => list::answer(guest, org).await,
        ["new"] => new::answer(guest, org).await,
        [hook] => room::answer(guest, [org, hook]).await,
        [hook, "edit"] => edit::answer(guest, [org, hook]).await,
        [hook, "delete"] => delete::answer(guest, [org, hook]).await,
        [hook, "deliveries", delivery] => delivery::answer(guest, [org, hook, delivery]).await,
        _ => Err(Error::NotFound),
    }
}
