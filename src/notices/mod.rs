//! Notices: who is notified of a post, the inbox that shows it, and the choices of users (decision 37).

pub mod board;
mod choice;
mod inbox;
pub mod mail_setting;
pub mod muted;
pub mod newest;
pub mod reader;
mod reason;
mod recipients;
pub mod subscription;
mod thread;
pub mod threads;
pub mod unsubscribing;

pub use inbox::put;
pub use reason::Reason;
pub use recipients::{Page, Post, Recipient, recipients, still_wanted};
