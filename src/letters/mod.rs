//! Who is told what of an entry of a journal, by mail and in inboxes, and the letters that are written of it (decisions
//! 25, 37, 44, 46 and 69).
//!
//! What is stored of a mail is whom it goes to and what it is about. A letter is composed from the rows when it is sent, so
//! that it says nothing that its recipient may no longer see.

mod addressee;
mod compose;
mod hook_off;
mod invitation;
mod plan;
mod post;
mod reminders;

pub use addressee::Composing;
pub use compose::compose;
pub use plan::{Mails, Notices, Planned, plan};
pub use reminders::{is_due, remind};
