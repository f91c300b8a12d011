//! Webhooks of organizations and of the site: which events they receive, and how (decisions 41, 44 and 68).

pub mod change;
mod changes;
pub mod config;
pub mod events;
pub mod failing;
pub mod global;
mod health;
mod job;
pub mod org;
mod payload;
pub mod plan;
pub mod record;
pub mod secret;
pub mod stored;
pub mod target;

pub use health::{note_outcome, purge, switch_off_failing};
pub use job::{Job, Secrets, job};
