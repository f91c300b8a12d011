//! The rooms of an organization.

mod applications;

use super::guest::Guest;
use super::layout::Shown;
use super::{access, team};
use crate::error::{Error, Result};

/// Answers a visit to the room at this path below the organization.
pub(super) async fn answer(guest: &Guest<'_>, org: &str, below: &[&str]) -> Result<Shown> {
    match *below {
        ["applications"] => applications::answer(guest, org).await,
        ["projects", number] => access::project(guest, org, number).await,
        ["teams", slug, ref below @ ..] => team::answer(guest, [org, slug], below).await,
        _ => Err(Error::NotFound),
    }
}
