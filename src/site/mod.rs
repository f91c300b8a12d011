//! The site itself as a subject of the table: what belongs to no person and no organization.
//!
//! Implements the subject of decision 42: all writes to the site are serialized.

pub mod absent;
pub mod meta;
pub mod overview;
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

/// The facts about the caller that hold for every subject.
#[must_use]
pub fn signed_in(cx: &Cx) -> Standing {
    Standing::default()
        .with(Fact::SignedIn, cx.caller.is_known() && !cx.caller.is_outsider)
        .with(Fact::SiteAdmin, cx.caller.administers_site())
}
