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

use crate::journal::SITE;
use crate::orgs::org::Org;
use crate::site::Site;

pub use health::{note_outcome, purge, switch_off_failing};
pub use job::{Job, Secrets, job};

/// A subject that has webhooks: an organization, or the site.
pub trait HasHooks {
    /// The journal whose events its webhooks get.
    fn journal(&self) -> i64;
}

impl HasHooks for Org {
    fn journal(&self) -> i64 {
        self.id
    }
}

impl HasHooks for Site {
    fn journal(&self) -> i64 {
        SITE
    }
}
