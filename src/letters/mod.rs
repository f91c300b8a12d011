//! Who is notified of a journal entry, by e-mail and in inboxes, and the letters about it (decisions 25, 37, 44, 46 and
//! 69).
//!
//! What is stored of an e-mail is its recipient and what it is about. A letter is composed from the rows when it is
//! sent, so it contains nothing that its recipient may no longer see.

mod addressee;
mod compose;
mod hook_off;
mod hourly;
mod invitation;
mod plan;
mod post;
mod reminders;

pub use addressee::Composing;
pub use compose::compose;
pub use hourly::Hourly;
pub use plan::{Notices, plan};
pub use reminders::{is_due, remind};
