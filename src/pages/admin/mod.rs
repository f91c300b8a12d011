//! The rooms of site administrators (decision 61). For everyone else they are not there.

mod overview;

use super::acting;
use super::guest::Guest;
use super::layout::Shown;
use crate::error::{Error, Result};

/// Answers a visit to the room at this path below the administration.
pub(super) async fn answer(guest: &Guest<'_>, below: &[&str]) -> Result<Shown> {
    if !guest.administers_site() {
        return Err(Error::NotFound);
    }
    match *below {
        [] => overview::answer(guest).await,
        ["users", login, "act"] => acting::start(guest, login).await,
        _ => Err(Error::NotFound),
    }
}
