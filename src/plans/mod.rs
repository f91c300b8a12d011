//! Plans over HTTP: an owner sends a file, reads what would have to change, and lets the server carry it out (decision 75).
//!
//! Files are read and compared on a thread that may take its time, before the request waits for the writer. An apply
//! compares again in its transaction.

pub mod apply;
pub mod create;
mod file;
pub mod get;
mod record;
mod stored;

pub use stored::trim;

use crate::error::{Error, Result};
use crate::operation::Cx;
use crate::plan::Flags;
use crate::scope::SITE_ADMIN;

/// Refuses to make accounts for a caller who may not do that by the operation for it.
fn refuse_accounts(cx: &Cx, flags: Flags) -> Result<()> {
    let may_create = cx.caller.administers_site() && SITE_ADMIN.satisfied_by(cx.caller.scopes());
    if !flags.create_accounts || may_create {
        return Ok(());
    }
    let text = "Only site administrators make accounts, with a token that has the scope site_admin. Plan without \
                `create_accounts`.";
    Err(Error::Forbidden(text.into()))
}
