//! What an operation is under.

use super::{Caller, Cx, Path, Stage};
use crate::db::{Lock, MadeOf, Tx};
use crate::error::Result;
use crate::policy::Standing;

/// What a path names before an operation begins. What the caller may not see is not found (house rule 2).
pub trait Subject: Sized + 'static {
    /// Every form of its path; the first is the one that documents show.
    const FORMS: &'static [&'static str];
    /// Whether the subject is the caller: without credentials it is 401, not 404 (decision 19).
    const PERSONAL: bool = false;
    /// The parameters of its path, if who may do what with it depends on no other one.
    const NAMED_BY: &'static [&'static str] = &[];

    /// Looks the subject up together with the caller's standing.
    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)>;

    /// What a write on it locks, found without any lock: accounts, and every journal that it may record in (house
    /// section 16).
    fn locks(tx: &mut Tx, caller: &Caller, path: &Path) -> Result<Vec<Lock>>;

    /// Asks ahead for what `locks` and `find` will ask for this caller, if that is known.
    fn ask_ahead(_: &mut Tx, _: i64, _: &Path) -> Result<()> {
        Ok(())
    }

    /// Its path in identifier form, which `Link` headers show (decision 38).
    fn canonical(&self) -> String;

    /// What the verdict of the policy on it is made of; in the other stage, what the answer of an operation is made of that
    /// says that it depends on an organization.
    fn made_of(&self, _: Stage) -> MadeOf {
        MadeOf::Anything
    }

    /// Whether its members follow an identity provider, which then is all that changes them (decision 48).
    fn is_synced(&self, _: &mut Cx) -> Result<bool> {
        Ok(false)
    }
}
