//! Repositories: records that belong to an organization or a person and can be granted (decisions 30, 31 and 33).

pub mod access;
mod addresses;
mod attributes;
pub mod collaborator;
pub mod collaborators;
mod counted;
pub mod create;
pub mod delete;
pub mod fork;
pub mod granting;
pub mod level;
pub mod list;
pub mod naming;
pub mod record;
pub mod repo;
pub mod update;

use crate::error::Result;
use crate::events::{self, Event, audit};
use crate::operation::Cx;
use crate::people::login::Owner;

pub use naming::name_key;

/// Tells the organization that owns a repository what happened to it; a person has nobody to tell.
fn announce(cx: &mut Cx, owner: Owner, event: &Event) -> Result<()> {
    match owner {
        Owner::Org(org) => events::emit(cx, org, event),
        Owner::User(_) => Ok(()),
    }
}

/// The chain of the audit in which an owner's repositories are: that of the organization, or of the site for a person.
fn chain(owner: Owner) -> i64 {
    match owner {
        Owner::Org(org) => org,
        Owner::User(_) => audit::SITE,
    }
}
