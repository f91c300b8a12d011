//! When a door runs the same work again. Work that has to be run again ends with an error like any other, and leaves the
//! reason in its transaction, where the door looks for it.

use crate::error::Result;

/// Why work has to be run again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rerun {
    /// What it has read has changed: it needs a newer snapshot, or its turn after other transactions.
    OnNewer,
    /// It takes longer, or needs more, than it may have where it was run.
    Elsewhere,
}

/// The answer of work, unless it has to be run again.
pub(super) type Ran<R> = std::result::Result<Result<R>, Rerun>;
