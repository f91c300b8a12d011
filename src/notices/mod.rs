//! Notices: who is told of a post, the inbox that it appears in, and what people have chosen (decision 37).

mod choice;
mod inbox;
pub mod mail_setting;
mod reason;
mod recipients;
pub mod subscription;
mod thread;
pub mod threads;
pub mod unsubscribing;

pub use inbox::put;
pub use reason::Reason;
pub use recipients::{Post, Recipient, recipients, still_wanted};
