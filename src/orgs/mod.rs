//! Organizations and what they own.

pub mod account;
pub mod changes;
pub mod create;
pub mod invitation;
pub mod invitation_end;
pub mod invitations;
pub mod invite;
pub mod invited_address;
pub mod join;
pub mod leave;
pub mod list;
pub mod members;
pub mod memberships;
pub mod my_memberships;
pub mod org;
pub mod outside;
pub mod owners;
pub mod projects;
pub mod record;
pub mod rename;
pub mod repos;
pub mod settings;
pub mod suspend;
pub mod synced;
pub mod team_membership;
pub mod update;
