//! Signing in at the site's identity provider (decision 61): what is begun there, what comes back, and the accounts that are
//! connected with it. `src/identity` asks the provider.
//!
//! Neither the state of a visit to the provider nor its nonce nor the secret of PKCE is stored: they are computed, as codes
//! are.

mod enter;
mod tie;
mod visit;

pub use enter::{Entered, enter};
pub use tie::{Tied, Untie, list, tie, untie};
pub use visit::{Begun, Returned, begin, connect, returned};

use super::browser;
use crate::clock::Time;
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::journal::SITE;
use crate::operation::{Caller, Cx, Path, Subject};
use crate::policy::Standing;
use crate::site;

/// A browser that signs in at the site's identity provider.
#[derive(Debug, Clone)]
pub struct AtProvider {
    /// The hash of its cookie.
    browser: [u8; 32],
}

impl Subject for AtProvider {
    const FORMS: &'static [&'static str] = &["/login/provider/{browser}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        if cx.site.provider.is_none() {
            return Err(Error::NotFound);
        }
        Ok((Self { browser: browser::of(path)? }, site::signed_in(cx)))
    }

    /// The lock of the site keeps two requests from connecting the same person.
    fn locks(_: &mut Tx, _: &Caller, _: &Path) -> Result<Vec<Lock>> {
        Ok(vec![Lock::Journal(SITE)])
    }

    fn canonical(&self) -> String {
        String::new()
    }
}

/// Deletes visits that have ended.
pub(super) fn trim(tx: &mut Tx, now: Time) -> Result<()> {
    visit::trim(tx, now)
}
