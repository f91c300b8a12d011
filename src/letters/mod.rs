//! The people who are notified of a journal entry, by e-mail and in inboxes, and the letters about it (decisions 25,
//! 37, 44, 46, 65 and 69).
//!
//! An e-mail is stored as its recipient and its subject matter. A letter is composed from the rows when it is sent, so
//! it contains nothing that its recipient may no longer see.

mod addressee;
mod application;
mod compose;
mod email;
mod ending;
mod hook_off;
mod hourly;
mod invitation;
mod joining;
mod plan;
mod post;
mod reminders;
mod sign_in;

pub use addressee::Composing;
pub use compose::compose;
pub use hourly::Hourly;
pub use plan::{Notices, plan};
pub use reminders::{is_due, remind};
