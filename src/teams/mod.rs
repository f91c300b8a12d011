//! The core of the domain: teams, their tree and their members. There is one file per resource or rule of the
//! specification.

pub mod attributes;
pub mod counters;
pub mod create;
pub mod delete;
pub mod explanations;
pub mod first_grant;
mod fragments;
pub mod get;
pub mod holders;
pub mod invitations;
pub mod join_requests;
pub mod leaving;
pub mod legacy_members;
pub mod list;
mod lookup;
pub mod members;
pub mod membership;
pub mod naming;
pub mod of_repo;
pub mod org_roles;
pub mod places;
pub mod projects;
pub mod record;
pub mod repos;
pub mod reviews;
pub mod roles;
pub mod rooms;
pub mod search;
pub mod security_managers;
pub mod slug;
pub mod team;
pub mod text;
pub mod tree;
pub mod update;
pub mod visible;
