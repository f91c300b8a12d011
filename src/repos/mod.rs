//! Repositories: records that belong to an organization or a person and can be granted (decisions 30, 31 and 33).

pub mod access;
mod addresses;
pub mod alerts;
mod attributes;
pub mod collaborator;
pub mod collaborators;
mod counted;
pub mod create;
pub mod delete;
pub mod facts;
pub mod fork;
pub mod granting;
pub mod list;
pub mod naming;
pub mod outside;
pub mod record;
pub mod repo;
pub mod settings;
mod taken;
pub mod topics;
pub mod update;

use crate::error::Result;
use crate::journal::{self, Change, Event};
use crate::operation::Cx;
use crate::people::login::Owner;

/// Levels are in `rows`, because `members` names them too.
pub use crate::rows::level;
pub use naming::name_key;

/// Records a change of a repository. If an organization owns it, the entry and the event are in the journal of that
/// organization. If a person owns it, the entry is in the journal of the site, and there is no event.
fn note(cx: &mut Cx, owner: Owner, change: Change, event: &Event) -> Result<()> {
    match owner {
        Owner::Org(org) => cx.record(org, change.with_event(event)),
        Owner::User(_) => cx.record(journal::SITE, change),
    }
}
