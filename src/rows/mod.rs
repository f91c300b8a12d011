//! Rows as the program holds them: teams, people in lists, and the columns of the journal that memory folds. Several modules
//! read them, so they live below all of these. The statements stay beside the functions that use them.

mod fold;
mod person;
mod team;

pub use fold::{Fold, Folded};
pub use person::PersonRow;
pub(crate) use team::team_columns;
pub use team::{NOTIFICATION_SETTING, PERMISSION, PRIVACY, TeamCounts, TeamRow};
