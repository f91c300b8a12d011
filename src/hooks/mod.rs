//! Webhooks: what organizations and the site are configured to tell others of, and how (decisions 41, 44 and 68).

pub mod change;
pub mod config;
pub mod events;
pub mod global;
mod job;
pub mod org;
pub mod record;
pub mod secret;
pub mod stored;
pub mod target;

pub use job::{Job, Secrets, job};
