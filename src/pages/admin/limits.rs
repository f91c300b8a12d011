//! The limits in force: those that settings change, and those that nothing changes.

use askama::Template;

use crate::error::{Error, Result};
use crate::instruments::InForce;
use crate::limits::fixed::{self, Fixed};
use crate::pages::guest::Guest;
use crate::pages::layout::{Frame, Shown};

/// Answers a visit to the page.
pub(super) fn answer(guest: &Guest<'_>) -> Result<Shown> {
    if guest.has_form() {
        return Err(Error::NotFound);
    }
    Shown::of(200, &Limits { frame: guest.frame()?, in_force: &guest.instruments.limits, fixed: fixed::all() })
}

#[derive(Template)]
#[template(path = "admin/limits.html")]
struct Limits<'a> {
    frame: Frame,
    in_force: &'a [InForce],
    fixed: Vec<Fixed>,
}
