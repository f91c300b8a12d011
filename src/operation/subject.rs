//! The subject of an operation: what its path names.

use super::{Caller, Cx, Path, Stage};
use crate::db::{Lock, MadeOf, Tx};
use crate::error::Result;
use crate::policy::Standing;

/// The subject that a path names, before an operation begins. A subject that the caller may not see is not found.
pub trait Subject: Sized + 'static {
    /// Every form of its path; the first is the one that documents show.
    const FORMS: &'static [&'static str];
    /// The number of its last forms that are deprecated (decision 2).
    const LEGACY_FORMS: usize = 0;
    /// True if the subject is the caller: without credentials the response is 401, not 404 (decision 19).
    const PERSONAL: bool = false;
    /// The parameters of its path, if authorization depends on no other parameter.
    const NAMED_BY: &'static [&'static str] = &[];

    /// Looks up the subject together with the caller's standing.
    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)>;

    /// The locks of a write on it, found without any lock: accounts, and every journal that the write may record in.
    fn locks(tx: &mut Tx, caller: &Caller, path: &Path) -> Result<Vec<Lock>>;

    /// Sends ahead the statements that `locks` and `find` will run for this caller, if they are known.
    fn ask_ahead(_: &mut Tx, _: i64, _: &Path) -> Result<()> {
        Ok(())
    }

    /// Its path in identifier form, which `Link` headers show (decision 38).
    fn canonical(&self) -> String;

    /// The data that authorization on it depends on. In the other stage: the data that the response of an operation
    /// depends on, if the operation declares that it depends on an organization alone.
    fn made_of(&self, _: Stage) -> MadeOf {
        MadeOf::Anything
    }

    /// The organizations that it belongs to. What is in them is for the applications that they let in (decision 81).
    fn organizations(&self) -> Vec<i64> {
        Vec::new()
    }

    /// True if its members follow an identity provider, so that only the provider changes them (decision 48).
    fn is_synced(&self, _: &mut Cx) -> Result<bool> {
        Ok(false)
    }
}
