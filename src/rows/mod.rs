//! Rows as the program has them: teams, people in lists, levels, and the columns of the journal that are folded into
//! memory. Several modules read them, so they are below all of these. The statements stay next to the functions that use
//! them.

mod fold;
pub mod level;
mod person;
mod team;

pub use fold::{Fold, Folded};
pub use person::PersonRow;
pub(crate) use team::PARENT;
pub use team::{Algorithm, NotificationSetting, Permission, Privacy, ReviewDelegation, TeamCounts, TeamFacts, TeamRow};
