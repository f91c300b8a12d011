//! The site itself as a subject of the table: what stands under no person and no organization.
//!
//! Keeps decision 42 as far as the subject goes: whatever is written to the site is written one after the other.

pub mod meta;
pub mod rate_limit;

use crate::db::{Lock, Tx};
use crate::error::Result;
use crate::journal::SITE;
use crate::operation::{Caller, Cx, Path, Subject};
use crate::policy::{Fact, Standing};

/// The site.
#[derive(Debug, Clone, Copy)]
pub struct Site;

impl Subject for Site {
    const FORMS: &'static [&'static str] = &[""];

    fn find(cx: &mut Cx, _: &Path) -> Result<(Self, Standing)> {
        Ok((Self, signed_in(cx)))
    }

    fn locks(_: &mut Tx, _: &Caller, _: &Path) -> Result<Vec<Lock>> {
        Ok(vec![Lock::Journal(SITE)])
    }

    fn canonical(&self) -> String {
        String::new()
    }
}

/// What is true of the caller wherever they are.
#[must_use]
pub fn signed_in(cx: &Cx) -> Standing {
    let person = cx.caller.person.as_ref();
    Standing::default()
        .with(Fact::SignedIn, person.is_some())
        .with(Fact::SiteAdmin, person.is_some_and(|p| p.site_admin))
}
