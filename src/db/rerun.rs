//! The reasons why a door runs the same work again. Work that must run again ends with an error like any other and
//! leaves the reason in its transaction, where the door finds it.

use crate::error::Result;

/// The reason why work must run again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rerun {
    /// The data that it read has changed. It needs a newer snapshot, or must wait for other transactions.
    OnNewer,
    /// It needs more time or memory than it may use where it ran.
    Elsewhere,
}

/// The result of work, unless the work must run again.
pub(super) type Ran<R> = std::result::Result<Result<R>, Rerun>;
