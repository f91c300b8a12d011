//! Organizations, their members and their settings.

pub mod account;
pub mod create;
pub mod creation;
pub mod delete;
pub mod directory;
pub mod invitation;
pub mod invite;
pub mod joining;
pub mod list;
pub mod members;
pub mod memberships;
pub mod my_memberships;
pub mod org;
pub mod org_ref;
pub mod record;
pub mod rename;
pub mod settings;
pub mod switches;
pub mod update;
